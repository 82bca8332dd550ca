# SPDX-License-Identifier: Apache-2.0
"""What a ranking of systems looks like."""

from __future__ import annotations

from dataclasses import asdict, dataclass

__all__ = ["Pairwise", "RankedSystem", "SystemRanking"]


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
    """

    kind: str
    systems: tuple[str, ...]
    values: list[list[float | None]]
    p: list[list[float | None]]
    test: str

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
    notes : tuple of str
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
    notes: tuple[str, ...] = ()
    level: str | None = None

    def scores(self) -> dict[str, float | None]:
        """Return the scores by system, best first."""
        return {each.system: each.score for each in self.systems}

    def clusters(self) -> list[list[str]]:
        """Return the names of the systems of every cluster, best first."""
        found: dict[int, list[str]] = {}
        for each in self.systems:
            if each.cluster is not None:
                found.setdefault(each.cluster, []).append(each.system)
        return list(found.values())

    def as_dict(self) -> dict[str, object]:
        """Return everything as plain values for JSON."""
        return asdict(self)
