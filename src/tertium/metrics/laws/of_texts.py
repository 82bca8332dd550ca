# SPDX-License-Identifier: Apache-2.0
"""Laws of any test set, of any references and of any pair of texts."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tertium.metrics.base import Metric
from tertium.metrics.laws.calls import (
    corpus_score,
    make_batch,
    segment_scores,
    statistics,
)

if TYPE_CHECKING:
    from tertium.metrics.laws.examples import Example

__all__ = ["COPY_LAW", "PAIR_LAWS", "TEXT_LAWS", "best_value", "near"]

_SLACK = 1e-9


def near(a: float, b: float) -> bool:
    """Return whether two scores are the same but for rounding."""
    return a == b or math.isclose(a, b, rel_tol=1e-6, abs_tol=_SLACK)


def best_value(metric: Metric) -> float:
    """Return the best score there is."""
    return metric.bounds[1] if metric.higher_is_better else metric.bounds[0]


def bounds_hold(metric: Metric, test: Example) -> str | None:
    """No score is beyond the bounds that the metric states."""
    low, high = metric.bounds
    scores = [
        *(float(x) for x in segment_scores(metric, test.hyps, test.refs)),
        corpus_score(metric, test.hyps, test.refs),
    ]
    for score in scores:
        if not low - _SLACK <= score <= high + _SLACK:
            return f"{score} is not between {low} and {high}: {_shown(test)}"
    return None


def order_does_not_matter(metric: Metric, test: Example) -> str | None:
    """The same segments in another order have the same score."""
    score = corpus_score(metric, test.hyps, test.refs)
    other = corpus_score(metric, *_split(test.shuffled))
    if other != score and not (math.isnan(other) and math.isnan(score)):
        return f"{score} in one order and {other} in another: {_shown(test)}"
    return None


def rows_add_up(metric: Metric, test: Example) -> str | None:
    """The sum of all rows gives the corpus score."""
    metric = metric.prepare(test.refs)
    rows = statistics(metric, test.hyps, test.refs)
    if rows.shape != (len(test.hyps), metric.width):
        return f"rows have the shape {rows.shape}, not {len(test.hyps), metric.width}"
    summed = float(metric.from_statistics(rows.sum(axis=0)))
    score = corpus_score(metric, test.hyps, test.refs)
    if abs(summed - score) > max(_SLACK, 1e-6 * abs(score)):
        return f"rows give {summed}, the corpus {score}: {_shown(test)}"
    return None


def parts_add_up(metric: Metric, test: Example) -> str | None:
    """Parts scored by pickled copies of the metric, in any order, give the score."""
    from tertium import _core

    metric = metric.prepare(test.refs)
    total = _core.Sums(metric.width)
    for part in test.parts:
        worker: Metric = pickle.loads(pickle.dumps(metric))  # noqa: S301 (our own)
        texts, lists = [test.hyps[i] for i in part], [test.refs[i] for i in part]
        sums = worker.sums(make_batch(worker, [texts], lists))[0]
        total.merge(pickle.loads(pickle.dumps(sums)))  # noqa: S301 (our own)
    merged = metric.from_statistics(total.values())
    score = corpus_score(metric, test.hyps, test.refs)
    if merged != score:
        return f"parts give {merged}, the whole {score}: {_shown(test)}"
    return None


def systems_do_not_meet(metric: Metric, test: Example) -> str | None:
    """Several systems scored at once have the rows that each has on its own."""
    import numpy as np

    metric = metric.prepare(test.refs)
    systems = [test.hyps, [refs[0] for refs in test.refs], test.hyps[::-1]]
    many = metric.rows(make_batch(metric, systems, test.refs))
    for system, rows in zip(systems, many, strict=True):
        if metric.needs_names:
            break  # Rows belong to the names of systems.
        alone = statistics(metric, system, test.refs)
        if not np.array_equal(rows, alone, equal_nan=True):
            return f"rows differ beside other systems: {_shown(test)}"
    return None


def copies_are_best(metric: Metric, refs: Sequence[str]) -> str | None:
    """A copy of the reference gets the best value, or the metric says why not."""
    best = best_value(metric)
    scores = segment_scores(metric, refs, refs)
    for ref, score in zip(refs, scores, strict=True):
        gap = best - score if metric.higher_is_better else score - best
        poor = not math.isfinite(best) or gap > _SLACK
        if not (metric.copy_exception and poor) and not near(float(score), best):
            return f"a copy of {ref!r} gets {score}, the best value is {best}"
    return None


def symmetry_holds(metric: Metric, hyp: str, ref: str) -> str | None:
    """Where the metric says it is symmetric, both directions have the same score."""
    # F measures are symmetric for β = 1 alone.
    if not metric.symmetric or getattr(metric, "beta", 1.0) != 1.0:
        return None
    there = corpus_score(metric, [hyp], [ref])
    back = corpus_score(metric, [ref], [hyp])
    if not near(there, back):
        return f"{hyp!r} against {ref!r} gets {there}, the other way round {back}"
    return None


TextLaw: TypeAlias = "Callable[[Metric, Example], str | None]"
CopyLaw: TypeAlias = "Callable[[Metric, Sequence[str]], str | None]"
PairLaw: TypeAlias = "Callable[[Metric, str, str], str | None]"

#: Laws of a metric and a test set.
TEXT_LAWS: Mapping[str, TextLaw] = {
    "bounds": bounds_hold,
    "order of segments": order_does_not_matter,
    "sum of rows": rows_add_up,
    "any partition": parts_add_up,
    "several systems": systems_do_not_meet,
}
#: The law of a metric and references.
COPY_LAW: CopyLaw = copies_are_best
#: Laws of a metric and a pair of texts.
PAIR_LAWS: Mapping[str, PairLaw] = {"symmetry": symmetry_holds}


def _split(
    segments: Sequence[tuple[str, Sequence[str]]],
) -> tuple[list[str], list[Sequence[str]]]:
    return [hyp for hyp, _ in segments], [refs for _, refs in segments]


def _shown(test: Example) -> str:
    """Return a test set for a message, shortened if it is long."""
    pairs = zip(test.hyps, test.refs, strict=True)
    text = "; ".join(f"{str(hyp)!r} against {list(map(str, r))}" for hyp, r in pairs)
    return text if len(text) <= 400 else f"{text[:400]}..."
