# SPDX-License-Identifier: Apache-2.0
"""What metrics ask for besides outputs and references: sources, documents, names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.batch import Batch
    from tertium.metrics.base import Metric

__all__ = ["check_references", "extra_inputs"]


def extra_inputs(metric: Metric, batch: Batch) -> dict[str, Any]:
    """Return what a metric reads of a batch, by the name of the argument.

    Raises
    ------
    InputError
        If the batch does not have it.

    Examples
    --------
    >>> from tertium import metric
    >>> from tertium.data.batch import Batch
    >>> extra_inputs(metric("bleu"), Batch([["a"]], ["b"]))
    {}
    """
    asked: dict[str, Any] = {}
    if metric.needs_source:
        if batch.sources is None and len(batch):
            raise InputError(
                f"{metric.spec} reads the source text, and there is none; give sources",
                options=("source",),
            )
        asked["sources"] = batch.sources or []
    if metric.needs_docs:
        if batch.docs is None and len(batch):
            raise InputError(
                f"{metric.spec} reads document ids, and there are none; give docs",
                options=("docs",),
            )
        asked["docs"] = batch.docs or []
    if metric.needs_names and batch.names is None and len(batch):
        raise InputError(
            f"{metric.spec} finds scores by system and segment, and these texts have "
            "no names; score a test set, as `tertium.score` and `tertium.compare` do"
        )
    return asked


def check_references(metrics: Iterable[Metric], purpose: str) -> None:
    """Raise an error if one of some metrics needs references, of which there are none.

    Parameters
    ----------
    metrics : iterable of Metric
    purpose : str
        What references are for, such as "score against".
    """
    metrics = list(metrics)
    needing = [metric.spec for metric in metrics if metric.needs_references]
    if not needing:
        return
    which = "" if len(needing) == len(metrics) else f" for {', '.join(needing)}"
    message = f"there are no references to {purpose}{which}; give them"
    raise InputError(message, options=("references",))
