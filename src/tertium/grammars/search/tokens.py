# SPDX-License-Identifier: Apache-2.0
"""Tokens as corrections see them: words, without the marks around and between them.

Both sides are treated alike. Letters are composed (NFC), characters that only format
are dropped, apostrophes and hyphens have one shape each; then words are cut where
punctuation stands between them without white space (*red,green*). What may belong to
a word stays in it: an apostrophe, a hyphen, a colon (*EU:n*), a full stop (*e.g*), and
any mark between two digits (*3,5*).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from tertium.automata.automaton import Automaton

__all__ = ["bare", "bare_references", "bare_tokens"]

#: Shapes of the apostrophe and of the hyphen, the minus and the en dash among them.
_SHAPES = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201b\u02bc\uff07", "'")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2043\u2212\ufe63\uff0d", "-")
)
#: Punctuation that joins letters to a word if it stands alone.
_JOINING = frozenset("'-:._&@%#*\u00b7")


def bare(token: str) -> str:
    """Return a token without punctuation; nothing may be left, or several words.

    Words that punctuation alone kept apart are separated by a space.

    Examples
    --------
    >>> bare("«Anna,»"), bare("EU:n"), bare("..."), bare("5%"), bare("red,green")
    ('Anna', 'EU:n', '', '5', 'red green')
    """
    if token.isascii() and token.isalnum():
        return token
    composed = unicodedata.normalize("NFC", token).translate(_SHAPES)
    text = "".join(char for char in composed if unicodedata.category(char) != "Cf")
    return " ".join(word for word in map(_stripped, _parts(text)) if word)


def bare_tokens(text: str | Sequence[str]) -> list[str]:
    """Return the words of a text."""
    tokens = text.split() if isinstance(text, str) else text
    return [word for token in tokens for word in bare(token).split()]


def bare_references(references: Automaton) -> Automaton:
    """Return references without punctuation."""
    return references.relabelled(bare)


def _parts(text: str) -> Iterator[str]:
    """Yield what stands between marks that separate words."""
    begin = 0
    for place, char in enumerate(text):
        if not _is_punctuation(char):
            continue
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        alone = char not in (before, after)
        joins = char in _JOINING or (before.isdigit() and after.isdigit())
        if not (alone and joins):
            yield text[begin:place]
            begin = place + 1
    yield text[begin:]


def _stripped(text: str) -> str:
    first, last = 0, len(text)
    while first < last and _is_punctuation(text[first]):
        first += 1
    while first < last and _is_punctuation(text[last - 1]):
        last -= 1
    return text[first:last]


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char).startswith("P")
