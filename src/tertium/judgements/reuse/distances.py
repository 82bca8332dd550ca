# SPDX-License-Identifier: Apache-2.0
"""Edit distances between texts, each computed once."""

from __future__ import annotations

from collections.abc import Iterable

from tertium import _core

__all__ = ["Distances", "edit_distance"]


def edit_distance(a: str, b: str) -> int:
    """Return the Levenshtein distance of two texts in code points.

    Examples
    --------
    >>> edit_distance("videokonference", "videokonferenci")
    1
    """
    return _core.text_distances([a], [b], 1)[0]


class Distances:
    """Edit distances that were asked for before are remembered.

    Parameters
    ----------
    most : int, optional
        How many are remembered; beyond, :meth:`prepare` forgets all before it goes on.

    Notes
    -----
    O(|a| |b| / 64) for two texts a and b.

    Examples
    --------
    >>> Distances()("a cat", "a hat")
    1
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._known: dict[tuple[str, str], int] = {}

    def __call__(self, a: str, b: str) -> int:
        """Return the distance of two texts."""
        pair = _ordered(a, b)
        if pair not in self._known:
            self._known[pair] = edit_distance(*pair)
        return self._known[pair]

    def prepare(
        self, pairs: Iterable[tuple[str, str]], *, threads: int | None = None
    ) -> None:
        """Compute the distances of many pairs at once.

        Parameters
        ----------
        pairs : iterable of pairs of str
        threads : int, optional
            All cores by default.
        """
        if self._most is not None and len(self._known) > self._most:
            self._known.clear()
        missing = dict.fromkeys(_ordered(a, b) for a, b in pairs)
        wanted = [pair for pair in missing if pair not in self._known]
        first, second = [a for a, _ in wanted], [b for _, b in wanted]
        distances = _core.text_distances(first, second, threads or 0)
        self._known.update(zip(wanted, distances, strict=True))


def _ordered(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)
