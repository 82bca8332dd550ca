# SPDX-License-Identifier: Apache-2.0
"""Twin of the search for orders of least risk: every separable order, one by one."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations


@cache
def separable_orders(n):
    """Return all orders of n words without the patterns 2413 and 3142, sorted."""
    return [order for order in permutations(range(n)) if _separable(order)]


def _separable(order):
    for values in combinations(order, 4):
        ranks = tuple(sorted(values).index(value) for value in values)
        if ranks in ((1, 3, 0, 2), (2, 0, 3, 1)):
            return False
    return True


def expected_tau(order, e):
    n = len(order)
    pairs = [(order[s], order[t]) for s in range(n) for t in range(s + 1, n)]
    return sum(e[i][j] for i, j in pairs) / len(pairs) if pairs else 1.0


def respects(order, constraints):
    """Return whether an order meets all constraints."""
    place = {word: slot for slot, word in enumerate(order)}
    limit = constraints.max_displacement
    return (
        all(place[a] < place[b] for a, b in constraints.before)
        and all(
            place[a] < place[b] for w in constraints.walls for a in range(w)
            for b in range(w, len(order))
        )
        and all(
            place[word + 1] == place[word] + 1
            for start, end in constraints.frozen for word in range(start, end - 1)
        )
        and (limit is None or all(abs(s - w) <= limit for w, s in place.items()))
    )  # fmt: skip


def ranked(e, constraints=None):
    """Return the expected tau of every separable order, the best first."""
    taus = [
        expected_tau(order, e)
        for order in separable_orders(len(e))
        if constraints is None or respects(order, constraints)
    ]
    return sorted(taus, reverse=True)
