# SPDX-License-Identifier: Apache-2.0
"""Short segments for people to judge: cut from trees, projected onto outputs.

The preparation of SegRanks (Macháček 2014, sections 2 and 2.1).
"""

from __future__ import annotations

from tertium.segments.counts import ExtractionCounts, ProjectionCounts, SystemCounts
from tertium.segments.extraction import (
    MAX_LENGTH,
    MIN_LENGTH,
    Indices,
    extract,
    token_tree,
)
from tertium.segments.files import (
    read_segmented,
    write_candidates,
    write_candidates_tsv,
    write_origins,
    write_segmented,
)
from tertium.segments.projection import (
    Candidates,
    Image,
    Origin,
    Projection,
    image,
    project,
)
from tertium.segments.sentences import Segmented, segmented

__all__ = [
    "MAX_LENGTH",
    "MIN_LENGTH",
    "Candidates",
    "ExtractionCounts",
    "Image",
    "Indices",
    "Origin",
    "Projection",
    "ProjectionCounts",
    "Segmented",
    "SystemCounts",
    "extract",
    "image",
    "project",
    "read_segmented",
    "segmented",
    "token_tree",
    "write_candidates",
    "write_candidates_tsv",
    "write_origins",
    "write_segmented",
]
