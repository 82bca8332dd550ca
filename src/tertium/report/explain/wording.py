# SPDX-License-Identifier: Apache-2.0
"""How findings are worded: quotes, names and lists of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from tertium.report.explain.views import Finding

__all__ = [
    "MARK", "Quote", "is_mark", "listed", "mark", "name", "quote", "say",
    "weight",
]  # fmt: skip

# Longer stretches are quoted by their ends.
_QUOTED = 8

#: The weight of a punctuation mark; a word weighs 1.
MARK = 0.25


class Quote(str):
    """Words that a sentence quotes."""

    __slots__ = ()


def say(
    kind: str, *pieces: str, hyp: Sequence[int] = (), ref: Sequence[int] = ()
) -> Finding:
    """Return a finding; plain pieces and quotes alternate, beginning with plain."""
    out = [""]
    for piece in pieces:
        quoted = isinstance(piece, Quote)
        if quoted == (len(out) % 2 == 0):
            out[-1] += piece
        else:
            out.append(str(piece))
    return Finding(kind, tuple(map(str, out)), tuple(hyp), tuple(ref))


def quote(words: Sequence[str], span: Sequence[int]) -> Quote:
    """Return the words, with dots in place of those omitted between them."""
    kept = list(span)
    if len(kept) > _QUOTED:
        kept = [*kept[:4], *kept[-3:]]
    parts: list[str] = []
    before = None
    for index in kept:
        if before is not None and index != before + 1:
            parts.append("…")
        parts.append(words[index])
        before = index
    return Quote(" ".join(parts))


def name(words: Sequence[str], span: Sequence[int], *, bare: bool = False) -> list[str]:
    """Return "The word *x*", "The block *x y*", or without the noun if `bare`."""
    kind = "block"
    if len(span) == 1:
        kind = "punctuation mark" if is_mark(words[span[0]]) else "word"
    noun = "" if bare else f"The {kind} "
    if len(span) == 1:
        return [noun, *mark(words, span[0])]
    return [noun, quote(words, span)]


def mark(words: Sequence[str], index: int) -> list[str]:
    """Return a word, with its number if the text has it more than once."""
    times = _counts(tuple(words))[words[index].lower()]
    return [Quote(words[index]), f" (word {index + 1})" if times > 1 else ""]


@lru_cache(maxsize=8)
def _counts(words: tuple[str, ...]) -> Counter[str]:
    return Counter(word.lower() for word in words)


def is_mark(word: str) -> bool:
    """Return whether a word is punctuation or a symbol."""
    return not any(char.isalnum() for char in word)


def weight(words: Sequence[str], span: Sequence[int]) -> float:
    """Return the importance of words in findings; punctuation has little."""
    return sum(MARK if is_mark(words[index]) else 1.0 for index in span)


def listed(items: Sequence[str], *, last: str = " and ") -> list[str]:
    """Return items with commas between them, and `last` before the last."""
    out: list[str] = []
    for number, item in enumerate(items):
        if number:
            out.append(last if number == len(items) - 1 else ", ")
        out.append(item)
    return out
