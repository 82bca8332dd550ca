# SPDX-License-Identifier: Apache-2.0
"""Words of a text that may be cut between any two of them.

A word is what stands between white space. Scripts that are written without spaces
(Chinese, Japanese, Thai, Lao, Khmer, Burmese, Tibetan) are cut at every character, with
the vowels and marks that belong to it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

__all__ = ["LINE_ENDS", "Units", "join_lines", "key_of", "units_of"]

#: Characters that end a line in some program or other.
LINE_ENDS = "\n\r\x85\u2028\u2029"

_SPACELESS = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff"
)
_MARKS = "".join(
    chr(point)
    for point in (*range(0xE00, 0x10A0), *range(0x1780, 0x1800), 0x3099, 0x309A)
    if unicodedata.category(chr(point)).startswith("M")
)
_VOWELS_BEFORE = "\u0e40-\u0e44\u0ec0-\u0ec4"  # written before their consonants
_UNIT = re.compile(
    rf"(?!\s)[{_VOWELS_BEFORE}]?(?!\s)[{_SPACELESS}][{_MARKS}\u200d\ufe0f]*"
    rf"|[^\s{_SPACELESS}]+"
)
_END = re.compile(f"[{LINE_ENDS}]")
_BREAK = re.compile(rf"\s*[{LINE_ENDS}]\s*")
_CLOSE = re.compile(rf"([{_SPACELESS}])\s*[{LINE_ENDS}]\s*(?=[{_SPACELESS}])")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_ENDS = frozenset(
    ".!?\u2026\u3002\uff01\uff1f\uff0e\u0964\u0965\u06d4\u061f\u17d4\u104b"
)
_CLOSERS = "\"'\u201d\u2019\u201c\u00bb\u00ab)]}\u300d\u300f\uff09\u3011*_"


@dataclass(frozen=True)
class Units:
    """A text cut into units.

    Parameters
    ----------
    text : str
        Lines with line ends between them.
    starts, ends : list of int
        Where every unit starts and ends in the text.
    keys : list of str
        The form in which every unit is compared.
    penalties : list of int
        For every place (before the first unit, ..., after the last): how unlikely a
        segment ends there, from 0 to 3: 2 unless a sentence ends, 1 unless a line does.
    """

    text: str
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    penalties: list[int] = field(default_factory=lambda: [0])

    def __len__(self) -> int:
        """Return the number of units."""
        return len(self.keys)

    def inside_sentence(self, place: int) -> bool:
        """Return whether a place is neither an edge nor the end of a sentence."""
        return self.penalties[place] > 1

    @property
    def ends_sentence(self) -> bool:
        """Whether the text ends a sentence, by its punctuation."""
        return bool(self.ends) and _ends_sentence(
            self.text[self.starts[-1] : self.ends[-1]]
        )

    def part(self, start: int, end: int) -> str:
        """Return units from `start` to before `end` as one line."""
        if start == end:
            return ""
        return join_lines(self.text[self.starts[start] : self.ends[end - 1]])


def join_lines(text: str) -> str:
    r"""Return a text as one line: line ends become spaces.

    They vanish between characters of scripts without spaces. All of `LINE_ENDS` count.

    Examples
    --------
    >>> join_lines("two \n lines")
    'two lines'
    """
    return _BREAK.sub(" ", _CLOSE.sub(r"\1", text)) if _END.search(text) else text


def units_of(lines: Sequence[str], *, exact: bool = False) -> Units:
    """Return the units of lines.

    Parameters
    ----------
    lines : sequence of str
    exact : bool
        Compare units as they are written. By default case, punctuation around words
        and tags such as ``<p>`` do not count.

    Examples
    --------
    >>> units = units_of(["The cat", "sat. Down"])
    >>> units.keys, units.penalties
    (['the', 'cat', 'sat', 'down'], [0, 3, 2, 1, 0])
    >>> units_of(["今天 OK"]).keys
    ['今', '天', 'ok']
    """
    text = "\n".join(lines)
    units = Units(text)
    for match in _UNIT.finditer(text):
        word = match[0]
        start = match.start()
        if units.ends and _END.search(text, units.ends[-1], start):
            units.penalties[-1] -= 1
        units.starts.append(start)
        units.ends.append(match.end())
        units.keys.append(word if exact else key_of(word))
        units.penalties.append(1 if _ends_sentence(word) else 3)
    if units.keys:
        units.penalties[-1] = 0
    return units


@lru_cache(maxsize=1 << 16)
def key_of(word: str) -> str:
    """Return the form of a word that ignores case, tags and punctuation around it.

    Examples
    --------
    >>> key_of("<p>“Don't!”"), key_of("..."), key_of("</p>")
    ("don't", '...', '</p>')
    """
    plain = _TAG.sub("", word).casefold()
    start, end = 0, len(plain)
    while start < end and unicodedata.category(plain[start])[0] in "PS":
        start += 1
    while end > start and unicodedata.category(plain[end - 1])[0] in "PS":
        end -= 1
    return plain[start:end] or plain or word


@lru_cache(maxsize=1 << 16)
def _ends_sentence(word: str) -> bool:
    return _TAG.sub("", word).rstrip(_CLOSERS)[-1:] in _ENDS
