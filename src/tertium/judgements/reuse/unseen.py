# SPDX-License-Identifier: Apache-2.0
"""What stored judgements predict for a system without judgements.

Macháček (2014), section 3.2: leave a system out, keep the candidates that others
produced too, and score it from them: by *exact* match of its segments, or by the
*closest* candidate (character Levenshtein distance over code points). Judged truth is
there, so one sees how far such scores can be trusted: exact match flatters the system,
since systems agree on good translations and err each in its own way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, NamedTuple

from tertium.errors import InputError
from tertium.judgements.reuse.distances import Distances, edit_distance

if TYPE_CHECKING:
    from tertium.judgements.tables import Judgements

__all__ = ["Guess", "UnseenSystem", "edit_distance", "leave_one_out"]


class Guess(NamedTuple):
    """Guesses that were worse than, equal to and better than the judge's rank."""

    worse: int = 0
    equal: int = 0
    better: int = 0

    @property
    def total(self) -> int:
        """All guesses."""
        return sum(self)

    def plus(self, other: Guess) -> Guess:
        """Return both together."""
        return Guess(*(a + b for a, b in zip(self, other, strict=True)))


@dataclass(frozen=True)
class UnseenSystem:
    """A system left out, and scored from what others were judged for.

    Parameters
    ----------
    system : str
    annotations, hits : int
        Rankings that have a candidate of the system, and those where another system
        produced the same.
    exact : float or None
        Its ratio of wins over the hits alone.
    closest : float or None
        Its ratio of wins with the mean rank of the nearest candidates.
    judged : float or None
        Its true ratio of wins.
    mean_distance : float or None
        Mean edit distance to the nearest candidate (AED), hits included.
    guesses : Guess
        Of the rank, on misses: worse, equal or better than the judge said.
    by_distance : dict of int to Guess
        The same for every edit distance.
    """

    system: str
    annotations: int
    hits: int
    exact: float | None
    closest: float | None
    judged: float | None
    mean_distance: float | None
    guesses: Guess
    by_distance: dict[int, Guess]

    @property
    def hit_rate(self) -> float | None:
        """Share of hits."""
        return self.hits / self.annotations if self.annotations else None

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows."""
        return {
            **asdict(self),
            "hit_rate": self.hit_rate,
            "guesses": self.guesses._asdict(),
            "by_distance": {
                str(distance): guess._asdict()
                for distance, guess in self.by_distance.items()
            },
        }


class _Candidate(NamedTuple):
    text: str
    rank: int
    systems: tuple[str, ...]


def leave_one_out(judgements: Judgements) -> list[UnseenSystem]:
    """Return every system scored as if it had never been judged.

    Parameters
    ----------
    judgements : Judgements
        Rankings whose candidates have texts.

    Raises
    ------
    InputError
        When no candidate has a text.

    Notes
    -----
    O(|a| |b| / 64) for two candidates a and b; distances within a segment are
    computed once.
    """
    rankings = list(_rankings(judgements))
    if not rankings:
        message = (
            "no candidate has a text and a system; leave-one-out needs both, as "
            "SegRanks files have them"
        )
        raise InputError(message)
    names = sorted({s for r in rankings for c in r for s in c.systems})
    distances = Distances()
    return [_left_out(name, rankings, distances) for name in names]


def _rankings(judgements: Judgements) -> Iterable[list[_Candidate]]:
    import polars as pl

    from tertium.judgements.tables import WORST, effective_rank

    table = judgements.rankings.filter(
        pl.col("text").is_not_null() & pl.col("system").is_not_null()
    )
    columns = ["ranking", "candidate", "text"]
    frame = table.select(*columns, effective_rank(), pl.col("system").cast(pl.String))
    grouped = (
        frame.group_by("ranking", "candidate", "text", "rank", maintain_order=True)
        .agg(pl.col("system"))
        .group_by("ranking", maintain_order=True)
        .agg("text", "rank", "system")
        .collect()
    )
    for _, texts, ranks, systems in grouped.iter_rows():
        # Ranks are averaged here, so garbage comes right after the last candidate.
        last = max((rank for rank in ranks if rank < WORST), default=0)
        ranks = [min(rank, last + 1) for rank in ranks]
        # Candidates of equal text are one; a judge's ranks of them are equal too.
        yield [
            _Candidate(text, rank, tuple(of))
            for text, rank, of in zip(texts, ranks, systems, strict=True)
        ]


def _left_out(
    system: str,
    rankings: list[list[_Candidate]],
    distances: Distances,
) -> UnseenSystem:
    annotations = hits = 0
    true, exact, closest = Counter[str](), Counter[str](), Counter[str]()
    total_distance = measured = 0
    by_distance: dict[int, Guess] = {}
    for candidates in rankings:
        candidate = next((c for c in candidates if system in c.systems), None)
        if candidate is None:
            continue
        annotations += 1
        others = {
            name: c.rank for c in candidates for name in c.systems if name != system
        }
        _count(true, candidate.rank, others)
        remaining = [c for c in candidates if set(c.systems) - {system}]
        same = [c for c in remaining if c.text == candidate.text]
        if same:
            hits += 1
            measured += 1
            _count(exact, same[0].rank, others)
            _count(closest, same[0].rank, others)
            continue
        if not remaining:
            continue
        near = [distances(candidate.text, c.text) for c in remaining]
        nearest = min(near)
        ranks = [c.rank for c, d in zip(remaining, near, strict=True) if d == nearest]
        guess = sum(ranks) / len(ranks)
        measured += 1
        total_distance += nearest
        _count(closest, guess, others)
        # A lower rank is better.
        outcome = Guess(
            int(guess > candidate.rank),
            int(guess == candidate.rank),
            int(guess < candidate.rank),
        )
        by_distance[nearest] = by_distance.get(nearest, Guess()).plus(outcome)
    guesses = Guess()
    for each in by_distance.values():
        guesses = guesses.plus(each)
    return UnseenSystem(
        system,
        annotations,
        hits,
        _ratio(exact),
        _ratio(closest),
        _ratio(true),
        total_distance / measured if measured else None,
        guesses,
        dict(sorted(by_distance.items())),
    )


def _count(counts: Counter[str], rank: float, others: Mapping[str, int]) -> None:
    counts["won"] += sum(rank < other for other in others.values())
    counts["lost"] += sum(rank > other for other in others.values())


def _ratio(counts: Counter[str]) -> float | None:
    decided = counts["won"] + counts["lost"]
    return counts["won"] / decided if decided else None
