# SPDX-License-Identifier: Apache-2.0
"""The time that judges spent, as Macháček (2014) shows it in table 2.3."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.judgements.agreement.report import AgreementReport
    from tertium.judgements.annotators.time_spent import TimeSpent
    from tertium.judgements.estimates import Estimate

__all__ = ["time_table"]

_NOTE = """\
segments: different ones; the total counts those of several judges once. time, mean:
of judgements that took less than 600 s, in hours:minutes:seconds and in seconds."""


def time_table(report: AgreementReport, digits: int) -> Table:
    """Return one row per judge, and one for all together."""
    ranked = any(profile.rankings for profile in report.judges)
    head = ["judge", "segments", "judgements", "time", "mean"]
    head += ["intra κ", "inter κ"] * ranked
    kappas: dict[str | None, tuple[Estimate | None, Estimate | None]]
    kappas = {each.judge: (each.intra, each.inter) for each in report.judges}
    if (whole := report.whole.rankings) is not None:
        kappas[None] = whole.intra, whole.inter
    rows = []
    for one in report.time:
        row = [one.judge or "total", f"{one.segments:,}", f"{one.judgements:,}"]
        row += [_time(one), "n/a" if one.mean is None else f"{one.mean:.0f}"]
        if ranked:
            shown = kappas.get(one.judge, (None, None))
            row += [
                "n/a" if x is None or x.value is None else f"{x.value:.{digits}f}"
                for x in shown
            ]
        rows.append(row)
    rules = (len(rows) - 1,)
    return Table(head, rows, title="Time per judge", note=_NOTE, rules=rules)


def _time(one: TimeSpent) -> str:
    return str(timedelta(seconds=round(one.seconds))) if one.timed else "n/a"
