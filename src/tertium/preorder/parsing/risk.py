# SPDX-License-Identifier: Apache-2.0
"""Orders of least risk: minimum Bayes risk with Kendall's tau as the gain.

A model gives a matrix E per sentence, E[i, j] = P(word i before word j). The expected
tau of an order is the mean of E over its pairs of words (Stanojević 2017, section
3.3.3). The best of all orders is hard to find (linear ordering is NP-hard); the best
separable order, that of a binary tree, takes O(n³) (Tromble and Eisner 2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium import _core
from tertium.errors import InputError
from tertium.preorder.model import Reordering, check_order
from tertium.preorder.parsing.constraints import Constraints, constraint_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "RankedOrder",
    "best_orders",
    "expected_tau",
    "least_risk",
    "swap_confidence",
]


@dataclass(frozen=True)
class RankedOrder:
    """An order and its expected Kendall tau."""

    order: tuple[int, ...]
    expected: float

    def to_dict(self) -> dict[str, object]:
        """Return plain values."""
        return {"order": list(self.order), "expected": self.expected}


def best_orders(
    expectations: Sequence[NDArray[np.float64]],
    *,
    count: int = 1,
    constraints: Constraints | Sequence[Constraints | None] | None = None,
    threads: int | None = None,
) -> list[list[RankedOrder]]:
    """Return the separable orders with the highest expected tau, the best first.

    Parameters
    ----------
    expectations : sequence of ndarray
        One matrix per sentence, with P(word i before word j).
    count : int
        How many orders per sentence; there are fewer if no more exist.
    constraints : Constraints or sequence of Constraints, optional
        For all sentences, or one item per sentence.
    threads : int, optional
        All processors by default; the result does not depend on it.

    Raises
    ------
    InputError
        If no order of a sentence respects its constraints.

    Notes
    -----
    O(n³) per sentence, O(n³ d) with a maximum displacement d; further orders are found
    lazily (Huang and Chiang 2005).

    Examples
    --------
    >>> import numpy as np
    >>> e = np.array([[0, 0.8, 0.6], [0.2, 0, 0.4], [0.4, 0.6, 0]])
    >>> for one in best_orders([e], count=2)[0]:
    ...     print(one.order, round(one.expected, 4))
    (0, 2, 1) 0.6667
    (0, 1, 2) 0.6
    """
    if count < 1:
        raise InputError(f"{count} orders cannot be chosen; ask for at least one")
    matrices = [_checked(e, index) for index, e in enumerate(expectations)]
    rows = constraint_rows(constraints, [len(e) for e in matrices])
    results = []
    answers = _core.best_orders(matrices, rows, count, threads or 0)
    for index, (orders, gains) in enumerate(answers):
        if not len(orders):
            raise InputError(
                f"sentence {index + 1}: no separable order respects all constraints; "
                "remove one"
            )
        results.append(
            [
                RankedOrder(tuple(order), gain)
                for order, gain in zip(orders.tolist(), gains.tolist(), strict=True)
            ]
        )
    return results


def least_risk(
    expectations: Sequence[NDArray[np.float64]],
    *,
    constraints: Constraints | Sequence[Constraints | None] | None = None,
    threads: int | None = None,
) -> list[Reordering]:
    """Return the best separable order of each sentence, as models return it.

    The confidence is that of :func:`swap_confidence`. Parameters are those of
    :func:`best_orders`.

    Examples
    --------
    >>> import numpy as np
    >>> e = np.array([[0, 0.25], [0.75, 0]])
    >>> least_risk([e])[0]
    Reordering(order=(1, 0), expected=0.75, confidence=0.75, tree=None, fallback=None)
    """
    best = best_orders(expectations, constraints=constraints, threads=threads)
    return [
        Reordering(
            ranked[0].order,
            expected=ranked[0].expected,
            confidence=swap_confidence(ranked[0].order, e),
        )
        for ranked, e in zip(best, expectations, strict=True)
    ]


def expected_tau(order: Sequence[int], expectations: NDArray[np.float64]) -> float:
    """Return the expected Kendall tau of an order, from 0 to 1; 1 below two words.

    Examples
    --------
    >>> import numpy as np
    >>> expected_tau((1, 0), np.array([[0, 0.25], [0.75, 0]]))
    0.75
    """
    import numpy as np

    matrix = _checked(expectations, 0)
    row = np.array([check_order(order, len(matrix))], dtype=np.int32)
    return float(_core.expected_taus(matrix, row.reshape(1, len(matrix)))[0])


def swap_confidence(order: Sequence[int], expectations: NDArray[np.float64]) -> float:
    """Return the mean probability of the pairs that an order swaps; 1 if none.

    It tells how safe it is to use the order instead of the source order.

    Examples
    --------
    >>> import numpy as np
    >>> e = np.array([[0, 0.8, 0.6], [0.2, 0, 0.3], [0.4, 0.7, 0]])
    >>> swap_confidence((0, 2, 1), e), swap_confidence((0, 1, 2), e)
    (0.7, 1.0)
    """
    import numpy as np

    places = np.asarray(order, dtype=np.int64)
    moved = np.asarray(expectations)[np.ix_(places, places)]
    swapped = np.triu(places[:, None] > places[None, :], 1)
    return float(moved[swapped].mean()) if swapped.any() else 1.0


def _checked(expectations: NDArray[np.float64], index: int) -> NDArray[np.float64]:
    import numpy as np

    matrix = np.ascontiguousarray(expectations, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(
            f"the expectations of sentence {index + 1} have the shape {matrix.shape}; "
            "give one row and one column per word"
        )
    if not np.isfinite(matrix).all():
        raise InputError(
            f"the expectations of sentence {index + 1} are not all numbers; give "
            "probabilities"
        )
    return matrix
