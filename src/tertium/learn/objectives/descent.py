# SPDX-License-Identifier: Apache-2.0
"""Descent on losses of pairs and corpora: Adam over all examples.

Every step sees all examples, so nothing depends on an order of batches, and the result
is the same for any number of threads. With held-out pairs, the parameters of the
highest held-out tau are kept, and the search ends when it stops rising.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.learn.objectives.losses import Corpora, pair_loss, scatter, tau

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.learn.examples import Examples
    from tertium.learn.objectives.forms import Form
    from tertium.stats.resample import Report

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["Plan", "descend", "joint_objective", "search"]

# Decay of the running means, and what keeps the root above 0 (Kingma and Ba, 2015).
_FIRST, _SECOND, _TINY = 0.9, 0.999, 1e-8


@dataclass(frozen=True)
class Plan:
    """How to descend.

    Attributes
    ----------
    steps : int
        At most so many.
    rate : float
        Of learning.
    l2 : float
        Times the sum of squared weights, added to the loss.
    restarts : int
        How many searches from different starts; the best one counts.
    patience : int
        Looks at the held-out pairs without a higher tau before a search ends.
    every : int
        Steps between two looks.
    seed : int
    progress : callable, optional
        Called with "steps of learning", how many were made in all searches, and how
        many there are at most.
    """

    steps: int = 400
    rate: float = 0.02
    l2: float = 1e-4
    restarts: int = 1
    patience: int = 10
    every: int = 5
    seed: int = SEED
    progress: Report | None = None

    def __post_init__(self) -> None:
        for name in ("steps", "restarts", "patience", "every"):
            if getattr(self, name) < 1:
                raise InputError(
                    f"{name} is {getattr(self, name)}; it must be 1 or more"
                )
        if not self.rate > 0 or not self.l2 >= 0:
            raise InputError(
                f"rate is {self.rate} and l2 is {self.l2}; the first must be above 0, "
                f"the second 0 or more"
            )


def joint_objective(
    form: Form,
    rows: Rows,
    *,
    examples: Examples | None,
    loss: str = "margin",
    corpora: Corpora | None,
    mix: float = 0.5,
    l2: float = 0.0,
) -> Callable[[Rows], tuple[float, Rows]]:
    """Return (1 - mix) · L_sent + mix · L_corp + l2 · ‖w‖², with its exact gradient.

    Without corpora it is L_sent alone, and without examples L_corp alone. Both see the
    same values of the same form, so they share all parameters.
    """
    parts = [part for part in (examples, corpora) if part is not None]
    shares = (1.0 - mix, mix) if len(parts) == 2 else (1.0, 1.0)

    def evaluate(parameters: Rows) -> tuple[float, Rows]:
        values, way = form.forward(parameters, rows)
        total, slopes = 0.0, np.zeros(len(rows))
        if examples is not None:
            weights = examples.weights / examples.weights.sum()
            losses, by_pair = pair_loss(loss, examples.differences(values))
            total += shares[0] * float((losses * weights).sum())
            slopes += shares[0] * scatter(examples, by_pair * weights)
        if corpora is not None:
            value, by_candidate = corpora.loss(values)
            total += shares[1] * value
            slopes += shares[1] * by_candidate
        kept = form.penalised(parameters)
        total += l2 * float((kept * kept).sum())
        return total, form.back(parameters, rows, way, slopes) + 2 * l2 * kept

    return evaluate


def descend(
    evaluate: Callable[[Rows], tuple[float, Rows]],
    start: Rows,
    plan: Plan,
    *,
    project: Callable[[Rows], Rows] | None = None,
    watch: Callable[[Rows], float] | None = None,
    before: int = 0,
) -> tuple[Rows, dict[str, object]]:
    """Return where Adam ends, and how the search went.

    Parameters
    ----------
    evaluate : callable
        From parameters to a loss and its gradient.
    start : ndarray
    plan : Plan
    project : callable, optional
        From parameters to the nearest allowed ones, after every step.
    watch : callable, optional
        The held-out tau of parameters. The best ones are returned, not the last.
    before : int
        Searches before this one, for progress.
    """
    point = start if project is None else project(start)
    mean, square = np.zeros_like(point), np.zeros_like(point)
    best: tuple[float, Rows, int] | None = None
    waited = 0
    step = 0
    value = 0.0
    for step in range(1, plan.steps + 1):
        value, slope = evaluate(point)
        if plan.progress:
            done = before * plan.steps + step
            plan.progress("steps of learning", done, plan.restarts * plan.steps)
        if not np.isfinite(value):
            raise InputError(
                f"the loss is {value} after {step - 1} steps; choose a lower rate "
                f"than {plan.rate}"
            )
        mean = _FIRST * mean + (1 - _FIRST) * slope
        square = _SECOND * square + (1 - _SECOND) * slope * slope
        moved = mean / (1 - _FIRST**step)
        point = point - plan.rate * moved / (
            np.sqrt(square / (1 - _SECOND**step)) + _TINY
        )
        if project is not None:
            point = project(point)
        if watch is None or (step % plan.every and step != plan.steps):
            continue
        reached = watch(point)
        if best is None or reached > best[0]:
            best, waited = (reached, point, step), 0
        else:
            waited += 1
            if waited >= plan.patience:
                break
    facts: dict[str, object] = {"steps": step, "loss": value}
    if best is None:
        return point, facts
    facts |= {"best_step": best[2], "held_out_tau": best[0]}
    return best[1], facts


def search(
    form: Form,
    features: Rows,
    plan: Plan,
    *,
    examples: Examples | None = None,
    loss: str = "margin",
    corpora: Corpora | None = None,
    mix: float = 0.5,
    valid: Examples | None = None,
    nonnegative: Sequence[int] | None = None,
    centre: bool = True,
) -> tuple[Rows, Rows, dict[str, object]]:
    """Return the best parameters of all restarts, the means of features, and facts.

    **The bias problem.** The sentence loss never sees the bias, only the corpus loss
    does, and its gradient is as flat as the sigmoid where the values lie. If weights
    grow on features around 0.6, all values leave the middle of the sigmoid long before
    the bias could follow. So the form sees features minus their means: weights then
    turn around the middle of the data, the bias starts in the middle of the sigmoid
    and stays where the corpus loss can move it. The means go into the ranker's bias at
    the end, so the function is the same.
    """
    signs = nonnegative
    if signs is not None and len(signs) != features.shape[1]:
        raise InputError(
            f"{len(signs)} signs for {features.shape[1]} features; give one each"
        )
    if not 0 <= mix <= 1:
        raise InputError(f"mix is {mix}; it must lie between 0 and 1")
    if examples is not None and not examples.weights.sum() > 0:
        raise InputError("no pair to learn from; give pairs with a human preference")
    means = features.mean(axis=0) if centre else np.zeros(features.shape[1])
    rows = features - means
    evaluate = joint_objective(
        form, rows, examples=examples, loss=loss, corpora=corpora, mix=mix, l2=plan.l2
    )
    watch = None if valid is None else _watch(form, valid, means)
    points: list[tuple[float, Rows]] = []
    facts: list[dict[str, object]] = []
    for restart in range(plan.restarts):
        point, record_of_run = descend(
            evaluate,
            form.start(plan.seed, restart),
            plan,
            project=None if signs is None else lambda p: form.project(p, signs),
            watch=watch,
            before=restart,
        )
        rank = -evaluate(point)[0] if watch is None else watch(point)
        points.append((rank, point))
        facts.append(record_of_run)
    # the first of the best: equal on every machine
    chosen = max(range(len(points)), key=lambda i: (points[i][0], -i))
    record = {
        "optimiser": "adam",
        "rate": plan.rate,
        "l2": plan.l2,
        "restarts": plan.restarts,
        "best_restart": chosen,
        "seed": plan.seed,
        "nonnegative": signs is not None,
        **facts[chosen],
    }
    return points[chosen][1] + 0.0, means, record


def _watch(form: Form, valid: Examples, means: Rows) -> Callable[[Rows], float]:
    rows = valid.features - means

    def held_out(parameters: Rows) -> float:
        values, _ = form.forward(parameters, rows)
        return tau(valid.differences(values), valid.weights)

    return held_out
