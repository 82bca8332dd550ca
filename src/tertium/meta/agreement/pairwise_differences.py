# SPDX-License-Identifier: Apache-2.0
"""PDP: Pearson's correlation of pairwise differences (DiIanni and Deutsch 2025).

For every segment, each pair of systems gives a difference of human scores and one of
metric scores; PDP is the correlation of all these differences. Each pair counts in both
orders, so that the result does not depend on the order of the systems, and the means
are 0: r = sum xy / sqrt(sum xx sum yy).

Unlike Pearson's r of all outputs, it ignores how hard segments are; unlike the mean
over segments, segments on which systems differ much count more.

Equality with the authors' code is not tested: mt-metrics-eval has no PDP in the
versions that we could read (up to 544e0fc), and the package of this name on PyPI
(0.0.1) contains no statistics. If other code takes each pair in one order only, its
means are not 0 and its values depend on the order of the systems. On MQM of WMT23
en-de, BLEU has .242 here; with one order, .225 if systems are sorted by name and .21 to
.25 in 50 random orders.

With n scores of a segment, the sum of (x_a - x_b) (y_a - y_b) over pairs is
n sum xy - sum x sum y, so that nothing is quadratic in the number of systems.

References
----------
DiIanni and Deutsch (2025), Don't sweat the small stuff: segment-level meta-evaluation
based on pairwise difference correlation, EMNLP, pages 25073-25081.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["pair_sums", "pdp", "segment_sums"]

Array: TypeAlias = "NDArray[np.float64]"


def pdp(sums: Array) -> Array:
    """Return the coefficient of sums of xy, xx and yy, NaN where it is undefined.

    Examples
    --------
    >>> human = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 7.0]])
    >>> float(pdp(segment_sums(human, 2 * human + [0, 9]).sum(axis=0)))
    1.0
    """
    squares = np.maximum(sums[..., 1:], 0.0)
    scale = np.sqrt(squares[..., 0]) * np.sqrt(squares[..., 1])
    out: Array = np.full(scale.shape, np.nan)
    np.divide(sums[..., 0], scale, out=out, where=scale > 0)
    return np.clip(out, -1.0, 1.0)


def segment_sums(human: Array, metric: Array) -> Array:
    """Return sums over the pairs of systems of every segment, one row each.

    Parameters
    ----------
    human, metric : matrix
        Systems x segments; NaN where a score is missing.
    """
    known = ~np.isnan(human) & ~np.isnan(metric)
    n = known.sum(axis=0)
    # Centred first: large scores that differ little would lose their digits.
    x, y = (_centred(table, known) for table in (human, metric))
    rows = np.stack([n * (a * b).sum(axis=0) for a, b in ((x, y), (x, x), (y, y))], 1)
    rows[n < 2] = 0.0
    return rows


def pair_sums(human: Array, metric: Array) -> Array:
    """Return sums over segments for every two systems, as (systems, systems, 3)."""
    known = ~np.isnan(human) & ~np.isnan(metric)
    x, y = (_centred(table, known) for table in (human, metric))
    counts = known.astype(np.float64)
    tables = []
    for a, b in ((x, y), (x, x), (y, y)):
        products = (a * b) @ counts.T
        cross = a @ b.T
        table = products + products.T - cross - cross.T
        # Equal systems differ by what rounding leaves, which must not be correlated.
        table[np.abs(table) <= 1e-12 * np.abs(products + products.T)] = 0.0
        np.fill_diagonal(table, 0.0)
        tables.append(table)
    return np.stack(tables, axis=-1)


def _centred(table: Array, known: NDArray[np.bool_]) -> Array:
    filled = np.where(known, table, 0.0)
    means = filled.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return np.where(known, filled - means, 0.0)
