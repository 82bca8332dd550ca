# SPDX-License-Identifier: Apache-2.0
"""Trees of a CoNLL-U file, added to the texts they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from tertium.data.annotated import Annotated
from tertium.data.lines import StrPath, display
from tertium.errors import InputError
from tertium.trees.conllu import Sentence, read_conllu
from tertium.trees.parses import group_parses, parses_of

__all__ = ["TreeFile", "texts_of", "with_trees"]


class TreeFile:
    """A CoNLL-U file that is read along with a column of texts, block by block.

    Parameters
    ----------
    path : str or path
    """

    def __init__(self, path: StrPath) -> None:
        self._name = display(path)
        self._blocks = group_parses(read_conllu(path), name=self._name)
        self._done = 0
        self._parser = ""

    def add(self, texts: Sequence[str]) -> list[Annotated]:
        """Return the next texts, each with the layer ``tree``.

        Texts with several parses have the layer ``parses`` too; see
        :mod:`tertium.trees.parses`.

        Raises
        ------
        InputError
            If there are fewer blocks than texts, or most blocks have other texts.
        """
        blocks = self._next(len(texts))
        if len(blocks) < len(texts):
            raise self._too_few(len(blocks))
        self._compare([first for first, *_ in blocks], texts)
        self._done += len(blocks)
        return self._annotated(texts, blocks)

    def take(self, count: int | None, *, short: bool = False) -> list[Annotated]:
        """Return the texts of the next blocks, each with the layer ``tree``.

        Parameters
        ----------
        count : int or None
            None for all.
        short : bool
            Whether the file may end earlier.
        """
        blocks = self._next(count)
        if count is not None and len(blocks) < count and not short:
            raise self._too_few(len(blocks))
        self._done += len(blocks)
        return self._annotated([first.text for first, *_ in blocks], blocks)

    def close(self) -> None:
        """Check that all blocks were used.

        Raises
        ------
        InputError
            If there are more blocks than texts.
        """
        extra = next(self._blocks, None)
        if extra is None:
            return
        total = self._done + 1 + sum(1 for _ in self._blocks)
        message = (
            f"{self._name} has trees for {total} segments, but there are only "
            f"{self._done} segments (first extra block at line {extra[0].line}); give "
            "one block per segment: several sentences of a segment are one block with "
            "several roots, as `tertium parse` writes them, and further parses of a "
            "segment have the comment '# parse = 2' and so on"
        )
        raise InputError(message)

    def _next(self, count: int | None) -> list[tuple[Sentence, ...]]:
        return list(islice(self._blocks, count))

    def _annotated(
        self, texts: Sequence[str], blocks: Sequence[tuple[Sentence, ...]]
    ) -> list[Annotated]:
        annotated = []
        for text, block in zip(texts, blocks, strict=True):
            # `tertium parse` names the parser once, in the first block.
            self._parser = block[0].comment("parser") or self._parser
            layers = dict(text.layers) if isinstance(text, Annotated) else {}
            parses = parses_of(block, name=self._name)
            layers["tree"] = parses[0].tree
            if len(parses) > 1:
                layers["parses"] = parses
            if self._parser:
                layers["parser"] = self._parser
            annotated.append(Annotated(text, layers))
        return annotated

    def _too_few(self, blocks: int) -> InputError:
        has = self._done + blocks
        return InputError(
            f"{self._name} has trees for {has} segments, but there are more segments "
            f"(first without a tree: {has + 1}); give one block per segment"
        )

    def _compare(self, blocks: Sequence[Sentence], texts: Sequence[str]) -> None:
        """Reject trees of other texts.

        Changes of case, quotes and spaces are ignored, and a few other differences
        are accepted; a file that is out of step differs nearly everywhere.
        """
        different = [
            i
            for i, (block, text) in enumerate(zip(blocks, texts, strict=True))
            if block.text != text and _bare(block.text) != _bare(text)
        ]
        if 2 * len(different) <= len(blocks):
            return
        first = different[0]
        message = (
            f"{self._name}:{blocks[first].line}: block {self._done + first + 1} is "
            f"{blocks[first].text!r}, but the segment is {str(texts[first])!r}, and "
            f"{len(different)} of {len(blocks)} differ; give the trees of these texts"
        )
        raise InputError(message)


def with_trees(texts: Sequence[str], path: StrPath) -> list[Annotated]:
    """Return texts with the trees of a CoNLL-U file, one block per text.

    Raises
    ------
    FormatError
        If the file is not CoNLL-U.
    InputError
        If blocks and texts differ in number, or in most of their words.
    """
    file = TreeFile(path)
    annotated = file.add(texts)
    file.close()
    return annotated


def texts_of(path: StrPath) -> list[Annotated]:
    """Return the texts of a CoNLL-U file, each with its tree.

    A text is the value of ``# text``, or else the joined words.
    """
    return TreeFile(path).take(None)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
