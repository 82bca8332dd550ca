# SPDX-License-Identifier: Apache-2.0
"""Whether people edit where corrections edit: items for annotators, and a comparison.

Annotators see source and output and mark the tokens that must change, and the gaps
where a token is missing; only outputs with few automatic edits
are worth asking about. Corrections mark edited and moved tokens, all tokens joined
into a compound, and count insertions.

Items are a test set for ``tertium campaign new --task edits``. The key, which
annotators do not see, records where corrections edit and which systems wrote an
output. Answers come from ``tertium campaign export NAME -o answers.jsonl``. A gap can
be marked only once, so two tokens missing at one place count as one marked and one
missed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tertium._seed import SEED
from tertium.data.lines import StrPath, open_lines, write_lines
from tertium.errors import FormatError, InputError
from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.search.edits import Kind
from tertium.grammars.search.tokens import bare
from tertium.judgements.agreement.positions import (
    EditPlaces,
    PlaceReport,
    compare_places,
)

__all__ = [
    "MOST",
    "AnnotationItem",
    "annotation_items",
    "compare_annotations",
    "edit_places",
    "read_answers",
    "read_items",
    "write_items",
    "write_key",
]

#: Outputs with more automatic edits are not shown: too many ways to correct them.
MOST = 3


@dataclass(frozen=True)
class AnnotationItem:
    """An output to annotate.

    Parameters
    ----------
    id : str
        The segment id, and a number if the segment has several outputs.
    source, output : str
    systems : tuple of str
        The systems that wrote it.
    places : EditPlaces
        Where its correction edits.
    """

    id: str
    source: str
    output: str
    systems: tuple[str, ...]
    places: EditPlaces


def edit_places(record: SegmentRecord) -> EditPlaces:
    """Return where a correction edits, as annotators count tokens.

    Annotators see tokens separated by white space; corrections ignore punctuation
    tokens, and read several words in one such as ``red,green``.
    """
    shown = [
        place
        for place, token in enumerate(record.hyp.split())
        for _ in bare(token).split()
    ]
    changes = record.best.changes
    return EditPlaces(
        frozenset(
            shown[change.index]
            for change in changes
            if change.index is not None
            and (change.kind is not Kind.MATCH or change.moved)
        ),
        sum(change.index is None for change in changes),
    )


def annotation_items(
    records: Iterable[SegmentRecord],
    *,
    most: int = MOST,
    size: int | None = None,
    seed: int = SEED,
) -> list[AnnotationItem]:
    """Return outputs to annotate, each once, in test set order.

    Parameters
    ----------
    records : iterable of SegmentRecord
        Of any number of systems, such as :attr:`Evaluation.segments`.
    most : int
        The highest number of automatic edits.
    size : int, optional
        How many to sample; all by default.
    seed : int
    """
    segments: dict[str, dict[str, list[SegmentRecord]]] = {}
    for record in records:
        if len(record.edits) <= most:
            outputs = segments.setdefault(record.id, {})
            outputs.setdefault(record.hyp, []).append(record)
    items = [
        AnnotationItem(
            name if len(outputs) == 1 else f"{name}#{number}",
            same[0].source,
            output,
            tuple(record.system for record in same),
            edit_places(same[0]),
        )
        for name, outputs in segments.items()
        for number, (output, same) in enumerate(outputs.items(), start=1)
    ]
    if size is None or size >= len(items):
        return items
    sampled = random.Random(seed).sample(range(len(items)), size)  # noqa: S311
    return [items[place] for place in sorted(sampled)]


def write_items(items: Iterable[AnnotationItem], path: StrPath) -> None:
    """Write outputs as a test set of one system, for a campaign."""
    lines = (
        json.dumps(
            {"id": item.id, "src": item.source, "tgt": {"output": item.output}},
            ensure_ascii=False,
        )
        for item in items
    )
    write_lines(path, lines)


def write_key(items: Iterable[AnnotationItem], path: StrPath) -> None:
    """Write where corrections edit and who wrote each output, for the comparison."""
    lines = (
        json.dumps(
            {
                "id": item.id,
                "source": item.source,
                "output": item.output,
                "systems": item.systems,
                "tokens": sorted(item.places.tokens),
                "missing": item.places.missing,
            },
            ensure_ascii=False,
        )
        for item in items
    )
    write_lines(path, lines)


def read_items(path: StrPath) -> list[AnnotationItem]:
    """Return what :func:`write_key` wrote.

    Raises
    ------
    FormatError
        When a line is something else.
    """
    items = []
    for number, line in enumerate(open_lines(path), start=1):
        try:
            row = json.loads(line)
            texts = [row["id"], row["source"], row["output"], *row["systems"]]
            numbers = [row["missing"], *row["tokens"]]
            if not all(type(text) is str for text in texts) or not all(
                type(value) is int for value in numbers
            ):
                raise ValueError("strings and integers are mixed up")
            places = EditPlaces(frozenset(row["tokens"]), row["missing"])
            name, source, output, *systems = texts
            items.append(AnnotationItem(name, source, output, tuple(systems), places))
        except (KeyError, TypeError, ValueError, InputError, RecursionError) as error:
            message = (
                f"this is not an item key ({type(error).__name__}: {error}); give what "
                "`tertium grammar annotate items` wrote"
            )
            raise FormatError(message, path=str(path), line=number) from None
    return items


def read_answers(
    path: StrPath, items: Sequence[AnnotationItem]
) -> dict[str, dict[str, EditPlaces]]:
    """Return what annotators marked, by annotator and item.

    Parameters
    ----------
    path : str or Path
        The answers that a campaign exported.
    items : sequence of AnnotationItem
        What they were asked about.

    Raises
    ------
    FormatError
        When a line is not an answer, or is about another output.

    Notes
    -----
    If a person answered an item several times, the first answer counts: the others
    measure self-consistency. Checks and training items are ignored.
    """
    known = {item.id: item.output for item in items}
    annotators: dict[str, dict[str, EditPlaces]] = {}
    for number, line in enumerate(open_lines(path), start=1):
        try:
            row = json.loads(line)
            if row["kind"] != "work" or row["segment"] not in known:
                continue
            if row["content"]["output"] != known[row["segment"]]:
                message = (
                    f"the answer is about another output of {row['segment']!r}; give "
                    "the items that the campaign was made from"
                )
                raise FormatError(message, path=str(path), line=number)
            answer = row["answer"]
            places = EditPlaces(frozenset(answer["tokens"]), len(answer["gaps"]))
            answers = annotators.setdefault(row["judge"], {})
            answers.setdefault(row["segment"], places)
        except FormatError:
            raise
        except (KeyError, TypeError, ValueError, InputError, RecursionError) as error:
            message = (
                f"this is not an answer on edit positions ({type(error).__name__}: "
                f"{error}); give what `tertium campaign export` wrote"
            )
            raise FormatError(message, path=str(path), line=number) from None
    return annotators


def compare_annotations(
    items: Iterable[AnnotationItem],
    annotators: Mapping[str, Mapping[str, EditPlaces]],
) -> PlaceReport:
    """Return precision, recall and F of corrections, and among annotators."""
    return compare_places({item.id: item.places for item in items}, annotators)
