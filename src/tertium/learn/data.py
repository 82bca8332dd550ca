# SPDX-License-Identifier: Apache-2.0
"""Training data: texts and human judgements of them.

A :class:`Source` is one language pair of one campaign: a test set and its judgements,
rankings, ratings or both. Rankings, pairwise lists and ratings all become comparisons
of two systems on a segment; :mod:`tertium.learn.pairs` makes pairs of texts of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from tertium._seed import SEED
from tertium.data.kept import Lazy
from tertium.data.segment_places import places_of
from tertium.errors import InputError, UnknownNameError
from tertium.judgements import Comparisons, Judgements
from tertium.judgements.ranking.defaults import kinds_of
from tertium.learn.distinct import sorted_texts
from tertium.meta.human import Human, human_judgements
from tertium.meta.scores import segment_names
from tertium.notes import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.data.testset import Testset

__all__ = ["GAPS", "Source", "compared", "hold_out", "make_source", "split"]

Numbers: TypeAlias = "NDArray[np.int64]"

#: How far ratings must be apart to make a pair, by the method that makes them: points
#: of 100 as for daRR (WMT17 to WMT20), standard deviations, one major error of MQM.
GAPS = {"mean": 25.0, "z": 1.0, "mqm": 5.0}


@dataclass(frozen=True, eq=False)
class Source:
    """Texts and judgements of one language pair in one campaign.

    Parameters
    ----------
    name : str
        Campaign and language pair, such as ``2015/de-en``.
    testset : Testset
    rankings : Human, optional
        Comparisons, from rankings or lists of pairs.
    ratings : Human, optional
        A number for outputs, from ratings or error spans.
    empty : {"drop", "keep"}
        Whether an empty output is one that nobody kept, or an empty translation.
    """

    name: str
    testset: Testset
    rankings: Human | None = None
    ratings: Human | None = None
    empty: str = "drop"

    @property
    def campaign(self) -> str:
        """The part of the name before the slash."""
        return self.name.rpartition("/")[0] or self.name

    @property
    def langpair(self) -> str:
        """The language pair, or the name where it is not known."""
        return self.testset.langpair or self.name.rpartition("/")[2]

    def sendable(self) -> Source:
        """Return the source without what resamples judgements, which is not learnt."""
        return replace(
            self, rankings=_sendable(self.rankings), ratings=_sendable(self.ratings)
        )

    def has(self, kind: str | None) -> bool:
        """Return whether there are judgements of a kind; of any if it is None."""
        if kind == "ratings":
            return self.ratings is not None
        return kind is None or self.rankings is not None

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was left out when judgements were read."""
        both = [human for human in (self.rankings, self.ratings) if human is not None]
        return tuple(dict.fromkeys(note for human in both for note in human.notes))

    def select(self, places: Sequence[int] | Numbers) -> Source:
        """Return the source with some of its segments, counted from 0."""
        names = segment_names(self.testset)
        ids = names if isinstance(names, list | Lazy) else list(names)
        testset = replace(self.testset, ids=cast("list[str]", ids)).select(places)
        kept = np.zeros(len(names) + 1, dtype=bool)  # the last one: no segment
        kept[np.asarray(places, np.int64)] = True
        return replace(
            self,
            testset=testset,
            rankings=_of_segments(self.rankings, names, kept),
            ratings=_of_segments(self.ratings, names, kept),
        )


