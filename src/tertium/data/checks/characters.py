# SPDX-License-Identifier: Apache-2.0
"""Characters that should not be there: separators, mojibake, mixed normal forms."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from tertium._messages import quote
from tertium.data.checks.report import Finding, finding
from tertium.data.checks.view import Column, View

__all__ = ["find_encoding", "find_normalisation", "find_separators"]

_SEPARATORS = {
    "\u2028": "line separator",
    "\u2029": "paragraph separator",
    "\u0085": "next line",
    "\n": "line feed",
    "\r": "carriage return",
    "\t": "tab",
    "\x0b": "vertical tab",
    "\x0c": "form feed",
    "\x1c": "file separator",
    "\x1d": "group separator",
    "\x1e": "record separator",
    "\x00": "NUL",
    "\ufeff": "byte order mark",
    "\u200b": "zero-width space",
    "\ufffd": "replacement character",
}
_SEPARATOR = re.compile(rf"[{''.join(_SEPARATORS)}]|(?<!\S)\|\|\|(?!\S)")
# Thai, Lao, Burmese and Khmer mark where a line may break with zero-width spaces.
_BREAKS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")

# UTF-8 read as Windows-1252 or Latin-1: a lead byte and what follows it. Upper-case
# letters before a quotation mark ("SPASS“", "Ä“") are no such thing, so the leads
# are those of Latin letters with signs (Â Ã Ä Å), of Cyrillic and Greek in pairs, and
# of typographic marks (â€).
_HIGH = "\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_MOJIBAKE = re.compile(
    rf"[ÂÃ][{_HIGH}]|[ÄÅ][\x80-\xbfŠ‹ŒŽ˜™š›œžŸ‚ƒˆ‰†‡]"
    rf"|(?:[ÐÑÎÏ][{_HIGH}]){{2,}}|â[€\x80-\x84][{_HIGH}]"
)
_LEAD = re.compile("[ÂÃÄÅÐÑÎÏâ]")  # A quick look whether the slow one is needed.

_STRAIGHT = "\"'"
_CURLY = "“”„‟‘’‚‛«»‹›"
_USED = 5


def find_separators(view: View) -> Iterator[Finding]:
    """Yield texts with characters that end a line or a field, or show nothing."""
    for column in view.columns:
        seen: dict[str, None] = {}
        numbers = []
        for number, text in column.items():
            separators = set(_SEPARATOR.findall(text))
            if "\u200b" in separators and _BREAKS.search(text):
                separators.remove("\u200b")
            if separators:
                numbers.append(number)
                seen.update(dict.fromkeys(sorted(separators)))
        if numbers:
            yield finding(
                "separators",
                "warning",
                where=column.where,
                what=f"stray {', '.join(map(_name, seen))} in the text",
                cure="remove them; some tools break lines or words there",
                numbers=numbers,
            )


def _name(text: str) -> str:
    if text not in _SEPARATORS:
        return f"'{text}'"
    return f"{_SEPARATORS[text]} (U+{ord(text):04X})"


def find_encoding(view: View) -> Iterator[Finding]:
    """Yield texts that were decoded with the wrong encoding."""
    for column in view.columns:
        garbled = {
            number: example
            for number, text in column.items()
            if _LEAD.search(text) and (example := _mojibake(text))
        }
        if garbled:
            example = next(iter(garbled.values()))
            special = sum(not text.isascii() for text in column.texts)
            most = len(garbled) >= 3 and 10 * len(garbled) > special
            yield finding(
                "encoding",
                "error" if most else "warning",
                where=column.where,
                what=f"UTF-8 read as another encoding, as in {example}",
                cure="decode the file as UTF-8 once",
                numbers=list(garbled),
            )


def _mojibake(text: str) -> str:
    for match in _MOJIBAKE.finditer(text):
        if repaired := _repaired(match.group()):
            return f"{quote(match.group())} for {quote(repaired)}"
    return ""


def _repaired(text: str) -> str:
    """Return what was meant, or '' if the characters mean themselves."""
    try:
        raw = b"".join(
            char.encode("latin-1" if char <= "\xff" else "cp1252") for char in text
        )
        meant = raw.decode("utf-8")
    except UnicodeError:
        return ""
    return meant if all(char.isprintable() or char == "\xa0" for char in meant) else ""


def find_normalisation(view: View) -> Iterator[Finding]:
    """Yield texts whose normal form or quotation marks differ from the other side."""
    for column in view.systems:
        yield from _odd_form(column, view.references)
    for column in view.references:
        yield from _odd_form(column, view.systems)
    yield from _odd_quotes(view)


def _odd_form(column: Column, others: list[Column]) -> Iterator[Finding]:
    if not others or _decomposed_share(column) < 0.5:
        return
    if min(map(_decomposed_share, others)) <= 0.1:
        yield finding(
            "normalisation",
            "warning",
            where=column.where,
            what="not in Unicode normal form C, as the other side is",
            cure="normalise all texts to NFC, or equal words do not match",
            numbers=_decomposed(column),
        )


def _decomposed(column: Column) -> list[int]:
    return [
        number
        for number, text in column.items()
        if not unicodedata.is_normalized("NFC", text)
    ]


def _decomposed_share(column: Column) -> float:
    special = sum(not text.isascii() for text in column.texts)
    return len(_decomposed(column)) / special if special >= 3 else 0.0


def _odd_quotes(view: View) -> Iterator[Finding]:
    mine = _curly_share(view.references)
    odd = [
        column
        for column in view.systems
        if mine is not None
        and (share := _curly_share([column])) is not None
        and abs(share - mine) >= 0.8
    ]
    if mine is None or not odd:
        return
    theirs = "straight" if mine > 0.5 else "curly"
    other = "curly" if mine > 0.5 else "straight"
    marks = _CURLY if mine > 0.5 else _STRAIGHT
    concerned = {
        number
        for reference in view.references
        for number, ref in reference.items()
        if any(mark in ref for mark in marks)
    }
    yield finding(
        "normalisation",
        "note",
        where=", ".join(column.where for column in odd),
        what=f"{theirs} quotation marks, and {other} ones in the references",
        cure="unify them if they should not cost points",
        numbers=sorted(concerned),
    )


def _curly_share(columns: list[Column]) -> float | None:
    counts = [
        sum(column.characters[mark] for column in columns for mark in marks)
        for marks in (_CURLY, _STRAIGHT)
    ]
    return counts[0] / sum(counts) if sum(counts) >= _USED else None
