# SPDX-License-Identifier: Apache-2.0
"""How different two sentences are: token Levenshtein, divided by the longer one."""

from __future__ import annotations

from collections.abc import Sequence

from tertium import _core

__all__ = ["Numbering", "edit_distance", "normalised_distance"]


class Numbering:
    """Gives tokens numbers from 0, so that the core can compare them.

    Examples
    --------
    >>> numbering = Numbering()
    >>> first, second = numbering("a red ball".split()), numbering("a ball".split())
    >>> numbering.distance(first, second)
    1
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __call__(self, tokens: Sequence[str]) -> list[int]:
        """Return the numbers of tokens."""
        return [self._numbers.setdefault(t, len(self._numbers)) for t in tokens]

    def distance(self, one: list[int], other: list[int]) -> int:
        """Return how many tokens must be inserted, left out or replaced."""
        return _core.levenshtein(one, other, len(self._numbers))


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many tokens must be inserted, left out or replaced.

    Examples
    --------
    >>> edit_distance(["the", "ball"], ["a", "red", "ball"])
    2
    """
    if tuple(one) == tuple(other):
        return 0
    numbering = Numbering()
    return numbering.distance(numbering(one), numbering(other))


def normalised_distance(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the edit distance per token of the longer sentence; 0 if both are empty.

    Examples
    --------
    >>> normalised_distance(["a", "ball"], ["a", "red", "small", "ball"])
    0.5
    """
    return edit_distance(one, other) / max(len(one), len(other), 1)
