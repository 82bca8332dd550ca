# SPDX-License-Identifier: Apache-2.0
"""Parts of segments for people to judge: cut from trees, projected onto outputs.

The preparation of SegRanks (Macháček 2014, sections 2 and 2.1), and how judgements of
parts predict those of whole sentences.
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.judgements.parts.counts import (
        ExtractionCounts,
        ProjectionCounts,
        SystemCounts,
    )
    from tertium.judgements.parts.extraction import (
        MAX_LENGTH,
        MIN_LENGTH,
        Indices,
        extract,
        token_tree,
    )
    from tertium.judgements.parts.files import (
        read_segmented,
        write_candidates,
        write_candidates_tsv,
        write_origins,
        write_segmented,
    )
    from tertium.judgements.parts.projection import (
        Candidates,
        Image,
        Origin,
        Projection,
        image,
        project,
    )
    from tertium.judgements.parts.sentences import Segmented, segmented

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

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".counts": (
            "ExtractionCounts",
            "ProjectionCounts",
            "SystemCounts",
        ),
        ".extraction": (
            "MAX_LENGTH",
            "MIN_LENGTH",
            "Indices",
            "extract",
            "token_tree",
        ),
        ".files": (
            "read_segmented",
            "write_candidates",
            "write_candidates_tsv",
            "write_origins",
            "write_segmented",
        ),
        ".projection": (
            "Candidates",
            "Image",
            "Origin",
            "Projection",
            "image",
            "project",
        ),
        ".sentences": (
            "Segmented",
            "segmented",
        ),
    },
)
