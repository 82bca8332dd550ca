# SPDX-License-Identifier: Apache-2.0
"""Letters in another script than the references, and look-alikes in words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from tertium._messages import quote
from tertium.data.checks.base import Check, Tallies
from tertium.data.checks.report import Finding, degree, finding
from tertium.data.checks.survey import Facts, Survey
from tertium.data.checks.view import Column, View, words

__all__ = ["Script", "is_written_otherwise", "script"]

_MAIN = 0.1  # Share of the letters that makes it a script of the text.
_LETTERS = 5  # Fewer foreign letters do not make a wrong script.

# Starts with a plain class, which is what re can search for fast.
_MIXED = re.compile(r"[A-Za-z](?:(?=[\u0370-\u052f])|(?<=[\u0370-\u052f].))")
_LATIN = re.compile(r"[A-Za-z]")
_OTHER = re.compile(r"[\u0370-\u052f]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_LOOKALIKES = {
    _LATIN: frozenset("aceijopsxyABCEHIJKMOPSTXYZN"),
    _OTHER: frozenset("асеіјорѕхуАВСЕНІЈКМОРЅТХУ" + "βοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"),
}


@cache
def script(char: str) -> str:
    """Return the script of a letter by its Unicode name, '' for anything else.

    Examples
    --------
    >>> [script(char) for char in "aя東カ1"]
    ['Latin', 'Cyrillic', 'Han', 'Katakana', '']
    """
    if not char.isalpha():
        return ""
    name = unicodedata.name(char, "").split()
    if name and name[0] in ("FULLWIDTH", "HALFWIDTH"):
        del name[0]
    first = name[0] if name else ""
    if first in ("MODIFIER", "MATHEMATICAL", "FEMININE", "MASCULINE", "MICRO"):
        return ""
    return "Han" if first == "CJK" else first.title()


class Script(Check):
    """Texts with segments in a foreign script, or with look-alike letters."""

    needs = frozenset({"characters"})

    def __init__(self) -> None:
        self.mixed, self.foreign = Tallies(), Tallies()
        self.examples: dict[str, str] = {}
        self.patterns: dict[str, re.Pattern[str]] = {}
        self.scripts: dict[str, Counter[str]] = {}

    def look(self, view: View) -> None:
        """Take a chunk."""
        for column in view.columns:
            for number, text in column.items():
                if not (_OTHER.search(text) and _MIXED.search(text)):
                    continue
                if word := _mixed_word(text):
                    self.mixed[column.where].add(number)
                    self.examples.setdefault(column.where, word)

    def needs_another_look(self, survey: Survey) -> bool:
        """Return whether a text has letters that are not of the references' scripts."""
        main = _main_scripts(survey)
        for column in survey.targets:
            strange = {c for c in column.characters if script(c) not in ("", *main)}
            if main and strange:
                letters = "".join(map(re.escape, sorted(strange)))
                self.patterns[column.where] = re.compile(f"[{letters}]")
                self.scripts[column.where] = Counter()
        return bool(self.patterns)

    def look_again(self, view: View, survey: Survey) -> None:  # noqa: ARG002
        """Look for segments that consist of such letters."""
        for column in view.targets:
            pattern = self.patterns.get(column.where)
            if pattern is None:
                continue
            for number, text in column.items():
                letters = pattern.findall(text)
                if len(letters) < _LETTERS or 2 * len(letters) <= _letters(text):
                    continue
                new = pattern.findall("".join(_new_words(view, column, number, text)))
                if len(new) >= _LETTERS:
                    self.foreign[column.where].add(number)
                    self.scripts[column.where].update(map(script, letters))

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield both."""
        main = " and ".join(sorted(_main_scripts(survey)))
        for column in survey.targets:
            if numbers := self.foreign[column.where]:
                most = self.scripts[column.where].most_common(1)[0][0]
                yield finding(
                    "script",
                    degree(len(numbers), len(column)),
                    where=column.where,
                    what=f"mostly {most} letters where the references have {main}",
                    cure="is it the right language?",
                    numbers=numbers,
                )
        for column in survey.columns:
            if numbers := self.mixed[column.where]:
                example = self.examples[column.where]
                odd = min(_LATIN, _OTHER, key=lambda kind: len(kind.findall(example)))
                codes = ", ".join(
                    f"U+{ord(c):04X}" for c in dict.fromkeys(odd.findall(example))
                )
                yield finding(
                    "script",
                    "warning",
                    where=column.where,
                    what="look-alike letters of another script in words, as in "
                    f"{quote(example)} ({codes})",
                    cure="replace them, or these words match nothing",
                    numbers=numbers,
                )


def is_written_otherwise(survey: Survey, column: Facts) -> bool:
    """Return whether most letters are in a script that no reference uses."""
    scripts = _scripts([column])
    main = _main_scripts(survey)
    strange = sum(n for name, n in scripts.items() if name not in main)
    return 2 * strange > sum(scripts.values())


def _scripts(columns: Sequence[Facts]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for column in columns:
        for char, n in column.characters.items():
            if name := script(char):
                counts[name] += n
    return counts


def _main_scripts(survey: Survey) -> set[str]:
    scripts = _scripts(survey.references or survey.systems)
    total = sum(scripts.values())
    return {name for name, n in scripts.items() if n >= _MAIN * total}


def _letters(text: str) -> int:
    return sum(1 for char in text if script(char))


def _new_words(view: View, column: Column, number: int, text: str) -> list[str]:
    """Return the words that are not names which kept their script."""
    src, refs = view.source_of(number), view.refs_of(number)
    if text == src:  # Another finding.
        return []
    others = (src,) if column in view.references else refs
    known = {word for other in others for word in words(other)}
    return [word for word in words(text) if word not in known]


def _mixed_word(text: str) -> str:
    """Return the first word in which one script only has look-alikes, or ''."""
    for word in _WORD.findall(text):
        parts = {kind: kind.findall(word) for kind in _LOOKALIKES}
        if all(parts.values()) and any(
            alike.issuperset(parts[kind]) for kind, alike in _LOOKALIKES.items()
        ):
            return str(word)
    return ""
