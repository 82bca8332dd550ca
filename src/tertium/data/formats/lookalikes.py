# SPDX-License-Identifier: Apache-2.0
"""Columns of a table that do not look like the output of a system.

Tables of test sets often have scores, language codes and annotator names as well. A
column is doubted for its values or for its name:

- every value is a number, and the references (or sources) are not;
- every value is the same, and the references (or sources) are not;
- its name is one that metadata has, such as ``LP`` or ``domain``.

Only the first rows are looked at, so that streams can begin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["PEEK", "Doubt", "contradiction", "doubts"]

#: How many rows are looked at.
PEEK = 1000

_NUMBERS = "numbers only"
_CONSTANT = "the same in every row"
_NAME = "metadata by its name"

_FEW = 2  # Fewer values show nothing.
_FEW_EQUAL = 3

_NUMBER = re.compile(r"[+-]?([0-9][0-9,]*\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*%?")
_MISSING = frozenset(("", "-", "na", "n/a", "nan", "none", "null"))

_NAMES = frozenset(  # Without case, spaces, underscores, dots and hyphens.
    """
    lp lang language langpair langs languages languagepair srclang tgtlang trglang
    sourcelang targetlang sourcelanguage targetlanguage origlang originallanguage
    domain genre collection dataset testset corpus year
    docid documentid document segid segmentid segment sentenceid sentid
    annotator annotators annotatorid judge judgeid rater raterid user username
    comment comments timestamp
    score scores humanscore humanscores rawscore zscore dascore da mqm mqmscore esa
    esascore rating rank hter
    bleu sentbleu chrf chrf++ chrf2 ter meteor comet cometkiwi xcomet bleurt bertscore
    metricx yisi
    """.split()  # noqa: SIM905 (readable)
)
_IGNORED = re.compile(r"[\s_.-]+")


@dataclass(frozen=True)
class Doubt:
    """Why a column is not a system: `reason`, and the `value` that all rows share."""

    reason: str
    value: str | None = None


def doubts(
    columns: Iterable[tuple[str, Sequence[str]]], texts: Sequence[Sequence[str]]
) -> dict[str, Doubt]:
    """Return the columns that do not look like systems, by name.

    Parameters
    ----------
    columns : iterable of pairs of str and sequence of str
        Name and values of every candidate.
    texts : sequence of sequences of str
        References and sources.

    Examples
    --------
    >>> doubtful = doubts(
    ...     [("A", ["a cat", "2"]), ("LP", ["de-en"] * 2), ("v", ["0.5", "1"])],
    ...     [["the cat", "two"]],
    ... )
    >>> {name: doubt.reason for name, doubt in doubtful.items()}
    {'LP': 'metadata by its name', 'v': 'numbers only'}
    """
    texts_are_numbers = any(map(_numbers, texts))
    texts_vary = any(len(set(column)) > 1 for column in texts)
    doubtful: dict[str, Doubt] = {}
    for name, column in columns:
        if len(column) >= _FEW and _numbers(column) and not texts_are_numbers:
            doubtful[name] = Doubt(_NUMBERS)
        elif _IGNORED.sub("", name.lower()) in _NAMES:
            doubtful[name] = Doubt(_NAME)
        elif len(column) >= _FEW_EQUAL and len(set(column)) == 1 and texts_vary:
            doubtful[name] = Doubt(_CONSTANT, column[0])
    return doubtful


def contradiction(doubt: Doubt, column: Sequence[str]) -> int | None:
    """Return the index of the first value that contradicts a doubt, if there is one."""
    for index, value in enumerate(column):
        if doubt.reason == _NUMBERS and not (_is_number(value) or _is_missing(value)):
            return index
        if doubt.reason == _CONSTANT and value != doubt.value:
            return index
    return None


def _numbers(column: Sequence[str]) -> bool:
    return any(map(_is_number, column)) and all(
        _is_number(value) or _is_missing(value) for value in column
    )


def _is_number(value: str) -> bool:
    return _NUMBER.fullmatch(value.strip()) is not None


def _is_missing(value: str) -> bool:
    return value.strip().lower() in _MISSING
