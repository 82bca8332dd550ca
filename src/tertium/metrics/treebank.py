# SPDX-License-Identifier: Apache-2.0
"""Texts with their dependency trees, aligned by the words of the trees.

Structured and flat metrics over the same trees share one batch, so that they read the
same words and the same links.
"""

from __future__ import annotations

from functools import lru_cache

from tertium import _core
from tertium._messages import quote
from tertium.align.aligner import Aligner, AlignerSettings
from tertium.data.annotated import layer
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.trees.parsers import Parser, load_parser
from tertium.trees.tree import DependencyTree

__all__ = ["Treebank", "cached_parser", "treebank"]


class Treebank:
    """Texts with their trees, aligned."""

    def __init__(self, parser: Parser | None, aligner: Aligner) -> None:
        self.parser = parser
        self.aligner = aligner

    def check(self, batch: Batch) -> None:
        """Raise an error if a text has no tree, and no parser would make one."""
        if self.parser is None:
            self.trees(batch.texts)

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
def cached_parser(name: str, model: str, *, tokenize: str) -> Parser:
    """Return a parser whose work is kept, loaded once."""
    from tertium.trees.cache import CachedParser, default_cache  # loads SQLite

    return CachedParser(load_parser(name, model, tokenize=tokenize), default_cache())
