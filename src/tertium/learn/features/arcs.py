# SPDX-License-Identifier: Apache-2.0
"""Dependency arcs by relation (BEER_Treepel, Stanojević 2017, 5.3.2).

An arc is a relation, a head word and a dependent word; a root hangs on no word. With
A_s arcs in the text and A_r in the reference, every *distinct* arc adds 2 / (A_s + A_r)
to ``arc.matched:REL`` if both have it, otherwise 1 / A_s to ``arc.sys-wrong:REL`` or
1 / A_r to ``arc.ref-wrong:REL``. Optional are overlaps of tag bigrams, of head and
dependent words, and of words with the number of their dependents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from tertium import _core
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.learn.features.blocks import Block, Resources
from tertium.learn.features.parsed import ParsedPairs, TreeBlock, TreeTable
from tertium.learn.features.tables import TableReader
from tertium.learn.features.values import Shares, read_value, value_columns
from tertium.trees.tree import DependencyTree

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tertium.metrics.base import Rows

__all__ = ["RELATIONS", "Arcs"]

#: The universal relations (universaldependencies.org, version 2).
RELATIONS = (
    "acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp", "clf",
    "compound", "conj", "cop", "csubj", "dep", "det", "discourse", "dislocated", "expl",
    "fixed", "flat", "goeswith", "iobj", "list", "mark", "nmod", "nsubj", "nummod",
    "obj", "obl", "orphan", "parataxis", "punct", "reparandum", "root", "vocative",
    "xcomp",
)  # fmt: skip
_OTHER = "other"
#: Places in the kernel's row; a copy of the reference has no wrong arc.
_KINDS = {"matched": 0, "sys-wrong": -1, "ref-wrong": -1}


class Arcs(TreeBlock):
    """Arcs that two trees share, or one of them has alone, by relation.

    Parameters
    ----------
    relations : sequence of str
        Relations with features of their own: ``nsubj:pass`` counts as itself if it is
        here, otherwise as ``nsubj``, otherwise as ``other``, which is always there.
    arcs : sequence of str
        ``matched``, ``sys-wrong`` and ``ref-wrong``.
    divide : {"mean", "longer"}
        Whether matched arcs are divided by the mean number of arcs, or by that of the
        longer text. With the mean, a shorter text can have more than a copy.
    tags, heads, valency : sequence of str
        Values (``p r f1``, or ``min max f1`` if symmetric) of tag bigrams with a start
        mark, of pairs of head and dependent, and of heads with the number of their
        dependents. None by default.
    symmetric : bool
        Whether these values are symmetric.
    resources, where, **trees
        As in :class:`~tertium.learn.features.parsed.TreeBlock`.
    """

    kind = "arcs"

    def __init__(
        self,
        relations: Sequence[str] = RELATIONS,
        *,
        arcs: Sequence[str] = tuple(_KINDS),
        divide: str = "mean",
        tags: Sequence[str] = (),
        heads: Sequence[str] = (),
        valency: Sequence[str] = (),
        symmetric: bool = False,
        resources: Resources | None = None,
        where: str = "",
        **trees: Unpack[TreeTable],
    ) -> None:
        super().__init__(resources=resources, where=where, **trees)
        self.relations = tuple(relations)
        self.arcs = tuple(arcs)
        self.divide = divide
        self.tags, self.heads, self.valency = tuple(tags), tuple(heads), tuple(valency)
        self._symmetric = symmetric
        self._overlaps = {
            part: [read_value(v, symmetric=symmetric, where=self.where) for v in values]
            for part, values in (("tag2", tags), ("head2", heads), ("valency", valency))
            if values
        }
        self._all = (*(name for name in self.relations if name != _OTHER), _OTHER)
        self._numbers = {name: number for number, name in enumerate(self._all)}
        kinds = [(k, _KINDS[k] or int(divide == "longer")) for k in self.arcs]
        named = [(f"arc.{k}:{name}", sign) for name in self._all for k, sign in kinds]
        for part, values in (("tag2", tags), ("head2", heads), ("valency", valency)):
            named += [(f"{part}.{value}", 1) for value in values]
        if not named:
            message = f"{self.where}: there is no feature; name arcs, tags or heads"
            raise InputError(message)
        self.names, self.signs = zip(*named, strict=True)
        self.groups = ("arcs",) * len(self.names)
        wrong = {"sys-wrong", "ref-wrong"} & set(self.arcs)
        self.symmetric = not wrong and (symmetric or not self._overlaps)

    @classmethod
    def read(cls, table: Mapping[str, object], *, where: str) -> Arcs:
        """Return the block of a table."""
        reader = TableReader(table, where)
        block = cls(
            reader.texts("relations", RELATIONS),
            arcs=reader.texts("arcs", tuple(_KINDS), choices=tuple(_KINDS)),
            divide=reader.text("divide", "mean", choices=("mean", "longer")),
            tags=reader.texts("tags", ()),
            heads=reader.texts("heads", ()),
            valency=reader.texts("valency", ()),
            symmetric=reader.flag("symmetric", False),
            where=where,
            **cls.read_trees(reader),
        )
        reader.done()
        return block

    def to_json(self) -> dict[str, object]:
        """Return the table, complete."""
        return {
            "kind": self.kind,
            "relations": list(self.relations),
            "arcs": list(self.arcs),
            "divide": self.divide,
            "tags": list(self.tags),
            "heads": list(self.heads),
            "valency": list(self.valency),
            "symmetric": self._symmetric,
            **self.tree_table(),
        }

    def equipped(self, resources: Resources) -> Block:
        """Return the block with the parser that a user brings."""
        block = Arcs(
            self.relations,
            arcs=self.arcs,
            divide=self.divide,
            tags=self.tags,
            heads=self.heads,
            valency=self.valency,
            symmetric=self._symmetric,
            resources=resources,
            where=self.where,
            **self.tree_table(),
        )
        return cast("Block", block)

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text."""
        import numpy as np

        parsed = self.parsed(*batch.single)
        self.label(parsed, self._number)
        count = len(self._all)
        kernel = _core.arc_features(
            count, self._number("root"), self._number("flat"), self.divide == "longer"
        )
        rows = kernel.rows(parsed.words, threads or 0)[0]
        kept = [3 * r + list(_KINDS).index(k) for r in range(count) for k in self.arcs]
        columns = [rows[:, kept]]
        for part, shares in self._shares(parsed, threads or 0).items():
            means = self._overlaps[part]
            values = value_columns(means, shares, symmetric=self._symmetric)
            columns.append(np.stack(values, axis=1))
        return np.concatenate(columns, axis=1)

    def _number(self, relation: str) -> int:
        known = self._numbers
        column = known.get(relation)
        return (
            known.get(relation.partition(":")[0], known[_OTHER])
            if column is None
            else column
        )

    def _shares(self, parsed: ParsedPairs, threads: int) -> dict[str, Shares]:
        """Return precision and recall of the other units, by name."""
        if not self._overlaps:
            return {}
        flat = parsed.trees is None
        heads = _overlap(
            _core.dependency_overlap(flat, "unlabelled", "f"), parsed.words, threads
        ).or_else(None)
        out = {"head2": heads}
        if "tag2" in self._overlaps:
            # A flattened tree of tags: arcs without labels are bigrams.
            bigrams = _core.dependency_overlap(True, "unlabelled", "f")
            pairs = _tag_pairs(parsed)
            out["tag2"] = _overlap(bigrams, pairs, threads).or_else(None)
        if "valency" in self._overlaps:
            overlap = _overlap(_core.valencies(), parsed.words, threads)
            # A text of one word has no head with dependents.
            out["valency"] = overlap.or_else(heads)
        return {part: out[part] for part in self._overlaps}


def _overlap(kernel: _core.PairKernel, pairs: _core.Pairs, threads: int) -> Shares:
    rows = kernel.rows(pairs, threads)[0]
    return Shares.of((rows[:, 0], rows[:, 0]), (rows[:, 1], rows[:, 2]))


def _tag_pairs(parsed: ParsedPairs) -> _core.Pairs:
    """Return the texts with tags in place of words; ``_`` where there is none."""
    count = parsed.words.segments
    if parsed.trees is None:
        refs = [["_"] * len(parsed.words.ref(i, 0)) for i in range(count)]
        hyps = [["_"] * len(parsed.words.hyp(0, i)) for i in range(count)]
    else:
        tags = [_tags(tree) for tree in parsed.trees]
        refs, hyps = tags[:count], tags[count:]
    return _core.Pairs([hyps], [[ref] for ref in refs], "none")


def _tags(tree: DependencyTree) -> list[str]:
    return list(tree.upos or tree.xpos) or ["_"] * len(tree)
