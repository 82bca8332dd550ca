# SPDX-License-Identifier: Apache-2.0
"""Scales of ratings: their ends, and whether those of several sources are one.

Points of direct assessment, z-scores and penalties of MQM mean nothing to each other:
one scaler, or one gap, for two of them would learn the difference of the scales.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.errors import InputError
from tertium.learn.data import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float64]

__all__ = ["check_gap", "check_scales", "scale_of"]

_METHODS = {"mean": "points", "z": "z-scores", "mqm": "MQM"}


def scale_of(human: Vector) -> tuple[float, float]:
    """Return the ends of a scale of ratings, those of 0 to 100 where they fit.

    Other scales, such as z-scores and MQM, go from the lowest to the highest value.
    """
    low, high = float(human.min()), float(human.max())
    if _of_100(low, high):
        return 0.0, 100.0
    if low == high:
        message = f"all rated texts have {low:g}; scaling needs different ratings"
        raise InputError(message)
    return low, high


def check_scales(sources: Sequence[Source]) -> None:
    """Reject ratings of several scales, which cannot stand in one list.

    Raises
    ------
    InputError
        With a source of each scale.
    """
    scales: dict[str, str] = {}
    for source in sources:
        if (scale := _scale(source)) is not None:
            scales.setdefault(scale, source.name)
    if len(scales) > 1:
        (one, first), (other, second) = list(scales.items())[:2]
        message = (
            f"ratings of {first} are {one}, those of {second} are {other}; train on "
            "one scale at a time, or make points comparable with z-scores"
        )
        raise InputError(message, options=("ratings_by",))


def check_gap(sources: Sequence[Source], kind: str | None, gap: float | None) -> None:
    """Reject a gap that no pair has, or that would mean two things.

    Raises
    ------
    InputError
        Where all pairs come from rankings, or ratings are of several scales.
    """
    if gap is None:
        return
    rated = [
        source
        for source in sources
        if source.ratings is not None
        and (kind == "ratings" or (kind is None and source.rankings is None))
    ]
    if not rated:
        message = (
            f"a gap of {gap:g} is for pairs of ratings, and all pairs come from "
            "rankings; take the pairs of ratings, or leave out the gap"
        )
        raise InputError(message, options=("pairs", "gap"))
    check_scales(rated)


def _scale(source: Source) -> str | None:
    """Return the scale of a source's ratings in words; None without any."""
    human = source.ratings
    if human is None or human.ratings is None:
        return None
    values = human.ratings[~np.isnan(human.ratings)]
    if not len(values):
        return None
    method = human.method or "mean"
    text = f"{human.kind} ({_METHODS.get(method, method)}"
    if method != "mean":
        return f"{text})"
    ends = (
        "of 100" if _of_100(float(values.min()), float(values.max())) else "not of 100"
    )
    return f"{text} {ends})"


def _of_100(low: float, high: float) -> bool:
    return low >= 0 and 25 < high <= 100
