# SPDX-License-Identifier: Apache-2.0
"""How scores fall with the amount of damage: a study of metrics without people.

References are damaged by every kind and degree (McCaffery 2017, 6.2.3), and each
damaged sentence is scored against its reference. A metric that sees a kind of damage
falls with the degree; one that is blind to it gives the score of the reference itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.metrics import Metric, metric
from tertium.order.damage import DEGREES, Permuted, Source, generate
from tertium.stats.correlation import spearman

__all__ = ["DegreePoint", "DegreeStudy", "DegreeSummary", "degree_study"]

_SAME = 1e-9  # difference of scores that counts as none


@dataclass(frozen=True)
class DegreePoint:
    """The scores of one metric for one kind and degree of damage.

    Parameters
    ----------
    metric, kind : str
    degree : int
        Words moved or replaced.
    sentences : int
        How many have a score.
    mean, deviation : float, optional
        Of the scores; None without scores.
    unchanged : float, optional
        Share of the sentences that have the score of their undamaged reference.
    """

    metric: str
    kind: str
    degree: int
    sentences: int
    mean: float | None
    deviation: float | None
    unchanged: float | None


@dataclass(frozen=True)
class DegreeSummary:
    """The scores of one metric for one kind of damage, over all degrees.

    Parameters
    ----------
    undamaged : float, optional
        Mean score of references against themselves.
    rho : float, optional
        Spearman's rho of scores and degrees: -1 if every further word lowers the
        score; None where all scores are equal.
    """

    metric: str
    kind: str
    sentences: int
    undamaged: float | None
    mean: float | None
    unchanged: float | None
    rho: float | None


@dataclass(frozen=True)
class DegreeStudy:
    """Scores by metric, kind and degree.

    Parameters
    ----------
    points : tuple of DegreePoint
    summaries : tuple of DegreeSummary
    sentences : int
        References that were damaged.
    seed : int
    """

    points: tuple[DegreePoint, ...]
    summaries: tuple[DegreeSummary, ...]
    sentences: int
    seed: int

    def curve(self, metric: str, kind: str) -> dict[int, float]:
        """Return the mean score by degree, where there is one."""
        return {
            one.degree: one.mean
            for one in self.points
            if one.metric == metric and one.kind == kind and one.mean is not None
        }

    def to_dict(self) -> dict[str, object]:
        """Return all figures for JSON."""
        return asdict(self)


def degree_study(
    sources: Sequence[Source],
    *,
    metrics: Sequence[str | Metric],
    kinds: Sequence[str] = ("order",),
    degrees: Sequence[int] = DEGREES,
    hyps: Sequence[Source] | None = None,
    seed: int = SEED,
    threads: int | None = None,
) -> DegreeStudy:
    """Return how scores change with the number of damaged words.

    Parameters
    ----------
    sources : sequence of Source
        The references; with tags for swap, choice and both, with heads for phrase.
        :func:`tertium.order.damage.files.read_sources` reads them from a file.
    metrics : sequence of str or Metric
        They score texts: word-order metrics align words themselves.
    kinds : sequence of str
        Of `tertium.order.damage.KINDS`.
    degrees : sequence of int
    hyps : sequence of Source, optional
        One for each reference, with tags: where choice and both take words from.
    seed : int
    threads : int, optional

    Raises
    ------
    InputError
        When there is nothing to damage.

    Examples
    --------
    >>> from tertium.order.damage import Source
    >>> sources = [Source.parse("the quick brown fox jumps over the lazy dog")]
    >>> study = degree_study(sources, metrics=["kendall"], degrees=[1, 6])
    >>> study.curve("kendall", "order")[1] > study.curve("kendall", "order")[6]
    True
    """
    damaged = list(
        generate(sources, kinds=kinds, degrees=degrees, seed=seed, hyps=hyps)
    )
    if not damaged:
        message = (
            f"none of {len(sources)} sentences has enough words for these kinds and "
            "degrees; give longer sentences or smaller degrees"
        )
        raise InputError(message)
    # Numbers of sentences are counted from 1.
    used = sorted({number for number, _ in damaged})
    texts = {number: sources[number - 1].text for number in used}
    points: list[DegreePoint] = []
    summaries: list[DegreeSummary] = []
    for one in metrics:
        scorer = metric(one) if isinstance(one, str) else one
        name = one if isinstance(one, str) else one.name
        refs = [texts[number] for number in used]
        undamaged = dict(zip(used, _scores(scorer, refs, refs, threads), strict=True))
        scores = _scores(
            scorer,
            [permuted.text for _, permuted in damaged],
            [texts[number] for number, _ in damaged],
            threads,
        )
        table = _Table(name, damaged, scores, undamaged)
        points += [
            table.point(kind, degree)
            for kind in kinds
            for degree in degrees
            if (kind, degree) in table.places
        ]
        summaries += [table.summary(kind) for kind in kinds]
    return DegreeStudy(tuple(points), tuple(summaries), len(used), seed)


def _scores(
    scorer: Metric, hyps: Sequence[str], refs: Sequence[str], threads: int | None
) -> list[float]:
    """Return scores of segments; not a number where a metric has none."""
    scores = scorer.segment_scores(hyps, refs, threads=threads)
    return [math.nan if score is None else float(score) for score in scores]


class _Table:
    """The scores of one metric, by kind and degree."""

    def __init__(
        self,
        name: str,
        damaged: Sequence[tuple[int, Permuted]],
        scores: Sequence[float],
        undamaged: dict[int, float],
    ) -> None:
        self.name = name
        self.damaged = damaged
        self.scores = np.asarray(scores)
        self.undamaged = np.array([undamaged[number] for number, _ in damaged])
        self.places: dict[tuple[str, int], list[int]] = {}
        for place, (_, permuted) in enumerate(damaged):
            key = permuted.kind, permuted.degree
            self.places.setdefault(key, []).append(place)

    def point(self, kind: str, degree: int) -> DegreePoint:
        count, mean, deviation, same = self._figures(self.places[kind, degree])
        return DegreePoint(self.name, kind, degree, count, mean, deviation, same)

    def summary(self, kind: str) -> DegreeSummary:
        places = [
            place
            for (of_kind, _), some in self.places.items()
            if of_kind == kind
            for place in some
            if not np.isnan(self.scores[place])
        ]
        count, mean, _, same = self._figures(places)
        before = self.undamaged[places]
        before = before[~np.isnan(before)]
        degrees = [float(self.damaged[place][1].degree) for place in places]
        rho = spearman(degrees, self.scores[places].tolist()) if count > 1 else None
        undamaged = float(before.mean()) if len(before) else None
        return DegreeSummary(self.name, kind, count, undamaged, mean, same, rho)

    def _figures(
        self, places: Sequence[int]
    ) -> tuple[int, float | None, float | None, float | None]:
        """Return count, mean, deviation and the share of unchanged scores."""
        scores, before = self.scores[list(places)], self.undamaged[list(places)]
        known = ~np.isnan(scores)
        scores, before = scores[known], before[known]
        if not len(scores):
            return 0, None, None, None
        same = float(np.mean(np.abs(scores - before) <= _SAME))
        return len(scores), float(scores.mean()), float(scores.std()), same
