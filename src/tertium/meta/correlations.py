# SPDX-License-Identifier: Apache-2.0
"""Correlations of all metrics with human judgements, on all language pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.meta.agreement.choice import (
    check_resampling,
    chosen_coefficients,
    impossible,
)
from tertium.meta.agreement.coefficients import Coefficient
from tertium.meta.evaluation import Evaluation
from tertium.meta.figures import Figure, figure
from tertium.meta.results import Correlation, Correlations, Difference
from tertium.meta.uncertainty.resampling import misfit, usual
from tertium.meta.uncertainty.testing import TESTS, coin_count, p_values
from tertium.notes import Note
from tertium.stats import (
    Hopeless,
    Ranking,
    adjust,
    enough_resamples,
    hopeless,
    interval,
    rank_clusters,
)
from tertium.stats.resample import report_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.stats.resample import Report

__all__ = ["correlate_evaluations"]

Array: TypeAlias = "NDArray[np.float64]"
_RANDOM = ("bootstrap", "permutation")  # tests whose p-values rest on random trials


def correlate_evaluations(
    evaluations: Sequence[Evaluation],
    *,
    coefficients: Sequence[str] | None = None,
    resamples: int = 1000,
    over: str | None = None,
    slow: bool = False,
    confidence: float = 0.95,
    seed: int = SEED,
    test: str | None = None,
    trials: int | None = None,
    correction: str = "holm",
    threads: int | None = None,
    progress: Report | None = None,
) -> Correlations:
    """Return how metrics correlate with human judgements.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        One per language pair.
    coefficients : sequence of str, optional
        Names of ``COEFFICIENTS``, or ``all``; those of recent tasks by default.
    resamples : int
        For intervals; 0 for none.
    over : {"judgements", "segments", "systems"}, optional
        What is resampled for intervals and for the bootstrap test; by default
        judgements for rankings, and segments for ratings. Figures that cannot be
        resampled in this way have no interval, and a note says so.
    slow : bool
        Whether rank correlations over all outputs at once also get intervals and
        bootstrap tests, which take long.
    confidence : float
    seed : int
    test : {"bootstrap", "permutation", "williams", "hybrids"}, optional
        Also test differences between all metrics; where the test does not fit a
        coefficient, a note says so (see :mod:`tertium.meta.uncertainty.testing`).
    trials : int, optional
        Of a test; by default enough that the smallest p-value is significant after
        correction for the number of pairs.
    correction : {"holm", "bh", "none"}
        For the number of metric pairs.
    threads : int, optional
    progress : callable, optional
        Called with what is counted (figures; trials or pairs of a test), how many are
        done, and how many there are.

    Raises
    ------
    InputError
        If there is nothing to compare, or no coefficient is possible.
    """
    if not evaluations:
        raise InputError("nothing to compare; give judgements and scores")
    if test is not None and test not in TESTS:
        raise UnknownNameError("test of metrics", test, TESTS)
    names = [str(both.human.langpair or "all") for both in evaluations]
    if len(set(names)) < len(names):
        raise InputError(f"a language pair is given twice: {', '.join(names)}")
    asked = chosen_coefficients(evaluations, coefficients)
    if over is not None:
        check_resampling(evaluations, asked, over, resamples=resamples)
    run = _Run(
        resamples=resamples,
        over=over,
        slow=slow,
        confidence=confidence,
        seed=seed,
        test=test,
        trials=trials,
        correction=correction,
        threads=threads,
        progress=progress,
    )
    parts = {
        langpair: _compared(langpair, _sampled_once(both), asked, run)
        for langpair, both in zip(names, evaluations, strict=True)
    }
    values = tuple(value for part in parts.values() for value in part.values)
    used = {value.coefficient for value in values}
    if not used:
        raise impossible(asked, evaluations)
    clusters: dict[str, dict[str, list[Ranking]]] = {}
    for langpair, part in parts.items():
        for name, ranked in part.clusters.items():
            clusters.setdefault(name, {})[langpair] = ranked
    return Correlations(
        tuple(each for each in asked if each.name in used),
        values,
        {n: both.human.kind for n, both in zip(names, evaluations, strict=True)},
        {langpair: part.notes for langpair, part in parts.items()},
        {
            "resamples": resamples,
            "over": over,
            "confidence": confidence,
            "seed": seed,
            "test": test,
            "correction": correction if test else None,
            "trials": max(part.trials for part in parts.values()) or None,
        },
        tuple(each for part in parts.values() for each in part.differences),
        clusters,
        {name: part.hopeless for name, part in parts.items() if part.hopeless},
        views={n: both.human.view for n, both in zip(names, evaluations, strict=True)},
    )


@dataclass(frozen=True, kw_only=True)
class _Run:
    """The options of :func:`correlate_evaluations`."""

    resamples: int
    over: str | None
    slow: bool
    confidence: float
    seed: int
    test: str | None
    trials: int | None
    correction: str
    threads: int | None
    progress: Report | None

    @property
    def alpha(self) -> float:
        return 1 - self.confidence


@dataclass
class _Part:
    """The results for one language pair, as they are collected."""

    notes: list[Note]
    values: list[Correlation] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    clusters: dict[str, list[Ranking]] = field(default_factory=dict)
    trials: int = 0
    hopeless: Hopeless | None = None


def _compared(
    langpair: str, both: Evaluation, asked: Sequence[Coefficient], run: _Run
) -> _Part:
    """Return the figures of one language pair, and tests of their differences."""
    part = _Part(list(both.notes))
    probes = {metric.name for metric in both.metrics if metric.probe}
    misfits = []
    for coefficient in asked:
        say = report_for(run.progress, f"{coefficient.name}, {langpair}")
        figures = _figures(coefficient, both, run, say)
        _add_values(part, langpair, coefficient, both, figures, run, say)
        real = {name: one for name, one in figures.items() if name not in probes}
        if run.test is not None and len(real) > 1:
            fits = _add_tests(part, langpair, coefficient, both, real, run, say)
            if not fits:
                misfits.append(coefficient.name)
    if misfits:
        values = {"test": run.test, "coefficients": misfits}
        part.notes.append(Note("test-misfit", values))
    return part


def _figures(
    coefficient: Coefficient, both: Evaluation, run: _Run, say: Report
) -> dict[str, Figure]:
    """Return the figure of every metric that has one."""
    figures = {}
    for number, metric in enumerate(both.metrics, start=1):
        one = figure(
            coefficient,
            both,
            metric,
            over=run.over,
            seed=run.seed,
            threads=run.threads,
        )
        if one is not None:
            figures[metric.name] = _quick(one, run.slow)
        say("figures", number, len(both.metrics))
    return figures


def _add_values(
    part: _Part,
    langpair: str,
    coefficient: Coefficient,
    both: Evaluation,
    figures: dict[str, Figure],
    run: _Run,
    say: Report,
) -> None:
    """Add correlations with their intervals."""
    samples = _samples(figures, run.resamples, run.seed, partial(say, "intervals"))
    unit = run.over or usual(coefficient, both.human)
    unfit = run.over and figures and misfit(coefficient, both.human, unit)
    if unfit:
        values = {"coefficient": coefficient.name, "reason": unfit}
        part.notes.append(Note("no-intervals", values))
    metrics = {metric.name: metric for metric in both.metrics}
    for name, one in figures.items():
        undefined = metrics[name].undefined
        between = _interval(samples.get(name), run.confidence)
        part.values.append(
            Correlation(
                langpair,
                name,
                coefficient.name,
                one.value,
                between,
                one.n,
                metrics[name].probe,
                one.of,
                None if between is None else unit,
                one.p,
                0 if undefined is None else int(np.count_nonzero(undefined)),
            )
        )


def _add_tests(
    part: _Part,
    langpair: str,
    coefficient: Coefficient,
    both: Evaluation,
    figures: dict[str, Figure],
    run: _Run,
    say: Report,
) -> bool:
    """Add tests of differences; return whether the test fits the coefficient."""
    trials = run.trials or enough_trials(len(figures), run.alpha)
    tested = _differences(langpair, coefficient, both, figures, run, trials, say)
    if tested is None:
        return False
    differences, notes = tested
    part.differences += differences
    part.notes += [note for note in notes if note not in part.notes]
    if run.test in _RANDOM:
        part.trials = max(part.trials, trials)
        if differences and part.hopeless is None:
            part.hopeless = hopeless(
                len(differences),
                run.alpha,
                correction=run.correction,
                resamples=trials,
                units=coin_count(coefficient, both),
                swapped=run.test == "permutation",
            )
    if differences:
        part.clusters[coefficient.name] = _clusters(figures, differences)
    return True


def enough_trials(metrics: int, alpha: float) -> int:
    """Return how many trials let a clear difference between two of the metrics be seen.

    Examples
    --------
    >>> enough_trials(3, 0.05), enough_trials(15, 0.05)
    (1000, 10500)
    """
    pairs = metrics * (metrics - 1) // 2
    return enough_resamples(pairs, alpha)


def _quick(one: Figure, slow: bool) -> Figure:
    """Return the figure, without samples that take long unless they are wanted."""
    return one if slow or not one.slow else replace(one, draw=None)


def _samples(
    figures: dict[str, Figure],
    resamples: int,
    seed: int,
    progress: Callable[[int, int], None],
) -> dict[str, Array]:
    if resamples == 0:
        return {}
    samples = {}
    for done, (name, one) in enumerate(figures.items(), start=1):
        if one.draw is not None and one.value is not None:
            samples[name] = one.draw(resamples, seed)
        progress(done, len(figures))
    return samples


def _interval(samples: Array | None, confidence: float) -> tuple[float, float] | None:
    if samples is None:
        return None
    known = samples[~np.isnan(samples)]
    return interval(known, confidence=confidence) if len(known) else None


def _differences(
    langpair: str,
    coefficient: Coefficient,
    both: Evaluation,
    figures: dict[str, Figure],
    run: _Run,
    trials: int,
    say: Report,
) -> tuple[list[Difference], list[Note]] | None:
    """Return the differences between metrics that have a value, and what has none.

    None if the test does not fit the coefficient.
    """
    known = {name: one.value for name, one in figures.items() if one.value is not None}
    pairs = list(combinations(known, 2))
    if not pairs:
        return [], []
    samples = {}
    if run.test == "bootstrap":
        report = partial(say, "resampled metrics")
        samples = _samples(figures, trials, run.seed, report)
    tested = p_values(
        str(run.test),
        coefficient,
        both,
        pairs,
        known,
        samples,
        over=run.over,
        resamples=trials,
        seed=run.seed,
        threads=run.threads,
        progress=say,
    )
    if tested is None:
        return None
    fitting = [
        (pair, outcome)
        for pair, outcome in zip(pairs, tested.outcomes, strict=True)
        if outcome is not None
    ]
    adjusted = adjust([outcome.p for _, outcome in fitting], run.correction)
    out = []
    for ((a, b), outcome), p in zip(fitting, adjusted, strict=True):
        delta = known[a] - known[b]
        # The winner of what was tested, which need not have the higher figure.
        sign = outcome.difference
        better = None if p >= run.alpha or sign == 0 else a if sign > 0 else b
        out.append(
            Difference(langpair, coefficient.name, a, b, delta, outcome.p, p, better)
        )
    return out, [
        Note("test-note", {"test": run.test, "note": note}) for note in tested.notes
    ]


def _clusters(
    figures: dict[str, Figure], differences: list[Difference]
) -> list[Ranking]:
    # A metric that no test fits has no place among the others.
    tested = {name for each in differences for name in (each.a, each.b)}
    known = {
        name: one.value
        for name, one in figures.items()
        if one.value is not None and name in tested
    }
    order = sorted(known, key=lambda name: (-known[name], name))
    wins = {
        (d.better, d.b if d.better == d.a else d.a) for d in differences if d.better
    }
    return rank_clusters(order, lambda a, b: (a, b) in wins)


def _sampled_once(both: Evaluation) -> Evaluation:
    """Return the evaluation, with judgements resampled once for all system figures."""
    human = both.human
    # Two: intervals and tests may differ in the number of resamples.
    once = lru_cache(maxsize=2)
    return replace(
        both,
        human=replace(
            human,
            draw=human.draw and once(human.draw),
            draw_segments=human.draw_segments and once(human.draw_segments),
        ),
    )
