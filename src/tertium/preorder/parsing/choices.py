# SPDX-License-Identifier: Apache-2.0
"""Choices of one order from sampled or best derivations, as in Stanojević (2017)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.preorder.parsing.constraints import Constraints
    from tertium.preorder.parsing.model import GrammarPreorderer

__all__ = ["CHOICES", "chosen_orders"]

#: How one order is chosen; all but the first choose among derivations.
CHOICES = ("risk", "sampled-risk", "frequent", "sample", "derivation")

Order = tuple[int, ...]


def chosen_orders(
    model: GrammarPreorderer,
    sentences: Sequence[Sequence[str]],
    expectations: Sequence[NDArray[np.float64]],
    *,
    choice: str,
    constraints: Sequence[Constraints] | None,
    samples: int,
    seed: int,
    threads: int | None,
) -> list[tuple[Order, float]]:
    """Return the order of each sentence and its expected tau.

    Parameters are those of :meth:`GrammarPreorderer.apply`.
    """
    candidates: list[list[Order]]
    if choice in ("derivation", "sampled-risk"):
        ranked = model.derivations(sentences, constraints=constraints, threads=threads)
        best = [orders[0].order for orders in ranked]
    if choice == "derivation":
        candidates = [[order] for order in best]
    else:
        sampled = model.samples(
            sentences,
            1 if choice == "sample" else samples,
            seed=seed,
            constraints=constraints,
            threads=threads,
        )
        candidates = [[one.order for one in orders] for orders in sampled]
    if choice == "sampled-risk":
        for index, orders in enumerate(candidates):
            source = tuple(range(len(sentences[index])))
            if constraints is None or constraints[index].allows(source):
                orders.append(source)
            orders.append(best[index])
    else:
        candidates = [orders[:1] for orders in candidates]
    return [
        _least_risky(orders, e)
        for orders, e in zip(candidates, expectations, strict=True)
    ]


def _least_risky(
    orders: Sequence[Order], expectations: NDArray[np.float64]
) -> tuple[Order, float]:
    """Return the order with the highest expected tau, the first of equal ones."""
    import numpy as np

    rows = np.array(orders, dtype=np.int32).reshape(len(orders), len(expectations))
    taus = _core.expected_taus(expectations, rows)
    best = int(taus.argmax())
    return orders[best], float(taus[best])
