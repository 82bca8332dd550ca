# SPDX-License-Identifier: Apache-2.0
"""Pairs of texts to learn from rated texts and corpora.

* ``all``: every comparison that is not a tie; what was judged twice counts twice.
* ``agreed``: one pair for every two texts that were compared more than once and of
  which more than 60 % of the judgements, ties included, prefer the same.

Two systems with one output make no pair, and one judgement of two texts counts
once, however many systems produced them: rankings of WMT15 and later list systems with
equal outputs together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.data.kept import Lazy
from tertium.data.segment_places import places_of
from tertium.errors import InputError, UnknownNameError
from tertium.judgements import Comparisons
from tertium.judgements.ranking import expected_wins
from tertium.learn.data import Source, compared
from tertium.learn.distinct import Distinct, digests, first_places
from tertium.meta.scores import segment_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "FILTERS",
    "Corpora",
    "Pairs",
    "Rated",
    "corpora_of",
    "fingerprint",
    "judged_pairs",
    "pairs_from",
    "rated_from",
]

Numbers: TypeAlias = "NDArray[np.int64]"
Vector: TypeAlias = "NDArray[np.float64]"
Texts: TypeAlias = tuple[str, ...]

FILTERS = ("all", "agreed")

_AGREED = 0.6


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of texts of which judges preferred one.

    Parameters
    ----------
    name : str
        Of the source.
    hyps : sequence of str
        Candidates, every text once for the references it is compared with.
    refs : sequence of tuple of str
        Of every candidate.
    better, worse : array of int
        Places in `hyps`, one element a pair.
    comparisons : int
        How many comparisons of two systems the pairs rest on, ties included.
    lacking : int
        How many comparisons have no text on a side.
    """

    name: str
    hyps: Sequence[str]
    refs: Sequence[tuple[str, ...]]
    better: Numbers
    worse: Numbers
    comparisons: int
    lacking: int = 0

    def __len__(self) -> int:
        return len(self.better)


@dataclass(frozen=True, eq=False)
class Rated:
    """Texts with their human scores, for scalers.

    Parameters
    ----------
    name : str
    hyps : sequence of str
    refs : sequence of tuple of str
    human : array
        The mean rating of every text.
    """

    name: str
    hyps: Sequence[str]
    refs: Sequence[tuple[str, ...]]
    human: Vector

    def __len__(self) -> int:
        return len(self.hyps)


@dataclass(frozen=True, eq=False)
class Corpora:
    """The outputs of systems on the same segments, with human scores of the systems.

    Parameters
    ----------
    name : str
    refs : sequence of tuple of str
    systems : dict of str to tuple of str
    human : dict of str to float
        Expected wins: the mean over the opponents a system has met.
    """

    name: str
    refs: tuple[tuple[str, ...], ...]
    systems: dict[str, tuple[str, ...]]
    human: dict[str, float]


