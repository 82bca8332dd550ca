# SPDX-License-Identifier: Apache-2.0
"""``tertium rank``: systems in the order that people gave them."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli import options
from tertium.cli.render import Table, emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgements import Judgements
    from tertium.judgements.planning import Item, Plan
    from tertium.judgements.ranking import Pairwise, SystemRanking

__all__ = ["command"]

_ABOUT = """\
Rank systems by human judgements: scores, rank ranges and clusters, one table a
language pair. Reads stores and files of `tertium judgements import`.
"""

_EXAMPLES = """\
  tertium rank demo
  tertium rank wmt12.csv --langpair cs-en de-en --method wins bradley-terry
  tertium rank wmt16.store --method trueskill --matrix
  tertium rank mqm.tsv --method mqm --clusters pairwise --correction holm
  tertium rank demo --method all -f latex -o table.tex
  tertium rank pilot.csv --plan 0.8 --next 20

Methods: {methods}.

The JSON has "rankings", a list of {{"method", "langpair", "systems": [{{"system",
"score", "interval", "rank": [best, worst], "cluster", "judgements"}}], "pairs":
{{"kind", "systems", "values", "p", "test"}}, "run", "notes"}}, best systems first; with
--plan also "plans": {{LANGPAIR: {{"power", "alpha", "pairs": [{{"better", "worse",
"share", "ties", "comparisons", "power", "needed"}}], "sizes": [{{"rankings",
"separated", "power"}}]}}}}; with --next also "next": {{LANGPAIR: [{{"segment", "a",
"b", "gain"}}]}}. Unknown values are null.
"""

_METHODS = (
    "wins",
    "wins-or-ties",
    "expected-wins",
    "bradley-terry",
    "trueskill",
    "hopkins-may",
    "mean",
    "z",
    "mqm",
)
_RATED = ("mean", "z", "mqm")


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = _parse(argv)
    judgements = _read(args)
    found = judgements.names("langpair") or [""]
    for wanted in args.langpair or ():
        if wanted not in found:
            message = (
                f"no judgements of the language pair {wanted}; there are "
                f"{', '.join(found)}"
            )
            raise InputError(message)
    langpairs = list(args.langpair or found)
    parts = {
        pair: judgements.filter(langpair=pair) if pair else judgements
        for pair in langpairs
    }
    rankings = {
        pair: [_rank(part, method, args) for method in _chosen(part, args)]
        for pair, part in parts.items()
    }
    plans, items = _plans(parts, args), _items(parts, args)
    for ranking in (each for of_pair in rankings.values() for each in of_pair):
        for note in ranking.notes:
            options.remark(args, f"{ranking.langpair or 'all'}: {note}")
    if args.format == "json":
        emit(_json(rankings, plans, items), args.output)
        return 0
    tables = []
    for pair in langpairs:
        tables += _tables(pair, rankings[pair], args)
        if pair in plans:
            tables += _plan_tables(pair, plans[pair])
        if pair in items:
            tables.append(_next_table(pair, items[pair]))
    if options.for_programs(args):
        tables = [_for_programs(rankings, plans, items)]
    render(tables, args.format, output=args.output)
    return 0


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    methods = ", ".join(_METHODS)
    parser = options.parser("rank", _ABOUT, _EXAMPLES.format(methods=methods))
    parser.add_argument(
        "judgements",
        nargs="+",
        metavar="STORE|FILE",
        help="stores and files of judgements, or `demo`",
    )
    parser.add_argument(
        "--input-format",
        metavar="FORMAT",
        help="of the files; told from them otherwise",
    )
    parser.add_argument(
        "--method",
        nargs="+",
        choices=(*_METHODS, "all"),
        metavar="METHOD",
        help="how to score systems (default: expected-wins for rankings, mqm for error "
        "spans, z for ratings); all shows those that the judgements allow side by side",
    )
    parser.add_argument(
        "-l",
        "--langpair",
        nargs="+",
        metavar="SRC-TRG",
        help="only these language pairs",
    )
    parser.add_argument("--scale", help="the scale of ratings, where there are several")
    parser.add_argument(
        "--bootstrap",
        type=options.number(0, 10**7),
        default=1000,
        metavar="N",
        help="resamples of rankings or rated segments (default: 1000; 0: none)",
    )
    parser.add_argument(
        "--clusters",
        choices=("bootstrap", "pairwise"),
        default="bootstrap",
        help="from ranks in resamples, as WMT does (default), or from a test of every "
        "two systems",
    )
    parser.add_argument(
        "--unit",
        choices=("ranking", "comparison"),
        default="ranking",
        help="what a resample draws (default: ranking; WMT drew comparisons)",
    )
    parser.add_argument(
        "--correction",
        choices=("none", "holm", "bh"),
        default="none",
        help="of the pairwise tests (default: none, as WMT does)",
    )
    parser.add_argument(
        "--confidence",
        type=float,
        default=0.95,
        metavar="C",
        help="of intervals, rank ranges and tests (default: 0.95)",
    )
    parser.add_argument(
        "--matrix", action="store_true", help="show every system against every other"
    )
    parser.add_argument(
        "--plan",
        type=float,
        metavar="POWER",
        help="how many judgements would tell systems apart with this power, say 0.8",
    )
    parser.add_argument(
        "--next",
        type=options.number(1, 10**6),
        metavar="N",
        help="the N comparisons that would tell most, to be judged next",
    )
    options.add_run(parser)
    options.add_output(parser)
    return parser.parse_args(argv)


# ------------------------------------------------------------------------- compute


def _read(args: argparse.Namespace) -> Judgements:
    from tertium.judgements import import_judgements, merge, read_judgements
    from tertium.judgements.store import is_store

    parts = []
    for path in _paths(args.judgements):
        if is_store(path):
            parts.append(read_judgements(path))
            continue
        done = import_judgements([path], format=args.input_format)
        if done.bad:
            _, first = done.bad[0]
            options.remark(
                args,
                f"{path}: {options.count(len(done.bad), 'row')} left out, the first in "
                f"line {first.line} ({first.reason}); `tertium judgements import` "
                "lists them",
            )
        parts.append(done.judgements)
    return parts[0] if len(parts) == 1 else merge(parts)


def _paths(named: Sequence[str]) -> list[str]:
    """Return the files, with those of the demo for its name."""
    if list(named) != ["demo"] or os.path.exists("demo"):
        return list(named)
    import tertium

    folder = os.path.join(os.path.dirname(tertium.__file__), "demo")
    return [os.path.join(folder, name) for name in ("rankings.tsv", "ratings.jsonl")]


def _chosen(part: Judgements, args: argparse.Namespace) -> list[str]:
    counts = part.counts()
    kinds = {
        "rankings": [m for m in _METHODS if m not in _RATED],
        "spans": ["mqm"],
        "ratings": ["mean", "z"],
    }
    usual = {"rankings": "expected-wins", "spans": "mqm", "ratings": "z"}
    there = [kind for kind in kinds if counts[kind]]
    if not there:
        raise InputError("there are no judgements to rank by")
    if args.method is None:
        return [usual[there[0]]]
    if "all" in args.method:
        return [method for kind in there for method in kinds[kind]]
    return list(dict.fromkeys(args.method))


def _rank(part: Judgements, method: str, args: argparse.Namespace) -> SystemRanking:
    from tertium.judgements.ranking import rank_systems

    return rank_systems(
        part,
        method=method,
        clusters=args.clusters,
        resamples=args.bootstrap,
        unit=args.unit,
        confidence=args.confidence,
        correction=args.correction,
        seed=args.seed,
        scale=args.scale,
        threads=args.threads,
    )


def _plans(parts: dict[str, Judgements], args: argparse.Namespace) -> dict[str, Plan]:
    if args.plan is None:
        return {}
    from tertium.judgements.planning import plan_judgements

    alpha = 1 - args.confidence
    return {
        pair: plan_judgements(part, power=args.plan, alpha=alpha, seed=args.seed)
        for pair, part in parts.items()
    }


def _items(
    parts: dict[str, Judgements], args: argparse.Namespace
) -> dict[str, list[Item]]:
    if args.next is None:
        return {}
    from tertium.judgements.planning import judge_next

    return {
        pair: judge_next(part, args.next, seed=args.seed)
        for pair, part in parts.items()
    }


# --------------------------------------------------------------------------- show


def _json(
    rankings: dict[str, list[SystemRanking]],
    plans: dict[str, Plan],
    items: dict[str, list[Item]],
) -> str:
    from dataclasses import asdict

    data: dict[str, object] = {
        "rankings": [each.as_dict() for found in rankings.values() for each in found]
    }
    if plans:
        data["plans"] = {pair: asdict(plan) for pair, plan in plans.items()}
    if items:
        data["next"] = {pair: list(map(asdict, found)) for pair, found in items.items()}
    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)


def _tables(
    pair: str, rankings: Sequence[SystemRanking], args: argparse.Namespace
) -> list[Table]:
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
            f"{options.count(int(run['judgements']), 'ranking')}, "
            f"{options.count(int(run['comparisons']), 'comparison')}"
        )
    else:
        size = (
            f"{options.count(int(run['judgements']), 'judgement')} of "
            f"{options.count(int(run['segments']), 'segment')}"
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


def _plan_tables(pair: str, plan: Plan) -> list[Table]:
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


def _next_table(pair: str, items: Sequence[Item]) -> Table:
    rows = [[each.segment, each.a, each.b, f"{each.gain:.2g}"] for each in items]
    return Table(
        ["segment", "a", "b", "gain"],
        rows,
        title=f"{pair or 'all'}: judge next",
        note="gain: what the comparison should tell about who is better, in bits.",
        left=3,
    )


def _for_programs(
    rankings: dict[str, list[SystemRanking]],
    plans: dict[str, Plan],
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
