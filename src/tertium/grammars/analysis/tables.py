# SPDX-License-Identifier: Apache-2.0
"""Results as tables for other programs: tabs, one heading, full digits."""

from __future__ import annotations

from collections.abc import Iterable

from tertium.grammars.analysis.ambiguity import Ambiguity
from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.edits import TAXONOMY, UNIT, Kind

__all__ = ["segments_tsv", "systems_tsv"]

_KINDS = tuple(kind for kind in Kind if kind)


def segments_tsv(records: Iterable[SegmentRecord]) -> str:
    """Return outputs as a table, a column for every kind of edit."""
    head = [
        *("id", "system", "template", "set", "score", "cost", "ref_len", "n_edits"),
        *("close05", "close10", "close15", "close_is_least", "proven", "constructions"),
        *(kind.label for kind in _KINDS),
        *("source", "hyp", "ref", "correction"),
    ]
    rows = []
    for own in records:
        counts = own.counts
        rows.append(
            [
                *(own.id, own.system, own.template, own.set),
                *(repr(own.score), f"{own.cost / UNIT:g}", own.ref_len, len(own.edits)),
                *(own.close or ("", "", "")),
                _least(own) if own.close else "",
                *("yes" if own.proven else "no", " ".join(own.constructions)),
                *(counts[kind] for kind in _KINDS),
                *(own.source, own.hyp, " ".join(own.best.reference), str(own.best)),
            ]
        )
    return _tsv(head, rows)


def systems_tsv(evaluation: Evaluation) -> str:
    """Return systems as a table, the best first: scores, edits, categories."""
    head = [
        *("system", "human", "score", "low", "high", "segments", "exact", "unproven"),
        *("cost", "ref_tokens", "edits", "distinct", "kept"),
        *("close05", "close10", "close15", "close_is_least"),
        *(kind.label for kind in _KINDS),
        *(name.replace(" ", "_") for name in TAXONOMY),
        *(f"expected_{name.replace(' ', '_')}" for name in TAXONOMY),
    ]
    rows = []
    for own in evaluation.ranking:
        low, high = own.interval or ("", "")
        close = own.ambiguity.close if own.ambiguity else ()
        rows.append(
            [
                *(own.name, "yes" if own.human else "no", repr(own.score)),
                *(low, high, own.segments, own.exact, own.unproven),
                *(f"{own.cost / UNIT:g}", own.ref_tokens, own.edits),
                own.recurrence.distinct,
                "" if own.kept is None else own.kept,
                *(close or ("", "", "")),
                _least(own.ambiguity) if close else "",
                *(own.counts.get(kind, 0) for kind in _KINDS),
                *own.taxonomy.values(),
                *own.expected_taxonomy.values(),
            ]
        )
    return _tsv(head, rows)


def _least(own: Ambiguity | SegmentRecord | None) -> str:
    """Tell whether counts of close costs are lower bounds."""
    return "yes" if own and own.close_is_least else "no"


def _tsv(head: list[str], rows: list[list[object]]) -> str:
    # White space inside a cell would make another cell or row of it.
    lines = [head, *([" ".join(str(cell).split()) for cell in row] for row in rows)]
    return "".join("\t".join(line) + "\n" for line in lines)
