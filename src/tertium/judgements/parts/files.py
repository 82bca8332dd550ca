# SPDX-License-Identifier: Apache-2.0
"""Files of segments and candidates.

JSON Lines, one object a sentence::

    {"sentence": "1", "source": "a b c d", "segments": [{"indices": [0, 1, 2],
     "text": "a b c"}]}

Candidates have ``reference`` (or null) beside ``source``, and ``candidates``, a list
of texts, in every segment. Who wrote them is a table of its own (`write_origins`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from tertium._messages import quote
from tertium.data.lines import StrPath, display, open_lines, write_lines
from tertium.errors import FormatError, InputError
from tertium.judgements.parts.projection import Origin, Projection
from tertium.judgements.parts.sentences import Segmented

__all__ = [
    "read_segmented",
    "write_candidates",
    "write_candidates_tsv",
    "write_origins",
    "write_segmented",
]

_encode = json.JSONEncoder(ensure_ascii=False).encode


def write_segmented(path: StrPath, sentences: Iterable[Segmented]) -> None:
    """Write sentences with their segments; ``-`` is standard output."""
    write_lines(path, map(_line, sentences))


def _line(sentence: Segmented) -> str:
    segments = [
        {"indices": list(indices), "text": sentence.text(indices)}
        for indices in sentence.segments
    ]
    return _encode(
        {
            "sentence": sentence.sentence,
            "source": sentence.source,
            "segments": segments,
        }
    )


def read_segmented(path: StrPath) -> Iterator[Segmented]:
    """Yield the sentences of a file that `write_segmented` wrote.

    Raises
    ------
    FormatError
        With file and line, when the faulty line is asked for.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> one = Segmented("1", ("a", "red", "kite", "rose"), ((0, 1, 2),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "segments.jsonl")
    ...     write_segmented(file, [one])
    ...     list(read_segmented(file)) == [one]
    True
    """
    for number, line in enumerate(open_lines(path), start=1):
        try:
            yield _segmented(line)
        except InputError as error:
            raise FormatError(str(error), path=display(path), line=number) from None


def _segmented(line: str) -> Segmented:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        message = (
            f"{quote(line)} is no JSON; give what `tertium segments extract` makes"
        )
        raise InputError(message) from None
    name, source, segments = (
        row.get(key) if isinstance(row, dict) else None
        for key in ("sentence", "source", "segments")
    )
    if (
        not isinstance(name, str)
        or not isinstance(source, str)
        or not isinstance(segments, list)
        or not all(map(_has_indices, segments))
    ):
        message = (
            'a line has the keys "sentence" and "source", which are texts, and '
            '"segments", a list of objects with a list "indices" of whole numbers; '
            "give what `tertium segments extract` makes"
        )
        raise InputError(message)
    words = tuple(source.split())
    sentence = Segmented(name, words, tuple(tuple(own["indices"]) for own in segments))
    for own in segments:
        text = sentence.text(tuple(own["indices"]))
        if own.get("text", text) != text:
            message = (
                f"segment {own['indices']} is {quote(text)} in the source, and its "
                f"text is {quote(str(own['text']))}; correct the indices or the text"
            )
            raise InputError(message)
    return sentence


def _has_indices(segment: object) -> bool:
    found = segment.get("indices") if isinstance(segment, dict) else None
    return isinstance(found, list) and all(type(each) is int for each in found)


def write_candidates(
    path: StrPath,
    projection: Projection,
    references: Sequence[str] | None = None,
    *,
    min_candidates: int = 1,
) -> None:
    """Write segments with their candidates as JSON Lines; systems are not in it.

    Parameters
    ----------
    path : str or path
        ``-`` is standard output.
    projection : Projection
    references : sequence of str, optional
        The reference of every sentence.
    min_candidates : int
        Leave out segments with fewer; 2 leaves out what cannot be ranked.

    Raises
    ------
    InputError
        When there are not as many references as sentences.
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
    """Write segments with their candidates as SegRanks reads them.

    A line a candidate: sentence, source, reference, source segment, candidate,
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
            "one a sentence"
        )
        raise InputError(message)


def _json_lines(
    projection: Projection, references: Sequence[str] | None, fewest: int
) -> Iterator[str]:
    for index, (sentence, segments) in enumerate(projection.sentences):
        yield _encode(
            {
                "sentence": sentence.sentence,
                "source": sentence.source,
                "reference": None if references is None else str(references[index]),
                "segments": [
                    {
                        "indices": list(own.indices),
                        "text": own.text,
                        "candidates": list(own.candidates),
                    }
                    for own in segments
                    if len(own.candidates) >= fewest
                ],
            }
        )


def _tsv_lines(
    projection: Projection, references: Sequence[str], fewest: int
) -> Iterator[str]:
    for (sentence, segments), reference in zip(
        projection.sentences, references, strict=True
    ):
        for own in segments:
            places = " ".join(map(str, own.indices))
            # A tab would be one cell more, and an empty cell none at all.
            shown = " ".join(reference.split()) or "-"
            for text in own.candidates if len(own.candidates) >= fewest else ():
                cells = (sentence.sentence, sentence.source, shown, own.text)
                yield "\t".join((*cells, text, places))


_ORIGINS = ("segment", "part", "system", "text", "part_indices", "indices", "gaps")


def write_origins(path: StrPath, origins: Iterable[Origin]) -> None:
    """Write who produced which candidate: a TSV table, to be kept from judges.

    `tertium.judgements.read_system_table` reads it, and ``tertium judgements import
    --systems``. Indices count from 0; ``gaps`` is yes or no.
    """
    write_lines(path, _origin_lines(origins))


def _origin_lines(origins: Iterable[Origin]) -> Iterator[str]:
    yield "\t".join(_ORIGINS)
    for own in origins:
        yield "\t".join(
            (
                own.sentence,
                own.part,
                own.system,
                own.image.text,
                " ".join(map(str, own.source_indices)),
                " ".join(map(str, own.image.indices)),
                "yes" if own.image.has_gaps else "no",
            )
        )
