# SPDX-License-Identifier: Apache-2.0
"""Texts of n-best lists that know where they were read.

Another process that sees the file reads these bytes instead of being sent the texts.
Lists were checked when they were first read, so only texts are looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from tertium.data.formats.nbest import BAR
from tertium.data.line_places import FilePiece, PieceReader, PlainFile

__all__ = [
    "ListPlace",
    "PlacedTexts",
    "TextChunk",
    "joined",
    "place_of",
    "placed",
    "selected",
    "text_chunk",
]

_Rest = TypeVar("_Rest")


class ListPlace(NamedTuple):
    """Where the texts of a list are.

    Parameters
    ----------
    pieces : tuple of FilePiece
        One for each file that they were merged from.
    rows : tuple of int, optional
        The texts that were selected from them.
    """

    pieces: tuple[FilePiece, ...]
    rows: tuple[int, ...] | None = None

    def read(self, reader: PieceReader) -> list[str]:
        """Return the texts.

        Raises
        ------
        FormatError
            When a file cannot be read, or was changed.
        """
        texts: list[str] = []
        for piece in self.pieces:
            texts += _texts(reader.lines(piece))
        return texts if self.rows is None else [texts[row] for row in self.rows]


def _texts(lines: Sequence[str]) -> list[str]:
    if lines[0].lstrip().startswith("{"):
        [line] = lines
        hyps = json.loads(line)["hyps"]
        return [hyp if isinstance(hyp, str) else hyp["text"] for hyp in hyps]
    return [line.split(BAR)[1].strip() for line in lines]


class PlacedTexts(list[str]):
    """Texts that were read from files; they are never changed.

    Whatever is made of them (a slice, a copy) is a list without a place.
    """

    __slots__ = ("place",)

    def __init__(self, texts: Iterable[str], place: ListPlace) -> None:
        super().__init__(texts)
        self.place = place

    def __reduce__(self) -> tuple[object, ...]:
        """Travel as a list; whoever sends places says so."""
        return list, (list(self),)


def placed(texts: Sequence[str], piece: FilePiece | None) -> Sequence[str]:
    """Return texts with their place in a file, if it is known."""
    return texts if piece is None else PlacedTexts(texts, ListPlace((piece,)))


def place_of(texts: Sequence[str]) -> ListPlace | None:
    """Return where texts were read, or None."""
    return texts.place if isinstance(texts, PlacedTexts) else None


def selected(texts: Sequence[str], rows: Iterable[int]) -> Sequence[str]:
    """Return some of the texts, with their place if it is known."""
    chosen = tuple(map(int, rows))
    some = [texts[row] for row in chosen]
    place = place_of(texts)
    if place is None:
        return some
    if place.rows is not None:
        chosen = tuple(place.rows[row] for row in chosen)
    return PlacedTexts(some, ListPlace(place.pieces, chosen))


def joined(parts: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the texts of all parts, with their place if that of each is known."""
    texts = [text for part in parts for text in part]
    places = [place_of(part) for part in parts]
    whole = [place for place in places if place is not None and place.rows is None]
    if len(whole) < len(parts):
        return texts
    pieces = tuple(piece for place in whole for piece in place.pieces)
    return PlacedTexts(texts, ListPlace(pieces))


class TextChunk(Generic[_Rest]):
    """A chunk for an executor: texts of several lists, and what else it needs.

    Made by :func:`text_chunk`.
    """

    def __init__(self, texts: Sequence[Sequence[str]], rest: _Rest) -> None:
        self._texts = texts
        self.rest = rest

    def __reduce__(self) -> tuple[object, ...]:
        return TextChunk, ([list(texts) for texts in self._texts], self.rest)

    def read(self) -> Sequence[Sequence[str]]:
        """Return the texts of every list."""
        return self._texts


class _PlacedChunk(TextChunk[_Rest]):
    """A chunk that travels without its texts, which lie in files."""

    def __init__(
        self,
        texts: Sequence[Sequence[str]],
        rest: _Rest,
        places: Sequence[ListPlace],
    ) -> None:
        super().__init__(texts, rest)
        self._places = places

    def __reduce__(self) -> tuple[object, ...]:
        return _ChunkPlace, (self._places, self.rest)

    def files(self) -> list[str]:
        """Return the files; see :class:`tertium._executor.Described`."""
        return sorted(file.path for file in _files(self._places))

    def loaded(self) -> TextChunk[_Rest]:
        """Return the chunk with its texts."""
        return TextChunk(self._texts, self.rest)


class _ChunkPlace(TextChunk[_Rest]):
    """What arrives of such a chunk."""

    def __init__(self, places: Sequence[ListPlace], rest: _Rest) -> None:
        super().__init__((), rest)
        self._places = places

    def read(self) -> list[list[str]]:
        """Return the texts of every list, read from their files."""
        with PieceReader() as reader:
            return [place.read(reader) for place in self._places]


def text_chunk(texts: Sequence[Sequence[str]], rest: _Rest) -> TextChunk[_Rest]:
    """Return a chunk, which travels as places if those of all texts are known.

    Where a file was changed or removed after it was read, the texts are sent.

    Parameters
    ----------
    texts : sequence of sequences of str
        Of every list.
    rest : object
        What else whoever does the chunk needs.
    """
    places = [place for each in texts if (place := place_of(each))]
    if len(places) == len(texts) and all(file.is_same() for file in _files(places)):
        return _PlacedChunk(texts, rest, places)
    return TextChunk(texts, rest)


def _files(places: Iterable[ListPlace]) -> set[PlainFile]:
    return {piece.file for place in places for piece in place.pieces}
