# SPDX-License-Identifier: Apache-2.0
"""Judgements of short parts compared with judgements of whole sentences.

Macháček (2014), section 3.1.2. Rankings with a ``part`` judge parts, the others whole
sentences. Both rank the same systems, so their agreement can be measured for each
sentence and system.
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
    """Kendall's tau between judgements of parts and of sentences.

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
        """Probability that both agree on a pair: (1 + tau) / 2."""
        tau = self.tau
        return None if tau is None else (1 + tau) / 2


@dataclass(frozen=True)
class SystemLevels:
    """Agreement between judgements of parts and of sentences for a system.

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
    """A sentence where judgements of parts and sentence differ for a system.

    Parameters
    ----------
    system, sentence : str
    segment_wins, segment_losses : int
        Wins and losses of the parts (programs read them under these names).
    sentence_wins, sentence_losses : int
    quotient : float
        Ratio of wins of the parts divided by that of the sentence; infinite where the
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
        """Whether the sentence never won, but the parts did."""
        return self.quotient is not None and math.isinf(self.quotient)


@dataclass(frozen=True)
class Levels:
    """Judgements of parts compared with judgements of sentences.

    Parameters
    ----------
    systems : tuple of SystemLevels
    all : Tau
        Over all systems; every pair counts once.
    disagreements : tuple of Disagreement
        Largest first, in either direction.
    """

    systems: tuple[SystemLevels, ...]
    all: Tau
    disagreements: tuple[Disagreement, ...]


def compare_levels(judgements: Judgements) -> Levels:
    """Compare judgements of parts with judgements of whole sentences.

    Parameters
    ----------
    judgements : Judgements
        Rankings with a part and without, whose sentences have the same names.

    Raises
    ------
    InputError
        When one of the two kinds is missing.

    Notes
    -----
    Every untied comparison of sentences is paired with every untied comparison of parts
    of the same two systems and sentence; computed from sums, so linear in their number.
    """
    import polars as pl

    part = pl.col("part").is_not_null()
    parts, sentences = _comparisons(
        judgements.rankings.filter(part), judgements.rankings.filter(~part)
    )
    for comparisons, what in ((parts, "with a part"), (sentences, "without a part")):
        if len(comparisons) == 0:
            message = (
                f"there are no rankings {what}; comparing parts with sentences needs "
                "both kinds"
            )
            raise InputError(message)
    names = sorted({*parts.systems, *sentences.systems})
    keys = sorted({*parts.segments, *sentences.segments})
    fine = _counts(parts, names, keys)
    whole = _counts(sentences, names, keys)
    return Levels(
        *_taus(names, whole, fine), tuple(_disagreements(names, keys, whole, fine))
    )


def _comparisons(*levels: pl.LazyFrame) -> list[Comparisons]:
    """Return the comparisons of each level, with sentences under the same names."""
    import polars as pl

    from tertium.judgements.comparisons import from_rankings

    none = pl.lit(None, pl.String)
    # Without its part, a ranking is filed under the name of its sentence.
    tables = [table.with_columns(part=none) for table in levels]
    if all(are_short(segment_names(table)) for table in tables):
        return [from_rankings(table) for table in tables]
    # Each level is usually judged in its own campaign, whose name then adds nothing.
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


def _counts(comparisons: Comparisons, names: list[str], keys: list[str]) -> _Counts:
    system = np.array([names.index(name) for name in comparisons.systems], np.int64)
    of_key = {name: i for i, name in enumerate(keys)}
    sentence = np.array([of_key[name] for name in comparisons.segments], np.int64)
    decided = comparisons.outcome != 0
    first, second = (
        system[comparisons.first[decided]],
        system[comparisons.second[decided]],
    )
    lost = comparisons.outcome[decided] < 0
    winner, loser = np.where(lost, second, first), np.where(lost, first, second)
    n = len(names)
    cells = (sentence[comparisons.segment[decided]] * n + winner) * n + loser
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
    disagreements = []
    for cell in np.flatnonzero((fine_won + fine_lost > 0) & (won + lost > 0)):
        sentence, system = divmod(int(cell), n)
        a, b = int(fine_won[cell]), int(fine_lost[cell])
        c, d = int(won[cell]), int(lost[cell])
        quotient: float | None
        quotient = math.inf if a else None
        if c:
            quotient = (a / (a + b)) / (c / (c + d))
        smooth = math.log((a + 0.5) / (a + b + 1) / ((c + 0.5) / (c + d + 1)))
        disagreements.append(
            Disagreement(names[system], keys[sentence], a, b, c, d, quotient, smooth)
        )
    disagreements.sort(key=lambda x: (-abs(x.log_ratio), x.sentence, x.system))
    return disagreements
