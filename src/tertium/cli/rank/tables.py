# SPDX-License-Identifier: Apache-2.0
"""Tables of ``tertium rank``: in the layout of WMT for people, and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.rank.more_tables import (
    level_tables,
    next_table,
    plan_tables,
    rating_plan_table,
    unseen_table,
)
from tertium.cli.shared.render import Table
from tertium.judgements.methods import METHODS

if TYPE_CHECKING:
    from tertium.cli.rank.verb import Options
    from tertium.judgements.ranking import (
        Pairwise,
        RankedSystem,
        Rankings,
        SystemRanking,
    )

__all__ = ["tables_for_people", "tables_for_programs"]

_MARKS = ((0.01, "‡"), (0.05, "†"), (0.1, "*"))


# --------------------------------------------------------------------- for people


def tables_for_people(result: Rankings, options: Options) -> list[Table]:
    """Return all tables, group by group."""
    tables = []
    for name, rankings in result.rankings.items():
        tables += _ranking_tables(name, rankings, options)
        if name in result.plans:
            tables += plan_tables(name, result.plans[name])
        if name in result.rating_plans:
            tables.append(rating_plan_table(name, result.rating_plans[name], options))
        if name in result.next:
            tables.append(next_table(name, result.next[name]))
    for name in dict.fromkeys([*result.levels, *result.unseen]):
        if name in result.levels:
            tables += level_tables(name, result.levels[name], options.levels)
        if name in result.unseen:
            tables.append(unseen_table(name, result.unseen[name]))
    return tables


def _ranking_tables(
    name: str, rankings: Sequence[SystemRanking], options: Options
) -> list[Table]:
    if "all" in (options.method or ()) and len(rankings) > 1:
        tables = [_side_by_side(name, rankings, options)]
    else:
        tables = [_table(name, ranking, options) for ranking in rankings]
    if options.matrix:
        # Methods based on the same comparisons, or ratings, share a matrix.
        matrices: dict[str, Pairwise] = {}
        for ranking in rankings:
            matrices.setdefault(ranking.pairs.kind, ranking.pairs)
        tables += [_matrix(name, pairs, options) for pairs in matrices.values()]
    return tables


def _table(name: str, ranking: SystemRanking, options: Options) -> Table:
    systems = ranking.systems
    rules = []
    previous: int | None = 1
    for row, each in enumerate(systems):
        if each.cluster is not None and each.cluster != previous:
            rules.append(row)
            previous = each.cluster
    head = ["#", "system", "score", "range"]
    if options.bootstrap:
        head.append(f"{100 * options.confidence:g} % interval")
    return Table(
        [*head, "comparisons" if "comparisons" in ranking.run else "segments"],
        [_row(each, options) for each in systems],
        title=_title(name, ranking),
        note=_note(ranking),
        left=2,
        rules=tuple(rules),
    )


def _row(each: RankedSystem, options: Options) -> list[str]:
    row = [
        "n/a" if each.cluster is None else str(each.cluster),
        each.system,
        _number(each.score, options),
        _range(each.rank),
    ]
    if options.bootstrap:
        low, high = each.interval or (None, None)
        row.append(f"{_number(low, options)} - {_number(high, options)}")
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


def _side_by_side(
    name: str, rankings: Sequence[SystemRanking], options: Options
) -> Table:
    columns = [{each.system: each for each in ranking.systems} for ranking in rankings]
    systems = list(dict.fromkeys(system for column in columns for system in column))
    rows = []
    for system in systems:
        row = [system]
        for column in columns:
            each = column.get(system)
            score = _number(each.score if each else None, options)
            cluster = each.cluster if each else None
            row.append(score if cluster is None else f"{score} ({cluster})")
        rows.append(row)
    return Table(
        ["system", *(ranking.method for ranking in rankings)],
        rows,
        title=f"{name or 'all'}: all methods",
        note="In parentheses: the cluster by each method. Ordered by the first method.",
    )


def _matrix(name: str, pairs: Pairwise, options: Options) -> Table:
    rows = []
    for i, system in enumerate(pairs.systems):
        row = [system]
        for j in range(len(pairs.systems)):
            # As in the appendices of WMT: the column against the row.
            value, p = pairs.values[j][i], pairs.p[j][i]
            mark = next((m for limit, m in _MARKS if p is not None and p <= limit), "")
            row.append("-" if i == j else _number(value, options, places=2) + mark)
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
        f"({pairs.test}, two-sided).",
    )


def _number(value: float | None, options: Options, *, places: int = 3) -> str:
    if value is None:
        return "n/a"
    return f"{value:.{places if options.digits is None else options.digits}f}"


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


def tables_for_programs(result: Rankings, options: Options) -> list[Table]:  # noqa: ARG001
    """Return the one table of TSV and CSV: what to judge, the plan, or the ranks."""
    if result.next:
        return [_fields(_NEXT, result.next)]
    if result.plans:
        plans = {name: plan.pairs for name, plan in result.plans.items()}
        return [_fields(_PLAN, plans)]
    if result.rating_plans:
        return [_fields(_RATING_PLAN, result.rating_plans)]
    head = ["langpair", "method", "system", "cluster", "best", "worst", "score"]
    rows = [
        _cells(
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
    return [Table([*head, "low", "high", "judgements"], rows)]


def _fields(names: Sequence[str], groups: Mapping[str, Sequence[object]]) -> Table:
    """Return the fields of results, one row per result."""
    rows = [
        _cells(group, *(getattr(each, name) for name in names))
        for group, results in groups.items()
        for each in results
    ]
    return Table(["langpair", *names], rows)


def _cells(*values: str | int | float | None) -> list[str]:
    return [
        "" if v is None else repr(v) if isinstance(v, float) else str(v) for v in values
    ]
