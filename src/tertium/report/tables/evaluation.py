# SPDX-License-Identifier: Apache-2.0
"""Tables of an evaluation with grammars: systems, kinds of errors, differences."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.grammars.analysis import Evaluation

__all__ = ["evaluation_tables", "outputs_text"]


def evaluation_tables(evaluation: Evaluation) -> list[Table]:
    """Return the systems, their errors, and how they differ."""
    tables = [_systems(evaluation), _errors(evaluation)]
    if evaluation.differences:
        tables.append(_differences(evaluation))
    return tables


def _systems(evaluation: Evaluation) -> Table:
    from tertium.report.grammar.summary import cautions, headline, people

    rows = []
    for system in evaluation.ranking:
        low_high = "-"
        if system.interval is not None:
            low, high = system.interval
            low_high = f"{low:.3f} - {high:.3f}"
        rows.append(
            [
                f"{system.name} (human)" if system.human else system.name,
                f"{system.score:.3f}",
                low_high,
                f"{system.exact:,} of {system.segments:,}",
                f"{system.recurrence.distinct:,}/{system.edits:,}",
                "-" if system.kept is None else f"{100 * system.kept:.0f} %",
            ]
        )
    lines = ["score: cost of corrections per reference word; lower is better"]
    lines += ["edits: different / all; kept: the source's construction is kept"]
    lines.append(f"analyser {evaluation.analyser}, costs {evaluation.costs.profile}")
    if comparison := people(evaluation):
        lines += _wrapped(comparison)
    for text in cautions(evaluation):
        lines += _wrapped(f"caution: {text}")
    level = f"{100 * evaluation.bootstrap.confidence:g} %"
    head = ["system", "score ↓", level, "exact", "edits", "kept"]
    return Table(head, rows, title=headline(evaluation), note="\n".join(lines))


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 88, subsequent_indent="  ", break_on_hyphens=False)


def _errors(evaluation: Evaluation) -> Table:
    from tertium.grammars.search.edits import TAXONOMY, UNRELIABLE

    names = [system.name for system in evaluation.ranking]
    rows = [
        [
            f"{kind} (unreliable)" if kind in UNRELIABLE else kind,
            *(f"{system.taxonomy[kind]:,}" for system in evaluation.ranking),
        ]
        for kind in TAXONOMY
        if any(system.taxonomy[kind] for system in evaluation.ranking)
    ]
    return Table(["errors", *names], rows, title="Kinds of errors")


def _differences(evaluation: Evaluation) -> Table:
    rows = []
    for pair in evaluation.differences:
        low_high, p = "-", "-"
        if pair.interval is not None:
            low, high = pair.interval
            low_high = f"{low:.3f} to {high:.3f}"
        if pair.p_adjusted is not None:
            p = f"{pair.p_adjusted:.4f}"
        counts = f"{pair.wins}/{pair.ties}/{pair.losses}"
        rows.append([pair.a, pair.b, f"{pair.difference:.3f}", low_high, p, counts])
    note = "p: bootstrap over templates and their segments, after Holm's correction"
    head = ["better", "worse", "by", "interval", "adj. p", "wins/ties/losses"]
    return Table(head, rows, title="Differences", note=note, left=2)


def outputs_text(evaluation: Evaluation) -> str:
    """Return every output with its correction, after figure 7 of Nieminen (2018)."""
    widest = max(len(system.name) for system in evaluation.systems)
    lines = ["Outputs"]
    last = ""
    for record in evaluation.segments:
        if record.id != last:
            lines.append(f"{record.id}  {record.source}".rstrip())
        last = record.id
        made = f"  ({', '.join(record.constructions)})" if record.constructions else ""
        unproven = "" if record.proven else "  (not proven to be the cheapest)"
        score = f"{record.system:<{widest}}  {record.score:.3f}"
        lines.append(f"  {score}  {record.best}{made}{unproven}")
    return "\n".join(lines) + "\n"
