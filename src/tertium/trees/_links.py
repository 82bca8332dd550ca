# SPDX-License-Identifier: Apache-2.0
"""Trees and links as users give them to DTED and DERP, checked in one place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tertium.errors import InputError
from tertium.trees.tree import DependencyTree

__all__ = ["check_pair"]


def check_pair(
    hyp: DependencyTree, ref: DependencyTree, links: Iterable[Sequence[float]]
) -> list[tuple[int, int]]:
    """Return links as pairs of words counted from 0, or say what is wrong."""
    for name, tree in (("hyp", hyp), ("ref", ref)):
        if not isinstance(tree, DependencyTree):
            message = (
                f"{name} is {type(tree).__name__}, not a DependencyTree; read one with "
                "read_conllu, or make a flat one with DependencyTree.flat(words)"
            )
            raise InputError(message)
    pairs = []
    for index, link in enumerate(links):
        if isinstance(link, str) or not isinstance(link, Sequence) or len(link) < 2:
            message = f"link {index} is {link!r}; give (word of hyp, word of ref)"
            raise InputError(message)
        h, r = link[0], link[1]
        if not (isinstance(h, int) and isinstance(r, int)):
            message = f"link {index} is {h!r}-{r!r}; words are whole numbers from 0"
            raise InputError(message)
        if not (0 <= h < len(hyp) and 0 <= r < len(ref)):
            message = (
                f"link {index} is {h}-{r}, but the trees have {len(hyp)} and "
                f"{len(ref)} words; count words from 0"
            )
            raise InputError(message)
        pairs.append((h, r))
    return pairs
