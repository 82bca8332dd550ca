# SPDX-License-Identifier: Apache-2.0
"""Whether links count the words that a tokeniser makes of texts.

A link file does not say which words it counts. A link outside its texts is certainly
wrong. Links of another tokeniser may also fit by chance, so the words they join are
compared: between texts of one language, most of them are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tertium.align.links import Links, check_links
from tertium.data.annotated import layer
from tertium.data.lines import StrPath, display
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.text.tokenizers import TOKENIZERS, tokenize

__all__ = ["WordCounts"]

_Words: TypeAlias = "Sequence[Sequence[str]]"

#: Tokenisers that links may have been made with by mistake.
_USUAL = ("none", "13a", "words")
#: Links of another tokeniser are recognised if there are this many, and if under it
#: this many times as many of them join equal words.
_LINKS, _TIMES = 20, 2.0


class WordCounts:
    """The words that links count: those of trees, or of a tokeniser.

    Parameters
    ----------
    tokenizer : str
        ``none`` splits texts at white space.

    Raises
    ------
    UnknownNameError
        If there is no such tokeniser.
    """

    def __init__(self, tokenizer: str) -> None:
        if tokenizer not in TOKENIZERS:
            raise UnknownNameError("tokeniser", tokenizer, TOKENIZERS)
        self._tokenizer = tokenizer
        self._checked = False

    def check(
        self,
        segments: Sequence[Links],
        hyps: Sequence[str],
        refs: Sequence[str],
        *,
        path: StrPath,
        line: int,
    ) -> None:
        """Raise an error if links do not fit the texts they belong to.

        Parameters
        ----------
        segments : sequence of Links
        hyps, refs : sequence of str
            The texts of each segment.
        path : str or path
            The file that the links come from.
        line : int
            The line of the first segment.

        Raises
        ------
        FormatError
            With file and line.
        """
        words = [_split(texts, self._tokenizer) for texts in (hyps, refs)]
        for index, links in enumerate(segments):
            try:
                check_links(links, len(words[0][index]), len(words[1][index]))
            except InputError as error:
                message = f"{error}; {_cure(self._tokenizer)}"
                place = display(path)
                raise FormatError(message, path=place, line=line + index) from None
        if not self._checked and any(segments):
            self._checked = True  # The first links of a file tell.
            self._compare(segments, hyps, refs, words, path=path, line=line)

    def _compare(
        self,
        segments: Sequence[Links],
        hyps: Sequence[str],
        refs: Sequence[str],
        words: Sequence[_Words],
        *,
        path: StrPath,
        line: int,
    ) -> None:
        """Reject links that join equal words by another tokeniser only."""
        total = sum(map(len, segments))
        least = max(1, _equal(segments, *words)) * _TIMES
        if total < _LINKS or least > total:
            return
        for name in _USUAL:
            others = [_split(texts, name) for texts in (hyps, refs)]
            if name != self._tokenizer and _equal(segments, *others) >= least:
                first = _first_difference(segments, words, others)
                message = (
                    f"these links count words split by {name}, as the words they join "
                    f"show, not by {self._tokenizer}; {_cure(self._tokenizer)}"
                )
                raise FormatError(message, path=display(path), line=line + first)


def _cure(tokenizer: str) -> str:
    if tokenizer == "none":
        return (
            "links are read as counting words separated by white space: for links made "
            "with `tertium align --tokenize NAME`, set tokenize=NAME on the metric"
        )
    return (
        f"links are read as counting words split by tokenize={tokenizer}: make them "
        f"with `tertium align --tokenize {tokenizer}`, or set the metric's tokenize as "
        "they were made"
    )


def _split(texts: Sequence[str], tokenizer: str) -> _Words:
    """Return the words of texts; those of a tree, if a text brings one."""
    words: list[Sequence[str]] = list(tokenize(map(str, texts), tokenizer))
    for index, text in enumerate(texts):
        forms = getattr(layer(text, "tree"), "forms", None)
        if forms is not None:
            words[index] = forms
    return words


def _equal(segments: Sequence[Links], hyps: _Words, refs: _Words) -> int:
    """Return how many links join equal words; a link outside counts as unequal."""
    return sum(
        link.hyp < len(hyp)
        and link.ref < len(ref)
        and hyp[link.hyp].lower() == ref[link.ref].lower()
        for links, hyp, ref in zip(segments, hyps, refs, strict=True)
        for link in links
    )


def _first_difference(
    segments: Sequence[Links], words: Sequence[_Words], others: Sequence[_Words]
) -> int:
    """Return the first segment with links whose words two tokenisers see otherwise."""
    for index, links in enumerate(segments):
        if links and any(
            list(one[index]) != list(other[index])
            for one, other in zip(words, others, strict=True)
        ):
            return index
    return 0
