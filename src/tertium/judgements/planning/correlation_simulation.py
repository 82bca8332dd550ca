# SPDX-License-Identifier: Apache-2.0
"""Studies of correlations, simulated: the check of plans by formula.

True scores of items and two metrics are normal. Every item is judged by as many judges
as planned, sampled anew for each item; their severity, their taste and the noise of
repeats are added. Adjusted scores lack the severity, as if it were known.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.judgements.estimates import need_scipy
from tertium.judgements.planning.correlation_plans import (
    CorrelationAim,
    CorrelationPlan,
)
from tertium.judgements.planning.judge_noise import JudgeNoise
from tertium.stats.correlation import williams

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.judgements.estimates import Floats

__all__ = ["simulate_correlation"]

_CHUNK = 1_000_000  # judgements sampled at a time


def simulate_correlation(
    plan: CorrelationPlan,
    aim: CorrelationAim,
    *,
    noise: JudgeNoise | None = None,
    adjusted: bool = False,
    simulations: int = 1000,
    seed: int = SEED,
) -> CorrelationPlan:
    """Return a plan with what simulated studies of its size achieve.

    Parameters
    ----------
    plan : CorrelationPlan
    aim : CorrelationAim
    noise : JudgeNoise, optional
    adjusted : bool
    simulations, seed : int

    Returns
    -------
    CorrelationPlan
        `simulated` is the width of the range that holds the central share of the
        observed correlations (as large as the confidence), or the share of studies
        whose test finds the better metric better; None for a plan without a size.
        No formula for intervals goes into it.
    """
    need_scipy("a simulation")
    if simulations < 1:
        message = f"simulations is {simulations}; give 1 or more"
        raise InputError(message, options=("simulate",))
    if plan.items is None or plan.judges is None:
        return plan
    rng = np.random.default_rng(seed)
    noise = noise or JudgeNoise()
    values = [
        _study(plan, aim, noise, adjusted, plan.items, plan.judges, rng)
        for _ in range(simulations)
    ]
    if aim.other is not None:
        return replace(plan, simulated=float(np.mean(values)))
    tail = (1 - aim.confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    share = plan.reliability if aim.corrected else 1.0
    return replace(plan, simulated=float(high - low) / math.sqrt(share))


def _study(
    plan: CorrelationPlan,
    aim: CorrelationAim,
    noise: JudgeNoise,
    adjusted: bool,
    items: int,
    judges: int,
    rng: np.random.Generator,
) -> float:
    """Return the observed correlation of one study, or whether its test is right."""
    first, second, between = aim.pearsons()
    correlations = [[1, first, second], [first, 1, between], [second, between, 1]]
    if aim.other is None:
        correlations = [[1, first], [first, 1]]
    factor = np.linalg.cholesky(np.array(correlations))
    table = factor @ rng.normal(size=(len(factor), items))
    scores = noise.item * table[0] + _errors(plan, noise, adjusted, items, judges, rng)
    rows = [scores, *table[1:]]
    if aim.coefficient == "spearman":
        # Ranks are without ties: all values are continuous.
        rows = [row.argsort().argsort().astype(np.float64) for row in rows]
    rhos = np.corrcoef(rows)
    if aim.other is None:
        return float(rhos[0, 1])
    test = williams(float(rhos[0, 1]), float(rhos[0, 2]), float(rhos[1, 2]), items)
    right = test is not None and (test.t > 0) == (aim.rho > aim.other)
    return float(test is not None and right and 2 * test.p < aim.alpha)


def _errors(
    plan: CorrelationPlan,
    noise: JudgeNoise,
    adjusted: bool,
    items: int,
    judges: int,
    rng: np.random.Generator,
) -> Floats:
    """Return what judges add to the mean score of each item."""
    errors: Floats = np.zeros(items)
    if noise.judge and not adjusted:
        severity = rng.normal(0, noise.judge, judges)
        errors = _mean_severity(severity, items, plan.per_item, rng)
    errors = errors + rng.normal(0, noise.taste / math.sqrt(plan.per_item), items)
    many = plan.per_item * plan.repeats
    return errors + rng.normal(0, noise.repeat / math.sqrt(many), items)


def _mean_severity(
    severity: Floats, items: int, per_item: int, rng: np.random.Generator
) -> Floats:
    """Return the mean severity of as many different judges for every item, at random.

    Time is linear in the judgements, and not items times judges.
    """
    judges = len(severity)
    # If most judges judge an item, sample the others: at most half are sampled.
    left_out = 2 * per_item > judges
    number = judges - per_item if left_out else per_item
    sums = np.zeros(items)
    rows = max(1, _CHUNK // max(1, number))
    for start in range(0, items, rows):
        part = sums[start : start + rows]
        part[:] = severity[_subsets(len(part), number, judges, rng)].sum(axis=1)
    return (severity.sum() - sums if left_out else sums) / per_item


def _subsets(
    rows: int, number: int, total: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return different numbers below `total` in every row, at random.

    Numbers that a row has already are sampled again, so each row has the first
    different ones of a sequence, and all sets are equally probable.
    """
    chosen = np.sort(rng.integers(0, total, (rows, number)), axis=1)
    todo = np.arange(rows)
    while len(todo):
        part = chosen[todo]
        again = np.zeros(part.shape, dtype=bool)
        again[:, 1:] = part[:, 1:] == part[:, :-1]
        part[again] = rng.integers(0, total, int(again.sum()))
        part.sort(axis=1)
        chosen[todo] = part
        todo = todo[again.any(axis=1)]
    return chosen
