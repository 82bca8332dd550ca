# SPDX-License-Identifier: Apache-2.0
"""The look of lines: tokenised text, and lengths far from the norm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from tertium.data.checks.report import Finding, degree, finding
from tertium.data.checks.view import Column, View

__all__ = ["find_length", "find_tokenised"]

# No other mark than comma and full stop: French and Hindi set spaces before some.
_TOKENISED = re.compile(
    r"\w [.,](?=\s|$)"
    r"|&(?:apos|quot|amp|lt|gt|#124|#91|#93);"
    r"|@-@|@@(?=\s|$)|▁"
    r"|\w (?:n't|'(?:s|re|ve|ll|d|m))(?=\s|$)"
    r"|[\u4e00-\u9fff\u3040-\u30ff] [\u4e00-\u9fff\u3040-\u30ff].*"
    r"[\u4e00-\u9fff\u3040-\u30ff] [\u3002\uff0c\u4e00-\u9fff\u3040-\u30ff]"
)
_MARK = re.compile(r"[.,&@\u3002\uff0c▁]")
_OFTEN = 0.4
_RARELY = 0.1

_FAR = 3.0  # Times longer or shorter than usual.
_LETTERS = 40  # Characters more or fewer than usual.
_NORM = 10  # Segments that make a norm.
_LOOP = 4  # Times a word is repeated in a row, or on average in a long segment.


def find_tokenised(view: View) -> Iterator[Finding]:
    """Yield tokenised texts on one side, or a note that both are."""
    tokenised = {column: _tokenised(column) for column in view.targets}
    shares = {column: share for column, (share, _) in tokenised.items()}
    for mine, others in (
        (view.systems, view.references),
        (view.references, view.systems),
    ):
        plain = min((shares[column] for column in others), default=0.0)
        for column in mine:
            if shares[column] < _OFTEN or plain > _RARELY:
                continue
            share, numbers = tokenised[column]
            yield finding(
                "tokenised",
                "warning" if others else "note",
                where=column.where,
                what=f"tokenised or escaped in {100 * share:.0f} % of the segments"
                + (", unlike the other side" if others else ""),
                cure="detokenise it: metrics tokenise on their own",
                numbers=numbers,
            )
    if view.references and view.systems and min(shares.values()) >= _OFTEN:
        yield Finding(
            "tokenised",
            "note",
            ", ".join(column.where for column in view.targets),
            "all texts are tokenised; detokenise them, or give the metrics "
            "tokenize=none where they know it",
            count=len(view.testset),
        )


def _tokenised(column: Column) -> tuple[float, list[int]]:
    """Return the share of tokenised among the segments that could show it."""
    numbers = [n for n, text in column.items() if _TOKENISED.search(text)]
    marked = sum(1 for text in column.texts if _MARK.search(text))
    share = len(numbers) / max(marked, len(numbers), 1)
    return (share if len(numbers) >= 3 else 0.0), numbers


def find_length(view: View) -> Iterator[Finding]:
    """Yield texts with segments of an odd length, or that loop."""
    for column in view.systems:
        loops = _loops(view, column)
        if loops:
            yield finding(
                "length",
                degree(len(loops), len(column)),
                where=column.where,
                what="the same words again and again",
                cure="did the system loop there?",
                numbers=loops,
            )
        whole = view.testset.references if view.references else _sources(view)
        yield from _outliers(column, whole, skip=frozenset(loops))
    for column in view.references:
        yield from _outliers(column, _sources(view), skip=frozenset())


def _sources(view: View) -> list[tuple[str, ...]]:
    return [(src,) for src in view.sources]


def _outliers(
    column: Column, others: Sequence[tuple[str, ...]], *, skip: frozenset[int]
) -> Iterator[Finding]:
    lengths = {
        number: (len(text), _nearest(len(text), others[number - 1]))
        for number, text in column.items()
        if text.strip()
    }
    ratios = [mine / other for mine, other in lengths.values() if other]
    if len(ratios) < _NORM:
        return
    norm = median(ratios)
    numbers = [
        number
        for number, (mine, other) in lengths.items()
        if other and number not in skip and _is_far(mine, norm * other)
    ]
    if numbers:
        yield finding(
            "length",
            degree(len(numbers), len(column)),
            where=column.where,
            what=f"more than {_FAR:g} times longer or shorter than usual",
            cure="check whether text is missing or was added",
            numbers=numbers,
        )


def _nearest(length: int, others: tuple[str, ...]) -> int:
    """Return the length of the text that is nearest in length, 0 if all are empty."""
    lengths = [len(other) for other in others if other.strip()]
    return min(lengths, key=lambda other: abs(other - length), default=0)


def _is_far(length: float, usual: float) -> bool:
    short, long = sorted((length, usual))
    return long > _FAR * short and long - short >= _LETTERS


def _loops(view: View, column: Column) -> list[int]:
    return [
        number
        for number, words in zip(column.numbers, column.words, strict=True)
        if _is_loop(words)
        and not any(
            _is_loop(reference.words[number - 1])
            for reference in view.references
            if len(reference) == len(column)
        )
    ]


def _is_loop(words: Sequence[str]) -> bool:
    if len(words) < _LOOP or len(set(words)) > len(words) - _LOOP + 1:
        return False
    if len(words) >= 3 * _LOOP and _LOOP * len(set(words)) <= len(words):
        return True
    run = 1
    for before, word in pairwise(words):
        run = run + 1 if word == before else 1
        if run == _LOOP:
            return True
    return False
