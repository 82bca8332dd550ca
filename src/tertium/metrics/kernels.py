# SPDX-License-Identifier: Apache-2.0
"""Calls into kernels of the core: from texts to rows, and from rows to scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from tertium.data.batch import Batch, lone_surrogate
from tertium.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium import _core
    from tertium.metrics.base import Metric, Rows

__all__ = [
    "Preprocess",
    "checked_rows",
    "kernel_scores",
    "mean_scores",
    "preprocessed_references",
    "text_rows",
    "text_sums",
]

_Refs: TypeAlias = "list[str | tuple[str, ...]]"

#: Returns lines as a kernel reads them; the same list where there is nothing to do.
Preprocess: TypeAlias = Callable[[list[str]], list[str]]


def kernel_scores(
    kernel: _core.Scorer, rows: ArrayLike, *, metric: Metric
) -> float | Rows:
    """Return a kernel's score of a row, or of every row along the last axis.

    Raises
    ------
    InputError
        If rows do not have the width of the kernel's; it names the `metric`.
    """
    width = kernel.width
    if isinstance(rows, list) and len(rows) == width and isinstance(rows[0], float):
        return kernel.score(rows)  # a plain sum: no NumPy needed
    array = checked_rows(rows, width, metric=metric)
    scores = kernel.scores(array.reshape(-1, width))
    return float(scores[0]) if array.ndim == 1 else scores.reshape(array.shape[:-1])


def mean_scores(rows: ArrayLike, *, metric: Metric) -> float | Rows:
    """Return the mean of a sum of rows (score, weight), 0 without any weight."""
    if isinstance(rows, list) and len(rows) == 2 and isinstance(rows[0], float):
        return rows[0] / rows[1] if rows[1] > 0 else 0.0
    import numpy as np

    array = checked_rows(rows, 2, metric=metric)
    total, weight = array[..., 0], array[..., 1]
    scores = np.where(weight > 0, total / np.where(weight > 0, weight, 1.0), 0.0)
    return float(scores) if array.ndim == 1 else scores


def checked_rows(rows: ArrayLike, width: int, *, metric: Metric) -> Rows:
    """Return rows as an array of which the last axis has `width` statistics.

    Raises
    ------
    InputError
        If it has not; the message names the `metric`.
    """
    import numpy as np

    array = np.ascontiguousarray(rows, dtype=np.float64)
    if np.ndim(rows) == 0 or array.shape[-1] != width:
        message = (
            f"{metric.spec} has rows of {width} statistics, not an array of shape "
            f"{np.shape(rows)}; pass what statistics() returned, or sums of it"
        )
        raise InputError(message)
    return array


def text_rows(
    kernel: _core.Kernel, batch: Batch, preprocess: Preprocess, threads: int | None
) -> list[Rows]:
    """Return the rows of every system of a batch; references are read once."""
    systems, refs = _preprocessed(batch, preprocess)
    try:
        return kernel.rows(systems, refs, threads or 0)
    except UnicodeEncodeError as error:
        raise lone_surrogate(systems, refs) from error
    except ValueError as error:
        raise InputError(str(error)) from None


def text_sums(
    kernel: _core.Kernel, batch: Batch, preprocess: Preprocess, threads: int | None
) -> list[_core.Sums]:
    """Return the exact sum of the rows of every system; rows are not kept."""
    systems, refs = _preprocessed(batch, preprocess)
    try:
        return kernel.sums(systems, refs, threads or 0)
    except UnicodeEncodeError as error:
        raise lone_surrogate(systems, refs) from error
    except ValueError as error:
        raise InputError(str(error)) from None


def _preprocessed(
    batch: Batch, preprocess: Preprocess
) -> tuple[list[list[str]], _Refs]:
    systems, refs = batch.systems, batch.references
    try:
        return [preprocess(hyps) for hyps in systems], preprocessed_references(
            refs, preprocess
        )
    except (AttributeError, TypeError):
        if _are_texts(systems, refs):
            raise
        return systems, refs  # the kernel reports which one is not a text


def preprocessed_references(refs: _Refs, preprocess: Preprocess) -> _Refs:
    """Return references, one or several per segment, as the kernel reads them."""
    nothing: list[str] = []
    if preprocess(nothing) is nothing:
        return refs
    if all(isinstance(ref, str) for ref in refs):
        return list(preprocess(refs))  # type: ignore[arg-type]
    flat: list[str] = []
    for ref in refs:
        flat.extend((ref,) if isinstance(ref, str) else ref)
    done = iter(preprocess(flat))
    return [
        tuple(next(done) for _ in range(1 if isinstance(ref, str) else len(ref)))
        for ref in refs
    ]


def _are_texts(systems: list[list[str]], refs: _Refs) -> bool:
    lists = [*systems, *((ref,) if isinstance(ref, str) else ref for ref in refs)]
    return all(isinstance(text, str) for texts in lists for text in texts)
