# SPDX-License-Identifier: Apache-2.0
"""Files of candidates, and of who wrote them.

Candidates come as JSON Lines, which ``tertium parts project`` writes, or as the
six columns of SegRanks. Systems come as the table of ``--origins``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tertium.data.lines import display, open_lines
from tertium.errors import FormatError, InputError
from tertium.judgements.parts.candidates import read_candidates
from tertium.judgements.parts.sentences import SentenceParts

__all__ = ["Origins", "Part", "Sentence", "read_origins", "read_sentences"]

_LONGEST_NAME = 180  # the database keeps 200 characters
_COLUMNS = ("segment", "part", "system", "text")


@dataclass(frozen=True)
class Part:
    """A segment of a sentence, with different translations."""

    text: str
    indices: tuple[int, ...]
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class Sentence:
    """A source sentence, cut into words at white space, with its segments."""

    name: str
    source: str
    reference: str
    parts: tuple[Part, ...]

    @property
    def to_rank(self) -> tuple[Part, ...]:
        """The segments with two candidates or more."""
        return tuple(part for part in self.parts if len(part.candidates) > 1)


def read_sentences(path: Path) -> list[Sentence]:
    """Return the sentences of a file of candidates, JSON Lines or TSV.

    Raises
    ------
    FormatError
        With file and line.
    """
    first = next((line for line in open_lines(path) if line.strip()), "")
    if first.lstrip().startswith("{"):
        return list(_json(path))
    if first.count("\t"):
        return _tsv(path)
    what = (
        "neither JSON Lines nor a table of six columns; give what "
        "`tertium parts project` writes"
    )
    raise FormatError(what, path=display(path), line=1)


def _json(path: Path) -> Iterator[Sentence]:
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        try:
            yield _sentence(line)
        except InputError as error:
            raise FormatError(str(error), path=display(path), line=number) from None


_WANTED = (
    'a line has "sentence" and "source", which are texts, "reference", a text or null, '
    'and "segments", a list of objects with "indices" and "candidates"; give what '
    "`tertium parts project` writes"
)


def _sentence(line: str) -> Sentence:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        message = "no JSON; give what `tertium parts project` writes"
        raise InputError(message) from None
    if not isinstance(row, dict):
        raise InputError(_WANTED)
    name, source, segments = (row.get(k) for k in ("sentence", "source", "segments"))
    reference = row.get("reference")
    if (
        not (isinstance(name, str) and name and isinstance(source, str))
        or not isinstance(segments, list)
        or not (reference is None or isinstance(reference, str))
    ):
        raise InputError(_WANTED)
    parts = tuple(map(_part, segments))
    return _checked(name, source, reference or "", parts)


def _part(segment: object) -> Part:
    if not isinstance(segment, dict):
        raise InputError(_WANTED)
    indices, texts = segment.get("indices"), segment.get("candidates")
    if (
        not isinstance(indices, list)
        or not all(type(place) is int for place in indices)
        or not isinstance(texts, list)
        or not all(isinstance(text, str) and text.strip() for text in texts)
    ):
        raise InputError(_WANTED)
    text = segment.get("text", "")
    if not isinstance(text, str):
        raise InputError(_WANTED)
    return Part(text, tuple(indices), tuple(dict.fromkeys(texts)))


def _checked(
    name: str, source: str, reference: str, parts: tuple[Part, ...]
) -> Sentence:
    if len(name) > _LONGEST_NAME:
        message = f"sentence {name[:40]}… has a long name; give {_LONGEST_NAME} at most"
        raise InputError(message)
    # It rejects indices that are not words.
    whole = SentenceParts(name, tuple(source.split()), tuple(p.indices for p in parts))
    named = tuple(
        Part(part.text or whole.text(part.indices), part.indices, part.candidates)
        for part in parts
    )
    return Sentence(name, whole.source, reference, named)


def _tsv(path: Path) -> list[Sentence]:
    sentences: dict[str, list[Part]] = {}
    texts: dict[str, tuple[str, str]] = {}
    for row in read_candidates(path):
        known = texts.setdefault(row.segment, (row.source, row.reference))
        if known != (row.source, row.reference):
            what = (
                f"sentence {row.segment} has two sources or references; make them equal"
            )
            raise FormatError(what, path=display(path))
        part = Part(row.part, row.indices, row.candidates)
        sentences.setdefault(row.segment, []).append(part)
    checked = []
    for name, parts in sentences.items():
        source, reference = texts[name]
        # `tertium parts project --tsv` has no empty cells.
        reference = "" if reference == "-" else reference
        ordered = sorted(parts, key=lambda part: part.indices)
        try:
            checked.append(_checked(name, source, reference, tuple(ordered)))
        except InputError as error:
            raise FormatError(str(error), path=display(path)) from None
    return checked


class Origins:
    """Who wrote which candidate."""

    def __init__(self, path: Path, *, by_indices: bool) -> None:
        self.path = path
        self._by_indices = by_indices
        self._found: dict[tuple[str, str, str], dict[str, None]] = {}

    def add(self, sentence: str, part: str, text: str, system: str) -> None:
        """Record that a system wrote a text; ``part`` is indices, or else the words."""
        self._found.setdefault((sentence, part, text), {})[system] = None

    def of(self, sentence: Sentence, part: Part, text: str) -> tuple[str, ...]:
        """Return the systems of a candidate.

        Raises
        ------
        InputError
            When there is none: its judgements would count for nobody.
        """
        where = " ".join(map(str, part.indices)) if self._by_indices else part.text
        systems = self._found.get((sentence.name, where, text))
        if systems is None:
            message = (
                f"{self.path} has no system for {text!r}, a candidate of {part.text!r} "
                f"in sentence {sentence.name}; give the --origins of the same run of "
                "`tertium parts project`, or no systems at all"
            )
            raise InputError(message)
        return tuple(systems)


def read_origins(path: Path) -> Origins:
    """Return who wrote which candidate, from the table of ``--origins``.

    Without a header the columns are sentence, source segment, system and candidate.
    Segments are distinguished by ``part_indices`` where the table has them.

    Raises
    ------
    FormatError
        When a row lacks cells.
    """
    lines = ((n, line) for n, line in enumerate(open_lines(path), start=1) if line)
    head = next(lines, (1, ""))
    names = head[1].split("\t")
    named = all(name in names for name in _COLUMNS)
    by_indices = named and "part_indices" in names
    wanted = ("segment", "part_indices" if by_indices else "part", "text", "system")
    places = [names.index(name) for name in wanted] if named else [0, 1, 3, 2]
    origins = Origins(path, by_indices=by_indices)
    for number, line in lines if named else (head, *lines):
        cells = line.split("\t")
        if len(cells) <= max(places):
            what = f"{len(cells)} cells where a row has {', '.join(_COLUMNS)}; add them"
            raise FormatError(what, path=display(path), line=number)
        origins.add(*(cells[place] for place in places))
    return origins
