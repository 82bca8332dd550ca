# SPDX-License-Identifier: Apache-2.0
"""Error analysis with reference sets: from outputs to a comparison of systems."""

from __future__ import annotations

from tertium.grammars.analysis.differences import Difference
from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.near import Near
from tertium.grammars.analysis.outputs import evaluate_outputs
from tertium.grammars.analysis.record_files import read_records, write_records
from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.analysis.systems import SystemResult
from tertium.grammars.analysis.tables import segments_tsv, systems_tsv
from tertium.grammars.sets.reference_sets import (
    FixedReferenceSets,
    Item,
    ReferenceSets,
    TemplateReferenceSets,
)

__all__ = [
    "Difference",
    "Evaluation",
    "FixedReferenceSets",
    "Item",
    "Near",
    "ReferenceSets",
    "SegmentRecord",
    "SystemResult",
    "TemplateReferenceSets",
    "evaluate_outputs",
    "read_records",
    "segments_tsv",
    "systems_tsv",
    "write_records",
]
