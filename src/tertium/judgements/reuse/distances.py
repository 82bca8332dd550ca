# SPDX-License-Identifier: Apache-2.0
"""Edit distances between texts, each computed once."""

from __future__ import annotations

from tertium import _core

__all__ = ["Distances", "edit_distance"]


def edit_distance(a: str, b: str) -> int:
    """Return the Levenshtein distance of two texts in code points.

    Examples
    --------
    >>> edit_distance("videokonference", "videokonferenci")
    1
    """
    codes: dict[str, int] = {}
    first, second = ([codes.setdefault(c, len(codes)) for c in text] for text in (a, b))
    return _core.levenshtein(first, second, max(1, len(codes)))


class Distances:
    """Edit distances that were asked for before are remembered.

    Notes
    -----
    O(|a| |b| / 64) for two texts a and b.

    Examples
    --------
    >>> Distances()("a cat", "a hat")
    1
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], int] = {}

    def __call__(self, a: str, b: str) -> int:
        """Return the distance of two texts."""
        if a == b:
            return 0
        pair = (a, b) if a < b else (b, a)
        if pair not in self._known:
            self._known[pair] = edit_distance(*pair)
        return self._known[pair]
