# SPDX-License-Identifier: Apache-2.0
"""Headword chains as features (HWCM, Liu and Gildea 2005).

A chain of n words goes down the tree, each word the head of the next. In flattened
trees chains are n-grams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from tertium import _core
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.learn.features.blocks import Block, Resources
from tertium.learn.features.parsed import TreeBlock, TreeTable
from tertium.learn.features.tables import TableReader
from tertium.learn.features.values import Shares, read_value, value_columns

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tertium.metrics.base import Rows

__all__ = ["Chains"]

_LONGEST = 64


class Chains(TreeBlock):
    """Precision, recall and their means of headword chains, by length.

    Where neither tree is deep enough for a length, the next shorter one counts.

    Parameters
    ----------
    max_length : int
        The longest chains.
    values : sequence of str
        ``p r`` or, if symmetric, ``min max``, and means ``f1 f0.5 g1``.
    symmetric : bool
    resources, where, **trees
        As in :class:`~tertium.learn.features.parsed.TreeBlock`.
    """

    kind = "chains"

    def __init__(
        self,
        max_length: int = 4,
        *,
        values: Sequence[str] = ("p", "r", "f1"),
        symmetric: bool = False,
        resources: Resources | None = None,
        where: str = "",
        **trees: Unpack[TreeTable],
    ) -> None:
        super().__init__(resources=resources, where=where, **trees)
        if not 1 <= max_length <= _LONGEST or not values:
            message = (
                f"{self.where}: max_length is a whole number from 1 to {_LONGEST}, and "
                f"values are not empty; not {max_length!r} and {list(values)!r}"
            )
            raise InputError(message)
        self.max_length = max_length
        self.values = tuple(values)
        self.symmetric = symmetric
        self._means = [
            read_value(value, symmetric=symmetric, where=self.where) for value in values
        ]
        lengths = range(1, max_length + 1)
        self.names = tuple(f"chain{n}.{value}" for n in lengths for value in values)
        self.groups = ("arcs",) * len(self.names)
        self.signs = (1,) * len(self.names)

    @classmethod
    def read(cls, table: Mapping[str, object], *, where: str) -> Chains:
        """Return the block of a table."""
        reader = TableReader(table, where)
        length = reader.number("max_length", 4)
        if length != int(length):
            raise reader.wrong("max_length", length, "a whole number")
        block = cls(
            int(length),
            values=reader.texts("values", ("p", "r", "f1")),
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
            "max_length": self.max_length,
            "values": list(self.values),
            "symmetric": self.symmetric,
            **self.tree_table(),
        }

    def equipped(self, resources: Resources) -> Block:
        """Return the block with the parser that a user brings."""
        block = Chains(
            self.max_length,
            values=self.values,
            symmetric=self.symmetric,
            resources=resources,
            where=self.where,
            **self.tree_table(),
        )
        return cast("Block", block)

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text."""
        import numpy as np

        parsed = self.parsed(*batch.single)
        self.label(parsed, lambda _: 0)
        kernel = _core.chain_counts(parsed.trees is None, self.max_length)
        rows = kernel.rows(parsed.words, threads or 0)[0]
        shorter: Shares | None = None
        columns: list[Rows] = []
        for n in range(self.max_length):
            shared, hyp_units, ref_units = (rows[:, 3 * n + k] for k in range(3))
            shares = Shares.of((shared, shared), (hyp_units, ref_units)).or_else(
                shorter
            )
            columns += value_columns(self._means, shares, symmetric=self.symmetric)
            shorter = shares
        return np.stack(columns, axis=1)
