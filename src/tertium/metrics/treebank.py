# SPDX-License-Identifier: Apache-2.0
"""Texts with their dependency trees, aligned by the words of the trees.

Structured and flat metrics over the same trees share one batch, so that they read the
same words and the same links.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from tertium import _core
from tertium._messages import quote
from tertium.align.aligner import Aligner, AlignerSettings
from tertium.data.annotated import layer
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.text.tokenizers import tokenize
from tertium.trees.parsers import load_parser
from tertium.trees.parses import Parse, Parses
from tertium.trees.tree import DependencyTree

if TYPE_CHECKING:
    from tertium.trees.cache import CachedParser

__all__ = ["Treebank", "cached_parser", "treebank"]


class Treebank:
    """Texts with their trees, aligned."""

    def __init__(self, parser: CachedParser | None, aligner: Aligner) -> None:
        self.parser = parser
        self.aligner = aligner

    def check(self, texts: list[str]) -> None:
        """Raise an error if a text has no tree, and no parser would make one."""
        if self.parser is None:
            self.trees(texts)

    def pairs(self, batch: Batch, *, threads: int | None) -> _core.Pairs:
        """Return the texts as aligned pairs of trees, made once for a batch."""
        return batch.layer(("trees", self), lambda: self._pairs(batch, threads))

    def _pairs(self, batch: Batch, threads: int | None) -> _core.Pairs:
        trees = self.trees(batch.texts)
        words = iter([tree.forms for tree in trees])
        ref_words = [[next(words) for _ in refs] for refs in batch.nested]
        hyp_words = [[next(words) for _ in hyps] for hyps in batch.systems]
        pairs = self.aligner.token_pairs(
            hyp_words, ref_words, systems=batch.systems, threads=threads
        )
        numbers: dict[str, int] = {}
        pairs.set_trees(
            [
                (
                    list(tree.heads),
                    [numbers.setdefault(name, len(numbers)) for name in tree.deprels],
                )
                for tree in trees
            ],
            list(numbers),
        )
        return pairs

    def parses(self, texts: list[str], size: int) -> list[Parses]:
        """Return the parses of texts: those they bring, or up to `size` of the parser.

        A text that brings one tree has one parse.
        """
        parses: list[Parses | None] = [_brought(text) for text in texts]
        missing = [i for i, brought in enumerate(parses) if brought is None]
        if missing and self.parser is None:
            raise _no_tree(texts[missing[0]], others=len(missing) < len(texts))
        if missing and self.parser is not None:
            made = self.parser.nbest([texts[i] for i in missing], size)
            for i, trees in zip(missing, made, strict=True):
                parses[i] = trees
        return [brought for brought in parses if brought is not None]

    def words(self, texts: list[str], tokenizers: list[str]) -> list[Sequence[str]]:
        """Return the words of texts: those of their trees, or else the parser's.

        Without a parser, each text is cut by its tokeniser.
        """
        words: list[Sequence[str]] = []
        split = iter(self.parser.split(texts) if self.parser is not None else ())
        for text, tokenizer in zip(texts, tokenizers, strict=True):
            brought, tokens = _brought(text), next(split, None)
            if brought is not None:
                words.append(brought[0].tree.forms)
            else:
                if tokens is None:
                    (tokens,) = tokenize([str(text)], tokenizer)
                words.append(tokens)
        return words

    def trees(self, texts: list[str]) -> list[DependencyTree]:
        """Return the trees of texts: those they bring, or else the parser's."""
        trees = [layer(text, "tree") for text in texts]
        missing = [i for i, tree in enumerate(trees) if tree is None]
        if missing and self.parser is None:
            raise _no_tree(texts[missing[0]], others=len(missing) < len(texts))
        if missing and self.parser is not None:
            parsed = self.parser.parse([texts[i] for i in missing])
            for i, tree in zip(missing, parsed, strict=True):
                trees[i] = tree
        return [tree for tree in trees if isinstance(tree, DependencyTree)]


def _brought(text: str) -> Parses | None:
    """Return the parses that a text brings."""
    parses, tree = layer(text, "parses"), layer(text, "tree")
    if isinstance(parses, tuple):
        return parses
    return (Parse(tree),) if isinstance(tree, DependencyTree) else None


def _no_tree(text: str, *, others: bool) -> InputError:
    what = f"{quote(text)} has no dependency tree"
    if others:
        what += ", and other texts have one"
    return InputError(
        f"{what}; give every text a tree, name a parser with parser=udpipe,model=PATH, "
        "or use flat=yes without trees",
        options=("trees", "ref_trees"),
    )


@lru_cache(maxsize=4)
def treebank(
    parser: str, model: str, words: str, settings: AlignerSettings
) -> Treebank:
    """Return the shared treebank of a parser (or none) and an aligner.

    `words` says who cuts texts for the parser, as in :func:`load_parser`.
    """
    loaded = cached_parser(parser, model, tokenize=words) if parser else None
    return Treebank(loaded, Aligner(**settings._replace(tokenize="none")._asdict()))


@lru_cache(maxsize=4)
def cached_parser(name: str, model: str, *, tokenize: str) -> CachedParser:
    """Return a parser whose work is kept, loaded once."""
    from tertium.trees.cache import CachedParser, default_cache  # loads SQLite

    return CachedParser(load_parser(name, model, tokenize=tokenize), default_cache)
