# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign plan``: the size of a study of correlations."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._seed import SEED
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.values import Output, Remarks, frozen, parse
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgements.planning.correlation_plans import (
        CorrelationAim,
        CorrelationPlan,
    )
    from tertium.judgements.planning.judge_noise import JudgeNoise

__all__ = ["plan"]

_ABOUT = """\
Plan how many items and judges a study needs that correlates metrics with human scores:
for an interval of a correlation that is not wider than --width, or to show with
--power that two metrics differ, --rho and --other. Both correlations are those with
perfect human scores. Judges are noisy, so a study observes lower ones; how noisy they
are comes from the standard deviations of items, judges and the rest, or from the
ratings of a pilot study. To separate systems by rankings or ratings, see `tertium rank
--plan`.
"""
_EXAMPLES = """\
  tertium campaign plan --rho 0.5 --width 0.2
  tertium campaign plan --rho 0.5 --width 0.2 --item-sd 1 --judge-sd 0.5 --rest-sd 1
  tertium campaign plan --rho 0.5 --width 0.2 --corrected --pilot study.tsv
  tertium campaign plan --rho 0.5 --other 0.4 --between 0.8 --power 0.9
  tertium campaign plan --rho 0.5 --width 0.2 --pilot study.tsv --scale likert-order
  tertium campaign plan --rho 0.5 --width 0.2 --per-item 1 3 --simulate 1000

json: {"tertium", "noise": {"item", "judge", "taste", "repeat"}, "plans": [{"per_item",
"repeats", "items", "judges", "judgements", "reliability", "rho", "other", "width",
"power", "simulated"}]}, the plan with the fewest judgements first. items is null if
more than 1,000,000 are needed.
"""
_SDS = ("item_sd", "judge_sd", "rest_sd", "repeat_sd")


@frozen
class Options(Output, Remarks):
    """The options of the action."""

    rho: float
    width: float | None
    other: float | None
    between: float
    power: float
    alpha: float
    confidence: float
    coef: str
    corrected: bool
    pilot: list[str] | None
    scale: str | None
    item_sd: float | None
    judge_sd: float | None
    rest_sd: float | None
    repeat_sd: float | None
    per_item: list[int]
    repeats: int
    per_judge: int
    adjusted: bool
    simulate: int
    seed: int


def plan(argv: Sequence[str]) -> int:
    """Print how large a study must be."""
    options = parse(_parser(), argv, Options)
    from tertium.judgements.planning.correlation_plans import (
        CorrelationAim,
        plan_correlation,
    )

    aim = CorrelationAim(
        rho=options.rho,
        width=options.width,
        other=options.other,
        between=options.between,
        power=options.power,
        alpha=options.alpha,
        confidence=options.confidence,
        coefficient=options.coef,
        corrected=options.corrected,
    )
    noise = _noise(options)
    plans = plan_correlation(
        aim,
        noise=noise,
        per_item=options.per_item,
        repeats=options.repeats,
        per_judge=options.per_judge,
        adjusted=options.adjusted,
    )
    if options.simulate:
        from tertium.judgements.planning.correlation_simulation import (
            simulate_correlation,
        )

        plans = [
            simulate_correlation(
                one,
                aim,
                noise=noise,
                adjusted=options.adjusted,
                simulations=options.simulate,
                seed=options.seed,
            )
            for one in plans
        ]
    _show(options, aim, noise, plans)
    return 0


def _noise(options: Options) -> JudgeNoise:
    """Return the noise of judges: as given, of a pilot, or none."""
    from tertium.judgements.planning.judge_noise import JudgeNoise, pilot_noise

    values = [getattr(options, name) for name in _SDS]
    if options.pilot is None:
        if options.scale is not None:
            raise InputError("--scale is that of --pilot; give both or none")
        if values == [None] * len(_SDS):
            text = (
                "judges are taken to agree perfectly; give --item-sd, --judge-sd and "
                "--rest-sd, or --pilot"
            )
            remark(options, text)
        item, *others = values
        return JudgeNoise(
            1.0 if item is None else item, *(one or 0.0 for one in others)
        )
    if values != [None] * len(_SDS):
        message = "--pilot says how noisy judges are; omit the standard deviations"
        raise InputError(message)
    from tertium.judgements import Judgements

    return pilot_noise(Judgements.read(*options.pilot), scale=options.scale)


