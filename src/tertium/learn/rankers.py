# SPDX-License-Identifier: Apache-2.0
"""Rankers: from the features of a text to one raw number, higher for better texts.

Three forms: :class:`Linear`, :class:`Polynomial` (an explicit
polynomial map, then linear) and :class:`Network` (one hidden layer). They are plain
Python data, so a model is read without NumPy; only :meth:`raw` imports it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias

from tertium.errors import UnknownNameError
from tertium.learn._reading import (
    named_numbers,
    named_vectors,
    number,
    numbers,
    only_keys,
    problem,
    whole,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["RANKERS", "Linear", "Network", "Polynomial", "Ranker", "ranker_from_json"]

DEGREES = (2, 3)


class Ranker(Protocol):
    """What every form can do."""

    kind: ClassVar[str]

    def raw(self, features: Rows) -> Rows:
        """Return one raw number a row of features."""

    def rises_with(self, signs: Sequence[int]) -> bool:
        """Return whether raw never falls when features move the way of their signs.

        A feature of sign 0 must then have no effect. It follows that an exact copy
        of the reference, whose features are all extreme, has the highest raw number.
        """

    def times(self, factor: float) -> Ranker:
        """Return the ranker whose raw numbers are so many times as large."""

    def to_json(self, names: Sequence[str]) -> dict[str, object]:
        """Return the form with its weights by name of feature."""


@dataclass(frozen=True)
class Linear:
    """Raw is the weighted sum of features, plus a bias.

    Attributes
    ----------
    weights : tuple of float
        One a feature.
    bias : float
        Moves all raw numbers alike: no ranking changes, but where the sigmoid lies.
    """

    kind: ClassVar[str] = "linear"
    weights: tuple[float, ...]
    bias: float = 0.0

    def raw(self, features: Rows) -> Rows:
        """Return one raw number a row of features."""
        import numpy as np

        # Summed feature by feature, not by BLAS: equal for any cut of the rows.
        total = np.full(len(features), self.bias)
        for column, weight in enumerate(self.weights):
            total += weight * features[:, column]
        return total

    def rises_with(self, signs: Sequence[int]) -> bool:
        """Return whether raw never falls when features move the way of their signs."""
        return all(
            weight * sign >= 0 and (sign != 0 or weight == 0)
            for weight, sign in zip(self.weights, signs, strict=True)
        )

    def times(self, factor: float) -> Linear:
        """Return the ranker whose raw numbers are so many times as large."""
        return Linear(_times(self.weights, factor), self.bias * factor)

    def to_json(self, names: Sequence[str]) -> dict[str, object]:
        """Return the form with its weights by name of feature."""
        return {
            "kind": self.kind,
            "bias": self.bias,
            "weights": dict(zip(names, self.weights, strict=True)),
        }

    @classmethod
    def from_json(
        cls, data: Mapping[str, object], names: Sequence[str], *, path: str
    ) -> Linear:
        """Read what :meth:`to_json` wrote."""
        only_keys(data, ("kind", "bias", "weights"), "ranker", path)
        weights = named_numbers(data["weights"], names, "ranker.weights", path)
        return cls(weights, number(data["bias"], "ranker.bias", path))


@dataclass(frozen=True)
class Polynomial:
    """Raw is linear in ψ(x), where ψ(x)·ψ(y) = (γ x·y + 1)^degree.

    Attributes
    ----------
    degree : int
        2 or 3.
    gamma : float
    weights : tuple of float
        One a term, in the order of :func:`terms`.
    features : int
    """

    kind: ClassVar[str] = "polynomial"
    degree: int
    gamma: float
    weights: tuple[float, ...]
    features: int

    def raw(self, features: Rows) -> Rows:
        """Return one raw number a row of features."""
        import numpy as np

        columns = [features[:, i] for i in range(self.features)]
        total = np.zeros(len(features))
        rows = zip(
            terms(self.features, self.degree),
            factors(self.features, self.degree, self.gamma),
            self.weights,
            strict=True,
        )
        for term, factor, weight in rows:
            if weight:
                product = np.full(len(features), factor * weight)
                for i in term:
                    product *= columns[i]
                total += product
        return total

    def rises_with(self, signs: Sequence[int]) -> bool:  # noqa: ARG002
        """Return False: nothing is proved of products of features."""
        return False

    def times(self, factor: float) -> Polynomial:
        """Return the ranker whose raw numbers are so many times as large."""
        return replace(self, weights=_times(self.weights, factor))

    def to_json(self, names: Sequence[str]) -> dict[str, object]:
        """Return the form with its weights by name of term: ``1``, ``a``, ``a * b``."""
        labels = term_names(names, self.degree)
        return {
            "kind": self.kind,
            "degree": self.degree,
            "gamma": self.gamma,
            "weights": dict(zip(labels, self.weights, strict=True)),
        }

    @classmethod
    def from_json(
        cls, data: Mapping[str, object], names: Sequence[str], *, path: str
    ) -> Polynomial:
        """Read what :meth:`to_json` wrote."""
        only_keys(data, ("kind", "degree", "gamma", "weights"), "ranker", path)
        degree = whole(data["degree"], "ranker.degree", path)
        if degree not in DEGREES:
            raise problem(f"ranker.degree is {degree}; it must be 2 or 3", path)
        gamma = number(data["gamma"], "ranker.gamma", path)
        if gamma <= 0:
            raise problem(f"ranker.gamma is {gamma}; it must be above 0", path)
        labels = term_names(names, degree)
        weights = named_numbers(data["weights"], labels, "ranker.weights", path)
        return cls(degree, gamma, weights, len(names))


@dataclass(frozen=True)
class Network:
    """Raw comes from one hidden layer: output · tanh(inputᵀ x + hidden_bias) + bias.

    Attributes
    ----------
    inputs : tuple of tuples of float
        One a feature, with one weight a hidden node.
    hidden_bias : tuple of float
        One a hidden node.
    output : tuple of float
        One a hidden node.
    bias : float
    """

    kind: ClassVar[str] = "network"
    inputs: tuple[tuple[float, ...], ...]
    hidden_bias: tuple[float, ...]
    output: tuple[float, ...]
    bias: float = 0.0

    def raw(self, features: Rows) -> Rows:
        """Return one raw number a row of features."""
        import numpy as np

        total = np.full(len(features), self.bias)
        for node, (start, weight) in enumerate(
            zip(self.hidden_bias, self.output, strict=True)
        ):
            weights = tuple(row[node] for row in self.inputs)
            total += weight * np.tanh(Linear(weights, start).raw(features))
        return total

    def rises_with(self, signs: Sequence[int]) -> bool:
        """Return whether every hidden node pushes every feature the right way."""
        pushes = (
            Linear(tuple(row[node] * weight for row in self.inputs))
            for node, weight in enumerate(self.output)
        )
        return all(push.rises_with(signs) for push in pushes)

    def times(self, factor: float) -> Network:
        """Return the ranker whose raw numbers are so many times as large."""
        output = _times(self.output, factor)
        return replace(self, output=output, bias=self.bias * factor)

    def to_json(self, names: Sequence[str]) -> dict[str, object]:
        """Return the form with its input weights by name of feature."""
        rows = (list(row) for row in self.inputs)
        return {
            "kind": self.kind,
            "activation": "tanh",
            "hidden": len(self.output),
            "inputs": dict(zip(names, rows, strict=True)),
            "hidden_bias": list(self.hidden_bias),
            "output": list(self.output),
            "bias": self.bias,
        }

    @classmethod
    def from_json(
        cls, data: Mapping[str, object], names: Sequence[str], *, path: str
    ) -> Network:
        """Read what :meth:`to_json` wrote."""
        keys = (
            "kind",
            "activation",
            "hidden",
            "inputs",
            "hidden_bias",
            "output",
            "bias",
        )
        only_keys(data, keys, "ranker", path)
        if data["activation"] != "tanh":
            raise problem(
                f"ranker.activation is {data['activation']!r}; only 'tanh' is known",
                path,
            )
        hidden = whole(data["hidden"], "ranker.hidden", path)
        if hidden < 1:
            raise problem(f"ranker.hidden is {hidden}; it must be 1 or more", path)
        return cls(
            named_vectors(data["inputs"], names, hidden, "ranker.inputs", path),
            numbers(data["hidden_bias"], hidden, "ranker.hidden_bias", path),
            numbers(data["output"], hidden, "ranker.output", path),
            number(data["bias"], "ranker.bias", path),
        )


RANKERS: dict[str, type[Linear] | type[Polynomial] | type[Network]] = {
    form.kind: form for form in (Linear, Polynomial, Network)
}


def ranker_from_json(
    data: Mapping[str, object], names: Sequence[str], *, path: str
) -> Linear | Polynomial | Network:
    """Return the ranker that a model file describes."""
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in RANKERS:
        raise problem(str(UnknownNameError("ranker", str(kind), RANKERS)), path)
    return RANKERS[kind].from_json(data, names, path=path)


def _times(weights: Sequence[float], factor: float) -> tuple[float, ...]:
    return tuple(weight * factor for weight in weights)


# ------------------------------------------------------------------ polynomial map


def terms(features: int, degree: int) -> list[tuple[int, ...]]:
    """Return the products of the map as tuples of columns, the empty one first.

    There are n(n+3)/2 + 1 of degree 2 and C(n+3, 3) of degree 3.
    """
    return [
        term
        for size in range(degree + 1)
        for term in combinations_with_replacement(range(features), size)
    ]


def factors(features: int, degree: int, gamma: float) -> list[float]:
    """Return what every term is multiplied by, so that ψ(x)·ψ(y) = (γ x·y + 1)^d.

    The multinomial theorem: degree! / (free! · Π repeats!) · γ^size, and of this the
    root, since it comes once from either side.
    """
    factors = []
    for term in terms(features, degree):
        ways = math.factorial(degree) // math.factorial(degree - len(term))
        for column in set(term):
            ways //= math.factorial(term.count(column))
        factors.append(math.sqrt(ways * gamma ** len(term)))
    return factors


def term_names(names: Sequence[str], degree: int) -> list[str]:
    """Return the names of all terms: ``1``, ``char1.min``, ``char1.min * skip.f1``."""
    return [
        " * ".join(names[column] for column in term) or "1"
        for term in terms(len(names), degree)
    ]
