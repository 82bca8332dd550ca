# SPDX-License-Identifier: Apache-2.0
"""Statistics of predicted and human spans that add up over outputs.

Every output becomes a row of numbers, and every measure is a function of a sum of rows:
micro- and macro-averages, detection of error-free outputs, Pearson's correlation of
scores. Intervals and tests need only other sums of the same rows.

An output that several people judged is compared with each of them, and its row is the
mean: outputs count alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tertium.judgements.spans.matching import (
    Annotation,
    Counts,
    character_counts,
    missing_counts,
    span_counts,
)
from tertium.meta.spans.partial_credit import mpp_counts
from tertium.meta.spans.wmt25 import wmt25_counts

__all__ = ["MATCHINGS", "WEIGHTS", "columns", "measures", "output_row", "values_of"]

Array: TypeAlias = "npt.NDArray[np.float64]"

#: What spans weigh by severity, as in MQM (Freitag et al. 2021).
WEIGHTS = {"neutral": 0.0, "minor": 1.0, "major": 5.0, "critical": 5.0}

#: Ways to compare spans, by name: what counts as found.
MATCHINGS: Mapping[str, Callable[[Annotation, Annotation], Counts]] = {
    "exact": partial(span_counts, matching="exact"),
    "overlap": partial(span_counts, matching="overlap"),
    "character": character_counts,
    "character-severity": partial(character_counts, severity="partial"),
    "character-wmt25": wmt25_counts,
    "mpp": mpp_counts,
    "mpp-weighted": partial(mpp_counts, weights=WEIGHTS),
    "missing": missing_counts,
}
_PARTS = ("precision", "recall", "f")
_LABELS = ("precision", "recall", "f1", "mcc")
_WIDTH = 7  # numbers per matching: four counts, macro-averaged P, R and F


def columns() -> int:
    """Return the number of statistics per output."""
    return _WIDTH * len(MATCHINGS) + 1 + 4 + 6


def measures() -> list[str]:
    """Return the names of the measures, in the order of :func:`values_of`.

    Examples
    --------
    >>> measures()[:3], measures()[-5:]
    (['exact:micro-precision', 'exact:micro-recall', 'exact:micro-f'], \
['error-free:precision', 'error-free:recall', 'error-free:f1', 'error-free:mcc', \
'score:pearson'])
    """
    names = [
        f"{name}:{average}-{part}"
        for name in MATCHINGS
        for average in ("micro", "macro")
        for part in _PARTS
    ]
    return [*names, *(f"error-free:{part}" for part in _LABELS), "score:pearson"]


def output_row(
    predicted: Sequence[Annotation],
    human: Sequence[Annotation],
    *,
    labels: tuple[bool, bool],
    scores: tuple[float | None, float | None],
) -> Array:
    """Return the statistics of one output.

    Parameters
    ----------
    predicted, human : sequence of Annotation
        At least one each; every pair of them is compared.
    labels : tuple of bool
        Whether the output is predicted to be free of errors, and whether it is.
    scores : tuple of float
        Predicted and human; None leaves the output out of the correlation.
    """
    row = np.zeros(columns())
    pairs = [(a, b) for a in predicted for b in human]
    for k, count in enumerate(MATCHINGS.values()):
        place = row[k * _WIDTH : (k + 1) * _WIDTH]
        for a, b in pairs:
            counts = count(a, b)
            place += [*counts, counts.precision, counts.recall, counts.f]
        place /= len(pairs)
    row[_WIDTH * len(MATCHINGS)] = 1
    rest = row[_WIDTH * len(MATCHINGS) + 1 :]
    guess, truth = labels
    rest[2 * (not guess) + (not truth)] = 1  # both, wrongly free, missed, neither
    x, y = scores
    if x is not None and y is not None:
        rest[4:] = 1, x, y, x * x, y * y, x * y
    return row


def values_of(sums: Array) -> Array:
    """Return the measures of sums of rows, NaN where one is undefined.

    Parameters
    ----------
    sums : array of shape (..., columns())

    Returns
    -------
    array of shape (..., len(measures()))
    """
    values: list[Array] = []
    number = sums[..., _WIDTH * len(MATCHINGS)]
    for k in range(len(MATCHINGS)):
        part = sums[..., k * _WIDTH : (k + 1) * _WIDTH]
        precision = _share(part[..., 0], part[..., 2], empty=1.0)
        recall = _share(part[..., 1], part[..., 3], empty=1.0)
        values += [precision, recall, _harmonic(precision, recall)]
        values += [_share(part[..., 4 + i], number, empty=np.nan) for i in range(3)]
    rest = sums[..., _WIDTH * len(MATCHINGS) + 1 :]
    values += _label_values(*(rest[..., i] for i in range(4)))
    values.append(_pearson(*(rest[..., i] for i in range(4, 10))))
    return np.stack(values, axis=-1)


def _share(part: Array, whole: Array, *, empty: float) -> Array:
    safe = np.where(whole > 0, whole, 1.0)
    return np.where(whole > 0, part / safe, empty)


def _harmonic(a: Array, b: Array) -> Array:
    return _share(2 * a * b, a + b, empty=0.0)


def _label_values(tp: Array, fp: Array, fn: Array, tn: Array) -> list[Array]:
    """Return precision, recall, F1 and Matthews' coefficient.

    All are undefined where no output is free of errors, and so is Matthews' coefficient
    where every one is. It is 0 where only predictions are all alike, as it is usual.
    """
    precision = _share(tp, tp + fp, empty=1.0)
    recall = _share(tp, tp + fn, empty=1.0)
    root = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    mcc = _share(tp * tn - fp * fn, root, empty=0.0)
    values = [precision, recall, _harmonic(precision, recall), mcc]
    is_any = tp + fn > 0
    values = [np.where(is_any, value, np.nan) for value in values]
    values[-1] = np.where(tn + fp > 0, values[-1], np.nan)
    return values


def _pearson(n: Array, x: Array, y: Array, xx: Array, yy: Array, xy: Array) -> Array:
    spread = (n * xx - x * x) * (n * yy - y * y)
    # Rounding leaves a little of a spread that is none.
    floor = 1e-12 * np.maximum(n * n * xx * yy, 1e-300)
    usable = (n > 1) & (spread > floor)
    r = (n * xy - x * y) / np.sqrt(np.where(usable, spread, 1.0))
    return np.where(usable, np.clip(r, -1.0, 1.0), np.nan)
