# SPDX-License-Identifier: Apache-2.0
"""Texts of n-best lists that know where they were read.

Another process that sees the file reads these bytes instead of being sent the texts.
Lists were checked when they were first read, so only texts are looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tertium.data.formats.nbest import BAR
from tertium.data.line_places import FilePiece, PieceReader, PlacedLines, changed

__all__ = ["ListPlace", "PlacedTexts", "joined", "place_of", "placed", "selected"]


@dataclass(frozen=True)
class ListPlace:
    """Where the texts of a list are.

    Parameters
    ----------
    pieces : tuple of FilePiece
        One for each file that they were merged from.
    size : int
        How many texts these have.
    rows : tuple of int, optional
        The texts that were selected from them.
    """

    pieces: tuple[FilePiece, ...]
    size: int
    rows: tuple[int, ...] | None = None

    def __reduce__(self) -> tuple[object, ...]:
        """Travel as values alone: names of fields would take more bytes."""
        return ListPlace, (self.pieces, self.size, self.rows)

    def read(self, reader: PieceReader) -> list[str]:
        """Return the texts.

        Raises
        ------
        FormatError
            When a file cannot be read, or is not what it was.
        """
        texts: list[str] = []
        for piece in self.pieces:
            lines = reader.lines(piece)
            try:
                texts += _texts(lines)
            except (ValueError, LookupError, TypeError):
                raise changed(piece.path) from None
        if len(texts) != self.size:
            raise changed(self.pieces[0].path)
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

    def __init__(self, texts: Iterable[str], place: ListPlace) -> None:
        super().__init__(texts)
        self.place = place

    def __reduce__(self) -> tuple[object, ...]:
        """Travel as a list; whoever sends places says so."""
        return list, (list(self),)


def placed(
    texts: Sequence[str],
    lines: PlacedLines | None,
    start: int | None = None,
    end: int | None = None,
) -> Sequence[str]:
    """Return texts with their place in a file, if it is known.

    Parameters
    ----------
    texts : sequence of str
    lines : PlacedLines, optional
    start, end : int, optional
        The bytes; by default those of the last line.
    """
    if lines is None:
        return texts
    piece = lines.piece(start, end)
    return PlacedTexts(texts, ListPlace((piece,), len(texts)))


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
    return PlacedTexts(some, ListPlace(place.pieces, place.size, chosen))


def joined(parts: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the texts of all parts, with their place if that of each is known."""
    texts = [text for part in parts for text in part]
    places = [place_of(part) for part in parts]
    whole = [place for place in places if place is not None and place.rows is None]
    if len(whole) < len(parts):
        return texts
    pieces = tuple(piece for place in whole for piece in place.pieces)
    return PlacedTexts(texts, ListPlace(pieces, len(texts)))
