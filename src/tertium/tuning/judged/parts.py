# SPDX-License-Identifier: Apache-2.0
"""Stored rankings as metrics read them: the ranked candidates of every part.

Rankings are grouped by segment and part, wherever they stand in the store. The rank of
a candidate counts once for each system that produced it (Macháček 2014, section 3.1),
and once where systems are unknown.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tertium.data.segment_ids import full_ids
from tertium.errors import InputError
from tertium.judgements.judgement import Place, Ranking
from tertium.judgements.tables import WORST

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements.tables import Judgements

__all__ = ["Candidate", "JudgedParts", "Part", "judged_parts", "read_parts"]


class Candidate(NamedTuple):
    """A ranked text.

    Parameters
    ----------
    text : str
    wins, decided : int
        Systems ranked below it, and those ranked above or below, over all rankings of
        the part.
    """

    text: str
    wins: int
    decided: int


@dataclass(frozen=True)
class Part:
    """A part of a segment, or all of it, that judges ranked translations of.

    Parameters
    ----------
    candidates : tuple of Candidate
        Those with a text.
    systems : int
        How many systems were ranked: the largest number of any ranking.
    good : tuple of str
        The texts that a judge ranked first, garbage never.
    """

    candidates: tuple[Candidate, ...]
    systems: int
    good: tuple[str, ...]


@dataclass(frozen=True)
class JudgedParts:
    """The judged parts of a test set.

    Parameters
    ----------
    name : str
        Where they come from, for messages.
    segments : mapping of str to tuple of Part
        By the name of the segment.
    names : mapping of str to tuple of str, optional
        The segments of every reference, if the test set is known.
    """

    name: str
    segments: Mapping[str, tuple[Part, ...]]
    names: Mapping[str, tuple[str, ...]] | None = None

    @property
    def fingerprint(self) -> str:
        """A checksum of names, texts and ranks."""
        shown = repr(sorted(self.segments.items()))
        return f"{zlib.crc32(shown.encode('utf-8', 'replace')):08x}"

    def by_reference(
        self, references: Sequence[Sequence[str]], ids: Sequence[str | None]
    ) -> dict[str, tuple[str, ...]]:
        """Return the names of the segments that have each reference.

        Parameters
        ----------
        references : sequence of sequences of str
            Of all segments of the judged test set, in its order.
        ids : sequence of str or None
            The ids of the segments, None where they have none. Without any that the
            judgements name, segments are counted from 1.

        Raises
        ------
        InputError
            If judgements name no segment of the test set.
        """
        names = _chosen_names(ids, self.segments)
        if names and not self.segments.keys() & set(names):
            judged = next(iter(self.segments))
            message = (
                f"{self.name} ranks segments such as {judged!r}, the test set has "
                f"{names[0]!r} to {names[-1]!r}; name the test set that was judged as "
                "testset=FILE"
            )
            raise InputError(message)
        self._check_numbers(ids, names)
        known: dict[str, dict[str, None]] = {}
        for refs, name in zip(references, names, strict=True):
            for ref in refs:
                if ref and name in self.segments:
                    known.setdefault(str(ref), {})[name] = None
        return {ref: tuple(segments) for ref, segments in known.items()}

    def _check_numbers(self, ids: Sequence[str | None], names: Sequence[str]) -> None:
        """Raise an error if counted segments are only a part of the judged ones."""
        if names == list(ids):
            return
        for name in self.segments:
            if name.isdecimal() and int(name) > len(names):
                message = (
                    f"{self.name} ranks segment {name}, the test set has only "
                    f"{len(names):,}; if it is a part of what was judged, name the "
                    "whole as testset=FILE"
                )
                raise InputError(message)


def read_parts(judgements: str, testset: str, langpair: str) -> JudgedParts:
    """Return the judged parts of a store or file; they are read once per process.

    Parameters
    ----------
    judgements : str
        A store, or a file of any format that :meth:`tertium.Judgements.read` knows.
    testset : str
        The test set that was judged, or "".
    langpair : str
        The language pair to take, or "".

    Raises
    ------
    InputError
        If there are rankings of several language pairs, or no candidate has a text.
    """
    stamps = tuple(_stamp(path) for path in (judgements, testset))
    return _read(judgements, testset, langpair, stamps)


@lru_cache(maxsize=4)
def _read(
    judgements: str,
    testset: str,
    langpair: str,
    stamps: tuple[int, ...],  # noqa: ARG001 - files that changed are read again
) -> JudgedParts:
    from tertium.data.reading import read
    from tertium.judgements.tables import Judgements

    stored = Judgements.read(judgements, langpair=langpair or None)
    pairs = stored.names("langpair")
    if len(pairs) > 1:
        message = (
            f"{judgements} has judgements of {', '.join(pairs)}; choose one as "
            "langpair=PAIR"
        )
        raise InputError(message)
    return judged_parts(
        stored, name=judgements, testset=read(testset) if testset else None
    )


def _stamp(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0  # demo, or a mistake that reading reports


def judged_parts(
    judgements: Judgements, *, name: str = "judgements", testset: Testset | None = None
) -> JudgedParts:
    """Return rankings by segment and part.

    Parameters
    ----------
    judgements : Judgements
    name : str
        For messages.
    testset : Testset, optional
        What was judged: tells segments by their references, and brings the outputs
        that rankings only name the systems of.

    Raises
    ------
    InputError
        If no candidate has a text, or judgements name no segment of the test set.

    Examples
    --------
    >>> from tertium.judgements import Judgements, Place, Ranking
    >>> places = Place(("A", "B"), 1, text="a cat"), Place(("C",), 2, text="cat")
    >>> stored = Judgements.from_iterable([Ranking(places, "7", "eine Katze")])
    >>> (part,) = judged_parts(stored).segments["7"]
    >>> part.candidates[0], part.systems, part.good
    (Candidate(text='a cat', wins=1, decided=1), 3, ('a cat',))
    """
    names = _segment_names(judgements)
    outputs = {} if testset is None else _outputs(testset, names.values())
    grouped: dict[tuple[str, str | None], list[list[_Ranked]]] = {}
    for each in judgements.iterate("rankings"):
        if isinstance(each, Ranking):
            segment = names[each.document, each.segment]
            texts = outputs.get(segment, {})
            ranked = [_ranked(place, texts) for place in each.places]
            grouped.setdefault((segment, each.part), []).append(ranked)
    segments: dict[str, tuple[Part, ...]] = {}
    for (segment, _), rankings in grouped.items():
        segments[segment] = (*segments.get(segment, ()), _part(rankings))
    if not any(part.candidates for parts in segments.values() for part in parts):
        message = (
            f"no ranked candidate of {name} has a text; name the test set with the "
            "outputs as testset=FILE, or import judgements that have texts"
        )
        raise InputError(message)
    parts = JudgedParts(name, segments)
    if testset is None:
        return parts
    ids = _ids(testset)
    return JudgedParts(name, segments, parts.by_reference(testset.references, ids))


class _Ranked(NamedTuple):
    text: str | None
    rank: int
    systems: int


def _ranked(place: Place, outputs: Mapping[str, str]) -> _Ranked:
    text = place.text
    if text is None:
        written = (outputs[name] for name in place.systems if name in outputs)
        text = next(written, None)
    rank = WORST if place.garbage else place.rank
    return _Ranked(text, rank, max(1, len(place.systems)))


def _part(rankings: list[list[_Ranked]]) -> Part:
    """Return the rankings of a part together; quadratic in its candidates."""
    totals: dict[str, list[int]] = {}
    good: dict[str, None] = {}
    for ranked in rankings:
        best = min(one.rank for one in ranked)
        for text, rank, _ in ranked:
            if text is None:
                continue
            total = totals.setdefault(text, [0, 0])
            total[0] += sum(one.systems for one in ranked if one.rank > rank)
            total[1] += sum(one.systems for one in ranked if one.rank != rank)
            # Macháček takes the best rank even if all candidates were thrown away.
            if rank == best < WORST:
                good[text] = None
    return Part(
        tuple(Candidate(text, *total) for text, total in totals.items()),
        max(sum(one.systems for one in ranked) for ranked in rankings),
        tuple(good),
    )


def _segment_names(judgements: Judgements) -> dict[tuple[str | None, str], str]:
    """Return the names of segments by document and segment.

    Campaigns are not told apart: what several say about a segment is taken together.
    """
    import polars as pl

    from tertium.judgements.segment_names import segment_names

    none = pl.lit(None, pl.String)
    table = judgements.rankings.with_columns(part=none, campaign=none)
    rows: Iterable[tuple[str | None, str, str]] = (
        segment_names(table)
        .select(pl.col("document", "segment", "name").cast(pl.String))
        .iter_rows()
    )
    return {(document, segment): name for document, segment, name in rows}


def _outputs(testset: Testset, known: Collection[str]) -> dict[str, dict[str, str]]:
    """Return the outputs by system of every segment."""
    return {
        segment: {name: texts[i] for name, texts in testset.systems.items()}
        for i, segment in enumerate(_chosen_names(_ids(testset), known))
    }


def _chosen_names(ids: Sequence[str | None], known: Collection[str]) -> list[str]:
    """Return the ids of segments, or their numbers if judgements name no id."""
    names = [name or "" for name in ids]
    if set(names).isdisjoint(known):
        return [str(number) for number in range(1, len(ids) + 1)]
    return names


def _ids(testset: Testset) -> Sequence[str | None]:
    if testset.ids is None:
        return [None] * len(testset)
    return full_ids(testset.ids, testset.docs)
