# SPDX-License-Identifier: Apache-2.0
"""The dependency tree of one text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["DependencyTree"]


@dataclass(frozen=True)
class DependencyTree:
    """Words with their heads and the names of the relations.

    Parameters
    ----------
    forms : tuple of str
        The words.
    heads : tuple of int
        The head of every word, counted from 1; 0 for a root.
    deprels : tuple of str
        The relation of every word to its head.

    Examples
    --------
    >>> DependencyTree.flat(["cats", "sleep"])
    DependencyTree(forms=('cats', 'sleep'), heads=(0, 1), deprels=('DEP', 'DEP'))
    """

    forms: tuple[str, ...]
    heads: tuple[int, ...]
    deprels: tuple[str, ...]

    @classmethod
    def flat(cls, forms: Sequence[str]) -> DependencyTree:
        """Return the flattened tree: every word hangs on the one before it.

        McCaffery 2017, 3.4.4; needs no parser.
        """
        n = len(forms)
        return cls(tuple(forms), tuple(range(n)), ("DEP",) * n)

    def __len__(self) -> int:
        return len(self.forms)
