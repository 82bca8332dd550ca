# SPDX-License-Identifier: Apache-2.0
"""Letters in another script than the references, and look-alikes in words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from tertium._messages import quote
from tertium.data.checks.report import Finding, degree, finding
from tertium.data.checks.view import Column, View, words

__all__ = ["find_script", "is_written_otherwise", "script"]

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


def find_script(view: View) -> Iterator[Finding]:
    """Yield texts with segments in a foreign script, or with look-alike letters."""
    main = _main_scripts(view)
    for column in view.targets:
        yield from _foreign(view, column, main)
    for column in view.columns:
        yield from _lookalikes(column)


def is_written_otherwise(view: View, column: Column) -> bool:
    """Return whether most letters are in a script that no reference uses."""
    scripts = _scripts([column])
    main = _main_scripts(view)
    strange = sum(n for name, n in scripts.items() if name not in main)
    return 2 * strange > sum(scripts.values())


def _scripts(columns: Sequence[Column]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for column in columns:
        for char, n in column.characters.items():
            if name := script(char):
                counts[name] += n
    return counts


def _main_scripts(view: View) -> set[str]:
    scripts = _scripts(view.references or view.systems)
    total = sum(scripts.values())
    return {name for name, n in scripts.items() if n >= _MAIN * total}


def _foreign(view: View, column: Column, main: set[str]) -> Iterator[Finding]:
    strange = {c for c in column.characters if script(c) and script(c) not in main}
    if not main or not strange:
        return
    pattern = re.compile(f"[{''.join(map(re.escape, sorted(strange)))}]")
    numbers, scripts = [], Counter[str]()
    for number, text in column.items():
        letters = pattern.findall(text)
        if len(letters) < _LETTERS or 2 * len(letters) <= _letters(text):
            continue
        new = pattern.findall("".join(_new_words(view, column, number, text)))
        if len(new) >= _LETTERS:
            numbers.append(number)
            scripts.update(map(script, letters))
    if numbers:
        yield finding(
            "script",
            degree(len(numbers), len(column)),
            where=column.where,
            what=f"mostly {scripts.most_common(1)[0][0]} letters where the references "
            f"have {' and '.join(sorted(main))}",
            cure="is it the right language?",
            numbers=numbers,
        )


def _letters(text: str) -> int:
    return sum(1 for char in text if script(char))


def _new_words(view: View, column: Column, number: int, text: str) -> list[str]:
    """Return the words that are not names which kept their script."""
    src, refs = view.sources[number - 1], view.testset.references[number - 1]
    if text == src:  # Another finding.
        return []
    others = (src,) if column in view.references else refs
    known = {word for other in others for word in words(other)}
    return [word for word in words(text) if word not in known]


def _lookalikes(column: Column) -> Iterator[Finding]:
    if not _OTHER.search("".join(column.characters)):
        return
    mixed = {
        number: word
        for number, text in column.items()
        if _OTHER.search(text) and _MIXED.search(text) and (word := _mixed_word(text))
    }
    if mixed:
        example = next(iter(mixed.values()))
        odd = min(_LATIN, _OTHER, key=lambda kind: len(kind.findall(example)))
        codes = ", ".join(
            f"U+{ord(c):04X}" for c in dict.fromkeys(odd.findall(example))
        )
        yield finding(
            "script",
            "warning",
            where=column.where,
            what=f"look-alike letters of another script in words, as in "
            f"{quote(example)} ({codes})",
            cure="replace them, or these words match nothing",
            numbers=list(mixed),
        )


def _mixed_word(text: str) -> str:
    """Return the first word in which one script only has look-alikes, or ''."""
    for word in _WORD.findall(text):
        parts = {kind: kind.findall(word) for kind in _LOOKALIKES}
        if all(parts.values()) and any(
            alike.issuperset(parts[kind]) for kind, alike in _LOOKALIKES.items()
        ):
            return str(word)
    return ""
