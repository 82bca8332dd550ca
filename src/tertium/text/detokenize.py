# SPDX-License-Identifier: Apache-2.0
"""Tokens as readable text: punctuation attached, escapes undone.

For display only; what is stored and measured stays as it is. The place of each token
in the text is known (`Detokenized.spans`), so that tokens can be highlighted. The rules
are cautious: where it is not clear to which side a mark belongs, its spaces stay.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

__all__ = ["Detokenized", "detokenize"]

# Escapes that tokenisers write: Moses, and the Penn Treebank.
_ESCAPES = {
    "&apos;": "'",
    "&quot;": '"',
    "&lt;": "<",
    "&gt;": ">",
    "&#124;": "|",
    "&#91;": "[",
    "&#93;": "]",
    "&amp;": "&",  # last: its result is not an escape
}
_ESCAPE = re.compile("|".join(map(re.escape, _ESCAPES)))
_WHOLE = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": "“",
    "''": "”",
}
_PENN_QUOTES = {"``": True, "''": False}  # whether they open
_JOINT = re.compile(r"@([-/:,.])@")  # Moses: joined on both sides

_CLOSING = frozenset(")]}”›")
_OPENING = frozenset("([{¿¡„‚‹")
_STOPS = re.compile(r"[,.;:!?…،؛؟।॥。、，．！？；：）」』]+")
_HIGH = re.compile(r"[;:!?]+")  # French puts a thin space before them
_CLITIC = re.compile(r"(?:['’](?:s|S|re|ve|ll|d|m|RE|VE|LL|D|M)|n['’]t|N['’]T)")
_ELIDED = re.compile(r"\w+['’]")
_DIGIT = re.compile(r"\d")
# Scripts that are written without spaces between words.
_DENSE = re.compile(r"[　-ヿ㐀-䶿一-鿿豈-﫿＀-￮]")

_THIN = "\u202f"  # narrow, and lines do not break there

# Languages by how they write “ and «.
_LOW_QUOTES = frozenset({
    "bg", "cs", "da", "de", "et", "hr", "hu", "is", "ka", "lt", "lv", "mk", "pl", "ro",
    "sk", "sl", "sr",
})  # fmt: skip
_INWARD = frozenset(["cs", "da", "de", "hr", "hu", "pl", "sk", "sl", "sr"])  # »so«
_SAME_SIDE = frozenset(["fi", "sv"])  # »so» and ”so”
_ELISION = frozenset(["ca", "fr", "it", "oc"])


@dataclass(frozen=True)
class Detokenized:
    """A text, and the places of its tokens.

    Parameters
    ----------
    text : str
    spans : tuple of (int, int)
        Start and end of each token, in code points.
    """

    text: str
    spans: tuple[tuple[int, int], ...]

    def pieces(self, marked: Collection[int] = ()) -> list[tuple[str, bool]]:
        """Return the text as pieces that are marked or not.

        Parameters
        ----------
        marked : collection of int
            Tokens, counted from 0. A space between two marked ones is marked too.

        Examples
        --------
        >>> detokenize("Well , the old dog sleeps .".split()).pieces({2, 3, 5, 6})
        [('Well, ', False), ('the old', True), (' dog ', False), ('sleeps.', True)]
        """
        chosen = set(marked)
        parts: list[tuple[str, bool]] = []
        at = 0
        for token, (start, end) in enumerate(self.spans):
            on = token in chosen
            inside = on and token - 1 in chosen
            for text, mark in (
                (self.text[at:start], inside),
                (self.text[start:end], on),
            ):
                if not text:
                    continue
                if parts and parts[-1][1] is mark:
                    parts[-1] = (parts[-1][0] + text, mark)
                else:
                    parts.append((text, mark))
            at = end
        return parts


def detokenize(tokens: Sequence[str], language: str = "") -> Detokenized:
    """Return tokens as readable text.

    Parameters
    ----------
    tokens : sequence of str
    language : str, optional
        A code such as ``cs`` or ``fr-CA``; it decides where quotation marks and
        percent signs go. Without it, unclear cases are left as they are.

    Examples
    --------
    >>> detokenize('" Stop , please ! " she said .'.split(), "en").text
    '"Stop, please!" she said.'
    >>> detokenize("Stálo to 5 % ceny , „ prý “ .".split(), "cs").text
    'Stálo to 5 % ceny, „prý“.'
    """
    lang = re.split(r"[-_]", language.lower())[0]
    shown = [_shown(token) for token in tokens]
    left, right = _sides(list(tokens), shown, lang)
    text = ""
    spans = []
    for place, token in enumerate(shown):
        if place:
            text += _gap(shown, place, left[place], right[place - 1], lang)
        spans.append((len(text), len(text) + len(token)))
        text += token
    return Detokenized(text, tuple(spans))


def _shown(token: str) -> str:
    if joint := _JOINT.fullmatch(token):
        return joint[1]
    if token in _WHOLE:
        return _WHOLE[token]
    return _ESCAPE.sub(lambda shown: _ESCAPES[shown[0]], token)


def _gap(shown: list[str], place: int, left: bool, right: bool, lang: str) -> str:
    before, after = shown[place - 1], shown[place]
    if lang == "fr":
        if (_HIGH.fullmatch(after) and left) or after == "»" or before == "«":
            return _THIN
        if after == "%" and _DIGIT.search(before):
            return _THIN
    if left or right:
        return ""
    if before and after and _DENSE.match(before[-1]) and _DENSE.match(after[0]):
        return ""
    return " "


def _sides(
    tokens: list[str], shown: list[str], lang: str
) -> tuple[list[bool], list[bool]]:
    """Return which tokens are joined to the preceding one, and to the following one."""
    left, right = [False] * len(shown), [False] * len(shown)
    quotes = _quotes(shown, lang)
    for place, (token, text) in enumerate(zip(tokens, shown, strict=True)):
        following = shown[place + 1] if place + 1 < len(shown) else ""
        before = shown[place - 1] if place else ""
        if _JOINT.fullmatch(token):
            left[place] = right[place] = True
        elif token in _PENN_QUOTES:
            right[place] = _PENN_QUOTES[token]
            left[place] = not right[place]
        elif place in quotes:
            opens = quotes[place]
            right[place], left[place] = opens, not opens
        elif text in _OPENING:
            right[place] = True
        elif text in _CLOSING or _STOPS.fullmatch(text) or _CLITIC.fullmatch(text):
            left[place] = True
        elif lang in _ELISION and _ELIDED.fullmatch(text):
            right[place] = True
        elif lang == "en":
            left[place] = text == "%" and bool(_DIGIT.search(before))
            right[place] = text in ("$", "£", "€", "#") and following[:1].isdigit()
    return left, right


def _quotes(shown: list[str], lang: str) -> dict[int, bool]:
    """Return the quotation marks whose side is known, and whether they open."""
    opens: dict[int, bool] = {}
    for sign in ('"', "'"):
        places = [i for i, text in enumerate(shown) if text == sign]
        turns = _beside_possessives if (sign, lang) == ("'", "en") else _in_turns
        opens |= turns(places, shown)
    if lang in _SAME_SIDE:
        for sign in ("”", "’", "»"):
            places = [i for i, text in enumerate(shown) if text == sign]
            opens |= _in_turns(places, shown)
    low = {"“": "„", "‘": "‚"}
    for place, text in enumerate(shown):
        if text in low:
            past = shown[:place]
            is_open = past.count(low[text]) > past.count(text)
            if is_open or lang:
                opens[place] = not is_open and lang not in _LOW_QUOTES
        elif text == "’" and lang == "en":
            opens[place] = False
    guillemets = [i for i, text in enumerate(shown) if text in ("«", "»")]
    if guillemets and lang not in _SAME_SIDE:
        inward = shown[guillemets[0]] == "»"
        # A single mark is ambiguous, unless the language has only one convention.
        if lang in _INWARD or not lang:
            if {shown[i] for i in guillemets} == {"«", "»"}:
                opens |= {i: (shown[i] == "»") is inward for i in guillemets}
        else:
            opens |= {i: shown[i] == "«" for i in guillemets}
    return opens


def _beside_possessives(places: list[int], shown: list[str]) -> dict[int, bool]:
    """Return which single marks of an English text open.

    A mark after a word in ``s`` may be a possessive, which looks like a closing mark.
    The likeliest reading of all marks is chosen: each opening mark is closed, and
    possessives outside quotes are preferred to quotes that begin after an ``s``.
    """
    # The penalty of the marks so far and which of them open, by whether one is open.
    ways: dict[bool, tuple[int, list[bool]]] = {False: (0, [])}
    for place in places:
        may_own = place > 0 and re.fullmatch(r"\w*[sS]", shown[place - 1]) is not None
        tried: dict[bool, list[tuple[int, list[bool]]]] = {False: [], True: []}
        for is_open, (odd, opens) in ways.items():
            begins = may_own and not is_open
            tried[not is_open].append((odd + begins, [*opens, not is_open]))
            if may_own:
                tried[is_open].append((odd + is_open, [*opens, False]))
        ways = {is_open: min(mark) for is_open, mark in tried.items() if mark}
    if False not in ways:
        return _in_turns(places, shown)
    return dict(zip(places, ways[False][1], strict=True))


def _in_turns(places: list[int], shown: list[str]) -> dict[int, bool]:
    """Return which of some equal marks open, where they come in pairs."""
    if len(places) % 2 == 0:
        return {place: turn % 2 == 0 for turn, place in enumerate(places)}
    if len(places) == 1:
        (place,) = places
        if len(shown) > 1 and place in (0, len(shown) - 1):
            return {place: place == 0}
    return {}
