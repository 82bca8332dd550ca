# SPDX-License-Identifier: Apache-2.0
"""Agreement in characters, words, order and length: the features of BEER 4.

Words are numbers with their separators, runs of letters and single symbols, after
quotes and dashes were normalised. P is the share of the text's units that the
reference has, R the other way round; where neither text has a unit, a shorter one
stands for it. Losses are 0 at best and negative. A copy of the reference has the
largest value of every feature.

char
    P and R of n-grams of 1 to 6 characters, as written, without spaces.
spaced
    P and R of n-grams of 2 to 5 characters, lower-cased, with a space around words.
word
    P and R of lower-cased words; without a word list also of pairs of neighbours and
    of words with at most three others between them.
stem
    With a word list: P and R of stems, weighted by rarity: 8 minus the Zipf value,
    within .3 and 7. The stem of a word of more than four letters is its first two
    thirds, at least four letters, so that no language needs a stemmer.
function
    With a word list: P and R of words with a Zipf value of at least 6.
order
    Of words whose stems are aligned, the longest common blocks first: *continuity*
    1 - (chunks - 1) / (m - 1) of m aligned words; *coverage*, continuity times m over
    the mean length; *chunks*, -(chunks + missing words - 1) / words of the reference;
    *rising*, the longest rising sequence over the longer text.
edit
    Character edits over the longer text, negative; P and R of the longest common
    subsequence of characters.
length
    -|h - r| / max(h, r) and -max(r - h, 0) / r of h words of the text and r of the
    reference, and of characters.
script
    The share of the text's letters in a script that the reference lacks, negative:
    words left in the source language.
unknown
    With a word list: words that neither reference nor list has, as a rate and as a
    count of at most four, negative; capitalised ones, lower-cased ones, and those with
    letters beyond ASCII apart. Words that the text lacks count against them: names of
    the reference against capitalised ones, which may be other spellings, and words that
    are not in the list against those of their kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from tertium import _core
from tertium.data.batch import Batch, lone_surrogate
from tertium.errors import InputError, UnknownNameError
from tertium.learn.features.blocks import Block, BlockBase, Reduced, Resources
from tertium.learn.features.tables import TableReader
from tertium.text.wordlists import (
    WordList,
    find_word_list,
    read_word_list,
    shipped_word_lists,
)

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["Lexical", "lexical_block"]


def _shares(group: str, units: Sequence[str]) -> list[tuple[str, str]]:
    return [(f"{unit}.{side}", group) for unit in units for side in "pr"]


_FIRST = [
    *_shares("char", [f"char{n}" for n in range(1, 7)]),
    *_shares("spaced", [f"spaced{n}" for n in range(2, 6)]),
    *_shares("word", ["word1"]),
]
_PLAIN = _shares("word", ["word2", "skip3"])
_LISTED = [*_shares("stem", ["stem"]), *_shares("function", ["function-words"])]
_LAST = [
    *(
        (f"order.{name}", "order")
        for name in ("continuity", "coverage", "chunks", "rising")
    ),
    ("edit.distance", "edit"),
    *_shares("edit", ["edit.common"]),
    *(
        (f"length.{unit}.{name}", "length")
        for unit in ("word", "char")
        for name in ("difference", "lack")
    ),
    ("script", "script"),
]
_UNKNOWN = [
    (f"unknown.{kind}.{name}", "unknown")
    for kind in ("capital", "lower", "foreign")
    for name in ("rate", "count")
]


#: Words of profiles without a list.
_WITHOUT = ("none", "language")


class Lexical(BlockBase):
    """The features of BEER 4.

    Parameters
    ----------
    words : str
        The word list: ``none``; ``language`` for that of the target language, if it
        has one; the language of one that comes with Tertium; or ``file`` for one that
        a user brings.
    path : str
        Of that file.
    fingerprint : str
        Of the list that a model was trained with; another one is an error.
    where : str
        File and table, for messages.
    """

    kind = "lexical"

    def __init__(
        self,
        words: str = "language",
        *,
        path: str = "",
        fingerprint: str = "",
        where: str = "lexical",
    ) -> None:
        self.words, self.path, self.where = words, path, where
        # A model that has its list, or none, takes no other.
        self.uses = ("wordlist",) if words in ("language", "file") else ()
        self.fingerprint = fingerprint
        self._list = self._read_list()
        if self._list is not None:
            self._check(self._list)
            self.fingerprint = self._list.fingerprint
        listed = words not in _WITHOUT
        middle, last = (_LISTED, _UNKNOWN) if listed else (_PLAIN, [])
        columns = [*_FIRST, *middle, *_LAST, *last]
        self.names, self.groups = zip(*columns, strict=True)
        self.signs = (1,) * len(columns)

    def _read_list(self) -> WordList | None:
        if self.words == "file":
            return read_word_list(self.path) if self.path else None
        if self.words in _WITHOUT:
            return None
        # A profile or model names no file: it may come from someone else.
        known = shipped_word_lists()
        if self.words not in known:
            names = (*_WITHOUT, "file", *known)
            raise UnknownNameError(f"value of words in {self.where}", self.words, names)
        return find_word_list(self.words)

    def _check(self, words: WordList) -> None:
        if self.fingerprint and self.fingerprint != words.fingerprint:
            message = (
                f"{self.where}: the model was trained with the word list "
                f"{self.fingerprint}, and this one ({self.path or self.words}) is "
                f"{words.fingerprint}; take the same list, or train again"
            )
            raise InputError(message)

    @property
    def word_list(self) -> WordList | None:
        """The word list, if there is one."""
        return self._list

    @property
    def language(self) -> str:
        """The language of the word list, if there is one."""
        return self._list.language if self._list else ""

    @classmethod
    def read(cls, table: Mapping[str, object], *, where: str) -> Lexical:
        """Return the block of a table."""
        reader = TableReader(table, where)
        words = reader.text("words", "language")
        block = cls(words, fingerprint=reader.text("fingerprint", ""), where=where)
        reader.done()
        return block

    def to_json(self) -> dict[str, object]:
        """Return the table, complete."""
        table: dict[str, object] = {"kind": self.kind, "words": self.words}
        if self.fingerprint:
            table["fingerprint"] = self.fingerprint
        return table

    def equipped(self, resources: Resources) -> Block:
        """Return the block with the user's word list, or that of the language."""
        words, path = self.words, self.path
        if resources.wordlist and self.uses:
            words, path = "file", resources.wordlist
        elif words == "language" and resources.language.lower() in shipped_word_lists():
            words = resources.language.lower()
        block = Lexical(
            words, path=path, fingerprint=self.fingerprint, where=self.where
        )
        return cast("Block", block)

    def fitted(self, refs: Sequence[str]) -> Block:  # noqa: ARG002
        """Return the block as a model stores it: without a language, no list."""
        return cast("Block", self if self.words != "language" else Lexical("none"))

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text."""
        texts, refs = batch.single
        kernel = _core.lexical_features(self._kernel_list)
        try:
            return kernel.rows([list(texts)], list(refs), threads or 0)[0]
        except UnicodeEncodeError as error:
            raise lone_surrogate([texts], list(refs)) from error

    def model(self, linear: _core.LinearModel) -> _core.Kernel:
        """Return the kernel of a linear model over all features of the block."""
        return _core.lexical_model(self._kernel_list, linear)

    @property
    def _kernel_list(self) -> _core.WordList | None:
        if self.words == "file" and self._list is None:
            message = (
                f"{self.where}: the word list {self.fingerprint} is not at hand; name "
                "its file with wordlist=PATH"
            )
            raise InputError(message)
        return self._list.kernel if self._list else None


def lexical_block(
    blocks: Sequence[Block], weights: Sequence[float]
) -> tuple[Lexical, list[float]] | None:
    """Return the block of a profile with nothing else, and a weight for every feature.

    Features that were left out have weight 0.
    """
    if len(blocks) != 1:
        return None
    block = blocks[0]
    if isinstance(block, Lexical):
        return block, list(weights)
    if isinstance(block, Reduced) and isinstance(block.whole, Lexical):
        whole = [0.0] * len(block.whole.names)
        for place, weight in zip(block.kept, weights, strict=True):
            whole[place] = weight
        return block.whole, whole
    return None
