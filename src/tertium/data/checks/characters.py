# SPDX-License-Identifier: Apache-2.0
"""Characters that should not be there: separators, mojibake, mixed normal forms."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator

from tertium._messages import quote
from tertium.data.checks.base import Check, Tallies
from tertium.data.checks.report import Finding, finding
from tertium.data.checks.survey import Facts, Survey
from tertium.data.checks.tally import Tally
from tertium.data.checks.view import View

__all__ = ["Encoding", "Normalisation", "Separators"]

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


class Separators(Check):
    """Texts with characters that end a line or a field, or show nothing."""

    def __init__(self) -> None:
        self.numbers = Tallies()
        self.seen: dict[str, dict[str, None]] = defaultdict(dict)

    def look(self, view: View) -> None:
        """Take a chunk."""
        for column in view.columns:
            for number, text in column.items():
                separators = set(_SEPARATOR.findall(text))
                if "\u200b" in separators and _BREAKS.search(text):
                    separators.remove("\u200b")
                if separators:
                    self.numbers[column.where].add(number)
                    self.seen[column.where].update(dict.fromkeys(sorted(separators)))

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield these texts."""
        for column in survey.columns:
            if numbers := self.numbers[column.where]:
                yield finding(
                    "separators",
                    "warning",
                    where=column.where,
                    what=f"stray {', '.join(map(_name, self.seen[column.where]))} in "
                    "the text",
                    cure="remove them; some tools break lines or words there",
                    numbers=numbers,
                )


def _name(text: str) -> str:
    if text not in _SEPARATORS:
        return f"'{text}'"
    return f"{_SEPARATORS[text]} (U+{ord(text):04X})"


class Encoding(Check):
    """Texts that were decoded with the wrong encoding."""

    def __init__(self) -> None:
        self.numbers = Tallies()
        self.examples: dict[str, str] = {}
        self.special: Counter[str] = Counter()

    def look(self, view: View) -> None:
        """Take a chunk."""
        for column in view.columns:
            self.special[column.where] += sum(not t.isascii() for t in column.texts)
            for number, text in column.items():
                if _LEAD.search(text) and (example := _mojibake(text)):
                    self.numbers[column.where].add(number)
                    self.examples.setdefault(column.where, example)

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield these texts."""
        for column in survey.columns:
            if numbers := self.numbers[column.where]:
                special = self.special[column.where]
                most = len(numbers) >= 3 and 10 * len(numbers) > special
                example = self.examples[column.where]
                yield finding(
                    "encoding",
                    "error" if most else "warning",
                    where=column.where,
                    what=f"UTF-8 read as another encoding, as in {example}",
                    cure="decode the file as UTF-8 once",
                    numbers=numbers,
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


class Normalisation(Check):
    """Texts whose normal form or quotation marks differ from the other side."""

    needs = frozenset({"characters"})

    def __init__(self) -> None:
        self.decomposed = Tallies()
        self.special: Counter[str] = Counter()
        # Segments with such a mark in a reference.
        self.marked = {marks: Tally() for marks in (_CURLY, _STRAIGHT)}

    def look(self, view: View) -> None:
        """Take a chunk."""
        for column in view.targets:
            special = [(n, text) for n, text in column.items() if not text.isascii()]
            self.special[column.where] += len(special)
            # ASCII is in any normal form.
            self.decomposed[column.where].extend(
                n for n, text in special if not unicodedata.is_normalized("NFC", text)
            )
        for number, refs in enumerate(view.testset.references, start=view.start + 1):
            for marks, tally in self.marked.items():
                if any(mark in ref for ref in refs for mark in marks):
                    tally.add(number)

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield both."""
        for column in survey.systems:
            yield from self._odd_form(column, survey.references)
        for column in survey.references:
            yield from self._odd_form(column, survey.systems)
        yield from self._odd_quotes(survey)

    def _odd_form(self, column: Facts, others: list[Facts]) -> Iterator[Finding]:
        if not others or self._share(column) < 0.5:
            return
        if min(map(self._share, others)) <= 0.1:
            yield finding(
                "normalisation",
                "warning",
                where=column.where,
                what="not in Unicode normal form C, as the other side is",
                cure="normalise all texts to NFC, or equal words do not match",
                numbers=self.decomposed[column.where],
            )

    def _share(self, column: Facts) -> float:
        special = self.special[column.where]
        return len(self.decomposed[column.where]) / special if special >= 3 else 0.0

    def _odd_quotes(self, survey: Survey) -> Iterator[Finding]:
        mine = _curly_share(survey.references)
        odd = [
            column
            for column in survey.systems
            if mine is not None
            and (share := _curly_share([column])) is not None
            and abs(share - mine) >= 0.8
        ]
        if mine is None or not odd:
            return
        theirs = "straight" if mine > 0.5 else "curly"
        other = "curly" if mine > 0.5 else "straight"
        yield finding(
            "normalisation",
            "note",
            where=", ".join(column.where for column in odd),
            what=f"{theirs} quotation marks, and {other} ones in the references",
            cure="unify them if they should not cost points",
            numbers=self.marked[_CURLY if mine > 0.5 else _STRAIGHT],
        )


def _curly_share(columns: list[Facts]) -> float | None:
    counts = [
        sum(column.characters[mark] for column in columns for mark in marks)
        for marks in (_CURLY, _STRAIGHT)
    ]
    return counts[0] / sum(counts) if sum(counts) >= _USED else None
