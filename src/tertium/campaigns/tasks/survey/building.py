# SPDX-License-Identifier: Apache-2.0
"""Questionnaires: which sentences, which permutations (McCaffery 2017, 6.3.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tertium._seed import SEED
from tertium.campaigns.tasks.survey.mixes import mix
from tertium.campaigns.tasks.survey.pool import Pool
from tertium.campaigns.tasks.survey.sampled import KINDS, Picked, SampledItem
from tertium.campaigns.tasks.survey.sampler import Sampler
from tertium.errors import InputError

__all__ = ["Built", "build"]


@dataclass(frozen=True)
class Built:
    """The questionnaires of a campaign.

    Parameters
    ----------
    shared : tuple of SampledItem
        In every questionnaire.
    own : tuple of tuples of SampledItem
        What is in one questionnaire only.
    kinds : tuple of str
        The kinds of permutations that could be made.
    notes : tuple of str
        What differs from the plan, and why.
    """

    pool: Pool
    shared: tuple[SampledItem, ...]
    own: tuple[tuple[SampledItem, ...], ...]
    kinds: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def items(self) -> Iterator[tuple[SampledItem, int | None]]:
        """Yield every item once, with the number of its questionnaire, None: all."""
        yield from ((item, None) for item in self.shared)
        for number, unshared in enumerate(self.own, 1):
            yield from ((item, number) for item in unshared)


def build(
    pool: Pool,
    *,
    questionnaires: int,
    items: int,
    shared: int,
    kinds: Sequence[str] = KINDS,
    pairs: int = 1,
    degrees: int = 18,
    seed: int = SEED,
    picked: Sequence[Picked] | None = None,
    punctuation: str = "thesis",
) -> Built:
    """Return questionnaires sampled from a pool; a seed gives the same ones again.

    Parameters
    ----------
    questionnaires, items, shared : int
        How many, of how many items, and how many of these are in all of them.
    kinds : sequence of str
        Permutations wanted. Those that no sentence allows are left out, with a note.
    pairs : int
        Pairs of two degrees, for every kind.
    degrees : int
        The largest degree.
    picked : sequence of Picked, optional
        The shared items, chosen by hand.

    Raises
    ------
    InputError
        When there are too few sentences, or a picked item cannot be made.
    """
    if not 0 <= shared <= items:
        message = f"shared = {shared} of items = {items}; share all of them or fewer"
        raise InputError(message)
    sampler = Sampler(pool, degrees, seed, punctuation)
    notes = sampler.look(kinds)
    possible = sampler.kinds
    if picked is not None:
        common = sampler.picked(picked)
        if len(common) != shared:
            notes.append(
                f"{len(common)} items were picked to be shared, not {shared} as planned"
            )
            shared = len(common)
    else:
        wanted = mix(shared, possible, pairs=pairs)
        common = sampler.part(wanted, (), "shared", spread=True)
    if shared > items:
        raise InputError(f"{shared} shared items are more than items = {items}")
    places = {item.pair.place for item in common}
    unshared = []
    for number in range(1, questionnaires + 1):
        wanted = mix(items - shared, possible, pairs=pairs, turn=number - 1)
        unshared.append(tuple(sampler.part(wanted, places, f"questionnaire {number}")))
    return Built(pool, tuple(common), tuple(unshared), tuple(possible), tuple(notes))
