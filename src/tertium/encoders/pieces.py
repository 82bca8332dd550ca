# SPDX-License-Identifier: Apache-2.0
"""Word pieces of BERT (Devlin et al. 2019): words cut by a vocabulary, longest first.

Text is cleaned (control characters vanish, every space is one), Chinese characters and
punctuation stand alone, and an uncased vocabulary gets lower case without accents. The
names of special pieces, such as ``[SEP]``, are plain text here: nothing a text holds
can end it. (The library ``tokenizers`` reads them as special pieces.)
"""

from __future__ import annotations

import os
import string
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol

from tertium.errors import FormatError

__all__ = ["CLS", "SEP", "UNKNOWN", "Cutter", "Pieces", "read_vocabulary"]

CLS, SEP, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"

_LONGEST = 100  # characters of a word; a longer one is unknown
_WORDS = 1 << 16  # words whose pieces are kept
_CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
_CONTROL = frozenset(("Cc", "Cf", "Co", "Cs"))  # not Cn: later Unicode has more
_PUNCTUATION = frozenset(string.punctuation)


class Cutter(Protocol):
    """Cuts texts into numbered pieces."""

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of every piece."""

    @property
    def ends(self) -> tuple[str, str]:
        """The pieces before and after a text."""

    def numbers_of(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces, without those around it."""


class Pieces:
    """Cuts texts into the pieces of a vocabulary.

    Parameters
    ----------
    numbers : mapping of str to int
        The number of every piece; one that continues a word begins with ``##``.
    lowercase : bool
        Whether the vocabulary is uncased.

    Examples
    --------
    >>> pieces = Pieces({"[UNK]": 0, "play": 1, "##ing": 2, "!": 3})
    >>> pieces.numbers_of("Playing!")
    [1, 2, 3]
    """

    ends = (CLS, SEP)

    def __init__(self, numbers: Mapping[str, int], *, lowercase: bool = True) -> None:
        self.numbers = numbers
        self.lowercase = lowercase
        self._cut = lru_cache(maxsize=_WORDS)(self._pieces)

    def numbers_of(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces, without those around it."""
        return [piece for word in self.words(text) for piece in self._cut(word)]

    def words(self, text: str) -> list[str]:
        """Return the words of a text, as the vocabulary writes them."""
        text = "".join(map(_cleaned, text))
        if self.lowercase:
            text = "".join(map(_plain, unicodedata.normalize("NFD", text)))
        return "".join(map(_apart, text)).split()

    def _pieces(self, word: str) -> tuple[int, ...]:
        """Return the longest piece that begins the word, and so on after it."""
        unknown = (self.numbers[UNKNOWN],)
        if len(word) > _LONGEST:
            return unknown
        out: list[int] = []
        start, mark = 0, ""
        while start < len(word):
            end = len(word)
            while end > start and mark + word[start:end] not in self.numbers:
                end -= 1
            if end == start:
                return unknown
            out.append(self.numbers[mark + word[start:end]])
            start, mark = end, "##"
        return tuple(out)


@lru_cache(maxsize=1 << 14)
def _cleaned(char: str) -> str:
    """Return what stands for a character: itself, a space, nothing, or it alone."""
    if char in "\t\n\r":
        return " "
    if char == "\ufffd" or unicodedata.category(char) in _CONTROL:
        return ""
    if char.isspace():
        return " "
    code = ord(char)
    chinese = any(first <= code <= last for first, last in _CHINESE)
    return f" {char} " if chinese else char


@lru_cache(maxsize=1 << 14)
def _plain(char: str) -> str:
    """Return a character in lower case, an accent as nothing."""
    # One by one: Python writes the last sigma of a word differently.
    return "" if unicodedata.category(char) == "Mn" else char.lower()


@lru_cache(maxsize=1 << 14)
def _apart(char: str) -> str:
    """Return punctuation with spaces around it."""
    mark = char in _PUNCTUATION or unicodedata.category(char)[0] == "P"
    return f" {char} " if mark else char


def read_vocabulary(path: str) -> dict[str, int]:
    """Return the number of every piece in a file with one piece per line.

    Raises
    ------
    FormatError
        If the file cannot be read, or lacks a special piece.
    """
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            pieces = [line.rstrip("\r\n") for line in file]
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        what = f"cannot be read ({reason}); name the folder of a BERT model"
        raise FormatError(what, path=path) from None
    numbers = {piece: number for number, piece in enumerate(pieces)}
    for special in (CLS, SEP, UNKNOWN):
        if special not in numbers:
            what = f"has no piece {special}; take the {os.path.basename(path)} of BERT"
            raise FormatError(what, path=path)
    return numbers
