# SPDX-License-Identifier: Apache-2.0
"""The normaliser and tokeniser of Meteor 1.5 (its option ``-norm``).

Based on the output of the program, not on its source: typographic quotation marks
and dashes become plain ones, symbols are separate tokens, commas between digits and
full stops of abbreviations stay, hyphenated words are split, acronyms lose their full
stops (``U.S.`` is ``US``). What counts as a letter, and which abbreviations keep their
full stop, was determined by giving the program every character of the Basic
Multilingual Plane and every word before a full stop in ten years of WMT texts.

Text keeps its case here; Meteor lower-cases afterwards.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

__all__ = ["METEOR_LANGUAGES", "meteor_tokenize"]

#: Languages with special rules; others get the rules that these share, and all
#: letters of Unicode.
METEOR_LANGUAGES = ("cs", "de", "en", "es", "fr", "ru")

# Meteor's letters: Latin up to U+017E, Cyrillic, phonetic extensions.
_LETTERS = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527\u1d00-\u1d7f"
    "\ua640-\ua66e\ua67e-\ua697"
)
_MARKS = str.maketrans(
    {
        "\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'", "`": "'",
        "\u2013": " - ",
    }
)  # fmt: skip

_UPPER = " ".join(string.ascii_uppercase)
_LOWER = " ".join(string.ascii_lowercase)
_NUMERALS = (
    "ii iii iv vi vii viii ix xi xii xiii xiv xv xvi xvii xviii xix xx "
    "II III IV VI VII VIII IX XI XII XIII XIV XV XVI XVII XVIII XIX XX"
)

# Words whose full stop ends no sentence, and those for which that holds before a
# number.
_ABBREVIATIONS = {
    "cs": "",
    "en": (
        f"{_UPPER} v "
        "Adj Adm Adv Asst Bart Bldg Brig Bros Capt Cmdr Col Comdr Con Corp Cpl Dr Drs "
        "Ens Gen Gov Hon Hosp Hr Insp Lt MM MR MRS MS Maj Messrs Mlle Mme Mr Mrs Ms "
        "Msgr Nos Nr Op Ord Pfc Ph Prof Pvt Rep Reps Res Rev Rt Sen Sens Sfc Sgt Sr St "
        "Supt Surg rev vs"
    ),
    "de": (
        f"{_UPPER} {_LOWER} {_NUMERALS} {' '.join(map(str, range(1, 100)))} "
        "Adj Adm Adv Art Asst Bart Bldg Brig Bros Ca Capt Cmdr Co Col Comdr Con Corp "
        "Cpl Dr Ens Gen Gov Hon Hosp Insp Lt Ltd MM MR MRS MS Maj Messrs Mio Mlle Mme "
        "Mr Mrd Mrs Ms Msgr No Nos Nr Op Ord Pfc Ph Prof Pvt Rep Reps Res Rev Rt Sen "
        "Sens Sfc Sgt Sr St Supt Surg bzw ca etc ggf pp sen sog usw vgl vs"
    ),
    "fr": f"{_UPPER} {_LOWER} MM al art ca etc ex pp sec vol vs",
    "es": f"{_UPPER} c p s Dr Prof Sr Sra Srta Tel ej etc págs",
    "ru": (
        f"{_UPPER} "
        "в г га гг д др е и к кв кг км коп куб л лиц м мин млн млрд н о п пр проф руб "
        "с см ст стр т тех тыс ул х ч э"
    ),
}
_BEFORE_NUMBERS = {"en": "Art No pp"}


class _Rules(NamedTuple):
    """The steps of one language: substitutions, then the words with full stops."""

    steps: tuple[Callable[[str], str], ...]
    abbreviations: frozenset[str]
    before_numbers: frozenset[str]
    letter: re.Pattern[str]


def meteor_tokenize(lines: Iterable[str], language: str = "en") -> list[str]:
    """Return the lines as Meteor 1.5 tokenises them, with spaces between words.

    Parameters
    ----------
    lines : iterable of str
    language : str
        One of :data:`METEOR_LANGUAGES`, or any other.

    Examples
    --------
    >>> meteor_tokenize(["Mr. Li\u2019s U.S. visit cost $1,000.50 \u2013 well-spent."])
    ["Mr. Li 's US visit cost $ 1,000.50 - well spent ."]
    """
    rules = _rules(language if language in METEOR_LANGUAGES else "")
    return [_tokenize(line, rules) for line in lines]


def _tokenize(line: str, rules: _Rules) -> str:
    text = f" {line.translate(_MARKS)} ".replace("''", '"')
    for step in rules.steps:
        text = step(text)
    words = text.split()
    if "." in text:
        for i, word in enumerate(words):
            if len(word) > 1 and word[-1] == "." and word[-2] != ".":
                after = words[i + 1] if i + 1 < len(words) else ""
                words[i] = _full_stop(word, after, rules)
    return " ".join(words)


def _full_stop(word: str, after: str, rules: _Rules) -> str:
    """Return a word that ends in a full stop: split, kept or an acronym."""
    stem = word[:-1]
    if "." in stem and rules.letter.search(stem):
        return word.replace(".", "")
    if stem in rules.abbreviations or "a" <= after[:1] <= "z":
        return word
    if stem in rules.before_numbers and "0" <= after[:1] <= "9":
        return word
    return f"{stem} ."


@cache
def _rules(language: str) -> _Rules:
    # Character classes, as written inside brackets.
    letters = _LETTERS if language else r"^\W\d_"
    letter = f"[{letters}]"
    no_letter = f"[^{_LETTERS}]" if language else r"[\W\d_]"
    no_word = f"[^{_LETTERS}0-9]" if language else r"[\W_]"
    word = f"[{_LETTERS}0-9]" if language else r"[^\W_]"
    symbol = f"[^{_LETTERS}0-9\\s.',-]" if language else r"[^\w\s.',-]|_"
    # One pass each, as observed: a pass does not revisit what it has consumed, so
    # the second of two successive commas may keep its neighbour.
    steps = [
        (f"({symbol})", r" \1 "),
        ("([.][.]+)", r" \1 "),
        (r"([^0-9]),([^0-9])", r"\1 , \2"),
        (r"([0-9]),([^0-9])", r"\1 , \2"),
        (r"([^0-9]),([0-9])", r"\1 , \2"),
        *_apostrophes(language, letter, no_letter, no_word),
        ("--", "-"),
        (rf"({word}|\.)-({word})", r"\1 \2"),
    ]
    return _Rules(
        tuple(_step(pattern, instead) for pattern, instead in steps),
        frozenset(_ABBREVIATIONS.get(language, _UPPER).split()),
        frozenset(_BEFORE_NUMBERS.get(language, "").split()),
        re.compile(letter),
    )


def _apostrophes(
    language: str, letter: str, no_letter: str, no_word: str
) -> list[tuple[str, str]]:
    if language not in ("en", "fr"):
        return [("'", " ' ")]
    before = no_word if language == "en" else no_letter
    return [
        (f"({no_letter})'({no_letter})", r"\1 ' \2"),
        (f"({before})'({letter})", r"\1 ' \2"),
        (f"({letter})'({no_letter})", r"\1 ' \2"),
        (f"({letter})'({letter})", r"\1 '\2" if language == "en" else r"\1' \2"),
        *([("([0-9])'(s)", r"\1 '\2")] if language == "en" else []),
    ]


def _step(pattern: str, instead: str) -> Callable[[str], str]:
    compiled = re.compile(pattern)
    # Most lines lack the character that a pattern needs, and testing it is faster.
    rest = re.sub(r"\[.*?\]", "", pattern)
    needed = next((mark for mark in ("--", "-", "'", ",", "..") if mark in rest), "")
    if not needed:
        return lambda text: compiled.sub(instead, text)
    return lambda text: compiled.sub(instead, text) if needed in text else text
