# SPDX-License-Identifier: Apache-2.0
"""Forms under training: values of all candidates, and the way back to the parameters.

A form knows the function, a loss knows only its values. So any loss goes with any form:
the loss gives its derivative by the value of every candidate, and :meth:`Form.back`
turns these into the derivative by the parameters. All products are made by the core,
whose sums do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from tertium.learn.objectives.products import product, transposed_product
from tertium.learn.rankers import (
    Linear,
    Network,
    Polynomial,
    Ranker,
    factors,
    terms,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["Form", "LinearForm", "NetworkForm", "PolynomialForm"]

# Candidates whose polynomial terms are in memory at once, times terms.
_MAPPED = 4_000_000


class Form(Protocol):
    """A function of features with a vector of parameters, the bias at its end."""

    size: int

    def start(self, seed: int, restart: int = 0) -> Rows:
        """Return parameters to start from, others for every seed and restart."""

    def forward(self, parameters: Rows, rows: Rows) -> tuple[Rows, Rows]:
        """Return the value of every row, and what :meth:`back` needs of the way."""

    def back(self, parameters: Rows, rows: Rows, way: Rows, slopes: Rows) -> Rows:
        """Return the derivative by the parameters, given that by the values."""

    def penalised(self, parameters: Rows) -> Rows:
        """Return the parameters with those set to 0 that no penalty shrinks."""

    def project(self, parameters: Rows, signs: Sequence[int]) -> Rows:
        """Return the nearest parameters with which raw moves the way of the signs."""

    def ranker(self, parameters: Rows, offset: Rows) -> Ranker:
        """Return the ranker for features from which `offset` is not yet taken."""


class LinearForm:
    """w·x + b; losses of pairs have one best point, so it starts from 0."""

    def __init__(self, features: int, *, threads: int | None = None) -> None:
        self.size = features + 1
        self.threads = threads

    def start(self, seed: int, restart: int = 0) -> Rows:
        """Return zeros, and small random weights for restarts."""
        if not restart:
            return np.zeros(self.size)
        weights = np.random.default_rng([seed, restart]).normal(0, 0.1, self.size - 1)
        return np.append(weights, 0.0)

    def forward(self, parameters: Rows, rows: Rows) -> tuple[Rows, Rows]:
        """Return the value of every row."""
        values = product(rows, parameters[:-1, None].copy(), self.threads)
        values = values[:, 0] + parameters[-1]
        return values, values

    def back(
        self,
        parameters: Rows,  # noqa: ARG002
        rows: Rows,
        way: Rows,  # noqa: ARG002
        slopes: Rows,
    ) -> Rows:
        """Return the derivative by the weights and the bias."""
        sums = transposed_product(rows, slopes[:, None], self.threads)
        return np.append(sums[:, 0], slopes.sum())

    def penalised(self, parameters: Rows) -> Rows:
        """Return the weights, with 0 for the bias."""
        return np.append(parameters[:-1], 0.0)

    def project(self, parameters: Rows, signs: Sequence[int]) -> Rows:
        """Set weights of the wrong sign to 0."""
        ways = np.append(np.array(signs, dtype=float), 0.0)
        kept = np.where(parameters * ways > 0, parameters, 0.0)
        kept[-1] = parameters[-1]
        return kept

    def ranker(self, parameters: Rows, offset: Rows) -> Linear:
        """Return the ranker; the offset goes into its bias."""
        weights = parameters[:-1]
        bias = parameters[-1] - _dot(weights, offset)
        return Linear(tuple(weights.tolist()), float(bias))


class NetworkForm:
    """One hidden layer of tanh nodes: v · tanh(Wᵀx + c) + b."""

    def __init__(
        self, features: int, hidden: int, *, threads: int | None = None
    ) -> None:
        self._features, self._hidden = features, hidden
        self.size = (features + 2) * hidden + 1
        self.threads = threads

    def _parts(self, parameters: Rows) -> tuple[Rows, Rows, Rows]:
        inputs, rest = np.split(parameters[:-1], [self._features * self._hidden])
        starts, output = np.split(rest, 2)
        return inputs.reshape(self._features, self._hidden), starts, output

    def start(self, seed: int, restart: int = 0) -> Rows:
        """Return random weights, as wide as keeps tanh from its flat ends (Glorot)."""
        random = np.random.default_rng([seed, restart])
        width = np.sqrt(6 / (self._features + self._hidden))
        inputs = random.uniform(-width, width, self._features * self._hidden)
        outer = np.sqrt(6 / (self._hidden + 1))
        output = random.uniform(-outer, outer, self._hidden)
        return np.concatenate([inputs, np.zeros(self._hidden), output, [0.0]])

    def forward(self, parameters: Rows, rows: Rows) -> tuple[Rows, Rows]:
        """Return the value of every row, and its hidden layer."""
        inputs, starts, output = self._parts(parameters)
        hidden = product(rows, np.ascontiguousarray(inputs), self.threads)
        hidden += starts
        np.tanh(hidden, out=hidden)
        values = product(hidden, output[:, None].copy(), self.threads)
        return values[:, 0] + parameters[-1], hidden

    def back(self, parameters: Rows, rows: Rows, way: Rows, slopes: Rows) -> Rows:
        """Return the derivative by all weights: one step of backpropagation."""
        _, _, output = self._parts(parameters)
        deep = way * way
        np.subtract(1.0, deep, out=deep)
        deep *= output
        deep *= slopes[:, None]
        by_inputs = transposed_product(rows, deep, self.threads)
        by_output = transposed_product(way, slopes[:, None], self.threads)
        ends = [by_inputs.ravel(), deep.sum(axis=0), by_output[:, 0], [slopes.sum()]]
        return np.concatenate(ends)

    def penalised(self, parameters: Rows) -> Rows:
        """Return the weights, with 0 for all biases."""
        kept: Rows = parameters.copy()
        first = self._features * self._hidden
        kept[first : first + self._hidden] = 0.0
        kept[-1] = 0.0
        return kept

    def project(self, parameters: Rows, signs: Sequence[int]) -> Rows:
        """Make the output weights 0 or more, and the input weights follow the signs."""
        kept: Rows = parameters.copy()
        inputs, _, output = self._parts(kept)
        ways = np.array(signs, dtype=float)[:, None]
        inputs[...] = np.where(inputs * ways > 0, inputs, 0.0)
        np.maximum(output, 0.0, out=output)
        return kept

    def ranker(self, parameters: Rows, offset: Rows) -> Network:
        """Return the ranker; the offset goes into the hidden biases."""
        inputs, starts, output = self._parts(parameters)
        moved = [
            float(start - _dot(column, offset))
            for start, column in zip(starts, inputs.T, strict=True)
        ]
        return Network(
            tuple(tuple(row) for row in inputs.tolist()),
            tuple(moved),
            tuple(output.tolist()),
            float(parameters[-1]),
        )


class PolynomialForm:
    """w·ψ(x), with ψ(x)·ψ(y) = (γ x·y + 1)^d; its term 1 is the bias.

    Terms are made anew for every pass, in blocks of rows, as all of them for all
    candidates would not fit in memory. A pass takes time in proportion to
    candidates × terms.
    """

    def __init__(
        self, features: int, degree: int, gamma: float, *, threads: int | None = None
    ) -> None:
        self._features, self._degree, self._gamma = features, degree, gamma
        self._factors = np.array(factors(features, degree, gamma))
        self._terms = terms(features, degree)
        self.size = len(self._terms)
        self.threads = threads

    def map(self, rows: Rows) -> Rows:
        """Return ψ of every row."""
        degrees = [np.ones((len(rows), 1)), rows]
        # Products of a degree that begin with column i go on with columns from i on.
        # In the order of terms(), those of the degree below stand in one run each.
        columns = self._features
        starts = list(range(columns))  # first term of degree 1 that begins with i
        for _ in range(1, self._degree):
            below = degrees[-1]
            made = [rows[:, i : i + 1] * below[:, starts[i] :] for i in range(columns)]
            degrees.append(np.concatenate(made, axis=1))
            sizes = [block.shape[1] for block in made]
            starts = [sum(sizes[:i]) for i in range(columns)]
        mapped: Rows = np.concatenate(degrees, axis=1) * self._factors
        return mapped

    def _blocks(self, rows: Rows) -> list[slice]:
        step = max(1, _MAPPED // self.size)
        return [slice(at, at + step) for at in range(0, len(rows), step)]

    def forward(self, parameters: Rows, rows: Rows) -> tuple[Rows, Rows]:
        """Return the value of every row."""
        weights = parameters[:, None].copy()
        values = np.empty(len(rows))
        for part in self._blocks(rows):
            values[part] = product(self.map(rows[part]), weights, self.threads)[:, 0]
        return values, values

    def back(
        self,
        parameters: Rows,  # noqa: ARG002
        rows: Rows,
        way: Rows,  # noqa: ARG002
        slopes: Rows,
    ) -> Rows:
        """Return the derivative by the weight of every term."""
        total = np.zeros(self.size)
        for part in self._blocks(rows):
            mapped = self.map(rows[part])
            column = slopes[part, None]
            total += transposed_product(mapped, column, self.threads)[:, 0]
        return total

    def penalised(self, parameters: Rows) -> Rows:
        """Return all weights: the term 1 has no effect on differences."""
        return parameters

    def ranker(self, parameters: Rows) -> Polynomial:
        """Return the ranker."""
        weights = tuple(parameters.tolist())
        return Polynomial(self._degree, self._gamma, weights, self._features)


def _dot(first: Rows, second: Rows) -> float:
    """Return the inner product, summed in order and not by BLAS."""
    return float(sum((first * second).tolist()))
