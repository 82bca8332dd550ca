# SPDX-License-Identifier: Apache-2.0
"""Any registered metric as a feature: its score of the segment, in units.

A score is divided by what stands for 100 %, and taken with a minus where lower is
better, so that more is always better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.learn.features.blocks import BlockBase
from tertium.learn.features.tables import TableReader
from tertium.metrics.registry import metric
from tertium.metrics.settings import from_a_file

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["Metrics"]

#: What stands for an infinite score, as for the length of an empty text.
_MOST = 100_000.0


class Metrics(BlockBase):
    """Scores of other metrics.

    Parameters
    ----------
    metrics : sequence of str
        Spec strings such as ``chrf`` or ``dted:flat=yes``; none may name a file, a
        model or a program.
    where : str
        File and table, for messages.
    """

    kind = "metrics"

    def __init__(self, metrics: Sequence[str], *, where: str = "") -> None:
        self.where = where or self.kind
        if not metrics:
            message = f"{self.where}: metrics must not be empty; name some"
            raise InputError(message)
        try:
            # Profiles and models hold these specs, and may come from someone else.
            with from_a_file():
                self.metrics = tuple(metric(spec) for spec in metrics)
        except InputError as error:
            raise InputError(f"{self.where}: {error}") from None
        for each in self.metrics:
            if each.needs_corpus:
                message = (
                    f"{self.where}: {each.name} scores a segment by all references "
                    "together, so it is not a feature of one; leave it out"
                )
                raise InputError(message)
        specs = [each.spec for each in self.metrics]
        self.names = tuple(f"metric:{spec}" for spec in specs)
        self.groups = ("metric",) * len(specs)
        self.signs = tuple(int(not each.copy_exception) for each in self.metrics)
        self.symmetric = all(each.symmetric for each in self.metrics)
        self.layers = tuple(
            dict.fromkeys(n for each in self.metrics for n in each.layers)
        )

    @classmethod
    def read(cls, table: Mapping[str, object], *, where: str) -> Metrics:
        """Return the block of a table."""
        reader = TableReader(table, where)
        block = cls(reader.texts("metrics"), where=where)
        reader.done()
        return block

    def to_json(self) -> dict[str, object]:
        """Return the table, complete."""
        return {"kind": self.kind, "metrics": [each.spec for each in self.metrics]}

    def rows(self, batch: Batch, *, threads: int | None = None) -> Rows:
        """Return one row of features per text.

        Where a metric has no score (link-tau of one word, say) the feature is 0.
        """
        import numpy as np

        columns = []
        for each in self.metrics:
            each.check(batch)
            rows = each.rows(batch, threads=threads)[0]
            scores = np.asarray(each.from_statistics(rows), dtype=np.float64)
            unit = 1.0 if math.isnan(each.unit) else each.unit
            sign = 1.0 if each.higher_is_better else -1.0
            column = np.nan_to_num(sign * scores / unit, posinf=_MOST, neginf=-_MOST)
            columns.append(column + 0.0)  # no minus zero
        return np.stack(columns, axis=1)
