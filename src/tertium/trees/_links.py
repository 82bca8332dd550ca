# SPDX-License-Identifier: Apache-2.0
"""Checks of the trees and links that users pass to DTED and DERP."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index

from tertium.errors import InputError
from tertium.trees.tree import DependencyTree

__all__ = ["check_pair"]


def check_pair(
    hyp: DependencyTree, ref: DependencyTree, links: Iterable[Sequence[float]]
) -> list[tuple[int, int]]:
    """Return links as pairs of words counted from 0."""
    for name, tree in (("hyp", hyp), ("ref", ref)):
        if not isinstance(tree, DependencyTree):
            message = (
                f"{name} is {type(tree).__name__}, not a DependencyTree; read one with "
                "read_conllu, or make a flat one with DependencyTree.flat(words)"
            )
            raise InputError(message)
    if isinstance(links, str) or not isinstance(links, Iterable):
        message = f"links are {links!r}; give pairs of words, such as [(0, 0), (1, 2)]"
        raise InputError(message)
    pairs = []
    for number, link in enumerate(links):
        try:
            # Integers of any type, including NumPy's, but no fractions.
            h, r = index(link[0]), index(link[1])  # type: ignore[arg-type]
        except (TypeError, LookupError):
            message = (
                f"link {number} is {link!r}; give (word of hyp, word of ref), "
                "integers from 0"
            )
            raise InputError(message) from None
        if not (0 <= h < len(hyp) and 0 <= r < len(ref)):
            message = (
                f"link {number} is {h}-{r}, but the trees have {len(hyp)} and "
                f"{len(ref)} words; count words from 0"
            )
            raise InputError(message)
        pairs.append((h, r))
    return pairs
