# SPDX-License-Identifier: Apache-2.0
"""Where an output needs edits: agreement of a program with people, and among people.

Paraphrase grammars, C17 and section 8: of a segment we know the indices of tokens
that must change (or move), and how many tokens are missing. Right are the common
indices and the smaller of the two numbers of missing tokens; precision, recall and F
are micro-averages over segments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from tertium.errors import InputError

__all__ = [
    "EditPlaces",
    "PlaceReport",
    "PlaceScore",
    "compare_places",
    "places_of_spans",
    "score_places",
    "token_spans",
]


@dataclass(frozen=True)
class EditPlaces:
    """Where one output needs edits.

    Parameters
    ----------
    tokens : set of int
        Indices of tokens to change, move or delete, from 0.
    missing : int
        How many tokens are missing.
    """

    tokens: frozenset[int] = frozenset()
    missing: int = 0

    def __post_init__(self) -> None:
        """Reject numbers below zero."""
        if self.missing < 0 or min(self.tokens, default=0) < 0:
            message = f"{self} has a number below 0; indices and counts start there"
            raise InputError(message)


@dataclass(frozen=True)
class PlaceScore:
    """How well predicted places meet those of somebody.

    Parameters
    ----------
    right, wrong, missed : int
        Places that both have, only the prediction, only the other.
    segments : int
        Outputs that both looked at.
    """

    right: int = 0
    wrong: int = 0
    missed: int = 0
    segments: int = 0

    def __add__(self, other: PlaceScore) -> PlaceScore:
        """Return the score of both together."""
        return PlaceScore(
            self.right + other.right,
            self.wrong + other.wrong,
            self.missed + other.missed,
            self.segments + other.segments,
        )

    @property
    def precision(self) -> float | None:
        """The share of predicted places that are right; None without any."""
        return _share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float | None:
        """The share of the other's places that were predicted; None without any."""
        return _share(self.right, self.right + self.missed)

    @property
    def f(self) -> float | None:
        """The harmonic mean of both; None when nobody marked anything."""
        return _share(2 * self.right, 2 * self.right + self.wrong + self.missed)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True)
class PlaceReport:
    """A prediction against all annotators, and annotators among each other.

    Parameters
    ----------
    pooled : PlaceScore
        Of the prediction against all annotators, counts added up.
    annotators : dict of str to PlaceScore
        Of the prediction against each.
    pairs : dict of (str, str) to PlaceScore
        The first annotator as if predicting the second; precision and recall change
        places the other way round, F stays.
    among : PlaceScore
        All pairs, counts added up: what a person reaches.
    """

    pooled: PlaceScore
    annotators: Mapping[str, PlaceScore] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], PlaceScore] = field(default_factory=dict)
    among: PlaceScore = PlaceScore()


def score_places(predicted: EditPlaces, gold: EditPlaces) -> PlaceScore:
    """Return the score of one output.

    Examples
    --------
    >>> score_places(EditPlaces(frozenset({3})), EditPlaces(frozenset({2, 3})))
    PlaceScore(right=1, wrong=0, missed=1, segments=1)
    """
    right = len(predicted.tokens & gold.tokens) + min(predicted.missing, gold.missing)
    return PlaceScore(
        right,
        len(predicted.tokens) + predicted.missing - right,
        len(gold.tokens) + gold.missing - right,
        1,
    )


def compare_places(
    predicted: Mapping[str, EditPlaces],
    annotators: Mapping[str, Mapping[str, EditPlaces]],
) -> PlaceReport:
    """Compare predicted places with those of annotators.

    Quadratic in the number of annotators.

    Parameters
    ----------
    predicted : dict of str to EditPlaces
        By output. An output without edits has empty places; one that is not there
        was not looked at, and counts for nobody.
    annotators : dict of str to dict
        The same of every annotator.
    """
    each = {name: _compare(predicted, theirs) for name, theirs in annotators.items()}
    pairs = {
        (one, other): _compare(annotators[one], annotators[other])
        for one, other in combinations(annotators, 2)
    }
    nothing = PlaceScore()
    return PlaceReport(
        pooled=sum(each.values(), nothing),
        annotators=each,
        pairs=pairs,
        among=sum(pairs.values(), nothing),
    )


def _compare(
    predicted: Mapping[str, EditPlaces], gold: Mapping[str, EditPlaces]
) -> PlaceScore:
    both = [
        score_places(predicted[name], gold[name]) for name in gold.keys() & predicted
    ]
    return sum(both, PlaceScore())


def token_spans(text: str) -> list[tuple[int, int]]:
    """Return where the tokens of a text are: what stands between white space.

    Examples
    --------
    >>> token_spans("Ein  Haus.")
    [(0, 3), (5, 10)]
    """
    return [token.span() for token in re.finditer(r"\S+", text)]


def places_of_spans(text: str, spans: Iterable[tuple[int, int]]) -> EditPlaces:
    """Return the places that marked stretches of a text stand for.

    Parameters
    ----------
    text : str
        The output.
    spans : iterable of (int, int)
        Code points; the end is exclusive. A stretch marks the tokens that it
        touches; an empty one says that a token is missing there.

    Raises
    ------
    InputError
        When a stretch lies outside the text.

    Examples
    --------
    >>> places_of_spans("Ein  Haus.", [(5, 10), (3, 3)])
    EditPlaces(tokens=frozenset({1}), missing=1)
    """
    tokens = token_spans(text)
    marked: set[int] = set()
    missing = 0
    for start, end in spans:
        if not 0 <= start <= end <= len(text):
            message = (
                f"a mark from {start} to {end} in a text of {len(text)} code points; "
                "check that it is the text that was marked"
            )
            raise InputError(message)
        if start == end:
            missing += 1
        marked.update(
            index
            for index, (first, last) in enumerate(tokens)
            if first < end and start < last and start < end
        )
    return EditPlaces(frozenset(marked), missing)
