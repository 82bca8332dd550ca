# SPDX-License-Identifier: Apache-2.0
"""Judgements of short segments against judgements of whole sentences.

Macháček (2014), section 3.1.2. Rankings with a ``part`` are of segments, those
without of the sentence. Both rank the same systems, so for every sentence one can ask
whether they agree, system by system, and where they do not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.judgements.segment_names import are_short, segment_names

if TYPE_CHECKING:
    import polars as pl

    from tertium.judgements.comparisons import Comparisons
    from tertium.judgements.tables import Judgements

__all__ = ["Disagreement", "Levels", "SystemLevels", "Tau", "compare_levels"]


@dataclass(frozen=True)
class Tau:
    """Kendall's tau of segment judgements with sentence judgements.

    Parameters
    ----------
    concordant, discordant : int
    """

    concordant: int
    discordant: int

    @property
    def tau(self) -> float | None:
        """(C - D) / (C + D), None where nothing can be compared."""
        total = self.concordant + self.discordant
        return (self.concordant - self.discordant) / total if total else None

    @property
    def agreement(self) -> float | None:
        """Probability that both say the same of a pair: (1 + tau) / 2."""
        tau = self.tau
        return None if tau is None else (1 + tau) / 2


@dataclass(frozen=True)
class SystemLevels:
    """How far segment judgements of a system agree with sentence judgements.

    Parameters
    ----------
    better, worse, all : Tau
        Over sentence-level pairs in which the system is the better one, the worse
        one, and both together.
    """

    system: str
    better: Tau
    worse: Tau
    all: Tau


@dataclass(frozen=True)
class Disagreement:
    """A sentence on which segments and sentence say different things of a system.

    Parameters
    ----------
    system, sentence : str
    segment_wins, segment_losses, sentence_wins, sentence_losses : int
    quotient : float
        Ratio of wins of the segments over that of the sentence; infinite where the
        sentence never won, None where both ratios are 0.
    log_ratio : float
        Logarithm of the quotient with half a win and half a loss added to each side:
        finite, and 0 where both levels agree. Sort by it.
    """

    system: str
    sentence: str
    segment_wins: int
    segment_losses: int
    sentence_wins: int
    sentence_losses: int
    quotient: float | None
    log_ratio: float

    @property
    def infinite(self) -> bool:
        """Whether the sentence never won, and the segments did."""
        return self.quotient is not None and math.isinf(self.quotient)


@dataclass(frozen=True)
class Levels:
    """Segment judgements against sentence judgements.

    Parameters
    ----------
    systems : tuple of SystemLevels
    all : Tau
        Over all systems; every pair counts once.
    disagreements : tuple of Disagreement
        Largest first, whichever the direction.
    """

    systems: tuple[SystemLevels, ...]
    all: Tau
    disagreements: tuple[Disagreement, ...]


def compare_levels(judgements: Judgements) -> Levels:
    """Return how segment judgements agree with judgements of whole sentences.

    Parameters
    ----------
    judgements : Judgements
        Rankings with a part (of segments) and without (of sentences), whose sentences
        have the same names.

    Raises
    ------
    InputError
        When one of the two is missing.

    Notes
    -----
    Every untied sentence-level comparison meets every untied segment-level one of the
    same two systems and sentence; counted from sums, so linear in their number.
    """
    import polars as pl

    part = pl.col("part").is_not_null()
    segments, sentences = _comparisons(
        judgements.rankings.filter(part), judgements.rankings.filter(~part)
    )
    for found, what in ((segments, "with a part"), (sentences, "without a part")):
        if len(found) == 0:
            message = (
                f"no rankings {what}; to compare segments with sentences, both kinds "
                "are needed"
            )
            raise InputError(message)
    names = sorted({*segments.systems, *sentences.systems})
    keys = sorted({*segments.segments, *sentences.segments})
    fine = _counts(segments, names, keys)
    whole = _counts(sentences, names, keys)
    return Levels(
        *_taus(names, whole, fine), tuple(_disagreements(names, keys, whole, fine))
    )


def _comparisons(*levels: pl.LazyFrame) -> list[Comparisons]:
    """Return the comparisons of every level, sentences under the same names."""
    import polars as pl

    from tertium.judgements.comparisons import from_rankings

    none = pl.lit(None, pl.String)
    # Without its part a segment goes under the name of its sentence.
    tables = [table.with_columns(part=none) for table in levels]
    if all(are_short(segment_names(table)) for table in tables):
        return [from_rankings(table) for table in tables]
    # Levels are mostly judged in a campaign each, which then tells nothing apart.
    campaigns = [table.select(pl.col("campaign").n_unique()) for table in tables]
    if all(number.collect().item() <= 1 for number in campaigns):
        tables = [table.with_columns(campaign=none) for table in tables]
    names = segment_names(*tables)
    return [from_rankings(table, names) for table in tables]


@dataclass(frozen=True, eq=False)
class _Counts:
    """Wins of one of two systems over the other, by (sentence, winner, loser)."""

    cell: NDArray[np.int64]
    number: NDArray[np.int64]

    def at(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        if len(self.cell) == 0:
            return np.zeros(len(cells), np.int64)
        place = np.minimum(np.searchsorted(self.cell, cells), len(self.cell) - 1)
        return np.where(self.cell[place] == cells, self.number[place], 0)


def _counts(found: Comparisons, names: list[str], keys: list[str]) -> _Counts:
    system = np.array([names.index(name) for name in found.systems], np.int64)
    of_key = {name: i for i, name in enumerate(keys)}
    sentence = np.array([of_key[name] for name in found.segments], np.int64)
    decided = found.outcome != 0
    first, second = system[found.first[decided]], system[found.second[decided]]
    lost = found.outcome[decided] < 0
    winner, loser = np.where(lost, second, first), np.where(lost, first, second)
    n = len(names)
    cells = (sentence[found.segment[decided]] * n + winner) * n + loser
    return _Counts(*np.unique(cells, return_counts=True))


def _taus(
    names: list[str], whole: _Counts, fine: _Counts
) -> tuple[tuple[SystemLevels, ...], Tau]:
    n = len(names)
    rest, worse = np.divmod(whole.cell, n)
    sentence, better = np.divmod(rest, n)
    agree = whole.number * fine.at(whole.cell)
    against = whole.number * fine.at((sentence * n + worse) * n + better)

    def by(system: NDArray[np.int64]) -> list[Tau]:
        pro, contra = (
            np.bincount(system, part, minlength=n) for part in (agree, against)
        )
        return [Tau(int(c), int(d)) for c, d in zip(pro, contra, strict=True)]

    systems = tuple(
        SystemLevels(
            name, up, down, Tau(up.concordant + down.concordant, _sum(up, down))
        )
        for name, up, down in zip(names, by(better), by(worse), strict=True)
    )
    return systems, Tau(int(agree.sum()), int(against.sum()))


def _sum(up: Tau, down: Tau) -> int:
    return up.discordant + down.discordant


def _disagreements(
    names: list[str], keys: list[str], whole: _Counts, fine: _Counts
) -> list[Disagreement]:
    n, size = len(names), len(names) * len(keys)

    def sums(counts: _Counts) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        rest, loser = np.divmod(counts.cell, n)
        sentence, winner = np.divmod(rest, n)
        number = counts.number.astype(np.float64)
        return (
            np.bincount(sentence * n + winner, number, size).astype(np.float64),
            np.bincount(sentence * n + loser, number, size).astype(np.float64),
        )

    (fine_won, fine_lost), (won, lost) = sums(fine), sums(whole)
    found = []
    for cell in np.flatnonzero((fine_won + fine_lost > 0) & (won + lost > 0)):
        sentence, system = divmod(int(cell), n)
        a, b = int(fine_won[cell]), int(fine_lost[cell])
        c, d = int(won[cell]), int(lost[cell])
        quotient: float | None
        quotient = math.inf if a else None
        if c:
            quotient = (a / (a + b)) / (c / (c + d))
        smooth = math.log((a + 0.5) / (a + b + 1) / ((c + 0.5) / (c + d + 1)))
        found.append(
            Disagreement(names[system], keys[sentence], a, b, c, d, quotient, smooth)
        )
    found.sort(key=lambda x: (-abs(x.log_ratio), x.sentence, x.system))
    return found
