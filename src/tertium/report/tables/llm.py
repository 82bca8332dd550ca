# SPDX-License-Identifier: Apache-2.0
"""Tables of outputs that a language model judged, and of what that would cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.report.tables.style import Style
from tertium.report.tables.table import Table, exact_cells, percent

if TYPE_CHECKING:
    from tertium.llm import Judging, Plan

__all__ = ["judging_tables", "plan_tables"]

_LISTED = 10  # outputs that a table lists


def plan_tables(plan: Plan, style: Style) -> list[Table]:
    """Return the estimate, and for people the first request."""
    figures: list[tuple[str, str]] = [
        ("outputs", f"{plan.outputs:,}"),
        ("requests", f"{plan.requests:,}"),
        ("answered before", f"{plan.kept:,}"),
        ("input tokens", f"{plan.tokens_in:,}"),
        ("output tokens", f"{plan.tokens_out:,}"),
        ("cost", style.number(plan.cost, 2)),
        ("largest cost", style.number(plan.largest_cost, 2)),
    ]
    if style.for_programs:
        values = exact_cells(
            plan.outputs,
            plan.requests,
            plan.kept,
            plan.tokens_in,
            plan.tokens_out,
            plan.cost,
            plan.largest_cost,
        )
        return [Table([name for name, _ in figures], [values], left=0)]
    about = "Tokens are estimated: one per four bytes, and four more per message."
    lines = [f"{about} Nothing was sent. The first request:"]
    for message in plan.example:
        lines += ["", f"{message['role']}:"]
        lines += [f"  {line}".rstrip() for line in message["content"].splitlines()]
    rows = [list(row) for row in figures]
    return [Table(["estimate", ""], rows, note="\n".join(lines))]


def judging_tables(judging: Judging, style: Style) -> list[Table]:
    """Return the systems, how requests went, and answers that could not be read.

    Programs get the systems only.
    """
    head = ["system", "outputs", "judged", f"mean {judging.scale}"]
    if style.for_programs:
        rows = [exact_cells(*each) for each in judging.systems]
        return [Table(head, rows)]
    rows = [
        [
            each.system,
            f"{each.outputs:,}",
            f"{each.judged:,}",
            style.number(each.mean, 2),
        ]
        for each in judging.systems
    ]
    title = f"{judging.judge}, prompt {judging.prompt}"
    tables = [Table(head, rows, title=title), _requests(judging, style)]
    if judging.unparsable:
        tables += _unparsable(judging)
    return tables


def _requests(judging: Judging, style: Style) -> Table:
    rows = [
        ["answered now", f"{judging.asked:,}"],
        ["answered before", f"{judging.kept:,}"],
        *([f"repeated: {cause}", f"{n:,}"] for cause, n in judging.retried.items()),
        ["input tokens", f"{judging.tokens_in:,}"],
        ["output tokens", f"{judging.tokens_out:,}"],
    ]
    if judging.cost is not None:
        rows.append(["cost", style.number(judging.cost, 4)])
    if judging.unlocated:
        rows.append(["quotations not in the text", f"{judging.unlocated:,}"])
    return Table(["requests", ""], rows)


def _unparsable(judging: Judging) -> list[Table]:
    from tertium.llm.answers import REASONS

    number, outputs = len(judging.unparsable), judging.outputs
    share = percent(number, outputs)
    rows = [[REASONS[reason], str(n)] for reason, n in judging.reasons.items()]
    title = f"{number:,} of {outputs:,} answers could not be read ({share})"
    listed = [
        [each.system, each.segment, each.reason, each.answer]
        for each in judging.unparsable[:_LISTED]
    ]
    rest = number - len(listed)
    note = f"{rest:,} more are in the JSON (-f json)." if rest else ""
    return [
        Table(["reason", "answers"], rows, title=title),
        Table(["system", "segment", "reason", "answer"], listed, note=note, left=4),
    ]
