# SPDX-License-Identifier: Apache-2.0
"""The edits of a permutation, and how they treat punctuation.

An edit can be repeated: replaying the log of a sentence gives its text. Positions are
those before the edit, counted from 1; `words` are the numbers of the words in the
source.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tertium.errors import InputError, UnknownNameError
from tertium.order.damage.words import Source

__all__ = ["Arrangement", "Edit", "replay"]

_OPS = ("move", "swap", "phrase", "replace", "case")


@dataclass(frozen=True)
class Edit:
    """One edit.

    Parameters
    ----------
    op : {"move", "swap", "phrase", "replace", "case"}
        Move a word, exchange two, move a phrase, replace a word, or change the case
        of its first letter.
    at : int
        The position of the word or of the first word of the phrase.
    to : int
        Its new position; the other position of a swap; `at` for edits that move
        nothing.
    words : tuple of int
        The numbers in the source of the affected words, all words of a phrase included.
    forms : tuple of str
        These words, without punctuation.
    new : str
        The new word of "replace" and "case".
    """

    op: str
    at: int
    to: int
    words: tuple[int, ...]
    forms: tuple[str, ...]
    new: str = ""

    def record(self) -> dict[str, object]:
        """Return the edit as JSON has it."""
        record: dict[str, object] = {"op": self.op, "at": self.at}
        if self.op in ("move", "swap", "phrase"):
            record["to"] = self.to
        record |= {"words": list(self.words), "forms": list(self.forms)}
        return record | ({"new": self.new} if self.op in ("replace", "case") else {})

    @classmethod
    def from_record(cls, record: Mapping[str, object]) -> Edit:
        """Return the edit of a record.

        Raises
        ------
        InputError
            If the record lacks a key, or has a value of a wrong type.
        """
        op, at = record.get("op"), record.get("at")
        to = record.get("to", at)
        words, forms = record.get("words"), record.get("forms")
        new = record.get("new", "")
        if (
            isinstance(op, str)
            and isinstance(at, int)
            and isinstance(to, int)
            and isinstance(new, str)
            and isinstance(words, list)
            and isinstance(forms, list)
            and len(words) == len(forms) > 0
            and all(isinstance(word, int) for word in words)
            and all(isinstance(form, str) for form in forms)
        ):
            if op not in _OPS:
                raise UnknownNameError("edit", op, _OPS)
            return cls(op, at, to, tuple(words), tuple(forms), new)
        message = (
            f"{dict(record)!r} is not an edit; give op, at, to (or new), and as many "
            "words as forms, as `tertium permute --log` writes them"
        )
        raise InputError(message)


class Arrangement:
    """The words of a source in an order that edits change, with punctuation."""

    def __init__(self, source: Source) -> None:
        self.cores = [word.core for word in source.words]
        self.order = list(range(len(source.words)))
        self.leads = [word.lead for word in source.words]
        self.trails = [word.trail for word in source.words]
        self.edits: list[Edit] = []

    def __len__(self) -> int:
        return len(self.cores)

    @property
    def text(self) -> str:
        """The current text."""
        parts = zip(self.leads, self.cores, self.trails, strict=True)
        return " ".join("".join(part) for part in parts)

    def move(self, at: int, to: int) -> None:
        """Move the word at a place, counted from 0, to another (algorithm 3)."""
        self._note("move", at, to)
        for column in (self.cores, self.order, self.leads, self.trails):
            _shift(column, at, to, 1)
        # To the right, the word takes the punctuation of the word that was there;
        # to the left, it leaves its punctuation to the word that is now in its old
        # place. Either may be empty, and replaces what was there.
        giver, taker = (to - 1, to) if to > at else (to, at)
        for marks in (self.leads, self.trails):
            marks[taker], marks[giver] = marks[giver], ""

    def swap(self, at: int, to: int) -> None:
        """Exchange two words; punctuation stays."""
        self._note("swap", at, to, places=(at, to))
        cores, order = self.cores, self.order
        cores[at], cores[to] = cores[to], cores[at]
        order[at], order[to] = order[to], order[at]

    def move_phrase(self, at: int, to: int, size: int) -> None:
        """Move `size` words so that they start at another place (algorithm 4)."""
        self._note("phrase", at, to, places=range(at, at + size))
        for column in (self.cores, self.order, self.leads, self.trails):
            _shift(column, at, to, size)
        leads, trails, last = self.leads, self.trails, to + size - 1
        if to > at:
            trails[last], trails[to - 1] = trails[to - 1], ""
            leads[at], leads[to] = leads[to], ""
        else:
            # The algorithm names the old first place, but only the old last one gives
            # the sentences that the thesis prints.
            trails[at + size - 1], trails[last] = trails[last], ""

    def replace(self, at: int, new: str, *, op: str = "replace") -> None:
        """Replace the word at a place and keep its punctuation."""
        self._note(op, at, at, new=new)
        self.cores[at] = new

    def apply(self, edit: Edit) -> None:
        """Repeat a logged edit.

        Raises
        ------
        InputError
            If there is no such place, or it has other words.
        """
        size = len(edit.words) if edit.op == "phrase" else 1
        at, to = edit.at - 1, edit.to - 1
        places = range(at, at + size)
        if edit.op == "swap":
            places = range(at, to + 1, max(to - at, 1))
        fits = at >= 0 and max(at, to) + size <= len(self)
        moves = edit.op in ("move", "swap", "phrase")
        if not fits or to < 0 or (moves and at == to) or edit.op not in _OPS:
            message = (
                f"edit {edit.op} of place {edit.at} to {edit.to} does not fit a "
                f"sentence of {len(self)} words; is the log of another sentence?"
            )
            raise InputError(message)
        words = tuple(self.order[place] + 1 for place in places)
        forms = tuple(self.cores[place] for place in places)
        if (words, forms) != (edit.words, edit.forms):
            message = (
                f"edit {edit.op} of place {edit.at} expects {' '.join(edit.forms)!r}, "
                f"found {' '.join(forms)!r}; is the log of another sentence?"
            )
            raise InputError(message)
        if edit.op == "move":
            self.move(at, to)
        elif edit.op == "swap":
            self.swap(at, to)
        elif edit.op == "phrase":
            self.move_phrase(at, to, size)
        else:
            self.replace(at, edit.new, op=edit.op)

    def _note(
        self, op: str, at: int, to: int, places: Sequence[int] = (), new: str = ""
    ) -> None:
        places = places or (at,)
        words = tuple(self.order[place] + 1 for place in places)
        forms = tuple(self.cores[place] for place in places)
        self.edits.append(Edit(op, at + 1, to + 1, words, forms, new))


def replay(source: Source, edits: Iterable[Edit]) -> Arrangement:
    """Return the result of applying the edits of a log to their source.

    Parameters
    ----------
    source : Source
        The sentence, tokenised with the same set of punctuation.
    edits : iterable of Edit

    Returns
    -------
    Arrangement
        Its `text` is the permuted sentence, its `order` the numbers of the words in
        the source, counted from 0.

    Examples
    --------
    >>> source = Source.parse("one, two three.")
    >>> replay(source, [Edit("move", 1, 3, (1,), ("one",))]).text
    'two three one.'
    """
    arrangement = Arrangement(source)
    for edit in edits:
        arrangement.apply(edit)
    return arrangement


def _shift(column: list[str] | list[int], at: int, to: int, size: int) -> None:
    block = column[at : at + size]
    del column[at : at + size]
    column[to:to] = block  # type: ignore[assignment]