def make_source(
    testset: Testset,
    judgements: Judgements,
    *,
    name: str | None = None,
    scale: str | None = None,
    method: str | None = None,
    empty: str = "drop",
) -> Source:
    """Return texts with their judgements, matched by segment and system.

    Parameters
    ----------
    testset : Testset
        Segments go by their ids, or by their numbers from 1.
    judgements : Judgements
        Of the test set's language pair, if it has one. Of one campaign.
    name : str, optional
        By default the campaign and the language pair.
    scale : str, optional
        Of the ratings, where there are several.
    method : {"mean", "z"}, optional
        How ratings of several judges make one number.
    empty : {"drop", "keep"}
        What an empty output is, see :class:`Source`.

    Raises
    ------
    InputError
        If there are no judgements, or no references.
    """
    if empty not in ("drop", "keep"):
        raise InputError(f"empty is {empty!r}; choose drop or keep")
    if not any(testset.references):
        message = f"{name or 'the test set'} has no references; give some to learn from"
        raise InputError(message)
    campaigns = judgements.names("campaign")
    if len(campaigns) > 1:
        message = (
            f"judgements of several campaigns ({', '.join(campaigns)}), whose segments "
            "are not the same; give each with its own test set"
        )
        raise InputError(message)
    pair = testset.langpair
    known = judgements.names("langpair")
    if pair is None and len(known) == 1:
        testset = replace(testset, langpair=known[0])
    elif pair is not None and not known:
        pair = None
    there = kinds_of(judgements.filter(langpair=pair) if pair else judgements)
    rankings = ratings = None
    if "rankings" in there:
        rankings = human_judgements(judgements, langpair=pair, kind="rankings")
    if "ratings" in there:
        method = method or "mean"
        ratings = human_judgements(
            judgements,
            langpair=pair,
            kind="ratings",
            scale=scale,
            method=method,
            answers=False,
        )
        ratings = replace(ratings, method=method)
    elif "spans" in there:
        ratings = human_judgements(
            judgements, langpair=pair, kind="spans", answers=False
        )
        ratings = replace(ratings, method="mqm")
    if rankings is None and ratings is None:
        where = f" of {pair}" if pair else ""
        raise InputError(f"no judgements{where}; there are some of {', '.join(known)}")
    if name is None:
        parts = [*campaigns, testset.langpair]
        name = "/".join(part for part in parts if part) or "unnamed"
    return Source(name, testset, rankings, ratings, empty=empty)


def compared(
    source: Source, *, kind: str | None = None, gap: float | None = None
) -> Comparisons:
    """Return the comparisons of a source, those of ratings by their gap."""
    kind = kind or ("ratings" if source.rankings is None else "rankings")
    if kind not in ("rankings", "ratings"):
        raise UnknownNameError("kind of judgements", kind, ("rankings", "ratings"))
    human = source.rankings if kind == "rankings" else source.ratings
    if human is None:
        other = "ratings" if kind == "rankings" else "rankings"
        raise InputError(f"{source.name} has no {kind}; take its {other}")
    if human.comparisons is not None:
        return human.comparisons
    least = GAPS[human.method or "mean"] if gap is None else gap
    if not least > 0:
        raise InputError(f"the gap of two ratings is {least}; give one above 0")
    return _from_ratings(human, least)


def _from_ratings(human: Human, gap: float) -> Comparisons:
    """Return a comparison for every two ratings of a segment that far apart."""
    ratings = human.ratings
    if ratings is None:
        raise InputError("there are neither comparisons nor ratings; give judgements")
    parts: list[tuple[Numbers, ...]] = []
    for a in range(len(ratings)):
        for b in range(a + 1, len(ratings)):
            difference = ratings[a] - ratings[b]  # NaN is not far from anything
            with np.errstate(invalid="ignore"):
                at = np.flatnonzero(np.abs(difference) >= gap)
            sides = np.full(len(at), a), np.full(len(at), b)
            parts.append((*sides, np.sign(difference[at]).astype(np.int64), at))
    none = np.empty(0, np.int64)
    columns = zip(*parts, strict=True) if parts else [(none,)] * 4
    first, second, outcome, segment = (np.concatenate(column) for column in columns)
    return Comparisons(
        human.systems,
        human.segments,
        (),
        first.astype(np.int32),
        second.astype(np.int32),
        outcome.astype(np.int8),
        segment.astype(np.int32),
        np.full(len(first), -1, np.int32),
        segment.astype(np.int32),  # All ratings of a segment are one judgement.
    )


