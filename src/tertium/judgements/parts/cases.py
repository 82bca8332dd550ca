# SPDX-License-Identifier: Apache-2.0
"""Sentences whose judgements of parts and of the whole are to be read side by side.

Macháček (2014), section 3.1.2, looks at both ends of the list of disagreements: what
the parts do not show, such as a wrong predicate outside of them, is seen in the texts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.data.segment_ids import full_ids
from tertium.errors import InputError
from tertium.judgements.judgement import Place, Ranking

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements.parts.against_sentences import Disagreement, Levels
    from tertium.judgements.tables import Judgements

__all__ = ["LevelCase", "LevelCases", "RankedPart", "level_cases", "texts_for"]


@dataclass(frozen=True)
class RankedPart:
    """How a judge ranked a system's translation of a part.

    Parameters
    ----------
    part : str
        The part, as judgements name it: usually its words in the source.
    text : str or None
        The translation, None if judgements have no texts.
    rank : int
        Counted from 1 over the different ranks of the ranking.
    ranks : int
        How many different ranks there are.
    garbage : bool
    best : tuple of str
        The translations that were ranked first.
    """

    part: str
    text: str | None
    rank: int
    ranks: int
    garbage: bool
    best: tuple[str, ...]


@dataclass(frozen=True)
class LevelCase:
    """A system's translation of a sentence, and how both levels judged it.

    Parameters
    ----------
    disagreement : Disagreement
    source, reference, output : str or None
        None where they are unknown.
    parts : tuple of RankedPart
        One per ranking, in the order of the judgements.
    """

    disagreement: Disagreement
    source: str | None
    reference: str | None
    output: str | None
    parts: tuple[RankedPart, ...]


@dataclass(frozen=True)
class LevelCases:
    """Both ends of the list of disagreements, and where the levels agree best.

    Parameters
    ----------
    parts_better : tuple of LevelCase
        The parts won more than the sentence, the largest difference first.
    parts_worse : tuple of LevelCase
        The parts won less than the sentence, the largest difference first.
    agreeing : tuple of LevelCase
        Both won the same share; those with the most comparisons first.
    """

    parts_better: tuple[LevelCase, ...]
    parts_worse: tuple[LevelCase, ...]
    agreeing: tuple[LevelCase, ...]


def level_cases(
    judgements: Judgements,
    levels: Levels,
    *,
    testset: Testset | None = None,
    most: int = 10,
) -> LevelCases:
    """Return the sentences to read, with texts and ranked parts.

    Parameters
    ----------
    judgements : Judgements
        What `levels` was computed from.
    levels : Levels
        See :func:`tertium.judgements.parts.against_sentences.compare_levels`.
    testset : Testset, optional
        Brings sources, references and outputs. Its segments go by their ids, or are
        counted from 1.
    most : int
        The number of sentences at either end.

    Examples
    --------
    >>> from tertium.judgements import Judgements, Place, Ranking
    >>> from tertium.judgements.parts.against_sentences import compare_levels
    >>> places = Place(("A",), 1, text="a cat"), Place(("B",), 2, text="the cat")
    >>> part, whole = Ranking(places, "7", "eine Katze"), Ranking(places[::-1], "7")
    >>> judged = Judgements.from_iterable([part, whole])
    >>> cases = level_cases(judged, compare_levels(judged))
    >>> [case.disagreement.system for case in cases.agreeing]
    ['A', 'B']
    >>> cases.agreeing[0].parts[0].text
    'a cat'
    """
    listed = levels.disagreements
    better = sorted((x for x in listed if x.log_ratio > 0), key=_strongest)[:most]
    worse = sorted((x for x in listed if x.log_ratio < 0), key=_strongest)[:most]
    rest = {id(x) for x in (*better, *worse)}
    agreeing = [x for x in sorted(listed, key=_calmest) if id(x) not in rest][:most]
    wanted = {x.sentence for x in (*better, *worse, *agreeing)}
    rankings = _rankings(judgements, wanted)
    places = {} if testset is None else _places(testset, wanted)

    def case(x: Disagreement) -> LevelCase:
        parts, wholes = [], []
        for ranking in rankings.get(x.sentence, ()):
            place = _place(ranking, x.system)
            if place is not None and ranking.part is None:
                wholes.append(place.text)
            elif place is not None:
                parts.append(_ranked(ranking, place))
        output = next((text for text in wholes if text is not None), None)
        source = reference = None
        if testset is not None and x.sentence in places:
            i = places[x.sentence]
            source = None if testset.sources is None else testset.sources[i]
            reference = next(iter(testset.references[i]), None)
            if x.system in testset.systems:
                output = testset.systems[x.system][i]
        return LevelCase(x, source, reference, output, tuple(parts))

    return LevelCases(*(tuple(map(case, end)) for end in (better, worse, agreeing)))


def texts_for(langpair: str, testsets: Sequence[Testset]) -> Testset | None:
    """Return the test set of a language pair, or None.

    A single one that names no language pair is that of all.

    Raises
    ------
    InputError
        When several have the language pair, or some of several name none.

    Examples
    --------
    >>> from tertium.data.testset import Testset
    >>> texts = [Testset.build(["a"], langpair=pair) for pair in ("de-en", "cs-en")]
    >>> texts_for("cs-en", texts).langpair
    'cs-en'
    """
    if len(testsets) == 1 and testsets[0].langpair in (None, langpair):
        return testsets[0]
    if any(testset.langpair is None for testset in testsets):
        message = "one of several test sets names no language pair; add it to the file"
        raise InputError(message, options=("testset",))
    chosen = [testset for testset in testsets if testset.langpair == langpair]
    if len(chosen) > 1:
        message = f"{len(chosen)} test sets are for {langpair}; give one of them"
        raise InputError(message, options=("testset",))
    return chosen[0] if chosen else None


def _strongest(x: Disagreement) -> tuple[float, str, str]:
    return -abs(x.log_ratio), x.sentence, x.system


def _calmest(x: Disagreement) -> tuple[float, int, str, str]:
    compared = x.segment_wins + x.segment_losses + x.sentence_wins + x.sentence_losses
    return abs(x.log_ratio), -compared, x.sentence, x.system


def _rankings(
    judgements: Judgements, wanted: Collection[str]
) -> dict[str, list[Ranking]]:
    """Return the rankings of some sentences by the names that levels use."""
    by_name: dict[str, list[Ranking]] = {}
    for ranking in judgements.iterate("rankings"):
        if isinstance(ranking, Ranking):
            parts = (ranking.campaign, ranking.document, ranking.segment)
            for form in (parts[2:], parts[1:], parts):
                name = "/".join(part for part in form if part is not None)
                if name in wanted:
                    by_name.setdefault(name, []).append(ranking)
                    break
    return by_name


def _places(testset: Testset, wanted: Collection[str]) -> Mapping[str, int]:
    """Return the places of segments by their ids, or else by their numbers."""
    numbers = [str(number) for number in range(1, len(testset) + 1)]
    names: Sequence[str] = numbers
    if testset.ids is not None:
        names = full_ids(testset.ids, testset.docs)
    if set(names).isdisjoint(wanted):
        names = numbers
    return {name: place for place, name in enumerate(names)}


def _place(ranking: Ranking, system: str) -> Place | None:
    return next((p for p in ranking.places if system in p.systems), None)


def _ranked(ranking: Ranking, place: Place) -> RankedPart:
    # Garbage is worst, whatever its number.
    ranks = sorted({(each.garbage, each.rank) for each in ranking.places})
    best = [
        each.text
        for each in ranking.places
        if (each.garbage, each.rank) == ranks[0] and each.text is not None
    ]
    return RankedPart(
        ranking.part or "",
        place.text,
        ranks.index((place.garbage, place.rank)) + 1,
        len(ranks),
        place.garbage,
        tuple(best),
    )
