# SPDX-License-Identifier: Apache-2.0
"""Mistakes in templates of grammars, as a table and as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.grammars.authoring.checks import CheckReport

__all__ = ["check_table", "check_text"]


def check_table(reports: Sequence[CheckReport]) -> Table:
    """Return one row per finding."""
    rows = [
        [report.name, one.severity, one.code, one.where, one.message, one.cure]
        for report in reports
        for one in report.findings
    ]
    head = ["template", "severity", "code", "where", "what", "cure"]
    return Table(head, rows, left=len(head))


def check_text(report: CheckReport) -> str:
    """Return the findings of a template as text, with the lines they are about."""
    numbers = ((report.errors, "error"), (report.warnings, "warning"))
    counts = [count(number, noun) for number, noun in numbers if number]
    result = ", ".join(counts) or "nothing wrong"
    lines = [f"{report.name}: {report.summary}; {result}"]
    for finding in report.findings:
        lines += [
            f"  {finding}",
            *(f"  {line}" for line in finding.excerpt.splitlines()),
        ]
    return "\n".join(lines) + "\n"