def split(
    sources: Sequence[Source], share: float, *, seed: int = SEED
) -> tuple[list[Source], list[Source]]:
    """Return the sources in two parts by segment: the rest, and a share.

    Segments with one reference fall on one side, in all sources: test sets of one
    year often have the same references for several language pairs.

    Raises
    ------
    InputError
        When the share is not between 0 and 1, or a part would be empty.
    """
    if not 0 < share < 1:
        message = f"the share for validation is {share}; give one between 0 and 1"
        raise InputError(message)
    keys = sorted_texts(refs[0] for source in sources for refs in _judged(source))
    held = round(share * len(keys))
    if not 0 < held < len(keys):
        message = (
            f"{len(keys)} judged segments cannot be split at {share}; give more, or "
            "another share"
        )
        raise InputError(message)
    order = np.random.default_rng(seed).permutation(len(keys))
    chosen = {keys[i] for i in np.sort(order[:held])}
    train: list[Source] = []
    valid: list[Source] = []
    for source in sources:
        size = len(source.testset)
        held_out = (refs[0] in chosen for refs in source.testset.references)
        out = np.fromiter(held_out, np.bool_, size)
        for side, inside in ((train, ~out), (valid, out)):
            part = source.select(np.flatnonzero(inside))
            if any(True for _ in _judged(part)):
                side.append(part)
    return train, valid


def hold_out(
    sources: Sequence[Source],
    valid: float | str | Sequence[str] | None,
    *,
    seed: int = SEED,
) -> tuple[list[Source], list[Source]]:
    """Return the sources to learn from, and those to validate on.

    Parameters
    ----------
    sources : sequence of Source
    valid : float, str or sequence of str, optional
        A share of the segments, or names of sources, campaigns or language pairs.
        None, or ``none``, holds nothing out.
    seed : int

    Raises
    ------
    InputError
        If there is no such source, or nothing would be left.
    """
    names = [str(valid)] if isinstance(valid, (str, float, int)) else list(valid or ())
    if names in ([], ["none"]):
        return list(sources), []
    if len(names) == 1 and (share := _share(names[0])) is not None:
        return split(sources, share, seed=seed)
    chosen: list[Source] = []
    for name in names:
        matches = [s for s in sources if name in (s.name, s.campaign, s.langpair)]
        if not matches:
            known = (n for s in sources for n in (s.name, s.campaign, s.langpair))
            raise UnknownNameError("source to hold out", name, set(known))
        chosen += [source for source in matches if source not in chosen]
    rest = [source for source in sources if source not in chosen]
    if not rest:
        message = f"{' '.join(names)} holds out everything; leave some to learn from"
        raise InputError(message, options=("valid",))
    return rest, chosen


def _share(text: str) -> float | None:
    try:
        share = float(text)
    except ValueError:
        return None
    return share if 0 < share < 1 else None  # 2015 is a campaign


def _judged(source: Source) -> Iterator[tuple[str, ...]]:
    """Yield the references of judged segments."""
    names = segment_names(source.testset)
    judged = np.zeros(len(names) + 1, dtype=bool)  # the last one: no segment
    if source.rankings is not None and source.rankings.comparisons is not None:
        comparisons = source.rankings.comparisons
        numbers = np.unique(comparisons.segment)
        judged[places_of(names, comparisons.segments)[numbers]] = True
    if source.ratings is not None and source.ratings.ratings is not None:
        rated = ~np.isnan(source.ratings.ratings).all(axis=0)
        judged[places_of(names, source.ratings.segments)[rated]] = True
    for there, refs in zip(
        judged[:-1].tolist(), source.testset.references, strict=True
    ):
        if there:
            yield refs


def _of_segments(
    human: Human | None, names: Sequence[str], kept: NDArray[np.bool_]
) -> Human | None:
    """Return the judgements of some segments, by their places among the names."""
    if human is None:
        return None
    comparisons, ratings = human.comparisons, human.ratings
    if comparisons is not None:
        chosen = kept[places_of(names, comparisons.segments)]
        return replace(
            human, comparisons=comparisons.select(chosen[comparisons.segment])
        )
    if ratings is not None:
        inside = kept[places_of(names, human.segments)]
        segments = tuple(compress(human.segments, inside.tolist()))
        return replace(human, segments=segments, ratings=ratings[:, inside])
    return human


def _sendable(human: Human | None) -> Human | None:
    return human and replace(human, draw=None, draw_segments=None)
