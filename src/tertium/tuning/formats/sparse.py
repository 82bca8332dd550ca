# SPDX-License-Identifier: Apache-2.0
"""Sparse features of Moses: ``wt_the~la=1`` beside dense ones, 0 where missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tertium._messages import quote
from tertium.data.lines import StrPath, display
from tertium.errors import FormatError
from tertium.tuning.lists import NBestList

__all__ = ["SparseFeatures", "has_sparse"]

#: Lists are kept as tables with one column per name.
MOST_SPARSE = 1000

# A name may have "=" in it; the value follows the last one. What ends with "=" or ":"
# is the label of a dense feature.
_PAIR = re.compile(r"(?<!\S)(\S+)=([^\s=]*[^\s=:])(?!\S)")


def has_sparse(field: str) -> bool:
    """Return whether a field of features has NAME=VALUE without a space."""
    if field.count("=") == field.count("= ") + field.endswith("="):
        return False  # Most fields: labels alone.
    return _PAIR.search(field) is not None


class SparseFeatures:
    """The sparse features of the hypotheses of a file.

    Parameters
    ----------
    path : str or path
        The file, for messages.
    """

    def __init__(self, path: StrPath) -> None:
        self.path = path
        self.names: dict[str, int] = {}  # with the line of the first occurrence
        self.rows: list[list[dict[str, float]]] = []  # by list and hypothesis

    def take(self, column: Sequence[str], start: int) -> list[str]:
        """Keep the sparse features of a list, and return fields without them."""
        rows: list[dict[str, float]] = []
        rest = []
        for line, field in enumerate(column, start=start):
            row: dict[str, float] = {}
            for name, value in _PAIR.findall(field):
                row[name] = row.get(name, 0.0) + self._number(name, value, line)
                self._add(name, line)
            rows.append(row)
            rest.append(_PAIR.sub("", field))
        self.rows.append(rows)
        return rest

    def complete(self, lists: Sequence[NBestList]) -> list[NBestList]:
        """Return lists with all sparse features of the file, in alphabetical order."""
        dense = lists[0].names
        for name, line in self.names.items():
            if name in dense:
                what = f"the feature {quote(name)} has a label elsewhere; rename one"
                raise FormatError(what, path=display(self.path), line=line)
        names = sorted(self.names)
        place = {name: column for column, name in enumerate(names)}
        out = []
        for each, rows in zip(lists, self.rows, strict=True):
            table = np.zeros((len(each), len(names)))
            for number, row in enumerate(rows):
                for name, value in row.items():
                    table[number, place[name]] = value
            features = np.hstack([each.features, table])
            out.append(replace(each, names=(*dense, *names), features=features))
        return out

    def _add(self, name: str, line: int) -> None:
        self.names.setdefault(name, line)
        if len(self.names) > MOST_SPARSE:
            what = (
                f"{quote(name)} is sparse feature {len(self.names):,}, and at most "
                f"{MOST_SPARSE:,} are read; omit the rare ones"
            )
            raise FormatError(what, path=display(self.path), line=line)

    def _number(self, name: str, value: str, line: int) -> float:
        try:
            number = float(value)
        except ValueError:
            number = np.nan
        if not np.isfinite(number):
            what = (
                f"{name} is {quote(value)}, not a finite number; remove the hypothesis "
                "or replace the value"
            )
            raise FormatError(what, path=display(self.path), line=line)
        return number
