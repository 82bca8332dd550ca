# SPDX-License-Identifier: Apache-2.0
"""Compounds that a translation writes apart, or together, unlike the references.

An analyser that knows the parts of compounds lets the search join them in any form.
Without one the letters tell: words side by side that make up a word of the references,
or a word that is made up of several words side by side there. A hypothesis is then
searched for once more as the references would write it, and pays for the respelling.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise

from tertium.automata.automaton import Automaton
from tertium.grammars.search.corrections import Change, Correction
from tertium.grammars.search.edits import EditCosts, Kind
from tertium.grammars.search.words import letters

__all__ = ["Respelling", "Spelling"]

_LEAST = 2  # letters of a part: "a way" is not "away"
_MOST_PARTS = 4
_MOST_SITES = 4  # of a sentence; each subset of them is searched for


@dataclass(frozen=True)
class _Site:
    """Tokens of a hypothesis, and the tokens of references with the same letters."""

    start: int
    end: int
    tokens: tuple[str, ...]

    @property
    def joined(self) -> bool:
        """Whether several tokens should be one."""
        return self.end - self.start > 1

    def cost(self, costs: EditCosts) -> int:
        """Return what the respelling costs."""
        if self.joined:
            return costs.comp_lemma_join * (self.end - self.start)
        return costs.comp_split


@dataclass(frozen=True)
class Respelling:
    """A hypothesis with some compounds written differently.

    Parameters
    ----------
    hyp : tuple of str
        As it is.
    sites : tuple of _Site
        What is written differently, in order; nothing by default.
    """

    hyp: tuple[str, ...]
    sites: tuple[_Site, ...] = ()

    @cached_property
    def places(self) -> list[tuple[str, int, _Site | None]]:
        """The tokens to search for, the index each has in the hypothesis, and why."""
        places: list[tuple[str, int, _Site | None]] = []
        done = 0
        for site in self.sites:
            places += [(self.hyp[i], i, None) for i in range(done, site.start)]
            places += [(token, site.start, site) for token in site.tokens]
            done = site.end
        return places + [(self.hyp[i], i, None) for i in range(done, len(self.hyp))]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens to search for."""
        return tuple(token for token, _, _ in self.places)

    def cost(self, costs: EditCosts) -> int:
        """Return what the respelling costs."""
        return sum(site.cost(costs) for site in self.sites)


class Spelling:
    """How a reference set writes compounds.

    Parameters
    ----------
    references : Automaton
    costs : EditCosts
    """

    def __init__(self, references: Automaton, costs: EditCosts) -> None:
        self._references = references
        self._costs = costs
        self._symbols: dict[str, list[int]] = {}
        for number, symbol in enumerate(references.symbols):
            self._symbols.setdefault(letters(symbol), []).append(number)

    def variants(self, hyp: Sequence[str]) -> list[Respelling]:
        """Return the hypothesis with compounds written as references write them."""
        sites = [*self._joins(hyp), *self._splits(hyp)][:_MOST_SITES]
        variants = []
        for size in range(1, len(sites) + 1):
            for chosen in combinations(
                sorted(sites, key=lambda site: site.start), size
            ):
                pairs = pairwise(chosen)
                if all(one.end <= other.start for one, other in pairs):
                    variants.append(Respelling(tuple(hyp), chosen))
        return variants

    def _joins(self, hyp: Sequence[str]) -> Iterator[_Site]:
        parts = [letters(token) for token in hyp]
        for start in range(len(hyp)):
            for end in range(start + 2, min(start + _MOST_PARTS, len(hyp)) + 1):
                if len(parts[end - 1]) < _LEAST or len(parts[start]) < _LEAST:
                    break
                for symbol in self._symbols.get("".join(parts[start:end]), ())[:1]:
                    yield _Site(start, end, (self._references.symbols[symbol],))

    def _splits(self, hyp: Sequence[str]) -> Iterator[_Site]:
        for place, token in enumerate(hyp):
            ways = self._ways(letters(token), None, _MOST_PARTS)
            if way := next((each for each in ways if len(each) > 1), None):
                symbols = tuple(self._references.symbols[symbol] for symbol in way)
                yield _Site(place, place + 1, symbols)

    def _ways(
        self, text: str, states: frozenset[int] | None, parts: int
    ) -> Iterator[tuple[int, ...]]:
        """Yield symbols side by side in references that have the letters of a text."""
        if not text:
            yield ()
            return
        for cut in range(_LEAST, len(text) + 1 if parts else 0):
            if 0 < len(text) - cut < _LEAST:
                continue
            for symbol in self._symbols.get(text[:cut], ()):
                to = self._after(symbol, states)
                if to:
                    for more in self._ways(text[cut:], to, parts - 1):
                        yield (symbol, *more)

    def _after(self, symbol: int, states: frozenset[int] | None) -> frozenset[int]:
        """Return the states that a symbol leads to, from some states or from any."""
        arcs = self._arcs.get(symbol, ())
        return frozenset(to for at, to in arcs if states is None or at in states)

    @cached_property
    def _arcs(self) -> dict[int, list[tuple[int, int]]]:
        by_symbol: dict[int, list[tuple[int, int]]] = {}
        for state, arcs in enumerate(self._references.arcs):
            for symbol, to in arcs:
                by_symbol.setdefault(symbol, []).append((state, to))
        return by_symbol

    # ------------------------------------------------------------------ going back

    def restored(
        self, correction: Correction, spelling: Respelling
    ) -> Correction | None:
        """Return the correction of the hypothesis as it is.

        None if it edits a respelt token instead of accepting it: that is not a spelling
        error, and the original hypothesis has such corrections, too.
        """
        if not spelling.sites:
            return correction
        changes: list[Change] = []
        waiting: list[str] = []  # tokens of a site that must follow
        for change in correction.changes:
            _, index, site = spelling.places[change.index or 0]
            if change.index is None or site is None:
                if waiting:
                    return None
                place = None if change.index is None else index
                changes.append(replace(change, index=place))
            elif change.kind is not Kind.MATCH or (change.moved and not site.joined):
                return None
            elif site.joined:
                changes += self._joined(change, site, spelling.hyp)
            elif waiting:
                if waiting.pop(0) != change.hyp:
                    return None
            else:
                changes.append(self._split(change, site, spelling.hyp))
                waiting = list(site.tokens[1:])
        cost = correction.cost + spelling.cost(self._costs)
        return replace(correction, cost=cost, changes=tuple(changes))

    def _joined(
        self, change: Change, site: _Site, hyp: tuple[str, ...]
    ) -> Iterator[Change]:
        kind, cost = Kind.COMP_LEMMA_JOIN, self._costs.comp_lemma_join
        for index in range(site.start, site.end):
            first = index == site.start
            ref, moved = (change.ref, change.moved_by) if first else ("", None)
            yield Change(kind, kind.label, index, hyp[index], ref, cost, moved)

    def _split(self, change: Change, site: _Site, hyp: tuple[str, ...]) -> Change:
        kind, cost = Kind.COMP_SPLIT, self._costs.comp_split
        ref = " ".join((change.ref, *site.tokens[1:]))
        return Change(kind, kind.label, site.start, hyp[site.start], ref, cost)
