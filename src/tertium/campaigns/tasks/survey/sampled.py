# SPDX-License-Identifier: Apache-2.0
"""Items before the database has them: what was sampled, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import TypeVar

from tertium.campaigns.tasks.survey.pool import Pair
from tertium.campaigns.tasks.testsets import digest
from tertium.order.damage import Permuted

__all__ = [
    "ALL_KINDS",
    "HYPOTHESIS",
    "IMPORTANCE",
    "KINDS",
    "MOVING",
    "NOTES",
    "REPLACING",
    "Picked",
    "SampledItem",
    "in_order",
]

#: The kinds of permutations of the table, in its order: the default of a survey.
KINDS = ("order", "swap", "phrase", "choice")
#: All kinds; the thesis had ``both`` in the pilot study only (6.4).
ALL_KINDS = (*KINDS, "both")
#: Those that change the order of words; choice exchanges words.
MOVING = ("order", "swap", "phrase", "both")
#: Those that take words from the hypothesis.
REPLACING = ("choice", "both")
HYPOTHESIS = "hypothesis"

#: What a curator may note of a shared item, and how much its order may matter.
NOTES = ("length", "quality", "order")
IMPORTANCE = ("slight", "equal", "prime")

_Item = TypeVar("_Item")
_SHUFFLES = 200  # until no neighbours share a reference


@dataclass(frozen=True)
class Picked:
    """A shared item that somebody chose by hand.

    Parameters
    ----------
    kind : str
        Of the permutation; empty for a hypothesis.
    notes : dict of str to str
        What the curator thinks of it, by the names of `NOTES`.
    """

    segment: str
    system: str
    kind: str = ""
    degree: int = 0
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SampledItem:
    """An item: a hypothesis, or a permutation of its reference."""

    pair: Pair
    made: Permuted | None = None
    notes: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def kind(self) -> str:
        """The kind of the permutation, or ``hypothesis``."""
        return self.made.kind if self.made else HYPOTHESIS

    @property
    def text(self) -> str:
        """What is shown as the translation."""
        return self.made.text if self.made else self.pair.hypothesis

    @property
    def key(self) -> str:
        """Its name, which tells the kind and no system."""
        pair, made = self.pair, self.made
        kind = f"{made.kind}-{made.degree}" if made else HYPOTHESIS
        fingerprint = digest(pair.testset, pair.segment, pair.hypothesis, self.text)
        return f"{pair.segment[:140]}:{kind}:{fingerprint}"


def in_order(
    items: Sequence[_Item],
    place: Callable[[_Item], object],
    *,
    seed: int,
    number: int,
) -> list[_Item]:
    """Return the items in the random order of one questionnaire.

    Orders in which neighbours share a reference are avoided where there are others:
    the first of two would give the second away.

    Parameters
    ----------
    place : callable
        Returns the segment of an item.
    number : int
        Of the questionnaire.
    """
    rng = Random(f"{seed}:order:{number}")
    best: list[_Item] = []
    fewest = len(items) + 1
    for _ in range(_SHUFFLES):
        tried = list(items)
        rng.shuffle(tried)
        places = list(map(place, tried))
        touching = sum(a == b for a, b in pairwise(places))
        if touching < fewest:
            best, fewest = tried, touching
        if not fewest:
            break
    return best
