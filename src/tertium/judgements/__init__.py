# SPDX-License-Identifier: Apache-2.0
"""What people said of translations: tables, formats, agreement, rankings.

Three kinds: *rankings* (a judge orders candidates of one segment), *ratings* (a
judge scores one output on a named scale) and *spans* (a judge marks errors).
"""

from __future__ import annotations

from tertium.judgements.candidates import (
    CandidateSet,
    attach_systems,
    read_candidates,
    read_system_table,
)
from tertium.judgements.comparisons import Comparisons, Wins
from tertium.judgements.formats import FORMATS, Given
from tertium.judgements.importing import (
    Import,
    demo_files,
    import_judgements,
    read_judgements,
)
from tertium.judgements.records import Bad, Place, Ranking, Rating, Span
from tertium.judgements.store import read_store, write_store
from tertium.judgements.summary import Summary, summarise
from tertium.judgements.tables import Judgements, merge

__all__ = [
    "FORMATS",
    "Bad",
    "CandidateSet",
    "Comparisons",
    "Given",
    "Import",
    "Judgements",
    "Place",
    "Ranking",
    "Rating",
    "Span",
    "Summary",
    "Wins",
    "attach_systems",
    "demo_files",
    "import_judgements",
    "merge",
    "read_candidates",
    "read_judgements",
    "read_store",
    "read_system_table",
    "summarise",
    "write_store",
]
