# SPDX-License-Identifier: Apache-2.0
"""What is known about an output before anybody judges it.

Everything is relative to the other outputs of the annotation, so that difficult
segments do not count against a system: whether the output leans to the better ones, how
much better it matches the references, how much longer it is, how far its length is from
the usual one, and whether it has more symptoms. Every judged output gets the features
that it would have if its system were new.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.judgements.reuse.panel import REFERENCE_METRICS
from tertium.judgements.reuse.symptoms import SYMPTOMS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.judgements.reuse.panel import Panel

__all__ = ["FEATURES", "TO_REFERENCES", "Features", "features_of"]

Array: TypeAlias = "NDArray[np.float64]"
Mask: TypeAlias = "NDArray[np.bool_]"

#: Features by name, in order.
FEATURES = ("lean", *REFERENCE_METRICS, "length", "oddity", *SYMPTOMS)
#: Those that need references.
TO_REFERENCES = slice(1, 5)


@dataclass(frozen=True, eq=False)
class Features:
    """Features and targets of every place of a panel.

    Parameters
    ----------
    values : array, A x K x F
    target : array, A x K
        What the output got relative to the others; NaN if it was not judged.
    weight : array, A x K
        How much the target counts.
    usable : array of bool, A x K
        Where there is an output with judged ones beside it.
    base : array, A x K
        What the others got; add it to the target to get the judgement.
    hit : array, A x K
        What another output with the same text got, on the scale of the target; NaN
        where there is none.
    """

    values: Array
    target: Array
    weight: Array
    usable: Mask
    base: Array
    hit: Array


def features_of(panel: Panel, *, without: str | None = None) -> Features:
    """Return the features of every output as if its system were new.

    Parameters
    ----------
    panel : Panel
    without : str, optional
        A system whose judgements must not be used anywhere.

    Notes
    -----
    O(A K^3) for A annotations of K outputs.
    """
    member, value = panel.member, panel.value
    there = member >= 0
    judged = there & ~np.isnan(value)
    other = member[:, :, None] != member[:, None, :]
    beside = there[:, :, None] & judged[:, None, :] & other
    if without is not None:
        beside &= (member != panel.systems.index(without))[:, None, :]
    compared = judged[:, :, None] & judged[:, None, :] & other
    # What the first got above the second; of ranks, half a win or half a loss.
    gap = np.where(compared, value[:, :, None] - value[:, None, :], 0.0)
    if panel.ranked:
        gap = np.sign(gap) / 2
    counts = (gap != 0) if panel.ranked else compared
    weight = (counts & beside).sum(axis=2).astype(np.float64)
    target = _divide((gap * beside).sum(axis=2), weight)
    number = beside.sum(axis=2)
    blank = ~judged | (weight == 0)
    return Features(
        _values(panel, np.sign(gap) / 2, beside, compared),
        np.where(blank, np.nan, target),
        np.where(blank, 0.0, weight if panel.ranked else 1.0),
        number > 0,
        _base(panel, beside, number),
        _hits(panel, beside),
    )


def _hits(panel: Panel, beside: Mask) -> Array:
    """Return what equal outputs of others got, relative to all others."""
    same = beside & (panel.distance == 0)
    got = np.nan_to_num(panel.value)
    value = _divide((same * got[:, None, :]).sum(axis=2), same.sum(axis=2))
    gap = np.where(beside, value[:, :, None] - got[:, None, :], 0.0)
    if panel.ranked:
        gap = np.sign(gap) / 2
        number = (gap != 0).sum(axis=2)
    else:
        number = beside.sum(axis=2)
    known = same.any(axis=2) & (number > 0)
    return np.where(known, _divide(gap.sum(axis=2), number), np.nan)


def _base(panel: Panel, beside: Mask, number: NDArray[np.int64]) -> Array:
    if panel.ranked:
        return np.full(number.shape, 0.5)
    others = np.where(beside, panel.value[:, None, :], 0.0)
    return _divide(others.sum(axis=2), number)


def _values(panel: Panel, wins: Array, beside: Mask, compared: Mask) -> Array:
    """Return the features; wins rather than gaps, since some ratings are extreme."""
    weights = beside.astype(np.float64)
    number = weights.sum(axis=2)
    pairs = compared.astype(np.float64)
    # How good every other output is among the others alone.
    good = _divide(weights @ wins.swapaxes(1, 2), weights @ pairs.swapaxes(1, 2))
    good = np.where(beside, good, 0.0)
    chrf = np.where(beside, panel.chrf, 0.0)
    closeness = _divide(chrf.sum(axis=2), number)
    room = _room(panel)
    lean = ((chrf - closeness[:, :, None]) * good).sum(axis=2)
    length = _relative(np.log(np.fmax(panel.length, 1.0)), beside, number)
    return np.stack(
        [
            _divide(lean, number),
            *(
                _wins(panel.reference[:, :, m], beside, number) * room
                for m in range(panel.reference.shape[2])
            ),
            length * room,
            np.abs(length) * room,
            *(
                _relative(panel.symptoms[:, :, m], beside, number)
                for m in range(panel.symptoms.shape[2])
            ),
        ],
        axis=-1,
    )


def _room(panel: Panel) -> Array:
    """Return how much room for errors the outputs of every annotation have.

    It grows with the square root of their length, and is about 1 on average.
    """
    there = panel.member >= 0
    length = np.where(there, panel.length, 0.0).sum(axis=1) / there.sum(axis=1)
    return np.asarray(np.sqrt(length / max(float(length.mean()), 1.0)))[:, None]


def _wins(score: Array, beside: Mask, number: Array) -> Array:
    """Return the share of others with lower scores, less that with higher ones."""
    known = np.nan_to_num(score)
    above = np.sign(known[:, :, None] - known[:, None, :])
    return _divide((above * beside).sum(axis=2), number)


def _relative(score: Array, beside: Mask, number: Array) -> Array:
    """Return a score less the mean of the others'; 0 where it is unknown."""
    others = np.where(beside, np.nan_to_num(score)[:, None, :], 0.0).sum(axis=2)
    return np.nan_to_num(score - _divide(others, number))


def _divide(total: Array, number: Array | NDArray[np.int64]) -> Array:
    """Return quotients, 0 where there is nothing to divide by."""
    out = np.zeros(np.broadcast_shapes(total.shape, number.shape))
    return np.divide(total, number, out=out, where=number > 0)
