# SPDX-License-Identifier: Apache-2.0
"""Error analysis by sets of references: from outputs to a comparison of systems."""

from __future__ import annotations

from tertium.grammars.analysis.bootstrap import Resamples
from tertium.grammars.analysis.differences import Difference
from tertium.grammars.analysis.evaluate import evaluate
from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.near import Near
from tertium.grammars.analysis.record_files import read_records, write_records
from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.analysis.reference_sets import (
    FixedReferenceSets,
    Item,
    ReferenceSets,
    TemplateReferenceSets,
)
from tertium.grammars.analysis.systems import SystemResult
from tertium.grammars.analysis.tables import segments_tsv, systems_tsv

__all__ = [
    "Difference",
    "Evaluation",
    "FixedReferenceSets",
    "Item",
    "Near",
    "ReferenceSets",
    "Resamples",
    "SegmentRecord",
    "SystemResult",
    "TemplateReferenceSets",
    "evaluate",
    "read_records",
    "segments_tsv",
    "systems_tsv",
    "write_records",
]
