# SPDX-License-Identifier: Apache-2.0
"""Laws of a metric itself, on texts that do not change."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from tertium.metrics.base import Metric
from tertium.metrics.laws.calls import corpus_score, statistics
from tertium.metrics.laws.of_texts import best_value, near

__all__ = ["METRIC_LAWS"]

_LONG = "the quick brown fox jumps over a lazy dog behind our house"
#: Five words of it, in an order (3 5 2 4 1) with an exchange and no other block: with
#: none, order is not defined.
_WRONG = "house is nothing like dog in the form our way or lazy"
_FACTS = ("summary", "formula", "paper", "equal_to", "cost", "empty")


def long_copy_is_best(metric: Metric) -> str | None:
    """A copy of a long plain reference is best; exceptions are for other texts."""
    best = best_value(metric)
    if not math.isfinite(best) or not metric.uses_references:
        return None if metric.copy_exception else "copy_exception must say why not"
    score = corpus_score(metric, [_LONG], [_LONG])
    return None if near(score, best) else f"a copy of {_LONG!r} gets {score}"


def threads_do_not_matter(metric: Metric) -> str | None:
    """Any number of threads gives the same rows and the same score."""
    import numpy as np

    hyps, refs = _demo("order")
    metric = metric.prepare(refs)
    one = statistics(metric, hyps, refs, threads=1)
    score = corpus_score(metric, hyps, refs, threads=1)
    for threads in (3, None):
        rows = statistics(metric, hyps, refs, threads=threads)
        if not np.array_equal(one, rows, equal_nan=True):
            return f"rows differ with threads={threads}"
        if (other := corpus_score(metric, hyps, refs, threads=threads)) != score:
            return f"{score} with one thread, {other} with threads={threads}"
    return None


def empty_text_is_defined(metric: Metric) -> str | None:
    """Empty texts and an empty corpus have a score, and the metric says which."""
    if not metric.empty:
        return "the fact `empty` must say what empty text gets"
    cases: list[tuple[list[str], list[str]]] = [
        ([], []),
        ([""], [""]),
        (["a b c"], [""]),
        ([""], ["a b c"]),
    ]
    for hyps, refs in cases:
        score = corpus_score(metric, hyps, refs)
        if not math.isfinite(score):
            return f"{hyps} against {refs} gets {score}"
    shape = statistics(metric, [], []).shape
    if shape != (0, metric.width):
        return f"no segments have rows of the shape {shape}, not {(0, metric.width)}"
    return None


def scores_are_vectorised(metric: Metric) -> str | None:
    """`from_statistics` takes rows along the last axis, and a row alone."""
    hyps, refs = _demo("good", times=1)
    metric = metric.prepare(refs)
    rows = statistics(metric, hyps, refs)
    scores = metric.from_statistics(rows.reshape(3, -1, metric.width))
    alone = metric.from_statistics(rows[len(rows) // 3 + 4])
    if not isinstance(alone, float):
        return f"a row gives {type(alone).__name__}, not float"
    if getattr(scores, "shape", ()) != (3, len(rows) // 3):
        return f"rows of the shape (3, n, width) give {getattr(scores, 'shape', ())}"
    if not near(float(scores[1, 4]), alone):  # type: ignore[index]
        return f"a row among others gives {scores[1, 4]}, alone {alone}"  # type: ignore[index]
    return None


def spec_makes_it_again(metric: Metric) -> str | None:
    """The spec string of the metric makes the same metric."""
    from tertium.metrics.registry import metric as make

    again = make(metric.spec)
    if again != metric or again.signature != metric.signature:
        return f"{metric.spec!r} makes {again.spec!r} with {again.signature}"
    return None


def facts_are_complete(metric: Metric) -> str | None:
    """The metric states what `tertium metrics` shows."""
    for fact in _FACTS:
        if not getattr(metric, fact):
            return f"the fact `{fact}` is missing"
    if not metric.__doc__:
        return "the class has no docstring"
    return None if metric.label else "the metric has no label"


def every_reference_counts(metric: Metric) -> str | None:
    """A better second reference makes the score better."""
    alone = corpus_score(metric, [_LONG], [[_WRONG]])
    both = corpus_score(metric, [_LONG], [[_WRONG, _LONG]])
    if not metric.needs_references and not math.isfinite(
        none := corpus_score(metric, [_LONG], [()])
    ):
        return f"without references, {_LONG!r} gets {none}"
    if not metric.uses_references:
        same = both == alone
        return None if same else f"references change {alone} to {both}"
    better = both > alone if metric.higher_is_better else both < alone
    return None if better else f"a second reference changes {alone} to {both}"


MetricLaw = Callable[[Metric], "str | None"]

#: Laws of a metric.
METRIC_LAWS: Mapping[str, MetricLaw] = {
    "long copy": long_copy_is_best,
    "threads": threads_do_not_matter,
    "empty text": empty_text_is_defined,
    "vectorised": scores_are_vectorised,
    "spec string": spec_makes_it_again,
    "facts": facts_are_complete,
    "every reference": every_reference_counts,
}


def _demo(system: str, times: int = 5) -> tuple[list[str], list[tuple[str, ...]]]:
    from tertium.data import read

    testset = read("demo")
    return list(testset.systems[system]) * times, list(testset.references) * times
