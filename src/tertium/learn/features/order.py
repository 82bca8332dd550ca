# SPDX-License-Identifier: Apache-2.0
"""The order of matched words, over their permutation and its tree (BEER 1.0, 1.1).

Words that are not matched are left out. Without any word all features are 0; with one,
all but ``pets``; where two words are inverted, ``pets`` is 0 too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from tertium import _core
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.learn.features.aligned import AlignedBlock, AlignerTable
from tertium.learn.features.blocks import Block, Resources
from tertium.learn.features.tables import TableReader

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tertium.metrics.base import Rows

__all__ = ["Order"]

#: The columns of the kernel, and what a copy of the reference has of each.
_COLUMNS = {
    "kendall": 1,
    "pets": 1,
    "straight": 1,
    "inverted": -1,
    "four": -1,
    "more": -1,
}
_RECALL = len(_COLUMNS)
_SCALED = re.compile(r"kendall-scaled-((?:0|[1-9][0-9]?)(?:\.[0-9]{1,6})?)")


class Order(AlignedBlock):
    """Kendall's tau and counts over the permutation tree.

    Parameters
    ----------
    values : sequence of str
        ``kendall``, the share of pairs of words in order; ``kendall-scaled-0.5``, that
        times the share of matched reference words, to the power of 0.5; ``pets``,
        (trees - 1) / (Cat(n-1) - 1); and the shares of nodes of the left-branching
        tree: ``straight``, ``inverted``, with ``four`` children, with ``more``.
    resources, where, **words
        As in :class:`~tertium.learn.features.aligned.AlignedBlock`.
    """

    kind = "order"

    def __init__(
        self,
        values: Sequence[str] = tuple(_COLUMNS),
        *,
        resources: Resources | None = None,
        where: str = "",
        **words: Unpack[AlignerTable],
    ) -> None:
        super().__init__(resources=resources, where=where, **words)
        if not values:
            message = f"{self.where}: values must not be empty; name some"
            raise InputError(message)
        self.values = tuple(values)
        #: The column of every value, or the power of a scaled one.
        self._means = [_read(value, self.where) for value in values]
        self.names = tuple(f"order.{value}" for value in values)
        self.groups = tuple(
            "order" if value.startswith("kendall") else "pets" for value in values
        )
        copies = {"exact", "stem"} & set(self.matchers)
        self.signs = tuple(_COLUMNS.get(v, 1) if copies else 0 for v in values)

    @classmethod
    def read(cls, table: Mapping[str, object], *, where: str) -> Order:
        """Return the block of a table."""
        reader = TableReader(table, where)
        values = reader.texts("values", tuple(_COLUMNS))
        block = cls(values, where=where, **cls.read_aligner(reader))
        reader.done()
        return block

    def to_json(self) -> dict[str, object]:
        """Return the table, complete."""
        return {
            "kind": self.kind,
            "values": list(self.values),
            **self.aligner_table(settled=True),
        }

    def equipped(self, resources: Resources) -> Block:
        """Return the block with the language and the tables that a user brings."""
        return cast("Block", self._copy(resources, settled=self.settled))

    def fitted(self, refs: Sequence[str]) -> Block:  # noqa: ARG002
        """Return the block, its matchers settled."""
        return cast("Block", self._copy(self.resources, settled=True))

    def _copy(self, resources: Resources, *, settled: bool) -> Order:
        table = self.aligner_table(settled=settled)
        return Order(self.values, resources=resources, where=self.where, **table)

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text."""
        import numpy as np

        pairs = self.pairs(batch, threads=threads)
        rows = _core.order_features().rows(pairs, threads or 0)[0]
        columns = [
            rows[:, mean]
            if isinstance(mean, int)
            else (rows[:, 0] * rows[:, _RECALL]) ** mean
            for mean in self._means
        ]
        return np.stack(columns, axis=1)


def _read(value: str, where: str) -> int | float:
    if value in _COLUMNS:
        return list(_COLUMNS).index(value)
    match = _SCALED.fullmatch(value)
    if match and float(match[1]) > 0:  # 0 ** 0 is 1
        return float(match[1])
    message = (
        f"{where}: {value!r} is not a value of order; write {', '.join(_COLUMNS)} or "
        "kendall-scaled-0.5"
    )
    raise InputError(message)
