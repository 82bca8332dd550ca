# SPDX-License-Identifier: Apache-2.0
"""Reranking: the best hypothesis by weighted features, the log-linear model.

Features are those of the list, `score` (the total of the model that made the list), and
scores from elsewhere, such as those of quality estimation, one per hypothesis.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tertium._messages import count, quote
from tertium._version import __version__
from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.tuning.lists import NBestList, feature_names

__all__ = [
    "RerankedList",
    "Reranking",
    "ScoredPick",
    "attach_scores",
    "read_scores",
    "rerank",
    "stream_with_scores",
]

#: The name of the total score among the features.
SCORE = "score"


@dataclass(frozen=True)
class ScoredPick:
    """A hypothesis that was chosen: its place in the list from 0, its weighted sum."""

    index: int
    text: str
    score: float

    def to_dict(self) -> dict[str, object]:
        """Return the pick for JSON."""
        return {"index": self.index, "text": self.text, "score": self.score}


@dataclass(frozen=True)
class RerankedList:
    """What was chosen from one list, the best first."""

    id: str
    hypotheses: int
    best: tuple[ScoredPick, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the list for JSON."""
        return {
            "id": self.id,
            "hypotheses": self.hypotheses,
            "best": [pick.to_dict() for pick in self.best],
        }


@dataclass(frozen=True)
class Reranking:
    """The choice from every list, and the weights that made it.

    Parameters
    ----------
    weights : mapping of str to float
    lists : sequence of RerankedList
        In the order of the lists.
    changed : int
        In how many lists another text than the first was chosen.
    """

    weights: Mapping[str, float]
    lists: Sequence[RerankedList]
    changed: int

    @property
    def texts(self) -> list[str]:
        """The best hypothesis of every list."""
        return [each.best[0].text for each in self.lists]

    def to_dict(self) -> dict[str, object]:
        """Return the result for JSON, as ``tertium rerank -f json`` prints it."""
        return {
            "tertium": __version__,
            "weights": dict(self.weights),
            "changed": self.changed,
            "lists": [each.to_dict() for each in self.lists],
        }

    def to_json(self) -> str:
        """Return the result as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)


def rerank(
    lists: Sequence[NBestList],
    weights: Mapping[str, float] | None = None,
    *,
    top: int = 1,
    hold: Callable[[Iterable[RerankedList]], Sequence[RerankedList]] = tuple,
) -> Reranking:
    """Choose the hypotheses with the highest weighted sum of features.

    Parameters
    ----------
    lists : sequence of NBestList
        All with the same features; see :func:`attach_scores` for others.
    weights : mapping of str to float, optional
        By the name of the feature; ``score`` is the total score of the list. Features
        that it does not name have no weight. By default ``{"score": 1}``.
    top : int
        How many hypotheses to choose from a list; equal texts count once.
    hold : callable
        Makes the sequence of results: a tuple, or :class:`tertium.data.kept.Kept`,
        which is on disk.

    Raises
    ------
    InputError
        When a name is unknown, or a list has no scores.

    Examples
    --------
    >>> features = np.array([[-1.0, 3.0], [-2.0, 2.0]])
    >>> made = NBestList("0", ["a b c", "a b"], ("lm", "words"), features)
    >>> rerank([made], {"lm": 1, "words": -2}).texts
    ['a b']
    """
    names = feature_names(lists)
    shares = {SCORE: 1.0} if weights is None else dict(weights)
    if not shares:
        raise InputError("no weights; give at least one", options=("weights",))
    if top < 1:
        raise InputError(f"top is {top}; give 1 or more", options=("top",))
    for name, weight in shares.items():
        if name != SCORE and name not in names:
            raise UnknownNameError("feature", name, (*names, SCORE))
        if not math.isfinite(weight):
            message = f"the weight of {name} is {weight}; give a finite number"
            raise InputError(message, options=("weights",))
    changed = 0

    def reranked() -> Iterator[RerankedList]:
        nonlocal changed
        for each in lists:
            picks = _choose(each, shares, top)
            changed += each.texts[0] != picks.best[0].text
            yield picks

    held = hold(reranked())
    return Reranking(shares, held, changed)


def _choose(each: NBestList, weights: Mapping[str, float], top: int) -> RerankedList:
    totals = np.zeros(len(each))
    for name, weight in weights.items():
        totals += weight * _column(each, name)
    best: dict[str, ScoredPick] = {}
    for row in np.argsort(-totals, kind="stable"):  # of equal ones the first
        text = each.texts[row]
        if text not in best:
            best[text] = ScoredPick(int(row), text, float(totals[row]))
        if len(best) == top:
            break
    return RerankedList(each.id, len(each), tuple(best.values()))


def _column(each: NBestList, name: str) -> NDArray[np.float64]:
    if name in each.names:
        return each.features[:, each.names.index(name)]
    if each.scores is None:
        message = (
            f"the list {each.id} has no scores to rank by; give weights of features, "
            "or scores of quality estimation"
        )
        raise InputError(message, options=("weights", "feature", "qe"))
    return each.scores


def attach_scores(
    lists: Sequence[NBestList], scores: Mapping[str, Sequence[float]]
) -> list[NBestList]:
    """Return lists with further features, such as scores of quality estimation.

    Parameters
    ----------
    lists : sequence of NBestList
    scores : mapping of str to sequence of float
        By the name of the feature: one number per hypothesis, in the order of the
        lists and of the hypotheses in them.

    Raises
    ------
    InputError
        When there are not as many numbers as hypotheses, or a name is taken.

    Examples
    --------
    >>> made = NBestList("0", ["a", "b"], (), np.zeros((2, 0)))
    >>> [both] = attach_scores([made], {"comet": [0.25, 0.75]})
    >>> both.names, both.features.tolist()
    (('comet',), [[0.25], [0.75]])
    """
    return list(stream_with_scores(lists, scores))


def stream_with_scores(
    lists: Sequence[NBestList], scores: Mapping[str, Sequence[float]]
) -> Iterator[NBestList]:
    """Yield the lists that `attach_scores` returns; all is checked before the first."""
    names = feature_names(lists)
    hypotheses = sum(map(len, lists))
    for name, values in scores.items():
        if name in names or name == SCORE:
            message = f"there is already a feature {name}; give the scores another name"
            raise InputError(message, options=("qe",))
        if len(values) != hypotheses:
            message = (
                f"{name} has {count(len(values), 'score')}, and the lists have "
                f"{hypotheses:,} hypotheses in all; give one score per "
                "hypothesis, in the order of the lists"
            )
            raise InputError(message, options=("qe",))
    columns = np.array(list(scores.values()), dtype=np.float64).reshape(len(scores), -1)
    start = 0
    for each in lists:
        end = start + len(each)
        features = np.concatenate([each.features, columns[:, start:end].T], axis=1)
        yield replace(each, names=(*names, *scores), features=features)
        start = end


def read_scores(path: StrPath) -> list[float]:
    """Return the numbers of a file, one per line.

    Raises
    ------
    FormatError
        When a line is not a finite number, with file and line.
    """
    scores = []
    for number, line in enumerate(open_lines(path), start=1):
        value = _number(line)
        if value is None:
            what = f"{quote(line)} is not a finite number; write one score per line"
            raise FormatError(what, path=display(path), line=number)
        scores.append(value)
    return scores


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
