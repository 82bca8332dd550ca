# SPDX-License-Identifier: Apache-2.0
"""Twins of tokenisers: 13a as mteval has it, and `words` as one expression."""

from __future__ import annotations

import re

import regex

_RULES = [
    (re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
]


def tokenize_13a(line: str) -> list[str]:
    line = line.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, char in (("quot", '"'), ("amp", "&"), ("lt", "<"), ("gt", ">")):
        line = line.replace(f"&{entity};", char)
    line = f" {line} "
    for pattern, replacement in _RULES:
        line = pattern.sub(replacement, line)
    return line.split()


#: Letters of scripts without spaces between words, as tools/make_unicode_tables.py has.
_SPACELESS = (
    r"[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}"
    r"\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}"
    r"\p{Script=Tai_Tham}\p{Script=Tai_Viet}]&&\p{L}]"
)
_SPACE = r"[\s\x1c-\x1f\x85]"
#: What can stand in the middle of a word, marks not counted.
_JOINS = rf"(?:(?![\p{{P}}\p{{S}}\p{{M}}]|{_SPACELESS}|{_SPACE}).)"
_LETTER = rf"(?:{_JOINS}|\p{{M}})"
_WORD = regex.compile(
    rf"(?P<alone>{_SPACELESS}\p{{M}}*|\p{{S}}\p{{M}}*)"
    rf"|(?P<mark>\p{{P}}\p{{M}}*)"
    rf"|(?P<word>{_LETTER}(?:{_LETTER}"
    rf"|(?<=\p{{N}})[.,\u066b\u066c](?=\p{{N}})"
    rf"|['\u2019\u00b7\u05f3\u05f4](?={_JOINS})"
    rf"|(?<!\p{{N}})[-\u2010\u2011](?={_JOINS}))*)",
    regex.V1 | regex.DOTALL,
)


def tokenize_words(line: str) -> list[str]:
    """Twin of the tokeniser `words`: one regular expression."""
    words = []
    for part in line.split():
        words += [m[0] for m in _WORD.finditer(part) if m["mark"] is None]
    return words
