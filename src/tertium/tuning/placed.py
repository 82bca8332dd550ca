# SPDX-License-Identifier: Apache-2.0
"""Texts of n-best lists that know where they were read.

Another process that sees the file reads these bytes instead of being sent the texts.
Lists were checked when they were first read, so only texts are looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tertium.data.formats.nbest import BAR
from tertium.data.line_places import (
    FilePiece,
    PieceReader,
    PlainFile,
    Rest,
    TextChunk,
    text_chunk,
)

__all__ = [
    "ListPlace",
    "PlacedTexts",
    "joined",
    "list_chunk",
    "place_of",
    "placed",
    "selected",
]


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

    def files(self) -> Iterator[PlainFile]:
        """Yield the files."""
        for piece in self.pieces:
            yield piece.file

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


def list_chunk(
    texts: Sequence[Sequence[str]], rest: Rest
) -> TextChunk[Sequence[str], Rest]:
    """Return the texts of lists as a chunk; see :func:`~.line_places.text_chunk`."""
    return text_chunk(texts, rest, list(map(place_of, texts)))
