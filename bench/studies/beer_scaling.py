# SPDX-License-Identifier: Apache-2.0
"""Scaling: from raw numbers to scores, and what it changes.

    python -m bench beer_scaling [--write] [--quick]

One ranker, every scaler, with and without an anchor: Kendall's tau on WMT14, Pearson's
r with direct assessment of WMT17, how far scores are from human scores, the score
of a copy of the reference, and how far scores spread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.studies import beer_data
from bench.studies.beer_fit import Rows, Training, pair_tau, run_study, training
from bench.studies.beer_rated import PAIRS_17, Systems, assessed, ranked, systems
from bench.studies.beer_report import decimals, table
from tertium.learn.objectives import fit_linear, fit_scaler
from tertium.learn.pairs import Pairs
from tertium.learn.profile import profile as find_profile
from tertium.learn.rankers import Ranker
from tertium.learn.scalers import SCALERS, Scaler
from tertium.stats import pearson

PAIRS_14 = ("fr-en", "de-en", "hi-en", "cs-en", "ru-en")
NEED_PEOPLE = ("linear", "platt", "isotonic")

#: Those of BEER 1.x to 3.0; `relative` is that of BEER 4.
KINDS = tuple(kind for kind in SCALERS if kind != "relative")

HEAD = """\
One ranker, beer-3.0 with logistic loss and non-negative weights, learnt from {pairs:,}
pairs of WMT12, WMT15 and WMT16 into English. No year of training has direct assessment
here. So the scalers that need it are fitted on one half of the assessed segments of
WMT17, {fitted:,} of them, and all figures with segments of WMT17 are of the other half,
{held:,}: references are numbered as they come, even ones are fitted on, odd ones
reported on. Standardised assessments become points, from 0 for the lowest of the first
half to 100 for its highest. The ranker has seen nothing of WMT17; these scalers go into
no model of the package.
"""


@dataclass(frozen=True, eq=False)
class Held:
    """The raw numbers of texts with their human scores."""

    raw: Rows
    human: Rows


@dataclass(frozen=True, eq=False)
class Report:
    """All that scalers are compared on, as raw numbers of one ranker."""

    identity: float
    fitted: Held
    held: dict[str, Held]
    judged: list[tuple[Pairs, Rows]]
    whole_14: list[tuple[Systems, Rows]]
    whole_17: list[tuple[Systems, Rows]]


def report_of(
    trained: Training, ranker: Ranker, pairs_14: Sequence[str], pairs_17: Sequence[str]
) -> Report:
    """Return raw numbers of all texts of the report."""

    def raw(hyps: Sequence[str], refs: Sequence[str]) -> Rows:
        return ranker.raw(trained.features(hyps, refs))

    def whole(year: str, pair: str) -> tuple[Systems, Rows]:
        result = systems(year, pair)
        texts = [text for column in result.outputs for text in column]
        return result, raw(texts, result.refs * len(result.outputs))

    numbers: dict[str, int] = {}
    halves: tuple[list[Held], dict[str, Held]] = [], {}
    copies = []
    for pair in pairs_17:
        result = assessed(pair)
        # One reference falls on one side, whatever language pairs it is of.
        odd = np.array([numbers.setdefault(r, len(numbers)) % 2 for r in result.refs])
        values = raw(result.hyps, result.refs)
        copies.append(raw(result.refs, result.refs))
        halves[0].append(Held(values[odd == 0], result.human[odd == 0]))
        halves[1][pair] = Held(values[odd == 1], result.human[odd == 1])
    identity = np.concatenate(copies)
    # Every copy has the same features, so one raw number stands for all.
    assert np.ptp(identity) < 1e-9
    human = np.concatenate([half.human for half in halves[0]])
    low, high = human.min(), human.max()

    def points(half: Held) -> Held:
        return Held(half.raw, 100 * (half.human - low) / (high - low))

    joined = Held(np.concatenate([half.raw for half in halves[0]]), human)
    judged = [ranked("2014", pair) for pair in pairs_14]
    return Report(
        float(identity[0]),
        points(joined),
        {pair: points(half) for pair, half in halves[1].items()},
        [(pairs, raw(pairs.hyps, [r[0] for r in pairs.refs])) for pairs in judged],
        [whole("2014", pair) for pair in pairs_14],
        [whole("2017", pair) for pair in pairs_17],
    )


@dataclass(frozen=True)
class Figures:
    """What one scaler reaches."""

    tau: float
    ties: float
    systems_14: float
    systems_17: float
    segments: float
    error: float
    copy: float
    low: float
    high: float
    spread: float


def figures(scaler: Scaler, report: Report) -> Figures:
    """Return what a scaler makes of all raw numbers."""

    def score(raw: Rows) -> Rows:
        return scaler.scores(raw, report.identity)

    def r(human: Rows, values: Rows) -> float:
        return pearson(human, values) or 0.0

    def of_systems(parts: Sequence[tuple[Systems, Rows]]) -> float:
        return float(
            np.mean(
                [
                    r(
                        judged.human,
                        score(raw).reshape(len(judged.outputs), -1).mean(axis=1),
                    )
                    for judged, raw in parts
                ]
            )
        )

    taus, ties = [], []
    for pairs, raw in report.judged:
        scores = score(raw)
        taus.append(pair_tau(pairs, scores))
        ties.append(np.mean(scores[pairs.better] == scores[pairs.worse]))
    held = [(half.human, score(half.raw)) for half in report.held.values()]
    all_scores = np.concatenate([scores for _, scores in held])
    return Figures(
        float(np.mean(taus)),
        float(np.mean(ties)),
        of_systems(report.whole_14),
        of_systems(report.whole_17),
        float(np.mean([r(human, scores) for human, scores in held])),
        float(np.mean(np.concatenate([abs(h - 100 * s) for h, s in held]))),
        scaler.score(report.identity, report.identity),
        float(np.quantile(all_scores, 0.05)),
        float(np.quantile(all_scores, 0.95)),
        float(all_scores.std()),
    )


def study(quick: bool) -> str:
    """Return the section of the report."""
    pairs_14: Sequence[str] = PAIRS_14
    pairs_17: Sequence[str] = PAIRS_17
    learn = None
    if quick:
        pairs_14, pairs_17 = ("cs-en",), ("cs-en", "tr-en")
        learn = [beer_data.source("2015", "fi-en").select(range(700))]
    result = training(
        beer_data.sources(target="en") if learn is None else learn,
        find_profile("beer-3.0"),
    )
    ranker = fit_linear(
        result.examples, regularisation=1e-8, nonnegative=result.profile.signs
    ).ranker
    report = report_of(result, ranker, pairs_14, pairs_17)
    one: dict[str, Figures] = {}
    for anchor in (False, True):
        for kind in KINDS:
            fitted = report.fitted if kind in NEED_PEOPLE else None
            scaler = fit_scaler(
                kind,
                None if fitted is None else fitted.raw,
                None if fitted is None else fitted.human,
                anchor=anchor,
            )
            one[f"{kind}, anchored" if anchor else kind] = figures(scaler, report)
    held = np.concatenate([half.human for half in report.held.values()])
    constant = float(np.mean(abs(held - np.median(report.fitted.human))))
    rows = [
        [
            name,
            decimals(result.tau),
            f"{result.ties:.2%}",
            decimals(result.systems_14),
            decimals(result.systems_17),
            decimals(result.segments),
            f"{result.error:.1f}",
            decimals(result.copy),
            f"{decimals(result.low)} to {decimals(result.high)}",
            decimals(result.spread),
        ]
        for name, result in one.items()
    ]
    head = [
        "", "WMT14 τ", "ties", "WMT14 systems r", "WMT17 systems r",
        "WMT17 segments r", "points from people", "copy", "5 % to 95 %", "deviation",
    ]  # fmt: skip
    text = HEAD.format(
        pairs=len(result.examples), fitted=len(report.fitted.human), held=len(held)
    )
    return "\n".join([text, table(head, rows), words(one, constant)])


def words(scaled: dict[str, Figures], constant: float) -> str:
    """Return what the table says, in sentences."""
    strict = [scaled[name] for name in ("none", "quasi", "platt")]
    apart = max(one.tau for one in strict) - min(one.tau for one in strict)
    errors = {name: scaled[name].error for name in KINDS}
    best = min(errors, key=lambda name: errors[name])
    old = [one.systems_14 for one in scaled.values()]
    new = [one.systems_17 for one in scaled.values()]
    return (
        "*ties* is the share of judged pairs that get one score; *points from people* "
        f"is the mean absolute error, {constant:.1f} for the median of the first half "
        "given to every text. Averages are over language pairs.\n\n"
        "none, quasi and platt rise everywhere, so their τ is the same "
        f"(largest difference {apart:.4f}); linear is cut at 0 and 1, and isotonic has "
        "steps, which makes ties: "
        f"{scaled['isotonic'].ties:.1%} of the pairs and "
        f"{scaled['isotonic'].tau - scaled['none'].tau:+.3f} τ. r of systems goes from "
        f"{decimals(min(old))} to {decimals(max(old))} on WMT14 and from "
        f"{decimals(min(new))} to {decimals(max(new))} on WMT17 ("
        f"{decimals(scaled['quasi'].systems_14)} and "
        f"{decimals(scaled['quasi'].systems_17)} with quasi, which gives most texts "
        f"less than {decimals(scaled['quasi'].high, 2)}). "
        f"Closest to people is {best} ({errors[best]:.1f} points); none and quasi, "
        "which have seen no rating, are "
        f"{errors['none']:.1f} and {errors['quasi']:.1f} away. Without an anchor a "
        f"copy has {decimals(scaled['linear'].copy)} by linear, "
        f"{decimals(scaled['platt'].copy)} by platt and "
        f"{decimals(scaled['isotonic'].copy)} by isotonic (.949 in the released BEER "
        "2.0); the anchor makes it 1, leaves τ as it is, and puts linear "
        f"{scaled['linear, anchored'].error:.1f} and platt "
        f"{scaled['platt, anchored'].error:.1f} points from people.\n"
    )


if __name__ == "__main__":
    run_study("scaling", __doc__, study)
