# SPDX-License-Identifier: Apache-2.0
"""What a part of a questionnaire is made of (McCaffery 2017, 6.3.4).

Every questionnaire has a part that all share and a part of its own. Half of either
part are hypotheses. Of the other half, two items a kind are permutations of one
reference by two degrees, a different one for every kind; the rest are of random kinds.
With the usual sizes this is the table of the thesis:

========================== ======== ========
Items                      Shared   Own
========================== ======== ========
hypotheses                 10       15
order, swap, phrase, choice 2 each   2 each
of a random kind            2        7
========================== ======== ========

The hypothesis that belongs to a permuted reference is in the same part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Mix", "mix"]


@dataclass(frozen=True)
class Mix:
    """What a part of a questionnaire is made of.

    Parameters
    ----------
    hypotheses : int
    pairs : tuple of str
        The kind of every two permutations of one reference.
    random : int
        Permutations of a random kind.
    """

    hypotheses: int
    pairs: tuple[str, ...]
    random: int

    @property
    def size(self) -> int:
        """The number of items."""
        return self.hypotheses + 2 * len(self.pairs) + self.random


def mix(size: int, kinds: Sequence[str], *, pairs: int = 1, turn: int = 0) -> Mix:
    """Return what a part of some size is made of.

    Parameters
    ----------
    kinds : sequence of str
        The kinds of permutations that can be made.
    pairs : int
        Pairs of every kind, as far as there is room.
    turn : int
        Which kind comes first where there is no room for all.

    Examples
    --------
    >>> mix(30, ["order", "swap", "phrase", "choice"])
    Mix(hypotheses=15, pairs=('order', 'swap', 'phrase', 'choice'), random=7)
    """
    if not kinds:
        return Mix(size, (), 0)
    permuted = size // 2
    wanted = [kinds[(turn + i) % len(kinds)] for i in range(len(kinds))] * pairs
    typed = tuple(wanted[: permuted // 2])
    return Mix(size - permuted, typed, permuted - 2 * len(typed))
