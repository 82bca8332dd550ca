# SPDX-License-Identifier: Apache-2.0
"""Overlap of characters, words and skip bigrams (Stanojević 2017, 5.3 and 6.3.2).

Of every unit, clipped counts give P = common / units of the text and R = common /
units of the reference. The symmetric form puts x = min(P, R) and y = max(P, R) in
place of P and R in *every* formula, so that length cannot be gamed (eq. 6.15).

Characters are those of the words joined by one space, so n-grams cross words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.learn.features.blocks import BlockBase
from tertium.learn.features.tables import TableReader
from tertium.learn.features.values import read_value

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["Units"]

_UNIT = re.compile(r"(?:(char|word)([1-9][0-9]?)|(skip)(0|[1-9][0-9]{0,5})?)")
_LONGEST = 64


class Units(BlockBase):
    """Precision, recall and their means for n-grams and skip bigrams.

    Parameters
    ----------
    units : sequence of str
        ``char3`` and ``word2`` are n-grams; ``skip2`` are pairs of words in order with
        at most two words between them, ``skip`` those with any number.
    values : sequence of str
        ``min max`` (symmetric) or ``p r``, and means ``f1 f2 f0.5 g1``.
    symmetric : bool
    empty : {"backoff", "zero"}
        What stands for 0/0 where both sides are too short for a unit: the next
        shorter one, or 0.
    windows : {"exact", "released"}
        ``released`` counts as the released BEER 2.0 does (see the core).
    """

    kind = "units"

    def __init__(
        self,
        units: Sequence[str],
        values: Sequence[str],
        *,
        symmetric: bool = True,
        empty: str = "backoff",
        windows: str = "exact",
        where: str = "units",
    ) -> None:
        if not units or not values:
            message = f"{where}: units and values must not be empty; name some"
            raise InputError(message)
        self.units = tuple(units)
        self.values = tuple(values)
        self.symmetric = symmetric
        self.empty = empty
        self.windows = windows
        #: (family, n) of every unit; n = -1 is a skip of any length.
        self.parsed = tuple(_read_unit(unit, where) for unit in units)
        #: (p, r, f or g; beta) of every value.
        self.means = tuple(
            read_value(value, symmetric=symmetric, where=where) for value in values
        )
        self.names = tuple(f"{unit}.{value}" for unit in units for value in values)
        self.groups = tuple(family for family, _ in self.parsed for _ in values)
        self.signs = (1,) * len(self.names)

    @classmethod
    def read(cls, table: Mapping[str, object], *, where: str) -> Units:
        """Return the block of a table."""
        reader = TableReader(table, where)
        block = cls(
            reader.texts("units"),
            reader.texts("values"),
            symmetric=reader.flag("symmetric", True),
            empty=reader.text("empty", "backoff", choices=("backoff", "zero")),
            windows=reader.text("windows", "exact", choices=("exact", "released")),
            where=where,
        )
        reader.done()
        return block

    def to_json(self) -> dict[str, object]:
        """Return the table, complete."""
        return {
            "kind": self.kind,
            "units": list(self.units),
            "values": list(self.values),
            "symmetric": self.symmetric,
            "empty": self.empty,
            "windows": self.windows,
        }

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text."""
        from tertium.learn.features.surface import surface_rows

        return surface_rows(self, *batch.single, threads=threads)


def _read_unit(unit: str, where: str) -> tuple[str, int]:
    match = _UNIT.fullmatch(unit)
    if not match:
        message = f"{where}: {unit!r} is not a unit; write char3, word2, skip2 or skip"
        raise InputError(message)
    family, n, skip, gap = match.groups()
    if skip:
        return "skip", -1 if gap is None else int(gap)
    if int(n) > _LONGEST:
        message = f"{where}: {unit} is too long; n-grams have at most {_LONGEST} parts"
        raise InputError(message)
    return family, int(n)
