# SPDX-License-Identifier: Apache-2.0
"""What metrics over dependency trees share: where the trees come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from tertium import _core
from tertium._messages import quote
from tertium.data.annotated import layer
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.metrics.aligned import AUTO, AlignedMetric
from tertium.metrics.settings import Value, setting
from tertium.metrics.treebank import Treebank, treebank
from tertium.trees.parsers import PARSERS
from tertium.trees.tree import DependencyTree

__all__ = ["TreeMetric"]


class TreeMetric(AlignedMetric):
    """A metric whose kernel reads aligned pairs of dependency trees.

    Trees come with the texts (from CoNLL-U files) or from a parser, whose work is kept
    in a cache (see :mod:`tertium.trees.cache`). The flattened tree, in which every
    word hangs on the one before it, needs neither; where there are trees or a parser,
    its words and links are theirs.
    """

    parser_settings = ("parser", "model")

    flat: bool = setting(False, "whether to flatten the trees; needs no parser")
    parser: str = setting(
        "", "the parser: spacy, udpipe or stanza", external=True, names=tuple(PARSERS)
    )
    model: str = setting("", "the parser's model: a path or a name", external=True)
    pretokenized: bool = setting(
        False, "whether words are separated already; otherwise the parser does it"
    )

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        if self.model and not self.parser:
            message = f"{self.name}: model={self.model} needs its parser; add parser="
            raise InputError(f"{message}udpipe, spacy or stanza")
        if self.structured:
            # A missing parser or model is an error now, not after reading texts.
            self._treebank()

    @property
    def structured(self) -> bool:
        """Whether all texts need trees: the metric reads them, or a parser's words."""
        return not self.flat or bool(self.parser)

    def check_trees(self, batch: Batch) -> None:
        """Raise an error if a text has no tree where all need one."""
        if not self.structured:
            super().check_trees(batch)
            return
        if self.parser and not self.pretokenized:
            self._check_links(batch)
        self._treebank().check(self.parsed_texts(batch))

    def align(self, batch: Batch, *, threads: int | None = None) -> _core.Pairs:
        """Return the texts as aligned pairs, with trees where they are needed."""
        if not self.structured:
            return super().align(batch, threads=threads)
        return self._treebank().pairs(batch, threads=threads)

    def resources(self) -> Mapping[str, str] | None:
        """Return the parser beside the tables of the matchers; see :class:`Metric`."""
        from tertium.metrics.resources import joined_resources, parser_resource

        loaded = self._treebank().parser if self.structured else None
        return joined_resources([super().resources(), parser_resource(loaded)])

    def signature_fields(self) -> dict[str, str]:
        """Return the settings, parser and model as fields of a signature."""
        fields = super().signature_fields()
        del fields["parser"], fields["model"], fields["pretokenized"]
        if self.structured:
            loaded = self._treebank().parser
            fields["trees"] = "given" if loaded is None else loaded.signature
            # Trees bring their words; a parser's signature says whose they are.
            del fields["tok"]
        return fields

    def parsed_texts(self, batch: Batch) -> list[str]:
        """Return the texts of a batch that need trees: all of them."""
        return batch.texts

    def pair_trees(self, hyp: str, ref: str) -> tuple[DependencyTree, DependencyTree]:
        """Return the trees of an output and a reference that the metric compares."""
        one, other = self.trees([hyp, ref])
        return one, other

    def trees(self, texts: Sequence[str]) -> list[DependencyTree]:
        """Return the trees of texts: those they bring, or else the parser's."""
        return self._treebank().trees(list(texts))

    def _check_links(self, batch: Batch) -> None:
        for text in chain(*batch.systems):
            if layer(text, "links") is not None and layer(text, "tree") is None:
                message = (
                    f"{quote(text)} brings links between words at spaces, which "
                    f"parser={self.parser} may cut otherwise; separate words and "
                    "punctuation by spaces and set pretokenized=yes, or give trees"
                )
                raise InputError(message, options=("trees", "ref_trees"))

    def _treebank(self) -> Treebank:
        words = "none" if self.pretokenized else "own"
        # Unless a tokeniser is asked for, the parser cuts words itself.
        if self.tokenize not in ("none", AUTO):
            words = self.tokenize
        words = words if self.parser else ""
        return treebank(self.parser, self.model, words, self.shared_settings)
