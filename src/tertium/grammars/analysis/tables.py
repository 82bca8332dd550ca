# SPDX-License-Identifier: Apache-2.0
"""Results as tables for programs: tab-separated, one header row, full digits."""

from __future__ import annotations

from collections.abc import Iterable

from tertium.grammars.analysis.ambiguity import Ambiguity
from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.search.edits import TAXONOMY, UNIT, Kind

__all__ = ["segments_tsv", "systems_tsv"]

_KINDS = tuple(kind for kind in Kind if kind)


def segments_tsv(records: Iterable[SegmentRecord]) -> str:
    """Return outputs as a table, with one column per kind of edit."""
    head = [
        *("id", "system", "template", "set", "score", "cost", "ref_len", "n_edits"),
        *("close05", "close10", "close15", "close_is_least", "proven", "constructions"),
        *(kind.label for kind in _KINDS),
        *("source", "hyp", "ref", "correction"),
    ]
    rows = []
    for record in records:
        counts = record.counts
        rows.append(
            [
                *(record.id, record.system, record.template, record.set),
                *(
                    repr(record.score),
                    f"{record.cost / UNIT:g}",
                    record.ref_len,
                    len(record.edits),
                ),
                *(record.close or ("", "", "")),
                _least(record) if record.close else "",
                *("yes" if record.proven else "no", " ".join(record.constructions)),
                *(counts[kind] for kind in _KINDS),
                *(
                    record.source,
                    record.hyp,
                    " ".join(record.best.reference),
                    str(record.best),
                ),
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
    for system in evaluation.ranking:
        low, high = system.interval or ("", "")
        close = system.ambiguity.close if system.ambiguity else ()
        rows.append(
            [
                *(system.name, "yes" if system.human else "no", repr(system.score)),
                *(low, high, system.segments, system.exact, system.unproven),
                *(f"{system.cost / UNIT:g}", system.ref_tokens, system.edits),
                system.recurrence.distinct,
                "" if system.kept is None else system.kept,
                *(close or ("", "", "")),
                _least(system.ambiguity) if close else "",
                *(system.counts.get(kind, 0) for kind in _KINDS),
                *system.taxonomy.values(),
                *system.expected_taxonomy.values(),
            ]
        )
    return _tsv(head, rows)


def _least(result: Ambiguity | SegmentRecord | None) -> str:
    """Return whether the counts of close costs are lower bounds."""
    return "yes" if result and result.close_is_least else "no"


def _tsv(head: list[str], rows: list[list[object]]) -> str:
    # White space inside a cell would start another cell or row.
    lines = [head, *([" ".join(str(cell).split()) for cell in row] for row in rows)]
    return "".join("\t".join(line) + "\n" for line in lines)
