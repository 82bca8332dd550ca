# SPDX-License-Identifier: Apache-2.0
"""Krippendorff's alpha for unitising (1995): agreement on where units lie.

Two judges divide a continuum into units of a category and gaps between them. The
observed disagreement of two units that overlap is the squared distance of their
starts plus that of their ends; a unit that lies in a gap of the other judge costs its
squared length. Expected is what units and gaps of these lengths would cost if they
were placed at random (Krippendorff 2004, section 11.6).

Here every output is a piece of the continuum: gaps end with it. All that alpha needs
are sums over outputs, and lengths of units and gaps as histograms, which add up, too:
a bootstrap is one matrix product. A judge's overlapping spans of one category are
united first, since units do not overlap.

References
----------
Krippendorff, K. (1995). On the reliability of unitizing continuous data.
Sociological Methodology 25.
Krippendorff, K. (2004). Content Analysis: An Introduction to its Methodology.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.judgements.estimates import (
    Estimate,
    percentiles,
    sums_of_resamples,
)
from tertium.judgements.spans.matching import Mark, overlapping

if TYPE_CHECKING:
    from tertium.judgements.estimates import Codes, Floats
    from tertium.stats.resample import Bootstrap

__all__ = ["Continuum", "Piece", "piece", "united", "unitised_alpha"]

_NONE = "no judge marked anything"
_COLUMNS = 5  # sums before the histograms: observed, length, units, cubes, squares


def united(marks: Iterable[Mark]) -> list[Mark]:
    """Return marks without overlaps, sorted; marks that only touch stay apart.

    Examples
    --------
    >>> united([Mark(4, 8), Mark(0, 5), Mark(8, 9)])
    [Mark(start=0, end=8, severity='', category=''), \
Mark(start=8, end=9, severity='', category='')]
    """
    units: list[Mark] = []
    for mark in sorted(marks):
        if units and mark.start < units[-1].end:
            end = max(units[-1].end, mark.end)
            units[-1] = units[-1]._replace(end=end)
        else:
            units.append(mark)
    return units


class Piece(NamedTuple):
    """One category in a piece of a continuum with the units of two judges.

    Parameters
    ----------
    sums : tuple of float
        Observed disagreement, length, units, and sums of their cubes and squares.
    units, gaps : list of int
        Lengths, on both sides.
    """

    sums: tuple[float, ...]
    units: list[int]
    gaps: list[int]


def piece(first: Sequence[Mark], second: Sequence[Mark], length: int) -> Piece:
    """Return a piece of so many characters, with the units of two judges."""
    if not first and not second:
        return Piece(
            (0.0, float(length), 0.0, 0.0, 0.0), [], [length] * 2 * (length > 0)
        )
    one, two = united(first), united(second)
    observed = 0
    met: tuple[set[int], set[int]] = (set(), set())
    for i, j, _ in overlapping(one, two):
        a, b = one[i], two[j]
        observed += (a.start - b.start) ** 2 + (a.end - b.end) ** 2
        met[0].add(i)
        met[1].add(j)
    units: list[int] = []
    gaps: list[int] = []
    for marks, seen in ((one, met[0]), (two, met[1])):
        place = 0
        for i, mark in enumerate(marks):
            size = mark.end - mark.start
            units.append(size)
            if i not in seen:
                observed += size**2
            if mark.start > place:
                gaps.append(mark.start - place)
            place = mark.end
        if length > place:
            gaps.append(length - place)
    cubes = sum(2 * x**3 - 3 * x**2 + x for x in units)
    squares = sum(x * (x - 1) for x in units)
    sums = (observed, length, len(units), cubes, squares)
    return Piece(tuple(map(float, sums)), units, gaps)


class Continuum:
    """Pieces of a continuum, for one category."""

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        self.pieces = list(pieces)

    def add(self, first: Sequence[Mark], second: Sequence[Mark], length: int) -> None:
        """Add a piece of so many characters, with the units of two judges."""
        self.pieces.append(piece(first, second, length))

    @property
    def has_units(self) -> bool:
        """Whether anybody marked anything."""
        return any(each.units for each in self.pieces)

    def disagreements(
        self, cluster: Codes, bootstrap: Bootstrap | None
    ) -> tuple[Floats, Floats]:
        """Return observed and expected disagreement: of all, then of resamples.

        Linear in the pieces; for each resample linear in the different lengths.
        """
        from scipy.sparse import csr_matrix

        parts = [
            [each.units for each in self.pieces],
            [each.gaps for each in self.pieces],
        ]
        lengths = [np.fromiter(chain.from_iterable(part), np.int64) for part in parts]
        sizes = np.unique(np.concatenate(lengths))
        n = len(sizes)
        sums = np.array([each.sums for each in self.pieces])
        rows = [np.repeat(cluster, _COLUMNS)]
        columns = [np.tile(np.arange(_COLUMNS), len(sums))]
        values = [sums.ravel()]
        for k, (part, length) in enumerate(zip(parts, lengths, strict=True)):
            rows.append(np.repeat(cluster, [len(each) for each in part]))
            columns.append(_COLUMNS + k * n + np.searchsorted(sizes, length))
            values.append(np.ones(len(length)))
        content = np.concatenate(values)
        places = np.concatenate(rows), np.concatenate(columns)
        shape = int(cluster.max()) + 1, _COLUMNS + 2 * n
        table = csr_matrix((content, places), shape=shape)
        totals: Floats = np.asarray(table.sum(axis=0)).reshape(1, -1)
        if bootstrap is not None:
            totals = np.concatenate([totals, sums_of_resamples(table, bootstrap)])
        return _disagreements(totals, sizes.astype(np.float64))


def _disagreements(sums: Floats, sizes: Floats) -> tuple[Floats, Floats]:
    n = len(sizes)
    observed, length, number, cubes, squares = sums[:, :_COLUMNS].T
    units = sums[:, _COLUMNS : _COLUMNS + n]
    gaps = sums[:, _COLUMNS + n :]
    # Of all gaps that are as long as the unit or longer: number, and sum of lengths.
    many = np.cumsum(gaps[:, ::-1], axis=1)[:, ::-1]
    long = np.cumsum((gaps * sizes)[:, ::-1], axis=1)[:, ::-1]
    inside = (units * sizes**2 * (long - (sizes - 1) * many)).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        above = 2 / length * ((number - 1) / 3 * cubes + inside)
        below = 2 * length * (2 * length - 1) - squares
        return observed / length**2, above / below


def unitised_alpha(
    categories: Sequence[Continuum],
    cluster: Codes,
    *,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Return alpha over some categories, 1 - sum of observed / sum of expected.

    Parameters
    ----------
    categories : sequence of Continuum
        The same pieces, by category.
    cluster : array of int
        What is resampled together, one number per piece.
    bootstrap : Bootstrap, optional
        Ask for an interval.

    Examples
    --------
    Krippendorff (2004, page 254), with the category c of two judges:

    >>> continuum = Continuum()
    >>> continuum.add(
    ...     [Mark(75, 145), Mark(220, 250)],
    ...     [Mark(70, 150), Mark(205, 225), Mark(250, 270)],
    ...     300,
    ... )
    >>> round(unitised_alpha([continuum], np.zeros(1, np.int64)).value, 4)
    0.7286
    """
    if not len(cluster) or not any(c.has_units for c in categories):
        return Estimate(None, reason=_NONE)
    parts = [c.disagreements(cluster, bootstrap) for c in categories if c.has_units]
    observed = np.sum([np.nan_to_num(part[0]) for part in parts], axis=0)
    expected = np.sum([np.nan_to_num(part[1]) for part in parts], axis=0)
    if not expected[0] > 0:
        return Estimate(None, reason="everything is marked by everybody")
    values = np.full(len(expected), np.nan)
    np.divide(observed, expected, out=values, where=expected > 0)
    interval = None
    if bootstrap is not None and int(cluster.max()) > 0:
        interval = percentiles(1 - values[1:], bootstrap)
    return Estimate(float(1 - values[0]), interval)
