# SPDX-License-Identifier: Apache-2.0
"""Metrics whose rows and scores come from a kernel of the core that reads texts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from tertium.data.batch import Batch, References
from tertium.metrics.base import Metric
from tertium.metrics.kernels import kernel_scores, text_rows, text_sums
from tertium.metrics.settings import Value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium import _core
    from tertium.metrics.base import Rows

__all__ = ["NativeMetric"]


class NativeMetric(Metric):
    """A metric whose kernel reads texts."""

    _kernel: _core.Kernel

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        self._kernel = self.make_kernel()

    @abstractmethod
    def make_kernel(self) -> _core.Kernel:
        """Return the kernel for the settings."""

    @property
    def kernel(self) -> _core.Kernel:
        """The kernel, which reads what :meth:`preprocess` returns."""
        return self._kernel

    def preprocess(self, lines: list[str]) -> list[str]:
        """Return the lines as the kernel wants them (lower-cased, say).

        Where there is nothing to do, return the same list.
        """
        return lines

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:
        """Return the rows of every system; references are read once."""
        return text_rows(self._kernel, batch, self.preprocess, threads)

    def sums(self, batch: Batch, *, threads: int | None = None) -> list[_core.Sums]:
        """Return the exact sum of the rows of every system; rows are not kept."""
        return text_sums(self._kernel, batch, self.preprocess, threads)

    @property
    def width(self) -> int:
        """The number of statistics in a row."""
        return self._kernel.width

    def statistics(
        self, hyps: Sequence[str], refs: References, *, threads: int | None = None
    ) -> Rows:
        """Return one row of statistics per segment; see :class:`Metric`."""
        return self.rows(self.checked([hyps], refs), threads=threads)[0]

    @overload
    def from_statistics(self, rows: list[float]) -> float: ...
    @overload
    def from_statistics(self, rows: ArrayLike) -> float | Rows: ...
    def from_statistics(self, rows: ArrayLike) -> float | Rows:
        """Return the score of a row, or of every row along the last axis."""
        return kernel_scores(self._kernel, rows, metric=self.spec)