def pairs_from(
    source: Source,
    *,
    kind: str | None = None,
    filter: str = "all",  # noqa: A002
    gap: float | None = None,
) -> Pairs:
    """Return the pairs of texts to learn from.

    Parameters
    ----------
    source : Source
    kind : {"rankings", "ratings"}, optional
        By default rankings where there are any.
    filter : {"all", "agreed"}
        See the module. Of ratings all pairs are taken: their means, a gap apart, are
        what judges agree on.
    gap : float, optional
        How far two ratings of a segment must be apart (see ``GAPS``).

    Notes
    -----
    Linear in the number of comparisons, save for a sort.
    """
    if filter not in FILTERS:
        raise UnknownNameError("filter of pairs", filter, FILTERS)
    comparisons = compared(source, kind=kind, gap=gap)
    by_rating = kind == "ratings" or source.rankings is None
    texts = _Texts(source)
    left, right, have = texts.rows(comparisons)
    outcome = comparisons.outcome[have].astype(np.int64)
    ranking = comparisons.ranking[have].astype(np.int64)
    judged = len(outcome)
    different = left != right
    left, right, outcome, ranking = (
        column[different] for column in (left, right, outcome, ranking)
    )
    swap = left > right
    left, right = np.where(swap, right, left), np.where(swap, left, right)
    outcome = np.where(swap, -outcome, outcome)
    # One judgement of two texts counts once.
    order = np.lexsort((right, left, ranking))
    key = np.stack([ranking, left, right])[:, order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (key[:, 1:] != key[:, :-1]).any(axis=0)
    kept = np.sort(order[first])
    left, right, outcome = left[kept], right[kept], outcome[kept]
    if filter == "agreed" and not by_rating:
        left, right, outcome = _agreed(left, right, outcome)
    decided = outcome != 0
    left, right, outcome = left[decided], right[decided], outcome[decided]
    return texts.pairs(
        np.where(outcome > 0, left, right),
        np.where(outcome > 0, right, left),
        comparisons=judged,
        lacking=len(have) - judged,
    )


def judged_pairs(
    source: Source, *, kind: str | None = None, gap: float | None = None
) -> Pairs:
    """Return the pairs as the metrics tasks count them, to measure agreement on.

    Every comparison that is not a tie, of equal texts too: a metric that scores texts
    cannot tell these apart, and tau says so.
    """
    comparisons = compared(source, kind=kind, gap=gap)
    texts = _Texts(source)
    left, right, have = texts.rows(comparisons)
    outcome = comparisons.outcome[have]
    return texts.pairs(
        np.where(outcome > 0, left, right)[outcome != 0],
        np.where(outcome > 0, right, left)[outcome != 0],
        comparisons=len(outcome),
        lacking=len(have) - len(outcome),
    )


def rated_from(source: Source) -> Rated | None:
    """Return the rated texts; None where there are no ratings."""
    human = source.ratings
    if human is None or human.ratings is None:
        return None
    texts = _Texts(source)
    table = texts.table(human.systems, human.segments)
    chosen = (table >= 0) & ~np.isnan(human.ratings)
    return Rated(source.name, *texts.of(table[chosen]), human.ratings[chosen])


def corpora_of(
    source: Source,
    *,
    kind: str | None = None,
    gap: float | None = None,
    size: int = 600,
    seed: int = SEED,
) -> Corpora | None:
    """Return the outputs of all judged systems on segments that all translated.

    Systems are scored by their expected wins in the comparisons of the source.
    None where fewer than two systems have wins and texts.

    Parameters
    ----------
    source : Source
    kind, gap
        As in :func:`pairs_from`.
    size : int
        The most segments to take; drawn if there are more. The mean of 600 scores
        moves little with more of them, and every step of training reads them all.
    seed : int
    """
    comparisons = compared(source, kind=kind, gap=gap)
    wins = expected_wins(comparisons.wins())
    human = {name: score for name, score in wins.items() if score is not None}
    testset = source.testset
    names = [name for name in human if name in testset.systems]
    columns = [testset.systems[name] for name in names]
    whole = [
        i
        for i in range(len(testset))
        if source.empty == "keep" or all(column[i].strip() for column in columns)
    ]
    if len(names) < 2 or not whole:
        return None
    if len(whole) > size:
        drawn = np.random.default_rng(seed).permutation(len(whole))[:size]
        whole = [whole[i] for i in sorted(drawn)]
    return Corpora(
        source.name,
        tuple(testset.references[i] for i in whole),
        {
            name: tuple(column[i] for i in whole)
            for name, column in zip(names, columns, strict=True)
        },
        {name: human[name] for name in names},
    )


def fingerprint(parts: Iterable[Pairs | Rated | Corpora]) -> str:
    """Return the SHA-256 of texts and judgements, in the order they are used."""
    digest = hashlib.sha256()

    def add(items: Iterable[str]) -> None:
        for item in items:
            digest.update(item.encode("utf-8", "surrogatepass"))
            digest.update(b"\0")

    for part in parts:
        add((type(part).__name__, part.name))
        for refs in part.refs:
            add((*refs, ""))
        if isinstance(part, Corpora):
            for name, hyps in part.systems.items():
                add((name, repr(part.human[name]), *hyps))
            continue
        add(part.hyps)
        if isinstance(part, Pairs):
            for column in (part.better, part.worse):
                digest.update(np.ascontiguousarray(column, "<i8").tobytes())
        else:
            digest.update(np.ascontiguousarray(part.human, "<f8").tobytes())
    return digest.hexdigest()


def _agreed(
    left: Numbers, right: Numbers, outcome: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    """Return the pairs judged more than once of which most judgements say the same."""
    if not len(left):
        return left, right, outcome
    size = int(right.max()) + 1
    keys, group = np.unique(left * size + right, return_inverse=True)
    total = np.bincount(group)
    wins = np.bincount(group, outcome > 0)
    losses = np.bincount(group, outcome < 0)
    kept = (total > 1) & (np.maximum(wins, losses) > _AGREED * total)
    sign = np.where(wins > losses, 1, -1)
    return keys[kept] // size, keys[kept] % size, sign[kept]


class _Texts:
    """Numbers for the texts of a source: one for every text with its references.

    The texts stay where the source has them; only places are kept.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._columns: list[Sequence[str]] = []
        self._column = self._line = np.empty(0, np.int64)

    def table(self, systems: Sequence[str], segments: Sequence[str]) -> Numbers:
        """Return the number of every output, -1 where there is none."""
        testset, drop = self._source.testset, self._source.empty == "drop"
        lines = places_of(segment_names(testset), segments)
        places = np.flatnonzero(lines >= 0)
        out = np.full((len(systems), len(segments)), -1, dtype=np.int64)
        known = Distinct()
        parts: list[tuple[Numbers, Numbers]] = []
        for s, system in enumerate(systems):
            column = testset.systems.get(system)
            if column is None:
                continue
            chosen = lines[places]
            if drop:
                filled = (bool(column[i].strip()) for i in chosen.tolist())
                there = np.fromiter(filled, np.bool_, len(chosen))
                chosen = chosen[there]
            else:
                there = np.ones(len(chosen), dtype=bool)
            before = len(known)
            texts = ((column[i], *testset.references[i]) for i in chosen.tolist())
            numbers = known.add(digests(texts))
            out[s, places[there]] = numbers
            new = first_places(numbers, before)
            parts.append((np.full(len(new), len(self._columns)), chosen[new]))
            self._columns.append(column)
        if parts:
            columns, lines_of = zip(*parts, strict=True)
            self._column = np.concatenate(columns)
            self._line = np.concatenate(lines_of)
        return out

    def rows(
        self, comparisons: Comparisons
    ) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
        """Return the numbers of both sides, and which comparisons have both."""
        table = self.table(comparisons.systems, comparisons.segments)
        left = table[comparisons.first, comparisons.segment]
        right = table[comparisons.second, comparisons.segment]
        have = (left >= 0) & (right >= 0)
        if len(have) and not have.any():
            raise _nothing_in_common(self._source, comparisons)
        return left[have], right[have], have

    def of(self, numbers: Numbers) -> tuple[Sequence[str], Sequence[Texts]]:
        """Return the texts and references of some numbers."""
        column, line = self._column[numbers], self._line[numbers]
        references = self._source.testset.references
        hyps = Lazy(len(line), lambda i: self._columns[column[i]][int(line[i])])
        refs = Lazy(len(line), lambda i: references[int(line[i])])
        if isinstance(references, Lazy):
            return hyps, refs
        return tuple(hyps), tuple(refs)

    def pairs(
        self, better: Numbers, worse: Numbers, *, comparisons: int, lacking: int
    ) -> Pairs:
        """Return pairs with the texts that occur in them alone."""
        used, places = np.unique(np.concatenate([better, worse]), return_inverse=True)
        return Pairs(
            self._source.name,
            *self.of(used),
            places[: len(better)],
            places[len(better) :],
            comparisons,
            lacking,
        )


def _nothing_in_common(source: Source, comparisons: Comparisons) -> InputError:
    systems = list(source.testset.systems)
    judged = comparisons.systems
    if not set(systems) & set(judged):
        what = f"systems {', '.join(judged[:5])}, texts are of {', '.join(systems[:5])}"
    else:
        names = segment_names(source.testset)
        what = (
            f"segments such as {comparisons.segments[0]!r}, those of the texts are "
            f"called {names[0]!r}"
        )
    message = f"{source.name}: judgements are of {what}; use the same names"
    return InputError(message)
