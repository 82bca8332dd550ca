# SPDX-License-Identifier: Apache-2.0
"""What metrics over dependency trees share: where the trees come from."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from tertium import _core
from tertium.align.aligner import Aligner, AlignerSettings
from tertium.data._messages import quote
from tertium.data.annotated import layer
from tertium.errors import InputError
from tertium.metrics.aligned import AlignedMetric
from tertium.metrics.settings import Value, setting
from tertium.trees.parsers import Parser, load_parser
from tertium.trees.tree import DependencyTree

__all__ = ["TreeMetric", "cached_parser"]

_Columns: TypeAlias = "Sequence[Sequence[str]]"


class TreeMetric(AlignedMetric):
    """A metric whose kernel reads aligned pairs of dependency trees.

    Trees come with the texts (from CoNLL-U files) or from a parser, whose work is kept
    in a cache (see :mod:`tertium.trees.cache`). The flattened tree, in which every
    word hangs on the one before it, needs neither.
    """

    layers = ("links", "tree")

    flat: bool = setting(False, "whether to flatten the trees; needs no parser")
    parser: str = setting("", "the parser: spacy, udpipe or stanza", external=True)
    model: str = setting("", "the parser's model: a path or a name", external=True)
    pretokenized: bool = setting(
        False, "whether words are separated already; otherwise the parser does it"
    )

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        if self.model and not self.parser:
            message = f"{self.name}: model={self.model} needs its parser; add parser="
            raise InputError(f"{message}udpipe, spacy or stanza")
        if not self.flat:
            # A missing parser or model is an error now, not after reading texts.
            self._trees()

    def align(
        self, systems: _Columns, refs: _Columns, *, threads: int | None = None
    ) -> _core.Pairs:
        """Return checked texts as aligned pairs, with trees unless flattened."""
        if self.flat:
            return super().align(systems, refs, threads=threads)
        return self._trees().pairs(systems, refs, threads=threads)

    def signature_fields(self) -> dict[str, str]:
        """Return what a signature says of the settings, and of parser and model."""
        fields = super().signature_fields()
        del fields["parser"], fields["model"], fields["pretokenized"]
        if not self.flat:
            loaded = self._trees().parser
            fields["trees"] = "given" if loaded is None else loaded.signature
            # Trees bring their words; a parser's signature says whose they are.
            del fields["tok"]
        return fields

    def signature_for(self, **run: str) -> str:
        """Return the signature; of given trees with the parser that made them all."""
        made = run.pop("parser", "")
        fields = super().signature_for(**run).split("|")
        if made:
            known = {"trees:given": f"trees:given({made})"}
            fields = [known.get(field, field) for field in fields]
        return "|".join(fields)

    def trees(self, texts: Sequence[str]) -> list[DependencyTree]:
        """Return the trees of texts: those they bring, or else the parser's."""
        return self._trees().trees(list(texts))

    def _trees(self) -> _Treebank:
        words = "none" if self.pretokenized else "own"
        if self.tokenize != "none":
            words = self.tokenize
        settings = self.aligner_settings._replace(tokenize="none")
        return _treebank(self.parser, self.model, words, settings)


class _Treebank:
    """Texts with their trees, aligned; the last batch is kept."""

    def __init__(self, parser: Parser | None, aligner: Aligner) -> None:
        self.parser = parser
        self.aligner = aligner
        self._last: tuple[list[str], list[int], _core.Pairs] | None = None

    def pairs(
        self, systems: _Columns, refs: _Columns, *, threads: int | None
    ) -> _core.Pairs:
        # The order of the core: all references, then the outputs of every system.
        texts = list(chain(*refs, *systems))
        sizes = [len(column) for column in (*refs, *systems)]
        if self._last is not None:
            old, shape, pairs = self._last
            if shape == sizes and all(map(operator.is_, old, texts)):
                return pairs
        trees = self.trees(texts)
        words = iter([tree.forms for tree in trees])
        ref_words = [[next(words) for _ in own] for own in refs]
        hyp_words = [[next(words) for _ in hyps] for hyps in systems]
        pairs = self.aligner.token_pairs(
            hyp_words, ref_words, systems=systems, threads=threads
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
        self._last = texts, sizes, pairs
        return pairs

    def trees(self, texts: list[str]) -> list[DependencyTree]:
        given = [layer(text, "tree") for text in texts]
        missing = [i for i, tree in enumerate(given) if tree is None]
        if missing and self.parser is None:
            message = (
                f"{quote(texts[missing[0]])} has no dependency tree; name a parser "
                "with parser=udpipe,model=PATH, give CoNLL-U files (--trees and "
                "--ref-trees), or flatten with flat=yes"
            )
            raise InputError(message)
        if missing and self.parser is not None:
            parsed = self.parser.parse([texts[i] for i in missing])
            for i, tree in zip(missing, parsed, strict=True):
                given[i] = tree
        return [tree for tree in given if isinstance(tree, DependencyTree)]


@lru_cache(maxsize=4)
def _treebank(
    parser: str, model: str, words: str, settings: AlignerSettings
) -> _Treebank:
    loaded = cached_parser(parser, model, tokenize=words) if parser else None
    return _Treebank(loaded, Aligner(**settings._asdict()))


@lru_cache(maxsize=4)
def cached_parser(name: str, model: str, *, tokenize: str) -> Parser:
    """Return a parser whose work is kept, loaded once."""
    from tertium.trees.cache import CachedParser, default_cache  # loads SQLite

    return CachedParser(load_parser(name, model, tokenize=tokenize), default_cache())
