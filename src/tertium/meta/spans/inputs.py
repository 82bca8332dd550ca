# SPDX-License-Identifier: Apache-2.0
"""Predicted and human spans of the same outputs, from judgements."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tertium.data.segment_ids import plain_id
from tertium.errors import InputError
from tertium.judgements.formats.cells import meta_of
from tertium.judgements.judgement import NO_ERROR, Span
from tertium.judgements.ranking.ratings import MqmWeights
from tertium.judgements.scales import is_rating
from tertium.judgements.spans.matching import Annotation, annotation_of
from tertium.judgements.spans.repeats import annotation_name

if TYPE_CHECKING:
    import polars as pl

    from tertium.judgements.tables import Judgements

__all__ = [
    "Compared",
    "Marked",
    "Output",
    "by_judge",
    "common_outputs",
    "marked_outputs",
    "matched",
    "needs_documents",
]

_T = TypeVar("_T")

_COLUMNS = [
    *("system", "category", "severity", "segment", "start", "end", "side", "text"),
    *("judge", "document", "langpair", "campaign", "time", "meta"),
]


class Output(NamedTuple):
    """The output of a system for a segment."""

    langpair: str
    segment: str
    system: str


@dataclass(frozen=True)
class Marked:
    """Annotations and scores of outputs.

    Parameters
    ----------
    annotations : mapping of Output to mapping of str to Annotation
        By annotator; an unnamed one is ``""``.
    scores : mapping of Output to float
        Mean ratings, where there are any.
    scale : str, optional
        That of the ratings.
    texts : mapping of Output to tuple of (str, str)
        Source and output, where the judgements have them (MQM's TSV files).
    pieces : mapping of Output to mapping of int to str
        What was marked, by its start, where only this is known.
    unknown : mapping of str to int
        Marks by severity, of severities that count as minor because they are unknown.
    """

    annotations: Mapping[Output, Mapping[str, Annotation]]
    scores: Mapping[Output, float]
    scale: str | None = None
    texts: Mapping[Output, tuple[str, str]] = field(default_factory=dict)
    pieces: Mapping[Output, Mapping[int, str]] = field(default_factory=dict)
    unknown: Mapping[str, int] = field(default_factory=dict)

    @property
    def only_scores(self) -> bool:
        """Whether there are scores, and nothing is known of spans."""
        return bool(self.scores) and not self.annotations

    @property
    def outputs(self) -> set[Output]:
        """The outputs that were annotated, or only scored."""
        return set(self.scores if self.only_scores else self.annotations)


@dataclass(frozen=True)
class Compared:
    """What was compared: outputs, and annotations of people and metrics.

    Parameters
    ----------
    outputs : tuple of Output
        Those that people and all metrics annotated, sorted.
    human : Marked
    metrics : mapping of str to Marked
    """

    outputs: tuple[Output, ...]
    human: Marked
    metrics: Mapping[str, Marked]


def marked_outputs(judgements: Judgements, *, documents: bool | None = None) -> Marked:
    """Return the annotations and scores in judgements, output by output.

    Marks in the source, as MQM has them for omissions, count as missing content. An
    output that a judge annotated again has another annotation.

    Parameters
    ----------
    judgements : Judgements
    documents : bool, optional
        Whether the document is part of a segment's name; by default if names of
        segments alone are not unique.
    """
    frame = judgements.spans.select(_COLUMNS).collect()
    ratings = judgements.ratings.collect()
    if documents is None:
        documents = needs_documents(judgements)
    spans: dict[Output, dict[str, list[Span]]] = {}
    names: dict[tuple[Output, str], list[str]] = {}
    lengths: dict[Output, int] = {}
    texts: dict[Output, tuple[str, str]] = {}
    pieces: dict[Output, dict[int, str]] = {}
    for row in frame.iter_rows(named=True):
        output = _output(row, documents=documents)
        length, text = _known(row["meta"])
        if length is not None:
            lengths[output] = length
        if text is not None:
            texts[output] = text
        if row["text"] and row["start"] is not None and row["side"] != "source":
            pieces.setdefault(output, {})[row["start"]] = row["text"]
        if row["side"] == "source":
            row |= {"side": "target", "start": None, "end": None}
        row |= {"severity": row["severity"] or "", "category": row["category"] or ""}
        judge = row["judge"] or ""
        again = names.setdefault((output, judge), [])
        name = annotation_name(meta_of(row["meta"]), row["time"])
        if name not in again:
            again.append(name)
        if number := again.index(name):
            judge = f"{judge}#{number + 1}"
        spans.setdefault(output, {}).setdefault(judge, []).append(Span(**row))
    annotations = {
        output: {
            judge: annotation_of(marks, length=lengths.get(output))
            for judge, marks in judges.items()
        }
        for output, judges in spans.items()
    }
    scores, scale = _scores(ratings, documents=documents)
    return Marked(annotations, scores, scale, texts, pieces, _unknown(frame))


def _unknown(frame: pl.DataFrame) -> dict[str, int]:
    """Return how many marks have a severity without a weight, by severity."""
    weights = MqmWeights()
    counts = frame["severity"].cast(str).drop_nulls().value_counts().rows()
    return {
        severity: number
        for severity, number in sorted(counts)
        if severity.lower() not in NO_ERROR and not weights.knows(severity)
    }


def needs_documents(judgements: Judgements) -> bool:
    """Return whether segments of different documents share a name."""
    places = judgements.spans.select("document", "segment").unique().collect()
    return int(places["segment"].n_unique()) < len(places)


def by_judge(marked: Marked) -> dict[str, Marked]:
    """Return the annotators apart if each of them annotated every output.

    A predictions file may hold several metrics. Other files, such as those in which
    people divided the work, are a single annotator, named ``""``.
    """
    judges = {judge for each in marked.annotations.values() for judge in each}
    complete = all(len(each) == len(judges) for each in marked.annotations.values())
    if len(judges) < 2 or not complete:
        return {"": marked}
    return {
        judge: Marked(
            {
                output: {judge: each[judge]}
                for output, each in marked.annotations.items()
            },
            {},
        )
        for judge in sorted(judges)
    }


def matched(marked: Marked, human: Marked) -> Marked:
    """Return predictions with the segment names of the judgements.

    Ids of WMT 2026 may lack kind and languages on either side; where this would match
    several outputs, names stay as they are. Where one side has a single language pair,
    and the other does not name any, they are the same.
    """
    marked = _with_langpair(marked, human)
    by_id: dict[Output, list[Output]] = {}
    for output in human.annotations:
        by_id.setdefault(_plain(output), []).append(output)
    others = [output for output in marked.outputs if output not in human.annotations]
    wanted = Counter(map(_plain, others))
    names = {
        output: judged[0]
        for output in others
        if len(judged := by_id.get(_plain(output), [])) == 1
        and wanted[_plain(output)] == 1
        and judged[0] not in marked.outputs
    }
    if not names:
        return marked
    return _with_names(marked, names)


def _with_langpair(marked: Marked, human: Marked) -> Marked:
    theirs = {output.langpair for output in marked.outputs}
    wanted = {output.langpair for output in human.annotations}
    if len(theirs) != 1 or len(wanted) != 1 or "" not in theirs ^ wanted:
        return marked
    (langpair,) = wanted
    names = {output: output._replace(langpair=langpair) for output in marked.outputs}
    return _with_names(marked, names)


def _with_names(marked: Marked, names: Mapping[Output, Output]) -> Marked:
    return replace(
        marked,
        annotations=_renamed(marked.annotations, names),
        scores=_renamed(marked.scores, names),
        texts=_renamed(marked.texts, names),
        pieces=_renamed(marked.pieces, names),
    )


def _renamed(
    table: Mapping[Output, _T], names: Mapping[Output, Output]
) -> dict[Output, _T]:
    return {names.get(output, output): value for output, value in table.items()}


def _plain(output: Output) -> Output:
    return output._replace(segment=plain_id(output.segment))


def common_outputs(
    human: Marked,
    predictions: Mapping[str, Marked],
    *,
    missing: str = "drop",
    left_out: Mapping[str, str] | None = None,
) -> list[Output]:
    """Return outputs that people judged and all metrics annotated, sorted.

    Parameters
    ----------
    human : Marked
    predictions : mapping of str to Marked
    missing : {"drop", "error"}
    left_out : mapping of str to str, optional
        By metric, what could not be read of its predictions.

    Raises
    ------
    InputError
        If there are none, or `missing` is ``error`` and a metric lacks one.
    """
    common = set(human.annotations)
    for name, marked in predictions.items():
        lacking = common - marked.outputs
        if missing == "error" and lacking:
            first = min(lacking)
            message = (
                f"{name} has no prediction for {len(lacking):,} of "
                f"{len(human.annotations):,} judged outputs (first: segment "
                f"{first.segment!r} of {first.system}); give an annotation without "
                "errors where nothing is marked, or drop such outputs"
            )
            raise InputError(message, options=("missing",))
        if len(lacking) == len(common):
            message = _disjoint(name, marked, human, (left_out or {}).get(name, ""))
            raise InputError(message, options=("predictions",))
        common -= lacking
    return sorted(common)


def _disjoint(name: str, marked: Marked, human: Marked, left_out: str) -> str:
    if not human.annotations:
        return "the judgements hold no error spans; import a file that has them"
    if not marked.outputs and left_out:
        return f"{name}: no prediction can be read: {left_out}; correct the file"
    if not marked.outputs:
        return (
            f"{name} holds neither error spans nor scores; give a predictions file "
            "that has them"
        )
    one, two = min(marked.outputs), min(human.annotations)
    return (
        f"{name} and the judgements share no output: {name} has segment "
        f"{one.segment!r} of {one.system} ({one.langpair or 'no language pair'}), the "
        f"judgements {two.segment!r} of {two.system} "
        f"({two.langpair or 'no language pair'}); names of systems and segments must "
        "be equal"
    )


def _output(row: Mapping[str, str | None], *, documents: bool) -> Output:
    segment = row["segment"] or ""
    if documents and row["document"] is not None:
        segment = f"{row['document']}/{segment}"
    return Output(row["langpair"] or "", segment, row["system"] or "")


def _known(meta: str | None) -> tuple[int | None, tuple[str, str] | None]:
    """Return the length of the output, and source and output, as metadata have them."""
    if meta is None or ('"length"' not in meta and '"target"' not in meta):
        return None, None
    content = json.loads(meta)
    length, text = content.get("length"), content.get("target")
    source = content.get("source")
    return (
        length if isinstance(length, int) else None,
        (source if isinstance(source, str) else "", text)
        if isinstance(text, str)
        else None,
    )


def _scores(
    ratings: pl.DataFrame, *, documents: bool
) -> tuple[dict[Output, float], str | None]:
    """Return mean ratings on the ESA scale, or else on the only one there is."""
    names = ratings["scale"].cast(str).unique().to_list()
    scales = sorted(scale for scale in names if is_rating(scale))
    esa = [scale for scale in scales if scale.lower() == "esa"]
    chosen = esa or scales
    if len(chosen) != 1:
        return {}, None
    values: dict[Output, list[float]] = {}
    for row in ratings.iter_rows(named=True):
        if row["scale"] == chosen[0] and row["score"] is not None:
            values.setdefault(_output(row, documents=documents), []).append(
                row["score"]
            )
    return {output: _mean(each) for output, each in values.items()}, chosen[0]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
