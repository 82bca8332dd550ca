# SPDX-License-Identifier: Apache-2.0
"""Rankings of systems as tables in the layout of WMT, for programs, and as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared.render import Table

if TYPE_CHECKING:
    from tertium.judgements.planning.comparisons import Item, Plan
    from tertium.judgements.planning.rating_plans import RatingPlan
    from tertium.judgements.ranking import Pairwise, SystemRanking

__all__ = [
    "next_table",
    "plan_tables",
    "program_table",
    "ranking_tables",
    "rating_plan_table",
    "to_json",
]


def to_json(
    rankings: dict[str, list[SystemRanking]],
    plans: dict[str, Plan],
    rated: dict[str, list[RatingPlan]],
    items: dict[str, list[Item]],
    further: Mapping[str, Mapping[str, object]],
) -> str:
    """Return everything as JSON."""
    from dataclasses import asdict

    data: dict[str, object] = {
        "rankings": [each.as_dict() for found in rankings.values() for each in found]
    }
    if plans:
        data["plans"] = {pair: asdict(plan) for pair, plan in plans.items()}
    if rated:
        data["rating_plans"] = {
            pair: list(map(asdict, found)) for pair, found in rated.items()
        }
    if items:
        data["next"] = {pair: list(map(asdict, found)) for pair, found in items.items()}
    data.update({name: dict(found) for name, found in further.items() if found})
    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)


def ranking_tables(
    pair: str, rankings: Sequence[SystemRanking], args: argparse.Namespace
) -> list[Table]:
    """Return the tables of one language pair."""
    if args.method and "all" in args.method and len(rankings) > 1:
        tables = [_side_by_side(pair, rankings, args)]
    else:
        tables = [_table(pair, each, args) for each in rankings]
    if args.matrix:
        # Methods with the same comparisons, or ratings, share a matrix.
        kinds: dict[str, Pairwise] = {}
        for each in rankings:
            kinds.setdefault(each.pairs.kind, each.pairs)
        tables += [_matrix(pair, pairs, args) for pairs in kinds.values()]
    return tables


def _table(pair: str, ranking: SystemRanking, args: argparse.Namespace) -> Table:
    rows: list[list[str]] = []
    rules: list[int] = []
    before = 1
    for each in ranking.systems:
        if each.cluster is not None and each.cluster != before:
            rules.append(len(rows))
            before = each.cluster
        row = [
            "n/a" if each.cluster is None else str(each.cluster),
            each.system,
            _number(each.score, args),
            _range(each.rank),
        ]
        if args.bootstrap:
            low, high = each.interval or (None, None)
            row.append(f"{_number(low, args)} - {_number(high, args)}")
        rows.append([*row, f"{each.judgements:,}"])
    run = ranking.run
    unit = "comparisons" if "comparisons" in run else "segments"
    head = ["#", "system", "score", "range"]
    if args.bootstrap:
        head.append(f"{100 * args.confidence:g} % interval")
    return Table(
        [*head, unit],
        rows,
        title=_title(pair, ranking),
        note=_note(ranking),
        left=2,
        rules=tuple(rules),
    )


def _title(pair: str, ranking: SystemRanking) -> str:
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
    return f"{pair or 'all'}: {ranking.method} ({size})"


def _note(ranking: SystemRanking) -> str:
    from tertium.judgements.ranking import METHODS

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
            f"range: places that pairwise tests leave possible ({ranking.pairs.test}, "
            f"p < {1 - float(run['confidence']):.2g}{corrected}).\n#: clusters; every "
            "system of one beats every system of the next."
        )
    return f"score: {METHODS[ranking.method]}.\n{how}"


def _side_by_side(
    pair: str, rankings: Sequence[SystemRanking], args: argparse.Namespace
) -> Table:
    names = list(
        dict.fromkeys(each.system for ranking in rankings for each in ranking.systems)
    )
    columns = [{each.system: each for each in ranking.systems} for ranking in rankings]
    rows = []
    for name in names:
        row = [name]
        for column in columns:
            each = column.get(name)
            score = _number(each.score if each else None, args)
            place = each.cluster if each else None
            row.append(score if place is None else f"{score} ({place})")
        rows.append(row)
    return Table(
        ["system", *(ranking.method for ranking in rankings)],
        rows,
        title=f"{pair or 'all'}: all methods",
        note="In parentheses the cluster by each method; order of the first.",
    )


_MARKS = ((0.01, "‡"), (0.05, "†"), (0.1, "*"))


def _matrix(pair: str, pairs: Pairwise, args: argparse.Namespace) -> Table:
    number = len(pairs.systems)
    rows = []
    for i, name in enumerate(pairs.systems):
        row = [name]
        for j in range(number):
            # As in the appendices of WMT: the column against the row.
            value, p = pairs.values[j][i], pairs.p[j][i]
            mark = next((m for limit, m in _MARKS if p is not None and p <= limit), "")
            row.append("-" if i == j else _number(value, args, places=2) + mark)
        rows.append(row)
    what = (
        "share of decided comparisons that the system of the column won against that "
        "of the row"
        if pairs.kind == "share of wins"
        else "mean score of the system of the column less that of the row"
    )
    return Table(
        ["", *pairs.systems],
        rows,
        title=f"{pair or 'all'}: pairs",
        note=f"Each cell: {what}.\n* p <= 0.1, † p <= 0.05, ‡ p <= 0.01 "
        f"({pairs.test}, two-sided).",
    )


def plan_tables(pair: str, plan: Plan) -> list[Table]:
    """Return what pairs need, and what campaigns of other sizes would find."""
    rows = [
        [
            each.better,
            each.worse,
            f"{each.share:.3f}",
            f"{each.ties:.3f}",
            f"{each.comparisons:,}",
            f"{each.power:.2f}",
            "n/a" if each.needed is None else f"{each.needed:,}",
        ]
        for each in plan.pairs
    ]
    head = ["better", "worse", "wins", "ties", "comparisons", "power", "needed"]
    note = (
        "power: of as many comparisons as there are; needed: comparisons for a power "
        f"of {plan.power:g}\n(sign test, p < {plan.alpha:.2g}, {plan.simulations:,} "
        f"simulations, seed {plan.seed}), if judges go on as they did."
    )
    pairs = Table(head, rows, title=f"{pair or 'all'}: plan", note=note, left=2)
    rows = [
        [f"{each.rankings:,}", f"{100 * each.separated:.1f} %", f"{each.power:.2f}"]
        for each in plan.sizes
    ]
    sizes = Table(
        ["rankings", "pairs separated", "all separated"],
        rows,
        title=f"{pair or 'all'}: campaigns of other sizes",
        left=0,
    )
    return [pairs, sizes]


def rating_plan_table(
    pair: str, plans: Sequence[RatingPlan], args: argparse.Namespace
) -> Table:
    """Return how many rated segments pairs need."""
    rows = [
        [
            each.better,
            each.worse,
            _number(each.difference, args),
            _number(each.deviation, args),
            f"{each.segments:,}",
            f"{each.power:.2f}",
            "n/a" if each.needed is None else f"{each.needed:,}",
        ]
        for each in plans
    ]
    head = ["better", "worse", "difference", "deviation", "segments", "power", "needed"]
    note = (
        "power: of as many segments as there are; needed: segments for a power of "
        f"{args.plan:g}\n(paired t-test, p < {1 - args.confidence:.2g}, seed "
        f"{args.seed}), if judges go on as they did."
    )
    return Table(head, rows, title=f"{pair or 'all'}: plan", note=note, left=2)


def next_table(pair: str, items: Sequence[Item]) -> Table:
    """Return what to judge next."""
    rows = [[each.segment, each.a, each.b, f"{each.gain:.2g}"] for each in items]
    return Table(
        ["segment", "a", "b", "gain"],
        rows,
        title=f"{pair or 'all'}: judge next",
        note="gain: what the comparison should tell about who is better, in bits.",
        left=3,
    )


def program_table(
    rankings: dict[str, list[SystemRanking]],
    plans: dict[str, Plan],
    rated: dict[str, list[RatingPlan]],
    items: dict[str, list[Item]],
) -> Table:
    """Return the one table of TSV and CSV: what to judge, the plan, or the ranks."""
    if items:
        head = ["langpair", "segment", "a", "b", "gain"]
        rows = [
            [pair, each.segment, each.a, each.b, repr(each.gain)]
            for pair, found in items.items()
            for each in found
        ]
        return Table(head, rows)
    if plans:
        head = ["langpair", "better", "worse", "share", "ties", "comparisons"]
        rows = [
            _cells(
                pair,
                p.better,
                p.worse,
                p.share,
                p.ties,
                p.comparisons,
                p.power,
                p.needed,
            )
            for pair, plan in plans.items()
            for p in plan.pairs
        ]
        return Table([*head, "power", "needed"], rows)
    if rated:
        head = ["langpair", "better", "worse", "difference", "deviation", "segments"]
        rows = [
            _cells(
                pair,
                p.better,
                p.worse,
                p.difference,
                p.deviation,
                p.segments,
                p.power,
                p.needed,
            )
            for pair, planned in rated.items()
            for p in planned
        ]
        return Table([*head, "power", "needed"], rows)
    head = ["langpair", "method", "system", "cluster", "best", "worst", "score"]
    rows = [
        _cells(
            pair,
            ranking.method,
            each.system,
            each.cluster,
            *(each.rank or (None, None)),
            each.score,
            *(each.interval or (None, None)),
            each.judgements,
        )
        for pair, found in rankings.items()
        for ranking in found
        for each in ranking.systems
    ]
    return Table([*head, "low", "high", "judgements"], rows)


def _cells(*values: str | int | float | None) -> list[str]:
    return [
        "" if v is None else repr(v) if isinstance(v, float) else str(v) for v in values
    ]


def _number(value: float | None, args: argparse.Namespace, *, places: int = 3) -> str:
    if value is None:
        return "n/a"
    return f"{value:.{places if args.digits is None else args.digits}f}"


def _range(rank: tuple[int, int] | None) -> str:
    if rank is None:
        return "n/a"
    return str(rank[0]) if rank[0] == rank[1] else f"{rank[0]}-{rank[1]}"
