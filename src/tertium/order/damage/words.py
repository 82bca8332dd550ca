# SPDX-License-Identifier: Apache-2.0
"""Sentences as words with punctuation around them (McCaffery 2017, section 6.2.3).

A token is split into lead punctuation, core and trail punctuation; the core is the
word. The thesis considers untokenised text only. A token that consists of punctuation,
as in tokenised text, belongs to the preceding word (opening punctuation to the next
word), with its space, and follows the same rules as attached punctuation. No-break
spaces hold a token together; between a word and a mark they belong to the mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
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
    """A word, the punctuation around it, and its token, counted from 0."""

    core: str
    lead: str
    trail: str
    token: int


def split_text(text: str) -> list[str]:
    """Return the tokens between spaces, which may contain no-break spaces."""
    return [token for token in _SPACE.split(text) if token]


def split_tokens(
    tokens: Sequence[str], *, punctuation: str = "thesis"
) -> tuple[Word, ...]:
    """Return the words of tokens, each with its punctuation.

    Parameters
    ----------
    tokens : sequence of str
        The tokens between spaces.
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
    waiting = ""  # separate punctuation that leads the next word
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
        The part of speech of each word; empty if unknown.
    heads : tuple of int
        The head of each word, counted from 1, 0 for a root; empty if unknown.

    Raises
    ------
    InputError
        If there are tags or heads, but not one per word, or heads are not a tree.

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
                    f"{len(self.words)} words have {size} {name}; give one per word "
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
        """Return the sentence of a text, split into tokens at spaces."""
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

        A token of several words, such as `she's` or `death,`, becomes one word with
        the tag and head of the topmost one that is not punctuation. Spaces in a
        token, such as `25 000`, become no-break spaces.

        Parameters
        ----------
        tokens : sequence of pairs of str and numbers
            The tokens between spaces, each with its parsed words, counted from 1.
        heads : sequence of int
            The head of each parsed word, 0 for a root.
        tags : sequence of str
            Their parts of speech, if known.
        puncts : collection of int
            The parsed words that are punctuation; their dependents are attached to
            the word above.
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
            # The head of the topmost word is above all words of the token, so that
            # heads of heads end at the root.
            numbers = tokens[word.token][1]
            top = min([i for i in numbers if i not in puncts] or numbers, key=depth)
            head = heads[top - 1]
            while head and (head in puncts or head not in owner):
                head = heads[head - 1]
            tops.append(top)
            above.append(owner[head] if head else 0)
        return cls(
            words, tuple(tags[top - 1] for top in tops) if tags else (), tuple(above)
        )

    def __reduce__(self) -> tuple[Callable[..., Source], tuple[object, ...]]:
        """Travel as plain tuples, which takes a third of the time."""
        return _source, (tuple(map(tuple, self.words)), self.tags, self.heads)

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
                    f"the heads are not a tree: word {number} does not reach a root; "
                    f"give heads from 0 (root) to {len(self.heads)} without a cycle"
                )
                raise InputError(message)


def _source(
    words: Iterable[tuple[str, str, str, int]],
    tags: tuple[str, ...],
    heads: tuple[int, ...],
) -> Source:
    return Source(tuple(map(Word._make, words)), tags, heads)
