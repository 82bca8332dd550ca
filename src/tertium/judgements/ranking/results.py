# SPDX-License-Identifier: Apache-2.0
"""Results of ranking systems."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from tertium.notes import Note
from tertium.stats.limits import Hopeless, hopeless
from tertium.stats.resample import MAX_RESAMPLES

__all__ = ["PairTest", "Pairwise", "RankedSystem", "SystemRanking"]


@dataclass(frozen=True)
class RankedSystem:
    """One system in a ranking.

    Parameters
    ----------
    system : str
    score : float or None
        None where the judgements give no score.
    interval : tuple of float or None
        Of the score, by the bootstrap.
    rank : tuple of int or None
        Best and worst place that the judgements leave possible.
    cluster : int or None
        1 for the best cluster.
    judgements : int
        Comparisons with others, or judged segments.
    """

    system: str
    score: float | None
    interval: tuple[float, float] | None
    rank: tuple[int, int] | None
    cluster: int | None
    judgements: int


@dataclass(frozen=True)
class PairTest:
    """Two systems by all significance rules.

    Parameters
    ----------
    a, b : str
        The one that ranks higher first.
    difference : float or None
        Of their mean scores.
    pairing : {"screen", "segment", "none"}
        Whether scores were paired, and by what.
    n : int
        Pairs; without pairing, segments of the system that has fewer.
    p, adjusted : dict of str to float
        Two-sided p-values, and corrected ones, of ``wilcoxon`` and ``t``; of ``wmt26``
        one-sided.
    """

    a: str
    b: str
    difference: float | None
    pairing: str
    n: int
    p: dict[str, float]
    adjusted: dict[str, float]


@dataclass(frozen=True)
class Pairwise:
    """Every system against every other, in the order of the ranking.

    Parameters
    ----------
    kind : {"share of wins", "difference"}
    systems : tuple of str
    values : list of list
        Share of decided comparisons that the row's system won against the column's,
        or mean score of the row's less that of the column's; None where there is
        none.
    p : list of list
        Adjusted p-values.
    test : str
    units : int
        On how many comparisons, or segments that change sides, the largest of the
        tests rests; 0 if it is another kind of test.
    tests : tuple of PairTest
        Ratings and error spans by all significance rules.
    """

    kind: str
    systems: tuple[str, ...]
    values: list[list[float | None]]
    p: list[list[float | None]]
    test: str
    units: int = 0
    tests: tuple[PairTest, ...] = ()

    def better(self, a: str, b: str, *, alpha: float = 0.05) -> bool:
        """Return whether a is significantly better than b."""
        i, j = self.systems.index(a), self.systems.index(b)
        value, p = self.values[i][j], self.p[i][j]
        if value is None or p is None or p >= alpha:
            return False
        return value > (0.5 if self.kind == "share of wins" else 0.0)


@dataclass(frozen=True)
class SystemRanking:
    """Systems in order, best first, with rank ranges and clusters.

    Parameters
    ----------
    method : str
    langpair : str or None
    systems : tuple of RankedSystem
    pairs : Pairwise
    run : dict
        How it was done: clusters, resamples, seed, judgements ...
    notes : tuple of Note
        What a reader should know.
    level : {"segments", "parts"}, optional
        What the rankings are of, where whole segments and parts of them were ranked
        and only one counts.
    """

    method: str
    langpair: str | None
    systems: tuple[RankedSystem, ...]
    pairs: Pairwise
    run: dict[str, str | int | float]
    notes: tuple[Note, ...] = ()
    level: str | None = None

    def scores(self) -> dict[str, float | None]:
        """Return the scores by system, best first."""
        return {each.system: each.score for each in self.systems}

    def clusters(self) -> list[list[str]]:
        """Return the names of the systems of every cluster, best first."""
        clusters: dict[int, list[str]] = {}
        for each in self.systems:
            if each.cluster is not None:
                clusters.setdefault(each.cluster, []).append(each.system)
        return list(clusters.values())

    def hopeless(self) -> Hopeless | None:
        """Return why no pairwise test could tell systems apart, if clusters need it."""
        if self.run["clusters"] != "pairwise" or not self.pairs.units:
            return None
        tests = sum(p is not None for row in self.pairs.p for p in row) // 2
        return hopeless(
            tests,
            1 - float(self.run["confidence"]),
            correction=str(self.run["correction"]),
            resamples=MAX_RESAMPLES,  # these tests resample nothing
            units=self.pairs.units,
            swapped=True,
        )

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain values for JSON."""
        return {**asdict(replace(self, notes=())), "notes": [*map(str, self.notes)]}
