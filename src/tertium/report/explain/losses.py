# SPDX-License-Identifier: Apache-2.0
"""What the scores of trained metrics lost: which metrics have it, and how it reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tertium.metrics.base import Metric
from tertium.notes.learn import GROUPS

if TYPE_CHECKING:
    from tertium.learn.losses import Loss, ScoreLosses

__all__ = ["LossRow", "find_losses", "loss_heading", "loss_rows"]


class LossRow(NamedTuple):
    """A line of what a score lost.

    `amount` is in points of the score or a share of the loss; `share` is the share.
    """

    amount: str
    text: str
    share: float


def find_losses(
    metrics: Mapping[str, Metric], hyp: str, refs: Sequence[str]
) -> tuple[ScoreLosses, ...]:
    """Return what the scores of trained linear metrics lost, if they lost anything."""
    trained = {spec: m for spec, m in metrics.items() if m.name == "beer"}
    if not trained:
        return ()
    from tertium.learn.beer import Beer
    from tertium.learn.losses import score_losses

    losses = [
        score_losses(metric.trained, hyp, refs, metric=spec)
        for spec, metric in trained.items()
        if isinstance(metric, Beer)
    ]
    return tuple(lost for lost in losses if lost and any(x.loss for x in lost.losses))


def loss_heading(lost: ScoreLosses, references: int) -> str:
    """Return what the numbers of the rows are."""
    against = f", against reference {lost.reference + 1}" if references > 1 else ""
    what = "what it lost" if lost.in_points else "shares of what it lost"
    return what + against


def loss_rows(lost: ScoreLosses, *, complete: bool = False) -> list[LossRow]:
    """Return one row per group, and one for the tiny ones unless `complete`."""
    large, tiny = lost.split(tiny=0.0) if complete else lost.split()
    rows = [_row(loss, str(loss.note)) for loss in large]
    if tiny:
        names = dict.fromkeys(GROUPS.get(loss.group, loss.group) for loss in tiny)
        points = [loss.points for loss in tiny if loss.points is not None]
        amount = sum(points) if points else None
        share = sum(loss.share for loss in tiny)
        text = f"other: {', '.join(names)}"
        rows.append(LossRow(_amount(amount, share), text, share))
    return rows


def _row(loss: Loss, text: str) -> LossRow:
    return LossRow(_amount(loss.points, loss.share), text, loss.share)


def _amount(points: float | None, share: float) -> str:
    return f"{100 * share:.0f} %" if points is None else f"{points:.3f}"