def _show(
    options: Options,
    aim: CorrelationAim,
    noise: JudgeNoise,
    plans: Sequence[CorrelationPlan],
) -> None:
    if options.format == "json":
        from dataclasses import asdict

        from tertium._version import __version__

        shown = {
            "tertium": __version__,
            "noise": asdict(noise),
            "plans": [one.to_dict() for one in plans],
        }
        emit(f"{json.dumps(shown)}\n", options.output)
        return
    from tertium.report.tables.planning import correlation_plan_table

    table = correlation_plan_table(aim, noise, plans, options.style)
    render([table], options.format, output=options.output)


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("campaign plan", _ABOUT, _EXAMPLES)
    aim = parser.add_argument_group("aim")
    aim.add_argument(
        "--rho", type=float, required=True, metavar="X", help="expected correlation"
    )
    _add_number(aim, "--width", "the interval should not be wider")
    _add_number(aim, "--other", "expected correlation of another metric")
    _add_number(aim, "--between", "correlation of both metrics with each other", 0.5)
    _add_number(aim, "--power", "chance to show a difference", 0.8)
    _add_number(aim, "--alpha", "of the two-sided test", 0.05)
    _add_number(aim, "--confidence", "of the interval", 0.95)
    aim.add_argument(
        "--coef",
        choices=("spearman", "pearson"),
        default="spearman",
        help="(default: spearman)",
    )
    flags.add_switch(
        aim,
        "--corrected",
        help="the width is that of the interval corrected for the noise of judges",
    )
    _add_judges(parser)
    parser.add_argument(
        "--simulate",
        type=flags.number(0, 1_000_000),
        default=0,
        metavar="N",
        help="check each plan with N simulated studies",
    )
    parser.add_argument(
        "--seed",
        type=flags.number(0),
        default=SEED,
        metavar="N",
        help=f"of the simulation (default: {SEED})",
    )
    flags.add_output(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    return parser


def _add_judges(parser: argparse.ArgumentParser) -> None:
    judges = parser.add_argument_group("judges")
    judges.add_argument(
        "--pilot",
        nargs="+",
        metavar="FILE",
        help="ratings that say how noisy judges are, in any format of judgements",
    )
    judges.add_argument("--scale", help="the scale of the pilot's ratings")
    _add_number(judges, "--item-sd", "standard deviation of items")
    _add_number(judges, "--judge-sd", "of the severity of judges")
    _add_number(judges, "--rest-sd", "of what else judges differ in")
    _add_number(judges, "--repeat-sd", "of the same judge and item, judged again")
    judges.add_argument(
        "--per-item",
        nargs="+",
        type=flags.number(1, 10_000),
        default=[1, 2, 3, 5, 10],
        metavar="N",
        help="judges of an item (default: 1 2 3 5 10)",
    )
    judges.add_argument(
        "--repeats",
        type=flags.number(1, 1000),
        default=1,
        metavar="N",
        help="how often a judge judges the same item (default: 1)",
    )
    judges.add_argument(
        "--per-judge",
        type=flags.number(1, 10**6),
        default=50,
        metavar="N",
        help="judgements that one judge can make (default: 50)",
    )
    flags.add_switch(
        judges, "--adjusted", help="scores will be adjusted for the severity of judges"
    )


def _add_number(
    group: argparse._ArgumentGroup, flag: str, about: str, default: float | None = None
) -> None:
    about += "" if default is None else f" (default: {default:g})"
    group.add_argument(flag, type=float, default=default, metavar="X", help=about)
