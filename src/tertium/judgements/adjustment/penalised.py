# SPDX-License-Identifier: Apache-2.0
"""Penalised least squares of a mixed model with one or two factors.

For relative standard deviations θ of the effects, everything else has a closed form
(Bates et al. 2015, section 3). The first factor is eliminated, as its block is
diagonal: D = I + θ₁² diag(n). All that θ needs of its levels are sums over those with
the same number n of scores, so that an evaluation does not depend on how many there
are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import NotDefinedError

if TYPE_CHECKING:
    from tertium.judgements.estimates import Codes, Floats

__all__ = ["Problem", "Solution"]


@dataclass(frozen=True, eq=False)
class Solution:
    """What follows from θ.

    Parameters
    ----------
    fixed : array
        Coefficients of the columns.
    residual : float
        Variance of the rest.
    criterion : float
        -2 log REML likelihood.
    second : array, optional
        Effects of the second factor, over θ₂: one column per side.
    """

    fixed: Floats
    residual: float
    criterion: float
    second: Floats | None


class Problem:
    """Counts and sums from which any θ is solved.

    Parameters
    ----------
    y : array
    levels : list of one or two arrays of int
        Of every score, from 0. The first is eliminated and should be the larger.
    columns : array of shape (scores, columns)
        Of the fixed effects.
    """

    def __init__(self, y: Floats, levels: list[Codes], columns: Floats) -> None:
        from scipy.sparse import coo_matrix

        self.size, self.width = columns.shape
        self.sides = np.concatenate([columns, y[:, None]], axis=1)
        self.levels = levels
        self.counts = [np.bincount(level).astype(np.float64) for level in levels]
        self.sums = [
            np.stack([np.bincount(level, side) for side in self.sides.T], axis=1)
            for level in levels
        ]
        self.sizes, group = np.unique(self.counts[0], return_inverse=True)
        self.group = group.reshape(-1)
        self.cross = self.grouped = None
        if len(levels) == 2:
            first, second = levels
            shape = len(self.counts[0]), len(self.counts[1])
            cells = (np.ones(self.size), (first, second))
            self.cross = coo_matrix(cells, shape=shape).tocsr()
            row = np.repeat(np.arange(shape[0]), np.diff(self.cross.indptr))
            place = self.group[row] * shape[1] + self.cross.indices
            cells = (np.arange(1.0, len(row) + 1), (place, row))
            shape = len(self.sizes) * shape[1], shape[0]
            self.grouped = coo_matrix(cells, shape=shape).tocsr()
            # Where each of its values comes from, for weights to come.
            self.source = self.grouped.data.astype(np.int64) - 1
        self.weigh(np.ones(len(self.counts[0])))

    def weigh(self, weights: Floats) -> None:
        """Count every level of the first factor, with its scores, so many times."""
        heavy = weights[self.levels[0]]
        self.size = round(float(heavy.sum()))
        self.inner = (self.sides * heavy[:, None]).T @ self.sides
        first, groups = self.sums[0], len(self.sizes)
        self.number = np.bincount(self.group, weights, minlength=groups)
        self.squares = np.array(
            [
                [
                    np.bincount(self.group, weights * a * b, minlength=groups)
                    for a in first.T
                ]
                for b in first.T
            ]
        )
        if self.cross is None or self.grouped is None:
            return
        small, width = self.levels[1], len(self.counts[1])
        self.counts[1] = np.bincount(small, heavy, minlength=width).astype(np.float64)
        self.sums[1] = np.stack(
            [np.bincount(small, s * heavy, minlength=width) for s in self.sides.T],
            axis=1,
        )
        self.grouped.data = self.cross.data[self.source] * weights[self.grouped.indices]
        both = (self.grouped @ self.cross).tocoo()
        self.of_group, place = np.divmod(both.row.astype(np.int64), width)
        self.cell = place * width + both.col
        self.products = both.data
        self.mixed = (self.grouped @ first).reshape(groups, width, -1)

    def solve(self, theta: Floats) -> Solution:
        """Return what θ gives; cubic in the levels of the second factor."""
        # Straight from LAPACK: small systems are solved ten thousands of times.
        from scipy.linalg.lapack import dpotrf, dpotrs

        p = self.width
        big = 1 + theta[0] ** 2 * self.sizes
        shrunk = theta[0] ** 2 / big
        logdet = float(self.number @ np.log(big))
        left = self.inner - self.squares @ shrunk
        second = None
        if self.cross is not None:
            width = len(self.counts[1])
            amounts = self.products * shrunk[self.of_group]
            small = np.bincount(self.cell, amounts, minlength=width * width)
            small = small.reshape(width, width) * -(theta[1] ** 2)
            small.flat[:: width + 1] += 1 + theta[1] ** 2 * self.counts[1]
            factor, failed = dpotrf(small, lower=1)
            if failed:
                message = "the scores leave nothing unexplained"
                raise NotDefinedError(message)
            logdet += 2 * float(np.log(factor.diagonal()).sum())
            right = self.sums[1] - np.tensordot(shrunk, self.mixed, 1)
            right *= theta[1]
            second = dpotrs(factor, right, lower=1)[0]
            left = left - right.T @ second
        design = left[:p, :p]
        fixed = np.linalg.solve(design, left[:p, p])
        rest = max(float(left[p, p] - left[:p, p] @ fixed), 1e-300)
        free = self.size - p
        criterion = (
            logdet
            + float(np.linalg.slogdet(design)[1])
            + free * (1 + float(np.log(2 * np.pi * rest / free)))
        )
        return Solution(fixed, rest / free, criterion, second)

    def effects(self, theta: Floats, solution: Solution) -> tuple[Floats, ...]:
        """Return the predicted effects of the levels, a factor each."""
        big = 1 + theta[0] ** 2 * self.counts[0]
        first = theta[0] * self.sums[0]
        if self.cross is not None and solution.second is not None:
            first = first - theta[0] * theta[1] * (self.cross @ solution.second)
        scaled = [first / big[:, None]]
        if solution.second is not None:
            scaled.append(solution.second)
        p = self.width
        # Effects of the scores, less those of the columns as they were estimated.
        return tuple(
            t * (e[:, p] - e[:, :p] @ solution.fixed)
            for t, e in zip(theta, scaled, strict=True)
        )
