# SPDX-License-Identifier: Apache-2.0
"""Agreement as one table for programs, with all digits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.judgements.agreement.kappa import Kappa
    from tertium.judgements.agreement.report import AgreementReport, Group
    from tertium.judgements.annotators.profiles import JudgeProfile
    from tertium.judgements.estimates import Estimate

__all__ = ["value_table"]


def value_table(report: AgreementReport, style: Style, *, pairs: bool) -> Table:
    """Return the coefficients, the judges or the pairs of judges, as asked for."""

    def figure(one: Estimate | None) -> list[str]:
        if one is None:
            return ["", "", ""]
        return [style.number(x) for x in (one.value, *(one.interval or (None, None)))]

    if pairs:
        whole = report.whole.rankings
        rows = [
            [a, b, *figure(kappa), str(kappa.agreed), str(kappa.compared)]
            for (a, b), kappa in (whole.pairs if whole else {}).items()
        ]
        return Table(["a", "b", "kappa", "low", "high", "agreed", "compared"], rows)
    if report.by == "judge":
        head = ["judge", "rankings", "ratings", "ties", "ties_low", "ties_high"]
        for name in ("intra", "inter"):
            head += [name, f"{name}_low", f"{name}_high", f"{name}_compared"]
        head += ["seconds", "seconds_low", "seconds_high", "timed", "long", "rushed"]
        head += ["checks_passed", "checks", "flags"]
        head += ["segments", "judgements", "total_seconds", "mean_seconds"]
        return Table(head, list(_judge_rows(report, style, figure)))
    head = ["group", "on", "coefficient", "value", "low", "high", "agreed"]
    head += ["compared", "reason"]
    rows = []
    for group in report.groups:
        for on, name, one in _coefficients(group):
            counts = ["", ""]
            if (kappa := _as_kappa(one)) is not None:
                counts = [str(kappa.agreed), str(kappa.compared)]
            row = [group.name, on, name, *figure(one), *counts, one.reason or ""]
            rows.append(row)
    return Table(head, rows)


def _judge_rows(
    report: AgreementReport,
    style: Style,
    figure: Callable[[Estimate | None], list[str]],
) -> Iterator[list[str]]:
    """Yield one row per judge; a last one, without a name, has the time of all."""
    profiles = {p.judge: _judge_row(p, figure) for p in report.judges}
    times = {one.judge: one for one in report.time}
    width = max(map(len, profiles.values()), default=0)
    for judge in [*profiles, *(name for name in times if name not in profiles)]:
        row = profiles.get(judge or "", [judge or "", *[""] * (width - 1)])
        one = times.get(judge)
        if one is None:
            yield [*row, "", "", "", ""]
            continue
        total = style.number(one.seconds if one.timed else None)
        counts = [str(one.segments), str(one.judgements)]
        yield [*row, *counts, total, style.number(one.mean)]


def _judge_row(
    p: JudgeProfile,
    figure: Callable[[Estimate | None], list[str]],
) -> list[str]:
    row = [p.judge, str(p.rankings), str(p.ratings), *figure(p.ties)]
    for kappa in (p.intra, p.inter):
        row += [*figure(kappa), "" if kappa is None else str(kappa.compared)]
    row += [*figure(p.speed.median), str(p.speed.timed), str(p.speed.long)]
    checks = ["", ""]
    if p.checks is not None:
        checks = [str(p.checks.passed), str(p.checks.total)]
    return [*row, str(p.speed.rushed), *checks, "; ".join(f.reason for f in p.flags)]


def _as_kappa(one: Estimate) -> Kappa | None:
    from tertium.judgements.agreement.kappa import Kappa

    return one if isinstance(one, Kappa) else None


def _coefficients(group: Group) -> Iterator[tuple[str, str, Estimate]]:
    from tertium.judgements.estimates import Estimate

    if group.rankings is not None:
        yield "rankings", "intra-kappa", group.rankings.intra
        yield "rankings", "inter-kappa", group.rankings.inter
        for name, one in group.outcomes.items():
            yield "rankings", name, one
        ties, chance = group.rankings.ties, group.rankings.expected
        yield "rankings", "ties", Estimate(ties, group.rankings.ties_interval)
        yield "rankings", "expected", Estimate(chance, group.rankings.expected_interval)
    for scale, agreement in group.ratings.items():
        for level, one in agreement.alpha.items():
            yield scale, f"alpha-{level}", one
        yield scale, "alpha-intra", agreement.intra
        if agreement.fleiss is not None:
            yield scale, "fleiss", agreement.fleiss
        for name, one in agreement.icc.values.items():
            yield scale, name, one
