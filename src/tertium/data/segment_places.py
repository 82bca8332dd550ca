# SPDX-License-Identifier: Apache-2.0
"""Where segments with certain names are, without a dictionary of all names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["places_of"]


def places_of(names: Sequence[str], wanted: Sequence[str]) -> NDArray[np.int64]:
    """Return the place of every wanted name, -1 where it is missing.

    Of equal names, the last counts.

    Parameters
    ----------
    names, wanted : sequence of str

    Notes
    -----
    O(n log n), with 24 bytes per name. Names are compared by 64-bit hashes, and where
    these match by themselves.

    Examples
    --------
    >>> places_of(["a", "b", "a"], ["b", "a", "c"]).tolist()
    [1, 2, -1]
    """
    hashes = _hashes(names, len(names))
    order = np.argsort(hashes, kind="stable")
    hashes = hashes[order]
    asked = _hashes(wanted, len(wanted))
    after = np.searchsorted(hashes, asked, side="right") - 1
    places = np.full(len(asked), -1, np.int64)
    if len(hashes):
        there = (after >= 0) & (hashes[np.maximum(after, 0)] == asked)
        places[there] = order[after[there]]
    for number, name in enumerate(wanted):
        place = int(places[number])
        if place >= 0 and names[place] != name:  # another name of the same hash
            places[number] = _last(names, name)
    return places


def _hashes(names: Iterable[str], size: int) -> NDArray[np.int64]:
    return np.fromiter(map(hash, islice(names, size)), np.int64, size)


def _last(names: Sequence[str], name: str) -> int:
    """Return the last place of a name, -1 if there is none; by looking at all."""
    return max((i for i, each in enumerate(names) if each == name), default=-1)
