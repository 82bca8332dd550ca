# SPDX-License-Identifier: Apache-2.0
"""Whether scores of a file fall with quality, where nobody says so."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from tertium.errors import InputError

__all__ = ["check_directions", "is_error_metric", "seem_to_fall"]

_ERRORS = re.compile(
    r"(metricx|ter|wer|per|cder|character|hter|mqm-?errors?)([-_.:\d].*)?$",
    re.IGNORECASE,
)


def is_error_metric(name: str) -> bool:
    """Return whether a name is that of a known metric that counts errors.

    Examples
    --------
    >>> is_error_metric("MetricX-24"), is_error_metric("termite")
    (True, False)
    """
    return _ERRORS.match(name) is not None


def seem_to_fall(name: str, scores: Iterable[float]) -> bool:
    """Return whether scores of an error metric are as it gives them.

    Tasks of WMT turn the sign of error metrics, so that all scores rise: the mean is
    negative then. Single scores say nothing, since models of errors predict some that
    are just below zero.

    Examples
    --------
    >>> seem_to_fall("TER", [0.4, 0.2]), seem_to_fall("TER", [-0.4, -0.2])
    (True, False)
    >>> seem_to_fall("MetricX", [3.5, -0.01]), seem_to_fall("COMET", [0.5])
    (True, False)
    """
    return is_error_metric(name) and math.fsum(scores) >= 0


def check_directions(
    lower_is_better: Iterable[str], higher_is_better: Iterable[str]
) -> None:
    """Raise an error if a metric is said to fall and to rise with quality.

    Raises
    ------
    InputError
    """
    both = sorted({*lower_is_better} & {*higher_is_better})
    if both:
        message = (
            f"{', '.join(both)} cannot both fall and rise with quality; name each in "
            "one list"
        )
        raise InputError(message, options=("lower_is_better", "higher_is_better"))
