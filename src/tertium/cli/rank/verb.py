# SPDX-License-Identifier: Apache-2.0
"""``tertium rank``: systems in the order that people gave them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.cli.judgements.choice import add_choice
from tertium.cli.judgements.files import (
    langpairs,
    of_langpairs,
    read_leniently,
    remark_campaigns,
)
from tertium.cli.rank.levels import (
    level_tables,
    levels_json,
    unseen_json,
    unseen_table,
)
from tertium.cli.rank.tables import (
    next_table,
    plan_tables,
    program_table,
    ranking_tables,
    rating_plan_table,
    to_json,
)
from tertium.cli.shared import flags
from tertium.cli.shared.hopeless import hopeless_note
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_few
from tertium.cli.shared.render import emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgements import Judgements
    from tertium.judgements.parts.against_sentences import Levels
    from tertium.judgements.planning.comparisons import Item, Plan
    from tertium.judgements.planning.rating_plans import RatingPlan
    from tertium.judgements.ranking import SystemRanking
    from tertium.judgements.reuse.unseen import UnseenSystem

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
  tertium rank segments.json sentences.csv --levels 20 --unseen

Methods: {methods}.

Rankings of whole segments and of parts of them have tables of their own; --only part=
and --only part=* choose.

The JSON has "rankings", a list of {{"method", "langpair", "systems": [{{"system",
"score", "interval", "rank": [best, worst], "cluster", "judgements"}}], "pairs":
{{"kind", "systems", "values", "p", "test", "units"}}, "run", "notes", "level"}}, best
systems first; "level" is segments or parts where both were ranked, null otherwise;
with --plan also "plans": {{LANGPAIR: {{"power", "alpha", "pairs": [{{"better", "worse",
"share", "ties", "comparisons", "power", "needed"}}], "sizes": [{{"rankings",
"separated", "power"}}]}}}} or, for ratings, "rating_plans": {{LANGPAIR: [{{"better",
"worse", "difference", "deviation", "segments", "power", "needed"}}]}}; with --next also
"next": {{LANGPAIR: [{{"segment", "a", "b", "gain"}}]}}; with --levels "levels":
{{LANGPAIR: {{"systems", "all", "disagreements"}}}}, with --unseen "unseen": {{LANGPAIR:
[{{"system", "judged", "exact", "closest", "hit_rate", "mean_distance", "guesses",
"by_distance", ...}}]}}. Unknown values are null.
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
    judgements = read_leniently(args.judgements, args)
    remark_campaigns(args, judgements)
    whole = {
        pair: of_langpairs(judgements, [pair])
        for pair in langpairs(judgements, args.langpair)
    }
    levels, unseen = _levels(whole, args)
    with Progress(quiet=args.quiet) as progress:
        parts, rankings = _ranked(whole, args, progress)
        plans, rated = _plans(parts, rankings, args, progress)
    pairs = list(parts)
    items = _items(parts, rankings, args)
    for pair, found in rankings.items():
        for ranking in found:
            for note in _notes(ranking):
                remark(args, f"{pair or 'all'}: {note}")
    remark_few(args, args.bootstrap, args.confidence, "--bootstrap")
    if args.format == "json":
        further: dict[str, dict[str, object]] = {
            "levels": {pair: levels_json(found) for pair, found in levels.items()},
            "unseen": {pair: unseen_json(found) for pair, found in unseen.items()},
        }
        emit(to_json(rankings, plans, rated, items, further), args.output)
        return 0
    tables = []
    for pair in pairs:
        tables += ranking_tables(pair, rankings[pair], args)
        if pair in plans:
            tables += plan_tables(pair, plans[pair])
        if pair in rated:
            tables.append(rating_plan_table(pair, rated[pair], args))
        if pair in items:
            tables.append(next_table(pair, items[pair]))
    for pair in whole:
        if pair in levels:
            tables += level_tables(pair, levels[pair], args.levels)
        if pair in unseen:
            tables.append(unseen_table(pair, unseen[pair]))
    if flags.for_programs(args):
        tables = [program_table(rankings, plans, rated, items)]
    render(tables, args.format, output=args.output)
    return 0


def _notes(ranking: SystemRanking) -> list[str]:
    """Return what to know before one trusts a ranking."""
    notes = [*map(str, ranking.notes)]
    hopeless = ranking.hopeless()
    if hopeless is not None:
        unit = "comparison" if ranking.pairs.test == "sign test" else "segment"
        other = "take ranges from --clusters bootstrap"
        notes.append(hopeless_note(hopeless, unit=unit, flag="", otherwise=other))
    return notes


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    methods = ", ".join(_METHODS)
    parser = flags.parser("rank", _ABOUT, _EXAMPLES.format(methods=methods))
    _add_judgements(parser)
    _add_scoring(parser)
    _add_views(parser)
    flags.add_run(parser)
    flags.add_output(parser)
    return parser.parse_args(argv)


def _add_judgements(parser: argparse.ArgumentParser) -> None:
    """Add options on the judgements, and which of them."""
    parser.add_argument(
        "judgements",
        nargs="+",
        metavar="STORE|FILE",
        help="stores and files of judgements, or `demo`",
    )
    add_choice(parser)
    parser.add_argument(
        "--input-format",
        metavar="FORMAT",
        help="of the files; told from them otherwise",
    )
    parser.add_argument(
        "-l",
        "--langpair",
        nargs="+",
        metavar="SRC-TRG",
        help="only these language pairs; `unknown` for judgements without one",
    )
    parser.add_argument("--scale", help="the scale of ratings, where there are several")


def _add_scoring(parser: argparse.ArgumentParser) -> None:
    """Add options on how systems get scores, and how sure those are."""
    parser.add_argument(
        "--method",
        nargs="+",
        choices=(*_METHODS, "all"),
        metavar="METHOD",
        help="how to score systems (default: expected-wins for rankings; z for "
        "ratings, or mean where judges are unknown or have no z; mqm for error spans "
        "without ratings); all shows those that the judgements allow side by side",
    )
    parser.add_argument(
        "--bootstrap",
        type=flags.number(0, 10**7),
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
        help="what a resample draws (default: ranking; comparison is nearer to WMT)",
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


def _add_views(parser: argparse.ArgumentParser) -> None:
    """Add options on what else is shown."""
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
        type=flags.number(1, 10**6),
        metavar="N",
        help="the N comparisons, or pairs of outputs to rate, that would tell most",
    )
    parser.add_argument(
        "--levels",
        nargs="?",
        const=10,
        type=flags.number(0, 10**6),
        metavar="N",
        help="compare rankings of segments (parts) with those of sentences, and show "
        "the N largest disagreements (default: 10)",
    )
    parser.add_argument(
        "--unseen",
        action="store_true",
        help="leave out one system after the other and score it from what others "
        "wrote; rankings need texts",
    )


# ------------------------------------------------------------------------- compute


def _ranked(
    whole: dict[str, Judgements], args: argparse.Namespace, progress: Progress
) -> tuple[dict[str, Judgements], dict[str, list[SystemRanking]]]:
    """Return what is ranked, and the rankings.

    Rankings of whole segments and of parts of them are never counted together.
    """
    parts: dict[str, Judgements] = {}
    rankings: dict[str, list[SystemRanking]] = {}
    for pair, every in whole.items():
        apart = every.levels()
        for level, some in apart.items():
            name = f"{pair or 'all'} {level}" if len(apart) > 1 else pair
            parts[name] = some
            rankings[name] = [
                replace(ranking, level=level if len(apart) > 1 else None)
                for ranking in _rankings(some, name, args, progress)
            ]
    return parts, rankings


def _chosen(part: Judgements, args: argparse.Namespace) -> tuple[list[str], bool, str]:
    """Return the methods to rank by, whether one without a result is left out, a note.

    The note says why the usual method is not the one.
    """
    from tertium.judgements.ranking.defaults import default_method, kinds_of

    if args.method is None:
        default = default_method(part, scale=args.scale)
        note = f"ranked by {default.method}, as {default.reason}"
        return [default.method], False, note if default.reason else ""
    if "all" in args.method:
        of_kind = {
            "rankings": [m for m in _METHODS if m not in _RATED],
            "ratings": ["mean", "z"],
            "spans": ["mqm"],
        }
        methods = {m for kind in kinds_of(part) for m in of_kind[kind]}
        return [method for method in _METHODS if method in methods], True, ""
    return list(dict.fromkeys(args.method)), False, ""


def _rankings(
    part: Judgements, pair: str, args: argparse.Namespace, progress: Progress
) -> list[SystemRanking]:
    """Return the rankings by all methods; `all` goes without what cannot be had."""
    found = []
    methods, every, note = _chosen(part, args)
    for method in methods:
        try:
            found.append(_rank(part, method, args, progress))
        except InputError as error:
            # Judges may have no z-scores where their means are plain.
            if method != "z" or not every:
                raise
            remark(args, f"{pair or 'all'}: no z: {error}")
    if note:
        remark(args, f"{pair or 'all'}: {note}")
    return found


def _rank(
    part: Judgements, method: str, args: argparse.Namespace, progress: Progress
) -> SystemRanking:
    from tertium.judgements.ranking import rank_systems
    from tertium.stats.resample import report_for

    whom = ", ".join([method, *part.names("langpair")])
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
        progress=report_for(progress.phase, whom),
    )


def _plans(
    parts: dict[str, Judgements],
    rankings: dict[str, list[SystemRanking]],
    args: argparse.Namespace,
    progress: Progress,
) -> tuple[dict[str, Plan], dict[str, list[RatingPlan]]]:
    """Return plans for comparisons, or for ratings if the first method is of those."""
    plans: dict[str, Plan] = {}
    rated: dict[str, list[RatingPlan]] = {}
    if args.plan is None:
        return plans, rated
    from tertium.judgements.planning.comparisons import plan_judgements
    from tertium.judgements.planning.rating_plans import plan_ratings

    alpha = 1 - args.confidence
    for pair, part in parts.items():
        method = rankings[pair][0].method
        if method in _RATED:
            rated[pair] = plan_ratings(
                part,
                method=method,
                power=args.plan,
                alpha=alpha,
                scale=args.scale,
                seed=args.seed,
            )
        else:
            plans[pair] = plan_judgements(
                part,
                power=args.plan,
                alpha=alpha,
                seed=args.seed,
                progress=progress.phase,
            )
    return plans, rated


def _levels(
    parts: dict[str, Judgements], args: argparse.Namespace
) -> tuple[dict[str, Levels], dict[str, list[UnseenSystem]]]:
    levels: dict[str, Levels] = {}
    unseen: dict[str, list[UnseenSystem]] = {}
    if args.levels is not None:
        from tertium.judgements.parts.against_sentences import compare_levels

        levels = {pair: compare_levels(part) for pair, part in parts.items()}
    if args.unseen:
        from tertium.judgements.reuse.unseen import leave_one_out

        unseen = {pair: leave_one_out(part) for pair, part in parts.items()}
    return levels, unseen


def _items(
    parts: dict[str, Judgements],
    rankings: dict[str, list[SystemRanking]],
    args: argparse.Namespace,
) -> dict[str, list[Item]]:
    """Return what to compare next, or to rate if the first method is for ratings."""
    items: dict[str, list[Item]] = {}
    if args.next is None:
        return items
    from tertium.judgements.planning.comparisons import judge_next
    from tertium.judgements.planning.rating_next import rate_next

    for pair, part in parts.items():
        method = rankings[pair][0].method
        if method in _RATED:
            items[pair] = rate_next(
                part, args.next, method=method, scale=args.scale, seed=args.seed
            )
        else:
            items[pair] = judge_next(part, args.next, seed=args.seed)
    return items
