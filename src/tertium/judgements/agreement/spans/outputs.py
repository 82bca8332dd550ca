# SPDX-License-Identifier: Apache-2.0
"""Outputs as judges annotated them, and which annotations are compared.

Rounds of a campaign may have names of their own. Annotations of one output are compared
over all of them, unless the texts are known to differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tertium.judgements.formats.appraise_positions import is_cut
from tertium.judgements.formats.cells import meta_of
from tertium.judgements.judgement import Span
from tertium.judgements.spans.matching import Annotation, annotation_of
from tertium.judgements.spans.repeats import annotation_name
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements.tables import Judgements

__all__ = [
    "JudgedOutput",
    "Output",
    "Pair",
    "judged_outputs",
    "pairs_of",
    "texts_of",
]


class Output(NamedTuple):
    """What was judged: the output of one system for one segment.

    There is only a `campaign` where another one had a different text by this name.
    """

    langpair: str | None
    campaign: str | None
    document: str | None
    segment: str
    system: str

    def cluster(self, unit: str) -> tuple[str | None, ...]:
        """Return what is resampled together: a document or a segment."""
        if unit == "document" and self.document is not None:
            return self.langpair, self.campaign, self.document
        return self.langpair, self.campaign, self.document, self.segment


class JudgedOutput(NamedTuple):
    """One judge's annotation of one output, made at one time.

    Parameters
    ----------
    output : Output
    judge : str
    annotation : Annotation
    length : int
        Code points of the output, or the largest end seen where that is unknown.
    words : int, optional
    seconds : float, optional
        How long it took.
    """

    output: Output
    judge: str
    annotation: Annotation
    length: int
    words: int | None = None
    seconds: float | None = None


#: Output, judge, mark and name of an annotation.
_Key: TypeAlias = "tuple[Output, str, str, str]"


class Pair(NamedTuple):
    """Two annotations of one output; `a` sorts before `b`, or both are the same."""

    first: JudgedOutput
    second: JudgedOutput

    @property
    def judges(self) -> tuple[str, str]:
        """The two judges."""
        return self.first.judge, self.second.judge


def judged_outputs(
    judgements: Judgements,
    *,
    texts: Mapping[tuple[str, str], str] | None = None,
) -> tuple[list[JudgedOutput], tuple[Note, ...]]:
    """Return the annotations of known judges, in order of time, with notes.

    An output that a judge annotated again has another annotation, which
    :func:`~tertium.judgements.spans.repeats.annotation_name` tells apart.

    Parameters
    ----------
    judgements : Judgements
    texts : mapping of (system, segment) to str, optional
        The outputs, for their sizes. Otherwise the metadata of a span may have the
        output (``target``), or its ``length`` and number of ``words``.
    """
    groups: dict[_Key, list[Span]] = {}
    nameless = 0
    for span in judgements.iterate("spans"):
        if not isinstance(span, Span):
            continue
        if span.judge is None:
            nameless += 1
            continue
        meta = meta_of(span.meta)
        name = annotation_name(meta, span.time)
        mark = str(meta.get("mark") or "")
        output = Output(
            span.langpair, span.campaign, span.document, span.segment, span.system
        )
        groups.setdefault((output, span.judge, mark, name), []).append(span)
    seconds = _seconds(judgements)
    sizes, largest = _sizes(groups, texts)
    shared, unlike = _shared(largest, sizes)
    judged, unknown = [], set()
    for (output, judge, mark, name), spans in groups.items():
        size = sizes.get(output)
        length, words = (None, None) if size is None else (size.length, size.words)
        if length is None:
            unknown.add(shared[output])
        time = min((s.time for s in spans if s.time is not None), default=None)
        spent = next((s.duration for s in spans if s.duration is not None), None)
        if spent is None:
            key = output, judge, mark
            spent = seconds.get((*key, time), seconds.get((*key, None)))
        judged.append(
            (
                (time is None, time or datetime.min, name),
                JudgedOutput(
                    shared[output],
                    judge,
                    annotation_of(spans, length=length),
                    largest[output] if length is None else length,
                    words,
                    spent,
                ),
            )
        )
    notes = []
    if nameless:
        notes.append(Note("spans-without-judge", {"spans": f"{nameless:,}"}))
    if unlike:
        notes.append(Note("unlike-campaigns", {"outputs": f"{unlike:,}"}))
    if unknown:
        notes.append(Note("span-lengths-unknown", {"outputs": f"{len(unknown):,}"}))
    judged.sort(key=lambda each: each[0])
    return [one for _, one in judged], tuple(notes)


class _Size(NamedTuple):
    """Characters and words of an output, and the text if judgements have it."""

    length: int
    words: int | None
    text: str | None = None

    def differs(self, other: _Size) -> bool:
        """Return whether this is certainly another text."""
        if self.text is None or other.text is None:
            return self.length != other.length
        return self.text != other.text


def _shared(
    outputs: Iterable[Output], sizes: Mapping[Output, _Size]
) -> tuple[dict[Output, Output], int]:
    """Return outputs as campaigns share them, and how many are not the same text."""
    same: dict[Output, list[Output]] = {}
    for output in outputs:
        # Equal numbers of items in two campaigns need not be the same part.
        alone = is_cut(output.segment)
        together = output if alone else output._replace(campaign=None)
        same.setdefault(together, []).append(output)
    shared: dict[Output, Output] = {}
    unlike = 0
    for together, each in same.items():
        known = [sizes[output] for output in each if output in sizes]
        differ = any(a.differs(b) for a, b in combinations(known, 2))
        unlike += differ
        shared |= {output: output if differ else together for output in each}
    return shared, unlike


def _sizes(
    groups: Mapping[_Key, list[Span]],
    texts: Mapping[tuple[str, str], str] | None,
) -> tuple[dict[Output, _Size], dict[Output, int]]:
    """Return known characters and words, and the largest end marked in each output."""
    known: dict[Output, _Size] = {}
    largest: dict[Output, int] = {}
    for (output, *_), spans in groups.items():
        text = (texts or {}).get((output.system, output.segment))
        if text is not None:
            known[output] = _Size(len(text), len(text.split()), text)
        end = 0
        for span in spans:
            if span.side == "target" and span.end is not None:
                end = max(end, span.end)
            if output not in known and (size := _size(meta_of(span.meta))) is not None:
                known[output] = size
        largest[output] = max(largest.get(output, 0), end)
    return known, largest


def _size(meta: Mapping[str, object]) -> _Size | None:
    """Return characters and words of an output as metadata have them."""
    text, length, words = meta.get("target"), meta.get("length"), meta.get("words")
    if isinstance(text, str) and text:
        return _Size(len(text), len(text.split()), text)
    if isinstance(length, int) and length > 0:
        return _Size(length, words if isinstance(words, int) else None)
    return None


def _seconds(judgements: Judgements) -> dict[tuple[object, ...], float]:
    """Return the times of ratings, which those of error spans are not stored with."""
    from tertium.judgements.judgement import Rating
    from tertium.judgements.scales import is_rating

    times: dict[tuple[object, ...], float] = {}
    for rating in judgements.iterate("ratings"):
        if not isinstance(rating, Rating) or rating.duration is None:
            continue
        if not is_rating(rating.scale):
            continue
        mark = str(meta_of(rating.meta).get("mark") or "")
        output = Output(
            rating.langpair,
            rating.campaign,
            rating.document,
            rating.segment,
            rating.system,
        )
        for time in (rating.time, None):
            times[output, rating.judge, mark, time] = rating.duration
    return times


def pairs_of(judged: list[JudgedOutput]) -> tuple[list[Pair], list[Pair]]:
    """Return pairs of annotations by two judges (inter), and by one judge (intra).

    Between judges the first annotation of each counts; a judge's own annotations of
    one output are compared each with each.
    """
    outputs: dict[Output, dict[str, list[JudgedOutput]]] = {}
    for one in judged:
        outputs.setdefault(one.output, {}).setdefault(one.judge, []).append(one)
    inter, intra = [], []
    for judges in outputs.values():
        firsts = [judges[name][0] for name in sorted(judges)]
        inter += [Pair(a, b) for a, b in combinations(firsts, 2)]
        intra += list(_repeated(judges))
    return inter, intra


def _repeated(judges: Mapping[str, list[JudgedOutput]]) -> Iterator[Pair]:
    for name in sorted(judges):
        for a, b in combinations(judges[name], 2):
            yield Pair(a, b)


def texts_of(testset: Testset, judgements: Judgements) -> dict[tuple[str, str], str]:
    """Return the texts of judged outputs by system and segment.

    Segments may have any name of :func:`tertium.data.segment_ids.judged_numbers`.
    """
    from tertium.data.segment_ids import judged_numbers

    judged = judgements.spans.select("system", "segment").unique().collect()
    numbers = judged_numbers(testset, judged.iter_rows())
    return {
        (system, segment): testset.systems[system][number]
        for (system, segment), number in numbers.items()
        if system in testset.systems
    }
