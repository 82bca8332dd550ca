# SPDX-License-Identifier: Apache-2.0
"""Metrics against people: all figures of all metrics and language pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.meta.coefficients import COEFFICIENTS, Coefficient, find_coefficients
from tertium.meta.evaluation import Evaluation
from tertium.meta.figures import Figure, figure, possible
from tertium.meta.human import Human
from tertium.meta.resampling import misfit, usual
from tertium.meta.results import Correlation, Correlations, Difference
from tertium.meta.testing import TESTS, coin_count, p_values
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

__all__ = [
    "check_resampling",
    "chosen_coefficients",
    "correlate_evaluations",
    "default_coefficients",
]

Array: TypeAlias = "NDArray[np.float64]"
_RANDOM = ("bootstrap", "permutation")  # tests whose p-values rest on random trials


def default_coefficients(evaluations: Sequence[Evaluation]) -> list[str]:
    """Return the coefficients of the last tasks with judgements of such a kind."""
    chosen = ["pearson", "accuracy"]
    if all(both.human.are_parts for both in evaluations):
        return chosen
    if any(both.human.comparisons is not None for both in evaluations):
        chosen += ["tau-wmt14"]
    if any(both.human.ratings is not None for both in evaluations):
        chosen += ["pearson:none", "tau-b:item", "acc-eq:item"]
    return chosen


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
    """Return how far metrics agree with people.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        One a language pair.
    coefficients : sequence of str, optional
        Names of ``COEFFICIENTS``, or ``all``; those of recent tasks by default.
    resamples : int
        For intervals; 0 for none.
    over : {"judgements", "segments", "systems"}, optional
        What is resampled for intervals and for the bootstrap test. By default
        judgements, for rankings, or segments, for ratings. Figures that cannot be
        resampled so have no interval, as the notes say.
    slow : bool
        Whether rank correlations of all outputs at once have intervals and bootstrap
        tests too, which takes long.
    confidence : float
    seed : int
    test : {"bootstrap", "permutation", "williams", "hybrids"}, optional
        Test differences between all metrics too; coefficients that a test does not
        fit have none, as the notes say (see :mod:`tertium.meta.testing`).
    trials : int, optional
        Of a test. By default so many that the smallest p-value is small enough after
        correction for the number of pairs.
    correction : {"holm", "bh", "none"}
        For the number of pairs of metrics.
    threads : int, optional
    progress : callable, optional
        Called with what is counted (figures; trials or pairs of a test), how many are
        done, and how many there are.

    Raises
    ------
    InputError
        When there is nothing to compare, or no coefficient can be had from it.
    """
    if not evaluations:
        raise InputError("nothing to compare; give judgements and scores")
    if test is not None and test not in TESTS:
        raise UnknownNameError("test of metrics", test, TESTS)
    names = [str(both.human.langpair or "all") for both in evaluations]
    if len(set(names)) < len(names):
        raise InputError(f"a language pair is there twice: {', '.join(names)}")
    asked = chosen_coefficients(evaluations, coefficients)
    if over is not None:
        check_resampling(evaluations, asked, over, resamples=resamples)
    values: list[Correlation] = []
    differences: list[Difference] = []
    clusters: dict[str, dict[str, list[Ranking]]] = {}
    most_trials = 0
    doomed: dict[str, Hopeless] = {}
    notes = {n: list(both.notes) for n, both in zip(names, evaluations, strict=True)}
    for langpair, both in zip(names, map(_drawn_once, evaluations), strict=True):
        misfits = []
        for coefficient in asked:
            found: dict[str, Figure] = {}
            say = report_for(progress, f"{coefficient.name}, {langpair}")
            for number, metric in enumerate(both.metrics, start=1):
                one = figure(
                    coefficient, both, metric, over=over, seed=seed, threads=threads
                )
                if one is not None:
                    found[metric.name] = one
                say("figures", number, len(both.metrics))
            found = {name: _quick(one, slow) for name, one in found.items()}
            drawn = _draws(found, resamples, seed, partial(say, "intervals"))
            unit = over or usual(coefficient, both.human)
            unfit = over and found and misfit(coefficient, both.human, unit)
            if unfit:
                notes[langpair].append(f"no intervals of {coefficient.name}: {unfit}")
            probes = {metric.name for metric in both.metrics if metric.probe}
            undefined = {
                metric.name: int(np.count_nonzero(metric.undefined))
                for metric in both.metrics
                if metric.undefined is not None
            }
            for name, one in found.items():
                between = _interval(drawn.get(name), confidence)
                values.append(
                    Correlation(
                        langpair,
                        name,
                        coefficient.name,
                        one.value,
                        between,
                        one.n,
                        name in probes,
                        one.of,
                        None if between is None else unit,
                        one.p,
                        undefined.get(name, 0),
                    )
                )
            real = {name: one for name, one in found.items() if name not in probes}
            if test is not None and len(real) > 1:
                own_trials = trials or enough_trials(len(real), 1 - confidence)
                tested = _differences(
                    langpair,
                    coefficient,
                    both,
                    real,
                    test=test,
                    over=over,
                    correction=correction,
                    alpha=1 - confidence,
                    trials=own_trials,
                    seed=seed,
                    threads=threads,
                    progress=say,
                )
                if tested is None:
                    misfits.append(coefficient.name)
                    continue
                own, skipped = tested
                differences += own
                if test in _RANDOM:
                    most_trials = max(most_trials, own_trials)
                    why = hopeless(
                        len(own),
                        1 - confidence,
                        correction=correction,
                        resamples=own_trials,
                        units=coin_count(coefficient, both),
                        swapped=test == "permutation",
                    )
                    if why is not None and own:
                        doomed.setdefault(langpair, why)
                notes[langpair] += [n for n in skipped if n not in notes[langpair]]
                if own:
                    ranked = _clusters(real, own)
                    clusters.setdefault(coefficient.name, {})[langpair] = ranked
        if misfits:
            notes[langpair].append(f"{test}: does not fit {', '.join(misfits)}")
    used = {value.coefficient for value in values}
    if not used:
        raise _none_of(asked, evaluations)
    return Correlations(
        tuple(each for each in asked if each.name in used),
        tuple(values),
        {n: both.human.kind for n, both in zip(names, evaluations, strict=True)},
        notes,
        {
            "resamples": resamples,
            "over": over,
            "confidence": confidence,
            "seed": seed,
            "test": test,
            "correction": correction if test else None,
            "trials": most_trials or None,
        },
        tuple(differences),
        clusters,
        doomed,
    )


def chosen_coefficients(
    evaluations: Sequence[Evaluation], names: Sequence[str] | None
) -> list[Coefficient]:
    """Return coefficients by name, those of recent tasks by default.

    Raises
    ------
    InputError
        When there is no such coefficient, or the judgements allow none of them.
    """
    asked = find_coefficients(names or default_coefficients(evaluations))
    allowed = {name for both in evaluations for name in possible(both.human)}
    if not any(each.name in allowed for each in asked):
        raise _none_of(asked, evaluations)
    return asked


def needs_segments(human: Human, names: Sequence[str] | None) -> bool:
    """Return whether coefficients compare single outputs, and not systems alone.

    Parameters
    ----------
    human : Human
    names : sequence of str, optional
        As for :func:`correlate_evaluations`. The default is to compare all that was
        judged: systems and segments, or systems alone where parts of segments were
        judged.
    """
    if names is None:
        return not human.are_parts
    return any(
        each.level == "segment" or each.needs != "scores"
        for each in find_coefficients(names)
        if each.name in possible(human)
    )


def check_resampling(
    evaluations: Sequence[Evaluation],
    asked: Sequence[Coefficient],
    over: str,
    *,
    resamples: int,
) -> None:
    """Raise an error if no coefficient can be resampled so.

    Raises
    ------
    InputError
        With the reasons.
    """
    if not resamples:
        raise InputError(f"nothing to draw {over} for; resample at least once")
    reasons: dict[str, None] = {}
    for both in evaluations:
        allowed = possible(both.human)
        for each in asked:
            if each.name not in allowed:
                continue
            reason = misfit(each, both.human, over)
            if reason is None:
                return
            reasons[reason] = None
    raise InputError(f"{over} cannot be resampled: {'; '.join(reasons)}")


def _none_of(
    asked: Sequence[Coefficient], evaluations: Sequence[Evaluation]
) -> InputError:
    """Return the error that says which coefficients there are instead."""
    kinds = ", ".join(sorted({both.human.kind for both in evaluations}))
    allowed = {name for both in evaluations for name in possible(both.human)}
    known = [name for name in COEFFICIENTS if name in allowed]
    cure = f"choose from {', '.join(known)}"
    if not known:
        cure = "give judgements of two systems or more on the same segments"
    return InputError(
        f"none of {', '.join(each.name for each in asked)} can be had from {kinds} "
        f"and these scores; {cure}"
    )


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
    """Return the figure, without draws that take long unless they are wanted."""
    return one if slow or not one.slow else replace(one, draw=None)


def _draws(
    figures: dict[str, Figure],
    resamples: int,
    seed: int,
    progress: Callable[[int, int], None],
) -> dict[str, Array]:
    if resamples == 0:
        return {}
    drawn = {}
    for done, (name, one) in enumerate(figures.items(), start=1):
        if one.draw is not None and one.value is not None:
            drawn[name] = one.draw(resamples, seed)
        progress(done, len(figures))
    return drawn


def _interval(drawn: Array | None, confidence: float) -> tuple[float, float] | None:
    if drawn is None:
        return None
    known = drawn[~np.isnan(drawn)]
    return interval(known, confidence=confidence) if len(known) else None


def _differences(
    langpair: str,
    coefficient: Coefficient,
    both: Evaluation,
    figures: dict[str, Figure],
    *,
    test: str,
    over: str | None,
    correction: str,
    alpha: float,
    trials: int,
    seed: int,
    threads: int | None,
    progress: Report,
) -> tuple[list[Difference], list[str]] | None:
    """Return the differences between metrics that have a value, and what has none.

    None if the test does not fit the coefficient.
    """
    known = {name: one.value for name, one in figures.items() if one.value is not None}
    pairs = list(combinations(known, 2))
    if not pairs:
        return [], []
    tested = p_values(
        test,
        coefficient,
        both,
        pairs,
        known,
        _draws(figures, trials, seed, partial(progress, "resampled metrics"))
        if test == "bootstrap"
        else {},
        over=over,
        resamples=trials,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    if tested is None:
        return None
    fitting = [
        (pair, outcome)
        for pair, outcome in zip(pairs, tested.outcomes, strict=True)
        if outcome is not None
    ]
    adjusted = adjust([outcome.p for _, outcome in fitting], correction)
    out = []
    for ((a, b), outcome), own in zip(fitting, adjusted, strict=True):
        delta = known[a] - known[b]
        # The winner of what was tested, which need not have the higher figure.
        sign = outcome.difference
        better = None if own >= alpha or sign == 0 else a if sign > 0 else b
        out.append(
            Difference(langpair, coefficient.name, a, b, delta, outcome.p, own, better)
        )
    return out, [f"{test}: {note}" for note in tested.notes]


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


def _drawn_once(both: Evaluation) -> Evaluation:
    """Return the same, with judgements resampled once for all figures of systems."""
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
