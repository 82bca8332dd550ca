# SPDX-License-Identifier: Apache-2.0
"""Two questions about the same outputs: how their answers go together.

McCaffery (2017, section 7.2.1 and Figure 7.2) asked how adequate an output is, and how
far its word order alone obscures it; answers are counted by both scores, as judges gave
them, and correlated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.meta.answers import Answers
from tertium.meta.evaluation import Evaluation
from tertium.meta.human import Human
from tertium.stats import correlation_p_value, pearson, spearman

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CrossTable", "cross_table", "cross_tables"]

Array: TypeAlias = "NDArray[np.float64]"

_LEVELS = 11  # values that a scale may have without being cut into ranges
_RANGES = 10  # of a scale with more values


@dataclass(frozen=True)
class CrossTable:
    """Answers to two questions, counted by both.

    Parameters
    ----------
    langpair : str
        The language pair, or a slice of one.
    a, b : str
        The questions: scales of ratings.
    a_levels, b_levels : tuple of str
        Scores, or ranges of them, from low to high.
    counts : tuple of tuple of int
        One row per level of a, one number per level of b.
    n : int
        How many outputs, or judgements of outputs, have both answers.
    pearson, spearman : float or None
        None if all answers to a question are the same.
    p : float or None
        Of Pearson's r against 0, two-sided.
    unit : {"judgement", "item"}
        Whether single judgements were counted, or means of outputs.
    """

    langpair: str
    a: str
    b: str
    a_levels: tuple[str, ...]
    b_levels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    n: int
    pearson: float | None
    spearman: float | None
    p: float | None
    unit: str


def cross_tables(evaluations: Sequence[Evaluation]) -> list[CrossTable]:
    """Return every two questions of every language pair or slice.

    Rankings have no scores of outputs, and are left out.
    """
    groups: dict[str, dict[str, Human]] = {}
    for both in evaluations:
        human = both.human
        if human.question is not None and human.ratings is not None:
            base = str(human.base or "all")
            groups.setdefault(base, {}).setdefault(human.question, human)
    return [
        cross_table(base, questions[a], questions[b])
        for base, questions in groups.items()
        for a, b in combinations(questions, 2)
    ]


def cross_table(langpair: str, a: Human, b: Human) -> CrossTable:
    """Return the answers to two questions, where the same judge answered both.

    Where single judgements are not known, means of outputs are counted.

    Parameters
    ----------
    langpair : str
    a, b : Human
        With their `question`.
    """
    first, second, unit = _by_output(a), _by_output(b), "item"
    if a.answers is not None and b.answers is not None:
        first, second = _by_answer(a.answers), _by_answer(b.answers)
        unit = "judgement"
    keys = [key for key in first if key in second]
    x = np.array([first[key] for key in keys], dtype=np.float64)
    y = np.array([second[key] for key in keys], dtype=np.float64)
    a_levels, rows = _levels(x)
    b_levels, columns = _levels(y)
    counts = np.zeros((len(a_levels), len(b_levels)), dtype=np.int64)
    np.add.at(counts, (rows, columns), 1)
    return CrossTable(
        langpair,
        str(a.question),
        str(b.question),
        a_levels,
        b_levels,
        tuple(tuple(int(count) for count in row) for row in counts),
        len(keys),
        pearson(x, y) if len(keys) > 1 else None,
        spearman(x, y) if len(keys) > 1 else None,
        correlation_p_value("pearson", x, y) if len(keys) > 1 else None,
        unit,
    )


def _by_answer(answers: Answers) -> dict[tuple[str, ...], float]:
    """Return scores by system, segment and judge; means of repeated judgements."""
    scores: dict[tuple[str, ...], list[float]] = {}
    places = zip(
        answers.system, answers.segment, answers.judge, answers.raw, strict=True
    )
    for system, segment, judge, score in places:
        key = answers.systems[system], answers.segments[segment], answers.judges[judge]
        scores.setdefault(key, []).append(float(score))
    return {key: sum(values) / len(values) for key, values in scores.items()}


def _by_output(human: Human) -> dict[tuple[str, ...], float]:
    """Return scores by system and segment."""
    if human.points is None:
        return {}
    return {
        (human.systems[i], human.segments[j]): float(human.points[i, j])
        for i, j in np.argwhere(~np.isnan(human.points))
    }


def _levels(scores: Array) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Return the levels of scores from low to high, and the place of every score."""
    values, places = np.unique(scores, return_inverse=True)
    if len(values) <= _LEVELS:
        return tuple(f"{value + 0.0:.4g}" for value in values), places.reshape(-1)
    edges = np.linspace(values[0], values[-1], _RANGES + 1) + 0.0  # not -0
    names = tuple(f"{low:.4g} to {high:.4g}" for low, high in pairwise(edges))
    places = np.searchsorted(edges, scores, side="right") - 1
    return names, np.clip(places, 0, _RANGES - 1)
