# SPDX-License-Identifier: Apache-2.0
"""Files of preordering: sentences, their word links, and orders.

One line per sentence in every file. Words are separated by white space.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from typing import NamedTuple, TypeVar

from tertium._messages import count
from tertium.align.lader import is_lader, parse_lader
from tertium.align.links import Links, check_links
from tertium.align.pharaoh import parse_pharaoh
from tertium.data.kept import Kept
from tertium.data.line_places import (
    FilePiece,
    PieceReader,
    PlainFile,
    cut_pieces,
    file_state,
)
from tertium.data.lines import StrPath, display, open_lines, write_lines
from tertium.data.slices import is_plain
from tertium.errors import FormatError, InputError
from tertium.order.files import parse_permutation
from tertium.preorder.model import check_order
from tertium.preorder.parsing.constraints import Constraints

__all__ = [
    "SentencePlace",
    "TextSentences",
    "parse_lines",
    "parse_order",
    "read_constraints",
    "read_links",
    "read_orders",
    "read_sentences",
    "stream_constraints",
    "stream_links",
    "stream_sentences",
    "write_orders",
    "write_sentences",
]

_Line = TypeVar("_Line")


def read_sentences(path: StrPath) -> list[list[str]]:
    """Return the words of every line of a text, which may be compressed."""
    return list(stream_sentences(path))


def stream_sentences(path: StrPath) -> Iterator[list[str]]:
    """Yield the words of every line of a text, which may be compressed."""
    for line in open_lines(path):
        yield line.split()


class TextSentences(Kept[list[str]]):
    r"""The sentences of a text, kept on disk, that know which file they are from.

    Parameters
    ----------
    path : str or path
        May be compressed; ``-`` is standard input.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.txt")
    ...     size = file.write_text("a red cat\ntwo dogs\n")
    ...     TextSentences(file)[1]
    ['two', 'dogs']
    """

    def __init__(self, path: StrPath) -> None:
        plain = is_plain(os.fspath(path))
        self._text = file_state(path) if plain else None
        super().__init__(stream_sentences(path))

    def places(self, size: int) -> Iterator[SentencePlace]:
        """Yield the places of every `size` sentences; none if they are not known."""
        if self._text is not None and self._text.is_same():
            yield from map(SentencePlace, cut_pieces(self._text, size))


class SentencePlace(NamedTuple):
    """Where some sentences are."""

    piece: FilePiece

    def files(self) -> list[PlainFile]:
        """Return the file."""
        return [self.piece.file]

    def read(self, reader: PieceReader) -> list[list[str]]:
        """Return the sentences."""
        return [line.split() for line in reader.lines(self.piece)]


def read_links(
    path: StrPath,
    sentences: Sequence[Sequence[str]],
    *,
    targets: Sequence[Sequence[str]] | None = None,
    base: int = 0,
    sure_only: bool = False,
) -> list[Links]:
    """Return the links of every sentence with its translation.

    Parameters
    ----------
    path : str or path
        Pharaoh's format (``0-0 1-2``, source word first) or Lader's
        (``5-4 ||| 0-0 1-2``).
    sentences : sequence of sequences of str
        The source sentences, which the links are checked against.
    targets : sequence of sequences of str, optional
        Their translations, likewise.
    base : {0, 1}
        The number of the first word in Pharaoh's format.
    sure_only : bool
        Whether to drop links that are marked as only possible.

    Raises
    ------
    FormatError
        With file and line, for a link that is invalid or outside its sentence, and
        when there is not one line per sentence.
    """
    links = stream_links(
        path, sentences, targets=targets, base=base, sure_only=sure_only
    )
    return list(links)


def stream_links(
    path: StrPath,
    sentences: Sequence[Sequence[str]],
    *,
    targets: Sequence[Sequence[str]] | None = None,
    base: int = 0,
    sure_only: bool = False,
) -> Iterator[Links]:
    """Yield the links of every sentence; all else is as for `read_links`."""
    if targets is not None and len(targets) != len(sentences):
        raise InputError(
            f"there are {count(len(sentences), 'source sentence')} and "
            f"{count(len(targets), 'translation')}; give one translation per sentence",
            options=("target",),
        )

    def parse(line: str, index: int) -> Links:
        source = len(sentences[index])
        target = 2**63 if targets is None else len(targets[index])
        if is_lader(line):
            stated, _, links = parse_lader(line)
            if stated != source:
                raise InputError(
                    f"the line states {count(stated, 'source word')}, the sentence has "
                    f"{source}; check that text and links belong together"
                )
        else:
            links = parse_pharaoh(line, base=base)
        check_links(links, source, target)
        return tuple(link for link in links if link.sure) if sure_only else links

    return _stream(path, len(sentences), parse)


def read_orders(
    path: StrPath, sentences: Sequence[Sequence[str]]
) -> list[tuple[int, ...]]:
    """Return the order of every sentence: source positions, counted from 0.

    Raises
    ------
    FormatError
        With file and line, for a line that does not have every position of its sentence
        once, and when there is not one line per sentence.
    """

    def parse(line: str, index: int) -> tuple[int, ...]:
        return parse_order(line, len(sentences[index]))

    return list(_stream(path, len(sentences), parse))


def parse_order(line: str, length: int) -> tuple[int, ...]:
    """Return the order of a sentence of so many words from a line of positions.

    Raises
    ------
    InputError
        If the line does not have every position once.

    Examples
    --------
    >>> parse_order("0 2 1", 3)
    (0, 2, 1)
    """
    words = line.split()
    if words and "0" not in words and str(length) in words:
        raise InputError(
            "the order counts words from 1; list source positions, counted from 0"
        )
    order = parse_permutation(line, base=0)
    return check_order((rank - 1 for rank in order), length)


def read_constraints(
    path: StrPath,
    sentences: Sequence[Sequence[str]],
    *,
    max_displacement: int | None = None,
) -> list[Constraints]:
    """Return the constraints of every sentence, one JSON object per line.

    Parameters
    ----------
    path : str or path
        Objects have the fields of :class:`Constraints`.
    sentences : sequence of sequences of str
    max_displacement : int, optional
        For sentences whose object has none.

    Raises
    ------
    FormatError
        With file and line, for a line that is not such an object or does not fit its
        sentence, and when there is not one line per sentence.
    """
    return list(stream_constraints(path, sentences, max_displacement=max_displacement))


def stream_constraints(
    path: StrPath,
    sentences: Sequence[Sequence[str]],
    *,
    max_displacement: int | None = None,
) -> Iterator[Constraints]:
    """Yield the constraints of every sentence, as `read_constraints` returns them."""
    names = {field.name for field in fields(Constraints)}

    def parse(line: str, index: int) -> Constraints:
        cure = 'write an object such as {"walls": [3], "frozen": [[4, 6]]}, or {}'
        try:
            content = json.loads(line or "{}")
            if not isinstance(content, dict) or not content.keys() <= names:
                raise InputError(f"these are not constraints; {cure}")
            limits = Constraints(
                walls=tuple(map(int, content.get("walls", ()))),
                frozen=_pairs(content.get("frozen", ())),
                before=_pairs(content.get("before", ())),
                max_displacement=content.get("max_displacement", max_displacement),
            )
            limits.check(len(sentences[index]))
        except (TypeError, ValueError, RecursionError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"these are not constraints ({error}); {cure}") from None
        return limits

    return _stream(path, len(sentences), parse)


def _pairs(items: Iterable[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((int(first), int(second)) for first, second in items)


def write_orders(path: StrPath, orders: Iterable[Sequence[int]]) -> None:
    """Write orders, one line per sentence; the file appears when it is complete."""
    write_lines(path, (" ".join(map(str, order)) for order in orders))


def write_sentences(path: StrPath, sentences: Iterable[Sequence[str]]) -> None:
    """Write sentences, one per line; the file appears when it is complete."""
    write_lines(path, map(" ".join, sentences))


def _stream(
    path: StrPath, sentences: int, parse: Callable[[str, int], _Line]
) -> Iterator[_Line]:
    """Yield the parsed lines of a file that has one per sentence."""
    return parse_lines(path, open_lines(path), sentences, parse)


def parse_lines(
    path: StrPath,
    texts: Iterable[str],
    sentences: int,
    parse: Callable[[str, int], _Line],
) -> Iterator[_Line]:
    """Yield the parsed lines of a file that has one per sentence.

    Parameters
    ----------
    path : str or path
        Where the lines are from, for messages.
    texts : iterable of str
        The lines.
    sentences : int
        Their number.
    parse : callable
        Gets a line and its index.

    Raises
    ------
    FormatError
        With file and line, for what `parse` rejects by an `InputError`, and when there
        is not one line per sentence.
    """
    lines = 0
    for index, line in enumerate(texts):
        if index == sentences:
            raise FormatError(
                f"the text has only {count(sentences, 'sentence')}; give one line per "
                "sentence",
                path=display(path),
                line=index + 1,
            )
        try:
            parsed = parse(line, index)
        except InputError as error:
            raise FormatError(
                str(error), path=display(path), line=index + 1, options=error.options
            ) from None
        yield parsed
        lines += 1
    if lines != sentences:
        raise FormatError(
            f"there are {count(lines, 'line')} for "
            f"{count(sentences, 'sentence')}; give one line per sentence",
            path=display(path),
        )
