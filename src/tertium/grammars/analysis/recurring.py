# SPDX-License-Identifier: Apache-2.0
"""Recurring edits, and the source expressions they occur with.

One bad habit of a system shows in every sentence with the expression that triggers
it. Nieminen (2018) tried to give repeated edits less weight and abandoned it, since
that rewards consistent errors; so recurrence is reported and nothing is rescaled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.search.edits import Kind, category_of
from tertium.grammars.search.matching import Change
from tertium.grammars.search.tokens import bare_tokens
from tertium.grammars.search.words import fold

__all__ = ["Recurrence", "RecurringEdit", "edit_groups", "recurrence"]

_Key: TypeAlias = tuple[Kind, str, str, str]

_LONGEST = 4  # words of a source expression


@dataclass(frozen=True)
class RecurringEdit:
    """An edit with the same tokens on both sides.

    Parameters
    ----------
    kind : Kind
    label : str
    hyp, ref : str
        The tokens, in lower case; empty on the side that has none. Tokens that are
        joined into a compound stand together.
    count : int
        How often it was made.
    segments : int
        In how many segments.
    share : float
        Of all edits; every token that is joined is one.
    expression : str
        The words of the source that come with it most regularly; may be empty.
    with_expression : int
        Segments with the edit that have the expression.
    expression_segments : int
        All segments that have the expression.
    """

    kind: Kind
    label: str
    hyp: str
    ref: str
    count: int
    segments: int
    share: float
    expression: str
    with_expression: int
    expression_segments: int

    @property
    def category(self) -> str:
        """The kind of error it shows."""
        return category_of(self.kind)


@dataclass(frozen=True)
class Recurrence:
    """How much edits repeat.

    Parameters
    ----------
    distinct, total : int
        Different edits, and all; every token that is joined is one.
    top : tuple of RecurringEdit
        Those made twice or more, the commonest first.
    """

    distinct: int
    total: int
    top: tuple[RecurringEdit, ...]

    @property
    def ratio(self) -> float | None:
        """Distinct over total: the lower, the more repeats; None without edits."""
        return self.distinct / self.total if self.total else None


def recurrence(records: Iterable[SegmentRecord], *, top: int = 20) -> Recurrence:
    """Return how much the edits of one system repeat.

    Parameters
    ----------
    records : iterable of SegmentRecord
        Of one system.
    top : int
        How many recurring edits to return.
    """
    records = list(records)
    distinct: set[_Key] = set()
    counts: Counter[_Key] = Counter()
    sizes: dict[_Key, int] = {}
    places: dict[_Key, set[int]] = {}
    total = 0
    for number, record in enumerate(records):
        for group in edit_groups(record):
            key = _key(group)
            counts[key] += 1
            sizes[key] = len(group)
            places.setdefault(key, set()).add(number)
            distinct.update(_key([change], key[3]) for change in group)
            total += len(group)
    # Equal counts are sorted by the edit itself, so the order is deterministic.
    ordered = sorted(counts, key=lambda key: (-counts[key], key))
    chosen = [key for key in ordered if counts[key] > 1][:top]
    expressions = _Expressions([record.source for record in records])
    edits = []
    for key in chosen:
        kind, label, hyp, ref = key
        segments = places[key]
        words, both, all_of = expressions.best(segments)
        edits.append(
            RecurringEdit(
                kind,
                label,
                hyp,
                ref,
                counts[key],
                len(segments),
                counts[key] * sizes[key] / total,
                words,
                both,
                all_of,
            )
        )
    return Recurrence(len(distinct), total, tuple(edits))


def edit_groups(record: SegmentRecord) -> Iterator[list[Change]]:
    """Yield edits one by one, but those that join tokens into a compound together."""
    join: list[Change] = []
    for change in record.edits:
        if change.kind is not Kind.COMP_LEMMA_JOIN:
            yield [change]
            continue
        if change.ref and join:
            yield join
            join = []
        join.append(change)
    if join:
        yield join


def _key(group: Sequence[Change], ref: str = "") -> _Key:
    first = group[0]
    hyp = " ".join(change.hyp for change in group)
    return first.kind, first.label, fold(hyp), ref or fold(first.ref)


class _Expressions:
    """Which source expressions go with a set of segments."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._own = [list(_ngrams(source)) for source in sources]
        self._segments: dict[tuple[str, ...], set[int]] = {}
        for number, ngrams in enumerate(self._own):
            for ngram in ngrams:
                self._segments.setdefault(ngram, set()).add(number)

    def best(self, segments: set[int]) -> tuple[str, int, int]:
        """Return the expression with the highest Dice coefficient, and its counts.

        Of equally good ones the longest, then that which comes first in the first
        segment. One segment has no regularity.
        """
        if len(segments) < 2:
            return "", 0, 0
        candidates: dict[tuple[str, ...], int] = {}
        for number in sorted(segments):
            for ngram in self._own[number]:
                candidates[ngram] = candidates.get(ngram, 0) + 1

        def rank(item: tuple[tuple[str, ...], int]) -> tuple[float, int]:
            ngram, both = item
            dice = 2 * both / (len(segments) + len(self._segments[ngram]))
            return round(dice, 9), len(ngram)

        if not candidates:
            return "", 0, 0
        ngram, both = max(candidates.items(), key=rank)
        return " ".join(ngram), both, len(self._segments[ngram])


def _ngrams(source: str) -> Iterator[tuple[str, ...]]:
    """Yield the different n-grams of a source, up to four words."""
    words = [fold(word) for word in bare_tokens(source)]
    seen: set[tuple[str, ...]] = set()
    for first in range(len(words)):
        for size in range(1, min(_LONGEST, len(words) - first) + 1):
            ngram = tuple(words[first : first + size])
            if ngram not in seen:
                seen.add(ngram)
                yield ngram
