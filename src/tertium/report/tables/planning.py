# SPDX-License-Identifier: Apache-2.0
"""Tables beside rankings: plans, what to judge next, levels, systems left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.report.tables.style import Style
from tertium.report.tables.table import Table, percent

if TYPE_CHECKING:
    from tertium.judgements.parts.against_sentences import Levels
    from tertium.judgements.planning.comparisons import Item, Plan
    from tertium.judgements.planning.correlation_plans import (
        CorrelationAim,
        CorrelationPlan,
    )
    from tertium.judgements.planning.judge_noise import JudgeNoise
    from tertium.judgements.planning.rating_plans import RatingPlan
    from tertium.judgements.reuse.unseen import UnseenSystem

__all__ = [
    "correlation_plan_table",
    "level_tables",
    "next_table",
    "plan_tables",
    "rating_plan_table",
    "unseen_table",
]


def plan_tables(name: str, plan: Plan) -> list[Table]:
    """Return what pairs need, and what campaigns of other sizes would show."""
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
        "power: with as many comparisons as there are; needed: comparisons for a power "
        f"of {plan.power:g}\n(sign test, p < {plan.alpha:.2g}, {plan.simulations:,} "
        f"simulations, seed {plan.seed}), if judges continue as before."
    )
    pairs = Table(head, rows, title=f"{name or 'all'}: plan", note=note, left=2)
    rows = [
        [f"{each.rankings:,}", f"{100 * each.separated:.1f} %", f"{each.power:.2f}"]
        for each in plan.sizes
    ]
    sizes = Table(
        ["rankings", "pairs separated", "all separated"],
        rows,
        title=f"{name or 'all'}: campaigns of other sizes",
        left=0,
    )
    return [pairs, sizes]


def rating_plan_table(
    name: str,
    plans: Sequence[RatingPlan],
    style: Style,
    power: float | None,
    run: Mapping[str, object],
) -> Table:
    """Return how many rated segments pairs need."""
    rows = [
        [
            each.better,
            each.worse,
            style.number(each.difference),
            style.number(each.deviation),
            f"{each.segments:,}",
            f"{each.power:.2f}",
            "n/a" if each.needed is None else f"{each.needed:,}",
        ]
        for each in plans
    ]
    head = ["better", "worse", "difference", "deviation", "segments", "power", "needed"]
    note = (
        "power: with as many segments as there are; needed: segments for "
        f"{'the power asked for' if power is None else f'a power of {power:g}'}\n"
        f"(paired t-test, p < {1 - float(str(run['confidence'])):.2g}, seed "
        f"{run['seed']}), if judges continue as before."
    )
    return Table(head, rows, title=f"{name or 'all'}: plan", note=note, left=2)


def next_table(name: str, items: Sequence[Item]) -> Table:
    """Return what to judge next."""
    return Table(
        ["segment", "a", "b", "gain"],
        [[each.segment, each.a, each.b, f"{each.gain:.2g}"] for each in items],
        title=f"{name or 'all'}: judge next",
        note="gain: expected information about which system is better, in bits.",
        left=3,
    )


def level_tables(name: str, levels: Levels, most: int | None) -> list[Table]:
    """Return how segment judgements agree with sentence judgements, and where not."""
    rows = [
        [
            each.system,
            *(_number(tau.tau) for tau in (each.better, each.worse, each.all)),
        ]
        for each in levels.systems
    ]
    total = levels.all
    note = (
        "tau of segment judgements with sentence judgements over pairs in which the "
        "system is the better one,\nthe worse one, and both. Over all systems "
        f"{_number(total.tau)}: both agree on {_number(total.agreement)} of "
        f"{total.concordant + total.discordant:,} pairs."
    )
    head = ["system", "better", "worse", "all"]
    systems = Table(head, rows, title=f"{name or 'all'}: levels", note=note)
    rows = [
        [
            each.sentence,
            each.system,
            f"{each.segment_wins}:{each.segment_losses}",
            f"{each.sentence_wins}:{each.sentence_losses}",
            "∞" if each.infinite else _number(each.quotient),
            f"{each.log_ratio:+.3f}",
        ]
        for each in levels.disagreements[:most]
    ]
    note = (
        "Wins and losses of the segments and of the sentence. quotient: ratio of wins "
        "of the segments divided by\nthat of the sentence; log ratio: its logarithm "
        "with half a win and half a loss added."
    )
    head = ["sentence", "system", "segments", "sentence", "quotient", "log ratio"]
    title = f"{name or 'all'}: largest disagreements"
    return [systems, Table(head, rows, title=title, note=note, left=2)]


def unseen_table(name: str, systems: Sequence[UnseenSystem]) -> Table:
    """Return how systems would be scored without judgements of their own."""
    rows = [
        [
            each.system,
            _number(each.judged),
            _number(each.exact),
            _number(each.hit_rate, 2),
            _number(each.closest),
            _number(each.mean_distance, 1),
            *(percent(number, each.guesses.total) for number in each.guesses),
        ]
        for each in systems
    ]
    note = (
        "Ratio of wins as judged; without the system's own judgements, from segments "
        "that others translated\nidentically (exact, with their share), and from the "
        "closest ones (with the mean edit distance). worse,\nequal, better: the rank "
        "estimated in this way against the judge's, where no output was identical."
    )
    return Table(
        [
            *("system", "judged", "exact", "hits", "closest", "distance"),
            *("worse", "equal", "better"),
        ],
        rows,
        title=f"{name or 'all'}: left out",
        note=note,
    )


def _number(value: float | None, digits: int = 3) -> str:
    return "n/a" if value is None else f"{value:.{digits}f}"


def correlation_plan_table(
    aim: CorrelationAim,
    noise: JudgeNoise,
    plans: Sequence[CorrelationPlan],
    style: Style,
) -> Table:
    """Return what a study of correlations needs, by judges per item."""
    from tertium.judgements.planning.correlation_plans import MOST_ITEMS

    missing = "" if style.for_programs else "n/a"
    too_many = "" if style.for_programs else f"more than {MOST_ITEMS:,}"

    def whole(value: int | None) -> str:
        if value is None:
            return missing
        return str(value) if style.for_programs else f"{value:,}"

    def real(value: float | None) -> str:
        return missing if value is None else f"{value:.3f}"

    reached = "width" if aim.other is None else "power"
    head = ["per item", "items", "judges", "judgements", "reliability", "rho"]
    head += ([] if aim.other is None else ["other"]) + [reached]
    simulated = any(one.simulated is not None for one in plans)
    head += ["simulated"] if simulated else []
    rows = []
    for one in plans:
        row = [
            f"{one.per_item}"
            if one.repeats == 1
            else f"{one.per_item} x {one.repeats}",
            too_many if one.items is None else whole(one.items),
            whole(one.judges),
            whole(one.judgements),
            real(one.reliability),
            real(one.rho),
        ]
        row += [] if aim.other is None else [real(one.other)]
        row.append(real(one.width if aim.other is None else one.power))
        rows.append([*row, real(one.simulated)] if simulated else row)
    name = f"{aim.coefficient.title()}'s rho"
    if aim.other is None:
        interval = "a corrected interval" if aim.corrected else "an interval"
        goal = (
            f"{interval} of {name} = {aim.rho:g} of width {aim.width:g}, confidence "
            f"{aim.confidence:g}"
        )
    else:
        goal = (
            f"{name} = {aim.rho:g} and {aim.other:g} to differ with power "
            f"{aim.power:g}, p < {aim.alpha:g} (Williams' test)"
        )
    note = (
        "rho: observed with such judges; reliability: of item means\n"
        f"standard deviations: items {noise.item:.3g}, judges {noise.judge:.3g}, rest "
        f"{noise.taste:.3g}, repeats {noise.repeat:.3g}"
    )
    return Table(head, rows, title=f"Needed for {goal}", note=note, left=0)
