# SPDX-License-Identifier: Apache-2.0
"""Case shifts in context: neighbours resolve what an isolated form leaves open.

*Nachbarn* may be a genitive, a dative or an accusative; after *dem* it is a dative. A
modifier (determiner, pronoun, adjective, participle) and the word behind it share case
and number where they can, in the reference as in the hypothesis. What is still open
follows a shift beside it, and what is open then is named with all its cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.grammars.search.corrections import Change
from tertium.grammars.search.edits import Kind, case_pairs, shift_label

if TYPE_CHECKING:
    from tertium.grammars.morphology.base import Analysis
    from tertium.grammars.search.vocabulary import Vocabulary
    from tertium.grammars.search.words import Word

__all__ = ["agreeing"]

_MODIFIERS = frozenset({"DET", "PRON", "ADJ", "PTCP"})
_SHIFTS = (Kind.CASESHIFT, Kind.LEMMA_SUB)

_Pairs = list[tuple["Analysis", "Analysis"]]


def agreeing(
    changes: tuple[Change, ...], hyp: Sequence[str], vocabulary: Vocabulary
) -> tuple[Change, ...]:
    """Return changes with the cases that their neighbours select.

    A form that could be correct in isolation, such as *der* before *Nachbar* where
    *dem* is needed, is a case shift if its neighbours imply one at the same cost.
    """
    if not any(change.kind in _SHIFTS for change in changes):
        return changes
    tokens = [vocabulary.word(token) for token in hyp]
    words: list[Word] = []
    places: dict[int, int] = {}  # of changes among the words of the reference
    for number, change in enumerate(changes):
        places[number] = len(words)
        words += [vocabulary.reference(token) for token in change.ref.split()]
    shifts: dict[int, _Pairs] = {}
    for number, change in enumerate(changes):
        if change.kind not in _SHIFTS or change.index is None:
            continue
        pairs = case_pairs(tokens[change.index], words[places[number]])
        pairs = _narrowed(pairs, 1, words, places[number])
        pairs = _narrowed(pairs, 0, tokens, change.index)
        if all(one.case != other.case for one, other in pairs):
            shifts[places[number]] = pairs
    same = vocabulary.costs.caseshift == vocabulary.costs.lemma_sub
    return tuple(
        _relabelled(change, shifts.get(places[number], []), shifts, places[number])
        if change.kind is Kind.CASESHIFT or (same and change.kind is Kind.LEMMA_SUB)
        else change
        for number, change in enumerate(changes)
    )


def _relabelled(
    change: Change, pairs: _Pairs, shifts: dict[int, _Pairs], place: int
) -> Change:
    for beside in (place - 1, place + 1):
        cases = {other.case for _, other in shifts.get(beside, ())}
        if len(cases) == 1:
            pairs = [pair for pair in pairs if pair[1].case in cases] or pairs
    label = shift_label(pairs)
    return replace(change, kind=Kind.CASESHIFT, label=label) if label else change


def _narrowed(pairs: _Pairs, side: int, words: Sequence[Word], place: int) -> _Pairs:
    """Return the pairs whose reading on a side agrees with the words around it."""
    for step in (-1, 1):
        at = place
        while 0 <= at + step < len(words):
            first, second = sorted((at, at + step))
            if not _modifies(words[first]) or not words[second].cases:
                break
            kept = [pair for pair in pairs if _agrees(pair[side], words[at + step])]
            if not kept:
                break
            pairs, at = kept, at + step
    return pairs


def _modifies(word: Word) -> bool:
    return any(one.nominal and one.pos in _MODIFIERS for one in word.analyses)


def _agrees(reading: Analysis, word: Word) -> bool:
    return any(
        one.nominal
        and one.case == reading.case
        and (one.number == reading.number or not one.number or not reading.number)
        for one in word.analyses
    )
