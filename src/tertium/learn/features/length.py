# SPDX-License-Identifier: Apache-2.0
"""How far the lengths of text and reference are apart (Stanojević 2017, 5.3.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.learn.features.blocks import BlockBase
from tertium.learn.features.tables import TableReader

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["Length"]


class Length(BlockBase):
    """Length disbalance: (max - min) / min of the two lengths.

    Parameters
    ----------
    of : sequence of str
        ``word`` and ``char``: what is counted.
    form : {"ratio", "exp"}
        The ratio above, or exp(max / min) - e, at most 100,000.
    empty : float
        What stands for min where it is 0 (A8: 1). A number above 1 is the value
        of the feature itself: the released BEER 2.0 has 100,000.
    windows : {"exact", "released"}
        ``released`` counts UTF-16 units, and an empty line as one word.
    """

    kind = "length"
    symmetric = True

    def __init__(
        self,
        of: Sequence[str] = ("word", "char"),
        *,
        form: str = "ratio",
        empty: float = 1.0,
        windows: str = "exact",
        where: str = "length",
    ) -> None:
        if not of:
            message = f"{where}: of must not be empty; write word or char"
            raise InputError(message)
        if empty < 1:
            message = f"{where}: empty must be at least 1, not {empty:g}; write 1"
            raise InputError(message)
        self.of = tuple(of)
        self.form = form
        self.empty = empty
        self.windows = windows
        self.names = tuple(f"length.{unit}" for unit in of)
        self.groups = ("length",) * len(self.names)
        self.signs = (-1,) * len(self.names)

    @classmethod
    def read(cls, table: Mapping[str, object], *, where: str) -> Length:
        """Return the block of a table."""
        reader = TableReader(table, where)
        block = cls(
            reader.texts("of", ("word", "char"), choices=("word", "char")),
            form=reader.text("form", "ratio", choices=("ratio", "exp")),
            empty=reader.number("empty", 1.0),
            windows=reader.text("windows", "exact", choices=("exact", "released")),
            where=where,
        )
        reader.done()
        return block

    def to_json(self) -> dict[str, object]:
        """Return the table, complete."""
        return {
            "kind": self.kind,
            "of": list(self.of),
            "form": self.form,
            "empty": self.empty,
            "windows": self.windows,
        }

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text."""
        from tertium.learn.features.surface import surface_rows

        return surface_rows(self, *batch.single, threads=threads)
