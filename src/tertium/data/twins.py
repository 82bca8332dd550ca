# SPDX-License-Identifier: Apache-2.0
"""Columns of a test set that are the same text throughout."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Twins"]


@dataclass(frozen=True)
class Twins:
    """Columns that are the same text throughout.

    Parameters
    ----------
    systems : frozenset of pairs of str
        Systems equal to each other.
    references : frozenset of pairs of str and int
        Systems equal to a reference, with the index of that reference.
    """

    systems: frozenset[tuple[str, str]]
    references: frozenset[tuple[str, int]]

    def __and__(self, other: Twins) -> Twins:
        """Return what holds in both, for chunks of one test set."""
        return Twins(self.systems & other.systems, self.references & other.references)

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self.systems or self.references)
