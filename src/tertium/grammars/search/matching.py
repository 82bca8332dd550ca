# SPDX-License-Identifier: Apache-2.0
"""The closest reference of a huge set, and the edits that lead to it.

Costs are integers, :data:`~.edits.UNIT` to the unit. Among equally cheap corrections
the one with fewer edits is taken, then the one that moves tokens less far, then the one
with the more reliable kinds of edits, then the one whose reference comes first in the
alphabet: the result is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tertium import _core
from tertium.automata.automaton import Automaton
from tertium.errors import InputError
from tertium.grammars.morphology.base import Analyser
from tertium.grammars.search.agreement import agreeing
from tertium.grammars.search.corrections import Change, Correction
from tertium.grammars.search.edits import PROFILES, EditCosts, Kind
from tertium.grammars.search.spelling import Respelling, Spelling
from tertium.grammars.search.tokens import bare_references, bare_tokens
from tertium.grammars.search.vocabulary import Vocabulary
from tertium.grammars.search.words import Lexis

__all__ = ["CLOSE", "Budget", "Change", "Correction", "Match", "Matcher", "closest"]

#: How much more than the best a correction may cost to count as close.
CLOSE = (5_000, 10_000, 15_000)


@dataclass(frozen=True)
class Budget:
    """How long to look for one correction.

    A search that runs out of it says so: :attr:`Match.proven` is False, and the
    correction is the best with fewer moves, or with none.

    Parameters
    ----------
    seconds : float
        Time for one sentence. What it ends may differ from run to run, so
        :attr:`states` should decide first.
    states : int
        Pairs of states to visit; each takes 600 bytes at most.
    references : int
        How many references close to the best are looked at.
    """

    seconds: float = 60.0
    states: int = 500_000
    references: int = 1_000

    def __post_init__(self) -> None:
        for name in ("seconds", "states", "references"):
            if not getattr(self, name) > 0:
                message = (
                    f"{name} of a budget is {getattr(self, name)}; give more than 0"
                )
                raise InputError(message)


@dataclass(frozen=True)
class Match:
    """The corrections of one hypothesis.

    Parameters
    ----------
    hyp : tuple of str
        The words that were corrected.
    corrections : tuple of Correction
        Into different references, the best first.
    close : tuple of int, or None
        How many different costs are less than 0.5, 1 and 1.5 above the best one,
        itself included; None if nobody asked.
    close_is_least : bool
        Whether the budget ended the count, so that there may be more.
    proven : bool
        Whether nothing is cheaper than the first correction.
    bound : int
        What every correction costs at least.
    """

    hyp: tuple[str, ...]
    corrections: tuple[Correction, ...]
    close: tuple[int, ...] | None
    close_is_least: bool
    proven: bool
    bound: int

    @property
    def best(self) -> Correction:
        """The cheapest correction."""
        return self.corrections[0]


class Matcher:
    """Finds the closest reference of a set, for any number of hypotheses.

    Parameters
    ----------
    references : Automaton
        The set; punctuation around its tokens is left out.
    analyser : Analyser or Lexis, optional
        Where readings of words come from. A lexis remembers them, so give one to
        all matchers of a language.
    costs : EditCosts
        What edits cost, how many tokens may move and how far.
    budget : Budget
        How long to look.

    Examples
    --------
    >>> references = Automaton.from_sentences(["the ball is red", "a ball is red"])
    >>> match = Matcher(references).closest("The red ball is.")
    >>> str(match.best), match.best.cost, match.best.score
    ('the ball is [move: red (0.6)]', 6000, 0.15)
    """

    def __init__(
        self,
        references: Automaton,
        analyser: Analyser | Lexis | None = None,
        costs: EditCosts = PROFILES["default"],
        budget: Budget | None = None,
    ) -> None:
        self.references = bare_references(references)
        if not self.references:
            message = "the reference set is empty; add a reference"
            raise InputError(message)
        lexis = analyser if isinstance(analyser, Lexis) else Lexis(analyser)
        self.costs = costs
        self.budget = budget or Budget()
        self.vocabulary = Vocabulary(self.references.symbols, lexis, costs)
        self._spelling = Spelling(self.references, costs)
        self._numbers: dict[str, int] = {}
        joins = self.vocabulary.joins
        self._kernel = _core.Closest(
            self.references.arcs,
            self.references.finals,
            [costs.of(kind) for kind in Kind],
            Kind.MOVE,
            Kind.COMP_LEMMA_JOIN,
            Kind.INSERT,
            costs.moves,
            costs.window,
            [(join.symbol, len(join)) for join in joins],
        )

    def closest(
        self, hypothesis: str | Sequence[str], *, count: int = 1, close: bool = False
    ) -> Match:
        """Return the cheapest correction of a hypothesis; see :meth:`closest_many`."""
        return self.closest_many([hypothesis], count=count, close=close, threads=1)[0]

    def closest_many(
        self,
        hypotheses: Iterable[str | Sequence[str]],
        *,
        count: int = 1,
        close: bool = False,
        threads: int | None = None,
    ) -> list[Match]:
        """Return the cheapest corrections of hypotheses.

        Parameters
        ----------
        hypotheses : iterable of str or of sequences of str
            Texts, or their tokens. Punctuation is left out.
        count : int
            How many corrections of each, into different references, at most: those
            are found that cost less than 1.5 more than the best.
        close : bool
            Whether to count corrections that are close to the best.
        threads : int, optional
            How many threads; all cores by default. Results do not depend on it.
        """
        if count < 1:
            message = f"{count} corrections; ask for at least one"
            raise InputError(message)
        words = [tuple(bare_tokens(hypothesis)) for hypothesis in hypotheses]
        self.vocabulary.lexis.prepare(word for hyp in words for word in hyp)
        # Each as it is, then with compounds written as the references write them.
        spelt = [[Respelling(hyp), *self._spelling.variants(hyp)] for hyp in words]
        tokens = [one.tokens for variants in spelt for one in variants]
        numbers = [[self._number(word) for word in line] for line in tokens]
        slack = CLOSE[-1] - 1 if close or count > 1 else 0
        try:
            searched = self._kernel.search(
                numbers,
                count,
                slack,
                max(count, self.budget.references) if close else count,
                self.budget.states,
                self.budget.seconds,
                threads or 0,
            )
        except ValueError as error:
            cure = "" if "lower" in str(error) else "; cut the segment into sentences"
            raise InputError(f"{error}{cure}") from None
        results = iter(searched)
        matches = (
            [
                (one, self._match(one.tokens, next(results), close=close))
                for one in variants
            ]
            for variants in spelt
        )
        return [self._labelled(self._cheapest(each, count)) for each in matches]

    def _cheapest(self, variants: list[tuple[Respelling, Match]], count: int) -> Match:
        """Return the match of a hypothesis among those of its respellings."""
        if len(variants) == 1:
            return variants[0][1]
        corrections: dict[tuple[str, ...], tuple[Correction, Match]] = {}
        for spelling, match in variants:
            for one in match.corrections:
                back = self._spelling.restored(one, spelling)
                if back is None:
                    continue
                known = corrections.get(back.reference)
                if known is None or _order(back) < _order(known[0]):
                    corrections[back.reference] = back, match
        ranked = sorted(corrections.values(), key=lambda pair: _order(pair[0]))
        best, of_best = ranked[0]
        close = [one for one, _ in ranked if one.cost - best.cost < CLOSE[-1]]
        return replace(
            of_best,
            hyp=variants[0][1].hyp,
            corrections=tuple(close[:count]),
            proven=all(match.proven for _, match in variants),
            bound=min(match.bound + one.cost(self.costs) for one, match in variants),
        )

    def _labelled(self, match: Match) -> Match:
        corrections = tuple(
            replace(one, changes=agreeing(one.changes, match.hyp, self.vocabulary))
            for one in match.corrections
        )
        return replace(match, corrections=corrections)

    def _number(self, word: str) -> int:
        """Return the number that the kernel knows a word by."""
        number = self._numbers.get(word)
        if number is None:
            kinds = bytes(kind for kind, _ in self.vocabulary.row(word))
            drop, _ = self.vocabulary.delete(word)
            slots = self.vocabulary.slots(word)
            number = self._numbers[word] = self._kernel.add_token(kinds, drop, slots)
        return number

    def _match(
        self, hyp: tuple[str, ...], result: _core._Found, *, close: bool
    ) -> Match:
        corrections, costs, bound, proven, exhausted = result
        return Match(
            hyp,
            tuple(self._correction(hyp, *correction) for correction in corrections),
            tuple(sum(cost - costs[0] < most for cost in costs) for most in CLOSE)
            if close
            else None,
            close_is_least=close and not exhausted,
            proven=proven,
            bound=bound,
        )

    def _correction(
        self,
        hyp: tuple[str, ...],
        cost: int,
        reference: list[int],
        edits: list[tuple[int, int, int, bool]],
    ) -> Correction:
        place = 0
        changes = []
        for kind, token, symbol, moved in edits:
            changes.append(
                self._change(
                    Kind(kind),
                    hyp[token] if token >= 0 else "",
                    token if token >= 0 else None,
                    symbol if symbol >= 0 else None,
                    place - token if moved else None,
                )
            )
            place += token >= 0
        tokens = tuple(self.references.symbols[symbol] for symbol in reference)
        return Correction(cost, tokens, tuple(changes), self.costs.move)

    def _change(
        self,
        kind: Kind,
        hyp: str,
        index: int | None,
        symbol: int | None,
        moved_by: int | None,
    ) -> Change:
        ref = self.references.symbols[symbol] if symbol is not None else ""
        label = kind.label
        if kind is Kind.CASESHIFT and symbol is not None:
            label = self.vocabulary.edit(hyp, symbol).label
        return Change(kind, label, index, hyp, ref, self.costs.of(kind), moved_by)


def _order(correction: Correction) -> tuple[int, int]:
    return correction.cost, len(correction.edits)


def closest(
    hypothesis: str | Sequence[str],
    references: Automaton,
    *,
    analyser: Analyser | Lexis | None = None,
    costs: EditCosts = PROFILES["default"],
    budget: Budget | None = None,
    count: int = 1,
    close: bool = False,
) -> Match:
    """Return the cheapest correction of a hypothesis into a reference set.

    For many hypotheses make one :class:`Matcher`.

    Examples
    --------
    >>> references = Automaton.from_sentences(["the ball is red"])
    >>> closest("the ball red", references).best.cost
    8000
    """
    matcher = Matcher(references, analyser, costs, budget)
    return matcher.closest(hypothesis, count=count, close=close)
