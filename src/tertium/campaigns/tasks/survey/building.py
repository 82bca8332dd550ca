# SPDX-License-Identifier: Apache-2.0
"""Questionnaires: which sentences, which permutations (McCaffery 2017, 6.3.4).

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

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from random import Random
from typing import TypeVar

from tertium.campaigns.tasks.survey.pool import Pair, Pool
from tertium.campaigns.tasks.testsets import digest
from tertium.errors import InputError
from tertium.order.permuting import Permuted, Source, permute

__all__ = ["HYPOTHESIS", "KINDS", "Built", "Drawn", "Mix", "build", "in_order", "mix"]

#: The kinds of permutations in the order of the table; ``both`` was a pilot's.
KINDS = ("order", "swap", "phrase", "choice")
HYPOTHESIS = "hypothesis"

_Item = TypeVar("_Item")
_TRIED = 2000  # pairs tried for a kind before it is given up
_SHUFFLES = 200  # until no neighbours share a reference


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
    >>> mix(30, KINDS)
    Mix(hypotheses=15, pairs=('order', 'swap', 'phrase', 'choice'), random=7)
    """
    if not kinds:
        return Mix(size, (), 0)
    permuted = size // 2
    wanted = [kinds[(turn + i) % len(kinds)] for i in range(len(kinds))] * pairs
    typed = tuple(wanted[: permuted // 2])
    return Mix(size - permuted, typed, permuted - 2 * len(typed))


@dataclass(frozen=True)
class Drawn:
    """An item: a hypothesis, or a permutation of its reference."""

    pair: Pair
    made: Permuted | None = None

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
        own = digest(pair.testset, pair.segment, pair.hypothesis, self.text)
        return f"{pair.segment[:140]}:{kind}:{own}"


@dataclass(frozen=True)
class Built:
    """The questionnaires of a campaign.

    Parameters
    ----------
    shared : tuple of Drawn
        In every questionnaire.
    own : tuple of tuples of Drawn
        What is in one questionnaire only.
    kinds : tuple of str
        The kinds of permutations that could be made.
    notes : tuple of str
        What differs from the plan, and why.
    """

    pool: Pool
    shared: tuple[Drawn, ...]
    own: tuple[tuple[Drawn, ...], ...]
    kinds: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def items(self) -> Iterator[tuple[Drawn, int | None]]:
        """Yield every item once, with the number of its questionnaire, None: all."""
        yield from ((item, None) for item in self.shared)
        for number, own in enumerate(self.own, 1):
            yield from ((item, number) for item in own)


def build(
    pool: Pool,
    *,
    questionnaires: int,
    items: int,
    shared: int,
    kinds: Sequence[str] = KINDS,
    pairs: int = 1,
    degrees: int = 18,
    seed: int = 12345,
    picked: Sequence[tuple[str, str, str, int]] | None = None,
    punctuation: str = "thesis",
) -> Built:
    """Return questionnaires drawn from a pool; a seed gives the same ones again.

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
    picked : sequence of (segment, system, kind, degree), optional
        The shared items, chosen by hand; kind is empty for hypotheses.

    Raises
    ------
    InputError
        When there are too few sentences, or a picked item cannot be made.
    """
    if not 0 <= shared <= items:
        message = f"shared = {shared} of items = {items}; share all of them or fewer"
        raise InputError(message)
    drawer = _Drawer(pool, degrees, seed, punctuation)
    notes = drawer.look(kinds)
    possible = drawer.kinds
    if picked is not None:
        common = drawer.picked(picked)
        if len(common) != shared:
            notes.append(
                f"{len(common)} items were picked to be shared, not {shared} as planned"
            )
            shared = len(common)
    else:
        wanted = mix(shared, possible, pairs=pairs)
        common = drawer.part(wanted, (), "shared", spread=True)
    if shared > items:
        raise InputError(f"{shared} shared items are more than items = {items}")
    places = {item.pair.place for item in common}
    own = []
    for number in range(1, questionnaires + 1):
        wanted = mix(items - shared, possible, pairs=pairs, turn=number - 1)
        own.append(tuple(drawer.part(wanted, places, f"questionnaire {number}")))
    return Built(pool, tuple(common), tuple(own), tuple(possible), tuple(notes))


@dataclass
class _Drawer:
    """Draws pairs, each once, and permutes references."""

    pool: Pool
    degrees: int
    seed: int
    punctuation: str
    kinds: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._used: set[int] = set()
        self._made: dict[tuple[int, str], list[Permuted]] = {}

    def look(self, kinds: Iterable[str]) -> list[str]:
        """Find the kinds that some sentence allows at two degrees; say why not."""
        notes = []
        for kind in kinds:
            tried = islice(range(len(self.pool.pairs)), _TRIED)
            if any(len(self._permuted(i, kind)) > 1 for i in tried):
                self.kinds.append(kind)
            else:
                notes.append(f"no {kind} permutations: {self._lack(kind)}")
        return notes

    def _lack(self, kind: str) -> str:
        pairs = self.pool.pairs
        refs = [pair.reference_parse for pair in pairs if pair.reference_parse]
        hyps = [pair.hypothesis_parse for pair in pairs if pair.hypothesis_parse]
        if kind == "phrase" and not refs:
            return "phrases need trees of the references; set trees"
        if kind in ("swap", "choice") and not any(one.tags for one in refs):
            return "they need parts of speech of the references; set trees"
        if kind == "choice" and not any(one.tags for one in hyps):
            return "they need parts of speech of the hypotheses; set system_trees"
        return "sentences have too few words for two degrees"

    def _permuted(self, number: int, kind: str) -> list[Permuted]:
        """Return the permutations of a pair by all degrees that it allows."""
        if (number, kind) in self._made:
            return self._made[number, kind]
        pair = self.pool.pairs[number]
        source = pair.reference_parse
        other = pair.hypothesis_parse if kind == "choice" else None
        lacking = (
            (kind == "phrase" and (source is None or not source.heads))
            or (kind in ("swap", "choice") and (source is None or not source.tags))
            or (kind == "choice" and (other is None or not other.tags))
        )
        found: list[Permuted] = []
        if not lacking:
            plain = source or Source.parse(pair.reference, punctuation=self.punctuation)
            for degree in range(1, self.degrees + 1):
                made = permute(
                    plain,
                    kind,
                    degree,
                    seed=self.seed,
                    hyp=other,
                    truecaser=self.pool.truecaser,
                    copy=pair.copy,
                )
                if made is not None:
                    found.append(made)
        self._made[number, kind] = found
        return found

    def part(
        self,
        wanted: Mix,
        avoided: Collection[tuple[str, str]],
        name: str,
        *,
        spread: bool = False,
    ) -> list[Drawn]:
        """Return the items of a part; no two pairs of it share a reference."""
        rng = Random(f"{self.seed}:{name}")
        numbers = _spread(self.pool.pairs, self.seed) if spread else None
        taken = set(avoided)
        bases: list[int] = []
        items: list[Drawn] = []

        def draw(kinds: Sequence[str], least: int) -> int:
            order = range(len(self.pool.pairs)) if numbers is None else numbers
            free = (
                i
                for i in order
                if i not in self._used and self.pool.pairs[i].place not in taken
            )
            fit = (
                i
                for i in islice(free, _TRIED if kinds else None)
                if not kinds or any(len(self._permuted(i, k)) >= least for k in kinds)
            )
            number = next(fit, None)
            if number is None:
                raise InputError(self._too_few(name, kinds))
            taken.add(self.pool.pairs[number].place)
            self._used.add(number)
            bases.append(number)
            return number

        for kind in wanted.pairs:
            base = draw([kind], 2)
            two = rng.sample(self._permuted(base, kind), 2)
            items += [Drawn(self.pool.pairs[base], made) for made in two]
        for _ in range(wanted.random):
            base = draw(self.kinds, 1)
            kind = rng.choice([k for k in self.kinds if self._permuted(base, k)])
            made = rng.choice(self._permuted(base, kind))
            items.append(Drawn(self.pool.pairs[base], made))
        while len(bases) < wanted.hypotheses:
            draw([], 0)
        return [Drawn(self.pool.pairs[i]) for i in bases] + items

    def _too_few(self, name: str, kinds: Sequence[str]) -> str:
        what = f" that {kinds[0]} permutations fit" if len(kinds) == 1 else ""
        return (
            f"the pool of {len(self.pool.pairs)} sentences has none left{what} for "
            f"{name}; give more sentences, or ask for fewer or shorter questionnaires"
        )

    def picked(self, rows: Sequence[tuple[str, str, str, int]]) -> list[Drawn]:
        """Return the items that were chosen by hand."""
        found = []
        known = {
            (pair.segment, system): i
            for i, pair in enumerate(self.pool.pairs)
            for system in pair.systems
        }
        for segment, system, kind, degree in rows:
            number = known.get((segment, system))
            if number is None:
                message = (
                    f"segment {segment!r} of {system!r} was picked and is not in the "
                    "pool; correct the list, or set per_corpus = 0 to have all"
                )
                raise InputError(message)
            self._used.add(number)
            pair = self.pool.pairs[number]
            if not kind:
                found.append(Drawn(pair))
                continue
            made = [one for one in self._permuted(number, kind) if one.degree == degree]
            if not made:
                message = (
                    f"segment {segment!r} of {system!r} has no permutation {kind} "
                    f"{degree}; pick another degree, kind or segment"
                )
                raise InputError(message)
            found.append(Drawn(pair, made[0]))
        return found


def _spread(pairs: Sequence[Pair], seed: int) -> list[int]:
    """Return places of pairs so that short, long, good and bad ones take turns."""
    lengths = _thirds([len(pair.reference.split()) for pair in pairs])
    qualities = _thirds([pair.quality for pair in pairs])
    cells: dict[tuple[int, int], list[int]] = {}
    for i, cell in enumerate(zip(lengths, qualities, strict=True)):
        cells.setdefault(cell, []).append(i)
    groups = [cells[cell] for cell in sorted(cells)]
    Random(f"{seed}:spread").shuffle(groups)
    turns = max(map(len, groups), default=0)
    return [own[row] for row in range(turns) for own in groups if row < len(own)]


def _thirds(values: Sequence[float]) -> list[int]:
    ranked = sorted(values)
    low, high = ranked[len(ranked) // 3], ranked[2 * len(ranked) // 3]
    return [(value >= low) + (value >= high) for value in values]


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
