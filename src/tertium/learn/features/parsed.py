# SPDX-License-Identifier: Apache-2.0
"""What blocks over dependency trees share: where trees come from.

Trees come with the texts (from CoNLL-U files) or from a parser that the user names. A
pair of texts of which one has no tree has two flattened ones: every word hangs on the
one before it. So these features always have a value, unless a table says that trees
are needed: weights learnt from parsed texts mean little for flattened ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple, TypedDict

from tertium import _core
from tertium._messages import quote
from tertium.data.annotated import layer
from tertium.data.batch import lone_surrogate
from tertium.errors import InputError
from tertium.learn.features.blocks import BlockBase, Resources
from tertium.learn.features.tables import TableReader
from tertium.metrics.treebank import cached_parser
from tertium.trees.tree import DependencyTree

__all__ = ["ParsedPairs", "TreeBlock", "TreeTable"]

_NO_TREE = (
    "has no dependency tree; name a parser with parser=udpipe,parser_model=PATH, or "
    "give every text a tree"
)


class TreeTable(TypedDict, total=False):
    """The keys of a table that say how trees are made."""

    flat: bool
    needed: bool
    lowercase: bool
    pretokenized: bool


class ParsedPairs(NamedTuple):
    """Texts with their references, in words, and their trees."""

    words: _core.Pairs
    #: Trees of all references, then of all texts; None if all are flattened.
    trees: list[DependencyTree] | None


class TreeBlock(BlockBase):
    """A block whose features are read off dependency trees.

    Parameters
    ----------
    flat : bool
        Whether to flatten all trees.
    needed : bool
        Whether a text without a tree is an error, where none is flattened.
    lowercase : bool
        Whether to ignore the case of words, which trees bring themselves.
    pretokenized : bool
        Whether words are separated already; otherwise the parser does it.
    resources : Resources
        What the user brings: the parser and its model.
    where : str
        File and table, for messages.
    """

    kind: ClassVar[str]
    layers: tuple[str, ...] = ("tree",)
    uses: tuple[str, ...] = ("parser", "parser_model")

    def __init__(
        self,
        *,
        flat: bool = False,
        needed: bool = False,
        lowercase: bool = True,
        pretokenized: bool = False,
        resources: Resources | None = None,
        where: str = "",
    ) -> None:
        self.resources = resources or Resources()
        self.where = where or self.kind
        self.flat = flat
        self.needed = needed
        if flat:
            self.layers = self.uses = ()
        self.lowercase = lowercase
        self.pretokenized = pretokenized
        resources = self.resources
        if flat and needed:
            message = f"{self.where}: trees are flat and needed; remove one of the two"
            raise InputError(message)
        if resources.parser_model and not resources.parser:
            message = f"{self.where}: parser_model needs its parser; add parser=udpipe"
            raise InputError(message)

    @staticmethod
    def read_trees(reader: TableReader) -> TreeTable:
        """Return the keys of a table that say how trees are made."""
        return {
            "flat": reader.flag("flat", False),
            "needed": reader.flag("needed", False),
            "lowercase": reader.flag("lowercase", True),
            "pretokenized": reader.flag("pretokenized", False),
        }

    def tree_table(self) -> TreeTable:
        """Return these keys."""
        return {
            "flat": self.flat,
            "needed": self.needed,
            "lowercase": self.lowercase,
            "pretokenized": self.pretokenized,
        }

    def parsed(self, hyps: Sequence[str], refs: Sequence[str]) -> ParsedPairs:
        """Return the texts in words, with their trees."""
        try:
            trees = self._trees(hyps, refs)
            if trees is None:
                lists = [(ref,) for ref in refs]
                pairs = _core.Pairs([hyps], lists, "none", lowercase=self.lowercase)
                return ParsedPairs(pairs, None)
            forms = [list(tree.forms) for tree in trees]
            count = len(refs)
            pairs = _core.Pairs(
                [forms[count:]],
                [[ref] for ref in forms[:count]],
                "none",
                lowercase=self.lowercase,
            )
        except UnicodeEncodeError as error:
            raise lone_surrogate([list(hyps)], list(refs)) from error
        return ParsedPairs(pairs, trees)

    def _trees(
        self, hyps: Sequence[str], refs: Sequence[str]
    ) -> list[DependencyTree] | None:
        """Return the trees of references, then of texts; None if all are flat."""
        if self.flat:
            return None
        texts = [*refs, *hyps]
        trees = [_given(text) for text in texts]
        missing = [i for i, tree in enumerate(trees) if tree is None]
        resources = self.resources
        if missing and resources.parser:
            words = "none" if self.pretokenized else "own"
            parser = cached_parser(
                resources.parser, resources.parser_model, tokenize=words
            )
            # A parser knows the case of names; the profile may have taken it away.
            parsed = parser.parse([_cased(texts[i]) for i in missing])
            for i, tree in zip(missing, parsed, strict=True):
                trees[i] = tree
        if self.needed:
            for text, known in zip(texts, trees, strict=True):
                if known is None:
                    message = f"{self.where}: {quote(text)} {_NO_TREE}"
                    raise InputError(message, options=("trees", "ref_trees"))
        if all(tree is None for tree in trees):
            return None
        return _without_halves(texts, trees, len(refs))

    @staticmethod
    def label(parsed: ParsedPairs, number: Callable[[str], int]) -> None:
        """Give the pairs their trees, every relation by its number."""
        if parsed.trees is not None:
            parsed.words.set_trees(
                [
                    (list(tree.heads), [number(name) for name in tree.deprels])
                    for tree in parsed.trees
                ]
            )


def flat_tree(text: str) -> DependencyTree:
    """Return the flattened tree of a text, with the relations ``root`` and ``flat``."""
    words = tuple(text.split())
    relations = ("root",)[: len(words)] + ("flat",) * (len(words) - 1)
    return DependencyTree(words, tuple(range(len(words))), relations)


def _given(text: str) -> DependencyTree | None:
    tree = layer(text, "tree")
    return tree if isinstance(tree, DependencyTree) else None


def _cased(text: str) -> str:
    cased = layer(text, "cased")
    return cased if isinstance(cased, str) else text


def _without_halves(
    texts: list[str], trees: list[DependencyTree | None], count: int
) -> list[DependencyTree]:
    """Return the trees, both of a pair flattened if one is missing."""
    out: list[DependencyTree] = []
    for i, tree in enumerate(trees):
        other = trees[i + count if i < count else i - count]
        keep = tree is not None and other is not None
        out.append(tree if keep and tree is not None else flat_tree(texts[i]))
    return out
