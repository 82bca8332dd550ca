# SPDX-License-Identifier: Apache-2.0
"""What blocks share that match texts by a file of the user's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from tertium.errors import InputError
from tertium.learn.features.blocks import BlockBase
from tertium.learn.features.values import Shares, read_value, value_columns

if TYPE_CHECKING:
    from tertium.learn.features.tables import TableReader
    from tertium.metrics.base import Rows

__all__ = ["BroughtBlock"]


class BroughtBlock(BlockBase):
    """Precision, recall and their means of matches from a file of the user's.

    Parameters
    ----------
    values : sequence of str
        ``min max`` or, if not symmetric, ``p r``, and means ``f1 f0.5 g1``.
    symmetric : bool
    path : str
        The file, which the user brings; not part of the table.
    where : str
        File and table, for messages.
    """

    kind: ClassVar[str]
    prefix: ClassVar[str]  # of the names of features

    def __init__(
        self,
        values: Sequence[str] = ("min", "max", "f1"),
        *,
        symmetric: bool = True,
        path: str = "",
        where: str = "",
    ) -> None:
        self.where = where or self.kind
        if not values:
            message = f"{self.where}: values must not be empty; name some"
            raise InputError(message)
        self.values = tuple(values)
        self.symmetric = symmetric
        self.path = path
        self._means = [
            read_value(value, symmetric=symmetric, where=self.where) for value in values
        ]
        self.names = tuple(f"{self.prefix}.{value}" for value in values)
        self.groups = (self.kind,) * len(values)
        self.signs = (1,) * len(values)

    @staticmethod
    def read_values(reader: TableReader) -> tuple[Sequence[str], bool]:
        """Return the values of a table, and whether they are symmetric."""
        symmetric = reader.flag("symmetric", True)
        default = ("min", "max", "f1") if symmetric else ("p", "r", "f1")
        return reader.texts("values", default), symmetric

    def to_json(self) -> dict[str, object]:
        """Return the table, complete."""
        values = list(self.values)
        return {"kind": self.kind, "values": values, "symmetric": self.symmetric}

    def columns(self, shares: Shares) -> Rows:
        """Return the features of shares: 1 where neither text has anything to match."""
        import numpy as np

        columns = value_columns(
            self._means, shares.or_else(None), symmetric=self.symmetric
        )
        return np.stack(columns, axis=1)
