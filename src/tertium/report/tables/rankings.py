# SPDX-License-Identifier: Apache-2.0
"""Tables of systems ranked by judgements: as WMT shows them, and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.judgements.methods import METHODS
from tertium.report.tables.planning import (
    level_tables,
    next_table,
    plan_tables,
    rating_plan_table,
    unseen_table,
)
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table, exact_cells

if TYPE_CHECKING:
    from tertium.judgements.ranking import (
        Pairwise,
        RankedSystem,
        Rankings,
        SystemRanking,
    )

__all__ = ["ranking_tables"]

_MARKS = ((0.01, "‡"), (0.05, "†"), (0.1, "*"))


# --------------------------------------------------------------------- for people


def ranking_tables(
    result: Rankings,
    style: Style = Style(),  # noqa: B008 - frozen
    *,
    side_by_side: bool = False,
    matrix: bool = False,
    tests: bool = False,
    plan: float | None = None,
    levels: int | None = 10,
) -> list[Table]:
    """Return all tables, group by group; for programs one table.

    Parameters
    ----------
    result : Rankings
    style : Style
    side_by_side : bool
        Whether to show several methods in one table.
    matrix : bool
        Whether to show every pair of systems.
    tests : bool
        Whether to list every pair with all tests, for ratings and error spans; the
        one table for programs is then this list.
    plan : float, optional
        The power that plans are made for.
    levels : int, optional
        How many disagreements of segments and sentences to show; None for all.
    """
    if style.for_programs:
        return [_test_values(result) if tests else _value_table(result)]
    tables = []
    for name, rankings in result.rankings.items():
        if side_by_side and len(rankings) > 1:
            tables.append(_side_by_side(name, rankings, style))
        else:
            tables += [_table(name, ranking, style) for ranking in rankings]
        if matrix:
            tables += _matrices(name, rankings, style)
        if tests:
            tables += [_tests(name, one, style) for one in rankings if one.pairs.tests]
        if name in result.plans:
            tables += plan_tables(name, result.plans[name])
        if name in result.rating_plans:
            plans, run = result.rating_plans[name], rankings[0].run
            tables.append(rating_plan_table(name, plans, style, plan, run))
        if name in result.next:
            tables.append(next_table(name, result.next[name]))
    for name in dict.fromkeys([*result.levels, *result.unseen]):
        if name in result.levels:
            tables += level_tables(name, result.levels[name], levels)
        if name in result.unseen:
            tables.append(unseen_table(name, result.unseen[name]))
    return tables


def _matrices(
    name: str, rankings: Sequence[SystemRanking], style: Style
) -> list[Table]:
    # Methods based on the same comparisons, or ratings, share a matrix.
    matrices: dict[str, Pairwise] = {}
    for ranking in rankings:
        matrices.setdefault(ranking.pairs.kind, ranking.pairs)
    return [_matrix(name, pairs, style) for pairs in matrices.values()]


def _table(name: str, ranking: SystemRanking, style: Style) -> Table:
    systems = ranking.systems
    rules = []
    previous: int | None = 1
    for row, each in enumerate(systems):
        if each.cluster is not None and each.cluster != previous:
            rules.append(row)
            previous = each.cluster
    head = ["#", "system", "score", "range"]
    if _resampled(ranking):
        head.append(f"{100 * float(ranking.run['confidence']):g} % interval")
    return Table(
        [*head, "comparisons" if "comparisons" in ranking.run else "segments"],
        [_row(each, style, _resampled(ranking)) for each in systems],
        title=_title(name, ranking),
        note=_note(ranking),
        left=2,
        rules=tuple(rules),
    )


def _resampled(ranking: SystemRanking) -> bool:
    return int(ranking.run["resamples"]) > 0


def _row(each: RankedSystem, style: Style, resampled: bool) -> list[str]:
    row = [
        "n/a" if each.cluster is None else str(each.cluster),
        each.system,
        style.number(each.score),
        _range(each.rank),
    ]
    if resampled:
        low, high = each.interval or (None, None)
        row.append(f"{style.number(low)} - {style.number(high)}")
    return [*row, f"{each.judgements:,}"]


def _title(name: str, ranking: SystemRanking) -> str:
    run = ranking.run
    if "comparisons" in run:
        size = (
            f"{count(int(run['judgements']), 'ranking')}, "
            f"{count(int(run['comparisons']), 'comparison')}"
        )
    else:
        size = (
            f"{count(int(run['judgements']), 'judgement')} of "
            f"{count(int(run['segments']), 'segment')}"
        )
    return f"{name or 'all'}: {ranking.method} ({size})"


def _note(ranking: SystemRanking) -> str:
    run = ranking.run
    if run["clusters"] == "bootstrap":
        how = (
            f"range: ranks in {100 * float(run['confidence']):g} % of "
            f"{int(run['resamples']):,} resamples of {run['unit']}s (seed "
            f"{run['seed']}).\n#: clusters whose ranges do not overlap."
        )
    else:
        corrected = "" if run["correction"] == "none" else f", {run['correction']}"
        how = (
            f"range: ranks that pairwise tests leave possible ({ranking.pairs.test}, "
            f"p < {1 - float(run['confidence']):.2g}{corrected}).\n#: clusters; each "
            "system in one beats every system in the next."
        )
    return f"score: {METHODS[ranking.method]}.\n{how}"


def _side_by_side(name: str, rankings: Sequence[SystemRanking], style: Style) -> Table:
    columns = [{each.system: each for each in ranking.systems} for ranking in rankings]
    systems = list(dict.fromkeys(system for column in columns for system in column))
    rows = []
    for system in systems:
        row = [system]
        for column in columns:
            each = column.get(system)
            score = style.number(each.score if each else None)
            cluster = each.cluster if each else None
            row.append(score if cluster is None else f"{score} ({cluster})")
        rows.append(row)
    return Table(
        ["system", *(ranking.method for ranking in rankings)],
        rows,
        title=f"{name or 'all'}: all methods",
        note="In parentheses: the cluster by each method. Ordered by the first method.",
    )


def _matrix(name: str, pairs: Pairwise, style: Style) -> Table:
    rows = []
    for i, system in enumerate(pairs.systems):
        row = [system]
        for j in range(len(pairs.systems)):
            # As in the appendices of WMT: the column against the row.
            value, p = pairs.values[j][i], pairs.p[j][i]
            mark = next((m for limit, m in _MARKS if p is not None and p <= limit), "")
            row.append("-" if i == j else style.number(value, 2) + mark)
        rows.append(row)
    what = (
        "share of decided comparisons that the column's system won against the row's"
        if pairs.kind == "share of wins"
        else "mean score of the column's system minus that of the row's"
    )
    return Table(
        ["", *pairs.systems],
        rows,
        title=f"{name or 'all'}: pairs",
        note=f"Each cell: {what}.\n* p <= 0.1, † p <= 0.05, ‡ p <= 0.01 "
        f"({pairs.test}{'' if 'one-sided' in pairs.test else ', two-sided'}).",
    )


def _tests(name: str, ranking: SystemRanking, style: Style) -> Table:
    alpha = 1 - float(ranking.run["confidence"])
    rows = []
    for each in ranking.pairs.tests:
        verdicts = [
            name for test, name in _TESTS.items() if each.adjusted[test] < alpha
        ]
        verdict = "all" if len(verdicts) == len(_TESTS) else ", ".join(verdicts)
        rows.append(
            [each.a, each.b, style.number(each.difference), each.pairing, f"{each.n:,}"]
            + [style.number(each.adjusted[test]) for test in _TESTS]
            + [verdict or "no"]
        )
    corrected = str(ranking.run["correction"])
    adjusted = "" if corrected == "none" else f", corrected ({corrected})"
    return Table(
        [
            *("a", "b", "a - b", "paired by", "n"),
            *(f"p: {test}" for test in _TESTS.values()),
            "significant",
        ],
        rows,
        title=f"{name or 'all'}: {ranking.method}, all tests",
        left=2,
        note=f"p: two-sided{adjusted}; significant: p < {alpha:.2g}. Paired: t-test, "
        "Wilcoxon's signed-rank\ntest; otherwise Welch's t-test, rank-sum test. WMT26: "
        "paired or unpaired t-test of segments,\nwhichever p is smaller, one-sided.",
    )


_TESTS = {"t": "t", "wilcoxon": "Wilcoxon", "wmt26": "WMT26"}


def _test_values(result: Rankings) -> Table:
    head = ["langpair", "method", "a", "b", "difference", "pairing", "n"]
    names = tuple(_TESTS)
    rows = [
        exact_cells(
            name,
            ranking.method,
            *(each.a, each.b, each.difference, each.pairing, each.n),
            *(each.p[test] for test in names),
            *(each.adjusted[test] for test in names),
        )
        for name, rankings in result.rankings.items()
        for ranking in rankings
        for each in ranking.pairs.tests
    ]
    more = [f"{kind}:{test}" for kind in ("p", "adjusted") for test in names]
    return Table([*head, *more], rows)


def _range(rank: tuple[int, int] | None) -> str:
    if rank is None:
        return "n/a"
    return str(rank[0]) if rank[0] == rank[1] else f"{rank[0]}-{rank[1]}"


# ------------------------------------------------------------------- for programs

_NEXT = ("segment", "a", "b", "gain")
_PLAN = ("better", "worse", "share", "ties", "comparisons", "power", "needed")
_RATING_PLAN = (
    "better",
    "worse",
    "difference",
    "deviation",
    "segments",
    "power",
    "needed",
)


def _value_table(result: Rankings) -> Table:
    """Return the one table of TSV and CSV: what to judge, the plan, or the ranks."""
    if result.next:
        return _fields(_NEXT, result.next)
    if result.plans:
        plans = {name: plan.pairs for name, plan in result.plans.items()}
        return _fields(_PLAN, plans)
    if result.rating_plans:
        return _fields(_RATING_PLAN, result.rating_plans)
    head = ["langpair", "method", "system", "cluster", "best", "worst", "score"]
    rows = [
        exact_cells(
            name,
            ranking.method,
            each.system,
            each.cluster,
            *(each.rank or (None, None)),
            each.score,
            *(each.interval or (None, None)),
            each.judgements,
        )
        for name, rankings in result.rankings.items()
        for ranking in rankings
        for each in ranking.systems
    ]
    return Table([*head, "low", "high", "judgements"], rows)


def _fields(names: Sequence[str], groups: Mapping[str, Sequence[object]]) -> Table:
    """Return the fields of results, one row per result."""
    rows = [
        exact_cells(group, *(getattr(each, name) for name in names))
        for group, results in groups.items()
        for each in results
    ]
    return Table(["langpair", *names], rows)
