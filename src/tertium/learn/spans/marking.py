# SPDX-License-Identifier: Apache-2.0
"""Mark error spans in outputs, by comparing them with references.

Words whose probability of being wrong reaches the model's threshold are marked, and
adjacent ones make one span, with the spaces between them. Spans of an output never
overlap. A span's probabilities are means over its characters; it is major if that of
``major`` reaches its threshold, and its category is that of most of its characters.
Content that the output lacks is a mark without a place.

The score is 100 · 25 / (25 + points) for the MQM points that the probabilities of all
candidates lead to expect, marked or not: 100 without any, 50 at 25 points, the most
that MQM gives a segment.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium._messages import count
from tertium.data.kept import Lazy, pairs
from tertium.errors import InputError
from tertium.judgements.judgement import Judgement, Rating, Span
from tertium.learn.spans.features import CATEGORIES, describe
from tertium.learn.spans.model import DEFAULT_MODEL, SpanModel, find_span_model

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements.tables import Judgements
    from tertium.learn.spans.features import Described
    from tertium.learn.spans.words import Array, Flags

__all__ = [
    "ErrorSpan", "MarkedOutput", "MarkedSegment", "mark_spans", "mark_testset",
    "prediction_lines", "predictions", "stream_marked",
]  # fmt: skip

_BATCH = 2000  # outputs whose features are in memory at once
_MAJOR_POINTS = 5.0
_HALF_POINTS = 25.0


class ErrorSpan(NamedTuple):
    """A predicted error.

    Parameters
    ----------
    start, end : int or None
        Code points of the output, from 0, the end exclusive; None for missing content.
    severity : {"minor", "major"}
    category : str
        ``missing`` or one of :data:`tertium.learn.spans.features.CATEGORIES`.
    probability : float
        That it is an error.
    """

    start: int | None
    end: int | None
    severity: str
    category: str
    probability: float


@dataclass(frozen=True)
class MarkedOutput:
    """An output with its predicted errors.

    Parameters
    ----------
    text : str
    spans : tuple of ErrorSpan
        From left to right, missing content last.
    score : float
        0 to 100, higher is better.
    """

    text: str
    spans: tuple[ErrorSpan, ...]
    score: float


class MarkedSegment(NamedTuple):
    """A marked output of a test set; `segment` counts from 1, `name` is its id."""

    system: str
    segment: int
    name: str
    document: str | None
    references: tuple[str, ...]
    output: MarkedOutput


def mark_spans(
    hyps: Sequence[str],
    refs: Sequence[str] | Sequence[Sequence[str]],
    srcs: Sequence[str] | None = None,
    *,
    langpair: str = "",
    model: str | os.PathLike[str] | SpanModel = DEFAULT_MODEL,
    threads: int | None = None,
) -> list[MarkedOutput]:
    """Return outputs with the errors that a model finds in them.

    Parameters
    ----------
    hyps : sequence of str
    refs : sequence of str or of sequence of str
        One or several per output; of several, the closest counts.
    srcs : sequence of str, optional
        Show untranslated words.
    langpair : str
        Such as ``en-de``, for stems and word frequencies.
    model : path, str or SpanModel
    threads : int, optional
        All cores by default.

    Raises
    ------
    InputError
        When there are no references, or not as many as outputs.

    Examples
    --------
    >>> (marked,) = mark_spans(["We meet at noon."], ["We meet at three."])
    >>> [(marked.text[span.start : span.end], *span[2:4]) for span in marked.spans]
    [('noon', 'minor', 'lexical choice')]
    """
    nested = [[each] if isinstance(each, str) else list(each) for each in refs]
    for name, column in (("refs", nested), ("srcs", srcs)):
        if column is not None and len(column) != len(hyps):
            message = (
                f"{count(len(hyps), 'output')} and {len(column)} {name}; give one per "
                "output"
            )
            raise InputError(message)
    chosen = model if isinstance(model, SpanModel) else find_span_model(model)
    source, _, target = langpair.partition("-")
    out: list[MarkedOutput] = []
    for start in range(0, len(hyps), _BATCH):
        part = slice(start, start + _BATCH)
        described = describe(
            hyps[part],
            nested[part],
            None if srcs is None else srcs[part],
            language=target,
            source_language=source,
            threads=threads,
        )
        out += _marked(hyps[part], described, chosen)
    return out


def mark_testset(
    testset: Testset,
    *,
    outputs: Sequence[tuple[int, str]] | None = None,
    reference: int | None = None,
    model: str | os.PathLike[str] | SpanModel = DEFAULT_MODEL,
    threads: int | None = None,
) -> list[MarkedSegment]:
    """Return marked outputs of a test set; see :func:`stream_marked` for many.

    Parameters
    ----------
    testset : Testset
        With references.
    outputs : sequence of tuple of int and str, optional
        Segments, counted from 1, and systems, in the order of the result; by default
        all, segment by segment.
    reference : int, optional
        Which of several references, from 0; by default the closest.
    model, threads
        As in :func:`mark_spans`.

    Raises
    ------
    InputError
        When there are no references, or not this one.
    """
    marked = stream_marked(
        testset, outputs=outputs, reference=reference, model=model, threads=threads
    )
    return list(marked)


def stream_marked(
    testset: Testset,
    *,
    outputs: Sequence[tuple[int, str]] | None = None,
    reference: int | None = None,
    model: str | os.PathLike[str] | SpanModel = DEFAULT_MODEL,
    threads: int | None = None,
) -> Iterator[MarkedSegment]:
    """Return an iterator over what :func:`mark_testset` returns.

    At most 2,000 marked outputs of each system are in memory.

    Parameters
    ----------
    testset, outputs, reference, model, threads
        As in :func:`mark_testset`.

    Raises
    ------
    InputError
        At once, as in :func:`mark_testset`.
    """
    if not any(testset.references):
        message = (
            "error spans are found by comparing outputs with references, and there are "
            "none; give references"
        )
        raise InputError(message, options=("references",))
    if outputs is None:
        outputs = pairs(range(1, len(testset) + 1), list(testset.systems))
    references = _one_of(testset.references, reference)
    chosen = model if isinstance(model, SpanModel) else find_span_model(model)
    return _stream(testset, outputs, references, chosen, threads)


def _stream(
    testset: Testset,
    outputs: Sequence[tuple[int, str]],
    references: Sequence[tuple[str, ...]],
    model: SpanModel,
    threads: int | None,
) -> Iterator[MarkedSegment]:
    """Yield outputs in their order, marked system by system."""
    ids, docs, sources = testset.ids, testset.docs, testset.sources

    def marked(system: str) -> Iterator[MarkedOutput]:
        hyps = testset.systems[system]
        places = (number - 1 for number, name in outputs if name == system)
        while block := list(islice(places, _BATCH)):
            yield from mark_spans(
                [hyps[i] for i in block],
                [references[i] for i in block],
                None if sources is None else [sources[i] for i in block],
                langpair=testset.langpair or "",
                model=model,
                threads=threads,
            )

    by_system = {name: marked(name) for name in testset.systems}
    for number, system in outputs:
        yield MarkedSegment(
            system,
            number,
            ids[number - 1] if ids else str(number),
            docs[number - 1] if docs else None,
            references[number - 1],
            next(by_system[system]),
        )


def _one_of(
    references: Sequence[tuple[str, ...]], reference: int | None
) -> Sequence[tuple[str, ...]]:
    if reference is None:
        return references
    for number, texts in enumerate(references, start=1):
        if reference >= len(texts):
            message = (
                f"segment {number} has {count(len(texts), 'reference')}, and not "
                f"number {reference + 1}; choose another"
            )
            raise InputError(message, options=("reference",))
    return Lazy(len(references), lambda place: (references[place][reference],))


def predictions(
    marked: Sequence[MarkedSegment],
    *,
    judge: str = DEFAULT_MODEL,
    langpair: str | None = None,
) -> Judgements:
    """Return marked outputs as judgements: spans, and scores on the scale ESA.

    They can be written (``to_file``) in any format that holds spans, such as
    ``wmt26-predictions``.

    Examples
    --------
    >>> from tertium.data.testset import Testset
    >>> testset = Testset([("We meet at noon.",)], {"A": ["We meet at noon."]})
    >>> next(predictions(mark_testset(testset)).iterate("spans")).severity
    'no-error'
    """
    from tertium.judgements.tables import Judgements

    return Judgements.from_iterable(_records(marked, judge, langpair))


def prediction_lines(marked: Iterable[MarkedSegment]) -> Iterator[str]:
    """Yield the lines of a file ``wmt26-predictions``, segment by segment.

    Parameters
    ----------
    marked : iterable of MarkedSegment
        All outputs of a segment stand together, and no two segments have one name;
        others can be written as a whole, see :func:`predictions`.

    Examples
    --------
    >>> from tertium.data.testset import Testset
    >>> testset = Testset([("We meet at noon.",)], {"A": ["We meet at noon."]})
    >>> list(prediction_lines(stream_marked(testset)))  # doctest: +ELLIPSIS
    ['{"item_id": "1", "task1_pred": {"A": {"errors": [], ...}']
    """
    from tertium.judgements.formats.wmt26_predictions import item_lines

    for _, outputs in groupby(marked, key=attrgetter("segment")):
        records = list(_records(outputs, DEFAULT_MODEL, None))
        yield from item_lines(records, records)


def _records(
    marked: Iterable[MarkedSegment], judge: str, langpair: str | None
) -> Iterator[Judgement]:
    for system, _, name, document, _, output in marked:
        yield Rating(
            system,
            round(output.score, 4),
            "ESA",
            name,
            judge=judge,
            document=document,
            langpair=langpair,
        )
        for span in output.spans or (ErrorSpan(None, None, "no-error", "no-error", 0),):
            meta = None
            if span.start is not None:
                meta = f'{{"probability": {round(span.probability, 4)}}}'
            yield Span(
                system,
                span.category,
                span.severity,
                name,
                start=span.start,
                end=span.end,
                judge=judge,
                document=document,
                langpair=langpair,
                meta=meta,
            )


def expected_words(wrong: Array, major: Array) -> Array:
    """Return how many wrong words each word stands for; a major one is several."""
    return wrong * (1 + (_MAJOR_POINTS - 1) * major)


def _marked(
    hyps: Sequence[str], described: Described, model: SpanModel
) -> Iterator[MarkedOutput]:
    wrong = model.error.probabilities(described.words) * described.candidates
    major = model.major.probabilities(described.words)
    missing = model.missing.probabilities(described.outputs)
    points = np.bincount(
        described.segments, expected_words(wrong, major), minlength=len(hyps)
    )
    scores = 100 * _HALF_POINTS / (_HALF_POINTS + model.penalty * points)
    lacking = missing >= model.thresholds["missing"]
    marks: list[list[ErrorSpan]] = [[] for _ in hyps]
    chosen = described.candidates & (wrong >= model.thresholds["error"])
    for run in _runs(chosen, described):
        segment = int(described.segments[run.start])
        marks[segment].append(_span(run, described, wrong, major, model))
    for segment in np.flatnonzero(lacking).tolist():
        severity, probability = model.missing_severity, float(missing[segment])
        marks[segment].append(ErrorSpan(None, None, severity, "missing", probability))
    for text, spans, score in zip(hyps, marks, scores.tolist(), strict=True):
        yield MarkedOutput(text, tuple(spans), score)


def _runs(chosen: Flags, described: Described) -> Iterator[slice]:
    """Yield adjacent chosen words of one output, as slices of all words."""
    places = np.flatnonzero(chosen)
    if not len(places):
        return
    segments = described.segments[places]
    breaks = (np.diff(places) > 1) | (np.diff(segments) > 0)
    ends = [*(np.flatnonzero(breaks) + 1).tolist(), len(places)]
    for begin, end in zip([0, *ends[:-1]], ends, strict=True):
        yield slice(int(places[begin]), int(places[end - 1]) + 1)


def _span(
    run: slice, described: Described, wrong: Array, major: Array, model: SpanModel
) -> ErrorSpan:
    places = described.places[run]
    lengths = (places[:, 1] - places[:, 0]).astype(float)
    share = lengths / lengths.sum()
    kinds = np.bincount(described.categories[run], lengths)
    worse = float(share @ major[run]) >= model.thresholds["major"]
    return ErrorSpan(
        int(places[0, 0]),
        int(places[-1, 1]),
        "major" if worse else "minor",
        CATEGORIES[int(kinds.argmax())],
        float(share @ wrong[run]),
    )
