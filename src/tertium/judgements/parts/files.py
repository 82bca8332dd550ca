# SPDX-License-Identifier: Apache-2.0
"""Files of parts and candidates.

JSON Lines, one object per sentence; its parts are under the key ``segments``::

    {"sentence": "1", "source": "a b c d", "segments": [{"indices": [0, 1, 2],
     "text": "a b c"}]}

Files of candidates also have ``reference`` (or null), and in each part ``candidates``,
a list of texts. The systems that wrote them are in another table (`write_origins`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from tertium._messages import quote
from tertium.data.lines import StrPath, display, open_lines, write_lines
from tertium.errors import FormatError, InputError
from tertium.judgements.parts.projection import Origin, Projection
from tertium.judgements.parts.sentences import SentenceParts

__all__ = [
    "read_parts",
    "write_candidates",
    "write_candidates_tsv",
    "write_origins",
    "write_parts",
]

_encode = json.JSONEncoder(ensure_ascii=False).encode


def write_parts(path: StrPath, sentences: Iterable[SentenceParts]) -> None:
    """Write sentences with their parts; ``-`` is standard output."""
    write_lines(path, map(_line, sentences))


def _line(sentence: SentenceParts) -> str:
    parts = [
        {"indices": list(indices), "text": sentence.text(indices)}
        for indices in sentence.parts
    ]
    return _encode(
        {
            "sentence": sentence.sentence,
            "source": sentence.source,
            "segments": parts,
        }
    )


def read_parts(path: StrPath) -> Iterator[SentenceParts]:
    """Yield the sentences of a file that `write_parts` wrote.

    Raises
    ------
    FormatError
        With file and line, when iteration reaches an invalid line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> one = SentenceParts("1", ("a", "red", "kite", "rose"), ((0, 1, 2),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "parts.jsonl")
    ...     write_parts(file, [one])
    ...     list(read_parts(file)) == [one]
    True
    """
    for number, line in enumerate(open_lines(path), start=1):
        try:
            yield _sentence_parts(line)
        except InputError as error:
            raise FormatError(str(error), path=display(path), line=number) from None


def _sentence_parts(line: str) -> SentenceParts:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        message = (
            f"{quote(line)} is not JSON; give the output of `tertium parts extract`"
        )
        raise InputError(message) from None
    name, source, parts = (
        row.get(key) if isinstance(row, dict) else None
        for key in ("sentence", "source", "segments")
    )
    if (
        not isinstance(name, str)
        or not isinstance(source, str)
        or not isinstance(parts, list)
        or not all(map(_has_indices, parts))
    ):
        message = (
            'a line needs the keys "sentence" and "source", which are texts, and '
            '"segments", a list of objects with a list "indices" of integers; give the '
            "output of `tertium parts extract`"
        )
        raise InputError(message)
    words = tuple(source.split())
    sentence = SentenceParts(
        name, words, tuple(tuple(part["indices"]) for part in parts)
    )
    for part in parts:
        text = sentence.text(tuple(part["indices"]))
        if part.get("text", text) != text:
            message = (
                f"part {part['indices']} is {quote(text)} in the source, but its text "
                f"is {quote(str(part['text']))}; correct the indices or the text"
            )
            raise InputError(message)
    return sentence


def _has_indices(part: object) -> bool:
    indices = part.get("indices") if isinstance(part, dict) else None
    return isinstance(indices, list) and all(type(place) is int for place in indices)


def write_candidates(
    path: StrPath,
    projection: Projection,
    references: Sequence[str] | None = None,
    *,
    min_candidates: int = 1,
) -> None:
    """Write parts with their candidates as JSON Lines, without systems.

    Parameters
    ----------
    path : str or path
        ``-`` is standard output.
    projection : Projection
    references : sequence of str, optional
        One per sentence.
    min_candidates : int
        Leave out parts with fewer; 2 leaves out what cannot be ranked.

    Raises
    ------
    InputError
        When the numbers of references and sentences differ.
    """
    _check_references(projection, references)
    write_lines(path, _json_lines(projection, references, min_candidates))


def write_candidates_tsv(
    path: StrPath,
    projection: Projection,
    references: Sequence[str],
    *,
    min_candidates: int = 1,
) -> None:
    """Write parts with their candidates in the format of SegRanks.

    One line per candidate: sentence, source, reference, part of the source, candidate,
    indices. `tertium.judgements.read_candidates` reads it. An empty reference is
    written as ``-``. Parameters and errors are those of `write_candidates`.
    """
    _check_references(projection, references)
    write_lines(path, _tsv_lines(projection, references, min_candidates))


def _check_references(projection: Projection, references: Sequence[str] | None) -> None:
    number = len(projection.sentences)
    if references is not None and len(references) != number:
        message = (
            f"there are {number} sentences, but {len(references)} references; give "
            "one per sentence"
        )
        raise InputError(message)


def _json_lines(
    projection: Projection, references: Sequence[str] | None, fewest: int
) -> Iterator[str]:
    for index, (sentence, parts) in enumerate(projection.sentences):
        yield _encode(
            {
                "sentence": sentence.sentence,
                "source": sentence.source,
                "reference": None if references is None else str(references[index]),
                "segments": [
                    {
                        "indices": list(part.indices),
                        "text": part.text,
                        "candidates": list(part.candidates),
                    }
                    for part in parts
                    if len(part.candidates) >= fewest
                ],
            }
        )


def _tsv_lines(
    projection: Projection, references: Sequence[str], fewest: int
) -> Iterator[str]:
    for (sentence, parts), reference in zip(
        projection.sentences, references, strict=True
    ):
        for part in parts:
            places = " ".join(map(str, part.indices))
            # A tab would start another cell, and SegRanks rejects empty cells.
            shown = " ".join(reference.split()) or "-"
            for text in part.candidates if len(part.candidates) >= fewest else ():
                cells = (sentence.sentence, sentence.source, shown, part.text)
                yield "\t".join((*cells, text, places))


_ORIGINS = ("segment", "part", "system", "text", "part_indices", "indices", "gaps")


def write_origins(path: StrPath, origins: Iterable[Origin]) -> None:
    """Write the systems of all candidates: a TSV table to hide from annotators.

    `tertium.judgements.read_system_table` reads it, and ``tertium judgements import
    --systems``. Indices count from 0; ``gaps`` is yes or no.
    """
    write_lines(path, _origin_lines(origins))


def _origin_lines(origins: Iterable[Origin]) -> Iterator[str]:
    yield "\t".join(_ORIGINS)
    for origin in origins:
        yield "\t".join(
            (
                origin.sentence,
                origin.part,
                origin.system,
                origin.image.text,
                " ".join(map(str, origin.source_indices)),
                " ".join(map(str, origin.image.indices)),
                "yes" if origin.image.has_gaps else "no",
            )
        )
