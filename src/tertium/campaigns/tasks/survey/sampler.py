# SPDX-License-Identifier: Apache-2.0
"""Sample the sentences of questionnaires from the pool, and permute references."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from tertium.campaigns.tasks.survey.mixes import Mix
from tertium.campaigns.tasks.survey.pool import Pair, Pool
from tertium.campaigns.tasks.survey.sampled import REPLACING, Picked, SampledItem
from tertium.errors import InputError
from tertium.order.damage import Permuted, Source, permute

__all__ = ["Sampler"]

_TRIED = 2000  # pairs tried for a kind before it is given up
_TAGGED = ("swap", *REPLACING)  # kinds that need parts of speech


@dataclass
class Sampler:
    """Samples pairs, each once, and permutes references."""

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
        if kind in _TAGGED and not any(one.tags for one in refs):
            return "they need parts of speech of the references; set trees"
        if kind in REPLACING and not any(one.tags for one in hyps):
            return "they need parts of speech of the hypotheses; set system_trees"
        return "sentences have too few words for two degrees"

    def _permuted(self, number: int, kind: str) -> list[Permuted]:
        """Return the permutations of a pair by all degrees that it allows."""
        if (number, kind) in self._made:
            return self._made[number, kind]
        pair = self.pool.pairs[number]
        source = pair.reference_parse
        other = pair.hypothesis_parse if kind in REPLACING else None
        lacking = (
            (kind == "phrase" and (source is None or not source.heads))
            or (kind in _TAGGED and (source is None or not source.tags))
            or (kind in REPLACING and (other is None or not other.tags))
        )
        permutations: list[Permuted] = []
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
                    permutations.append(made)
        self._made[number, kind] = permutations
        return permutations

    def part(
        self,
        wanted: Mix,
        avoided: Collection[tuple[str, str]],
        name: str,
        *,
        spread: bool = False,
    ) -> list[SampledItem]:
        """Return the items of a part; no two pairs of it share a reference."""
        rng = Random(f"{self.seed}:{name}")
        numbers = _spread(self.pool.pairs, self.seed) if spread else None
        taken = set(avoided)
        bases: list[int] = []
        items: list[SampledItem] = []

        def sample(kinds: Sequence[str], least: int) -> int:
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
            base = sample([kind], 2)
            two = rng.sample(self._permuted(base, kind), 2)
            items += [SampledItem(self.pool.pairs[base], made) for made in two]
        for _ in range(wanted.random):
            base = sample(self.kinds, 1)
            kind = rng.choice([k for k in self.kinds if self._permuted(base, k)])
            made = rng.choice(self._permuted(base, kind))
            items.append(SampledItem(self.pool.pairs[base], made))
        while len(bases) < wanted.hypotheses:
            sample([], 0)
        return [SampledItem(self.pool.pairs[i]) for i in bases] + items

    def _too_few(self, name: str, kinds: Sequence[str]) -> str:
        what = f" that {kinds[0]} permutations fit" if len(kinds) == 1 else ""
        return (
            f"the pool of {len(self.pool.pairs)} sentences has none left{what} for "
            f"{name}; give more sentences, or ask for fewer or shorter questionnaires"
        )

    def picked(self, wanted: Sequence[Picked]) -> list[SampledItem]:
        """Return the items that were chosen by hand."""
        items = []
        known = {
            (pair.segment, system): i
            for i, pair in enumerate(self.pool.pairs)
            for system in pair.systems
        }
        for one in wanted:
            number = known.get((one.segment, one.system))
            what = f"segment {one.segment!r} of {one.system!r}"
            if number is None:
                message = (
                    f"{what} was picked and is not in the pool; correct the list, or "
                    "set per_corpus = 0 to have all"
                )
                raise InputError(message)
            self._used.add(number)
            made = None
            if one.kind:
                possible = {
                    permuted.degree: permuted
                    for permuted in self._permuted(number, one.kind)
                }
                made = possible.get(one.degree)
                if made is None:
                    message = (
                        f"{what} has no permutation {one.kind} {one.degree}; pick "
                        "another degree, kind or segment"
                    )
                    raise InputError(message)
            items.append(SampledItem(self.pool.pairs[number], made, one.notes))
        return items


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
    return [group[row] for row in range(turns) for group in groups if row < len(group)]


def _thirds(values: Sequence[float]) -> list[int]:
    ranked = sorted(values)
    low, high = ranked[len(ranked) // 3], ranked[2 * len(ranked) // 3]
    return [(value >= low) + (value >= high) for value in values]
