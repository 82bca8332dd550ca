# SPDX-License-Identifier: Apache-2.0
"""Sentences as words with punctuation around them (McCaffery 2017, 6.2.3).

A token is cut into lead punctuation, core and trail punctuation; the core is the word.
The thesis knows untokenised text only. A token of nothing but punctuation, as in
tokenised text, belongs to the word before it (an opening one to the word after it),
with its space, and so follows the same rules as punctuation that is attached. No-break
spaces hold a token together; between a word and a mark they go with the mark.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tertium.errors import InputError, UnknownNameError

__all__ = ["PUNCTUATION", "Source", "Word", "split_text", "split_tokens"]

_GLUE = "\u00a0\u2007\u202f"  # no-break spaces
_SPACE = re.compile(rf"[^\S{_GLUE}]+")


class _Marks(NamedTuple):
    """Characters that may lead a word, that may trail it, and that open alone."""

    lead: str
    trail: str
    opening: str


#: Which characters are punctuation: those of the thesis, or of more scripts.
PUNCTUATION = {
    "thesis": _Marks("('`\"", ".?!:,;)'`\"", "(`"),
    "wide": _Marks(
        "('`\"[{“”„‟‘’‚‛«»‹›¿¡（「『《〈",
        ".?!:,;)'`\"]}“”‟‘’«»‹›…。，、！？：；）」』》〉؟،؛।",
        "(`[{„‚¿¡（「『《〈",
    ),
}


class Word(NamedTuple):
    """A word, the punctuation around it, and the token (from 0) it stands in."""

    core: str
    lead: str
    trail: str
    token: int


def split_text(text: str) -> list[str]:
    """Return what stands between spaces, which may have no-break spaces inside."""
    return [token for token in _SPACE.split(text) if token]


def split_tokens(
    tokens: Sequence[str], *, punctuation: str = "thesis"
) -> tuple[Word, ...]:
    """Return the words of tokens, each with its punctuation.

    Parameters
    ----------
    tokens : sequence of str
        What stands between spaces.
    punctuation : {"thesis", "wide"}
        A key of `PUNCTUATION`.

    Examples
    --------
    >>> split_tokens(["(so", "what?)", "he", "said", "."])[1:4:2]
    (Word(core='what', lead='', trail='?)', token=1), Word(core='said', lead='', trail=' .', token=3))
    """  # noqa: E501
    if punctuation not in PUNCTUATION:
        raise UnknownNameError("set of punctuation", punctuation, PUNCTUATION)
    marks = PUNCTUATION[punctuation]
    words: list[Word] = []
    waiting = ""  # punctuation of its own that leads the next word
    for number, token in enumerate(tokens):
        rest = token.lstrip(marks.lead + _GLUE)
        core = rest.rstrip(marks.trail + _GLUE)
        if core:
            lead = waiting + token[: len(token) - len(rest)]
            words.append(Word(core, lead, rest[len(core) :], number))
            waiting = ""
        elif words and not waiting and token.strip(marks.opening):
            words[-1] = words[-1]._replace(trail=f"{words[-1].trail} {token}")
        else:
            waiting += f"{token} "
    if waiting and words:
        words[-1] = words[-1]._replace(trail=f"{words[-1].trail} {waiting[:-1]}")
    return tuple(words)


@dataclass(frozen=True)
class Source:
    """A sentence to permute.

    Parameters
    ----------
    words : tuple of Word
    tags : tuple of str
        The part of speech of every word; none where they are not known.
    heads : tuple of int
        The head of every word, counted from 1, 0 for a root; none where not known.

    Raises
    ------
    InputError
        If there are tags or heads, but not one a word, or heads are not a tree.

    Examples
    --------
    >>> source = Source.parse("Well, so be it.", tags=["INTJ", "ADV", "AUX", "PRON"])
    >>> source.text, source.cores
    ('Well, so be it.', ('Well', 'so', 'be', 'it'))
    """

    words: tuple[Word, ...]
    tags: tuple[str, ...] = ()
    heads: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for name in ("tags", "heads"):
            size = len(getattr(self, name))
            if size not in (0, len(self.words)):
                message = (
                    f"{len(self.words)} words have {size} {name}; give one a word "
                    f"({' '.join(self.cores[:8])} ...)"
                )
                raise InputError(message)
        for number in range(1, len(self.heads) + 1):
            self._check_head(number)

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        tags: Sequence[str] = (),
        heads: Sequence[int] = (),
        punctuation: str = "thesis",
    ) -> Source:
        """Return the sentence of a text; tokens are what stands between spaces."""
        words = split_tokens(split_text(text), punctuation=punctuation)
        return cls(words, tuple(tags), tuple(heads))

    @classmethod
    def from_parse(
        cls,
        tokens: Sequence[tuple[str, Sequence[int]]],
        *,
        heads: Sequence[int],
        tags: Sequence[str] = (),
        puncts: Collection[int] = (),
        punctuation: str = "thesis",
    ) -> Source:
        """Return the sentence of a parse, whose words may be parts of tokens.

        A token of several words, such as `she's` or `death,`, becomes one word: it has
        the tag and the head of the topmost of them that is not punctuation. Spaces in a
        token, such as `25 000`, become no-break spaces.

        Parameters
        ----------
        tokens : sequence of pairs of str and numbers
            What stands between spaces, and the parsed words in it, counted from 1.
        heads : sequence of int
            The head of every parsed word, 0 for a root.
        tags : sequence of str
            Their parts of speech, if known.
        puncts : collection of int
            The parsed words that are punctuation; what hangs on them hangs on the
            word above.
        punctuation : {"thesis", "wide"}

        Examples
        --------
        >>> source = Source.from_parse(
        ...     [("She's", (1, 2)), ("gone.", (3, 4))],
        ...     heads=(3, 3, 0, 3), tags=("PRON", "AUX", "VERB", "PUNCT"), puncts={4})
        >>> source.cores, source.tags, source.heads
        (("She's", 'gone'), ('PRON', 'VERB'), (2, 0))
        """
        glued = [_SPACE.sub(_GLUE[0], token) for token, _ in tokens]
        words = split_tokens(glued, punctuation=punctuation)
        owner: dict[int, int] = {}
        for place, word in enumerate(words, 1):
            owner |= dict.fromkeys(tokens[word.token][1], place)

        def depth(number: int) -> int:
            steps = 0
            while number:
                number, steps = heads[number - 1], steps + 1
            return steps

        tops, above = [], []
        for word in words:
            # The head of the topmost word is higher than any word of the token, so
            # that heads of heads come to an end.
            own = tokens[word.token][1]
            top = min([i for i in own if i not in puncts] or own, key=depth)
            head = heads[top - 1]
            while head and (head in puncts or head not in owner):
                head = heads[head - 1]
            tops.append(top)
            above.append(owner[head] if head else 0)
        return cls(
            words, tuple(tags[top - 1] for top in tops) if tags else (), tuple(above)
        )

    @property
    def cores(self) -> tuple[str, ...]:
        """The words without punctuation."""
        return tuple(word.core for word in self.words)

    @property
    def text(self) -> str:
        """The text, with one space between tokens."""
        return " ".join(f"{word.lead}{word.core}{word.trail}" for word in self.words)

    def _check_head(self, number: int) -> None:
        at, steps = number, 0
        while at:
            at = self.heads[at - 1] if 0 < at <= len(self.heads) else -1
            steps += 1
            if at < 0 or steps > len(self.heads):
                message = (
                    f"the heads are not a tree: word {number} does not lead to a root; "
                    f"give heads from 0 (root) to {len(self.heads)} without a circle"
                )
                raise InputError(message)
