# SPDX-License-Identifier: Apache-2.0
"""What a text loses against a copy of its reference, by group of features, in words.

A linear model sums weighted features, so the loss of a group is the sum of what its
features would add for a copy minus what they add for the text. Where the score is a
line (scaler ``relative``, above its bend), the loss times the slope is how much the
group takes from the score, and all groups together take 1 minus the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.learn.influence import by_group
from tertium.learn.loss_wording import GroupValues, Wording
from tertium.learn.rankers import Linear
from tertium.learn.scoring import for_reference
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.learn.model import Model

__all__ = ["Loss", "ScoreLosses", "score_losses"]

#: Groups with a smaller share of the loss are shown together.
_TINY = 0.02


@dataclass(frozen=True)
class Loss:
    """What a group of features takes from the score of a text.

    Parameters
    ----------
    group : str
    loss : float
        Of the raw score, against a copy of the reference; below 0 if the text has
        more than the copy.
    share : float
        Of all groups that lose anything.
    points : float or None
        Of the score, 0 to 1; None where the score is not a line.
    note : Note
        What the group has counted; ``str(note)`` is a sentence.
    words : tuple of str
        The words that the note is about.
    """

    group: str
    loss: float
    share: float
    points: float | None
    note: Note
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScoreLosses:
    """What the score of a text lost, by group of features.

    Parameters
    ----------
    metric : str
        The spec of the metric.
    score : float
    reference : int
        The reference with the best score, counted from 0; the losses are against it.
    losses : tuple of Loss
        The largest first.
    """

    metric: str
    score: float
    reference: int
    losses: tuple[Loss, ...]

    @property
    def in_points(self) -> bool:
        """Whether losses are known in points of the score."""
        return all(loss.points is not None for loss in self.losses)

    def split(self, *, tiny: float = _TINY) -> tuple[list[Loss], list[Loss]]:
        """Return the losses worth showing, and the tiny ones, which are not.

        A single tiny one is shown: naming it takes as much space.
        """
        nonzero = [loss for loss in self.losses if loss.loss]
        rest = [loss for loss in nonzero if abs(loss.share) < tiny]
        if len(rest) < 2:
            return nonzero, []
        return [loss for loss in nonzero if loss not in rest], rest


def score_losses(
    model: Model, hyp: str, refs: Sequence[str], *, metric: str = ""
) -> ScoreLosses | None:
    """Return what a text lost, against the reference with the best score.

    Parameters
    ----------
    model : Model
    hyp : str
    refs : sequence of str
    metric : str
        The spec of the metric, for readers.

    Returns
    -------
    ScoreLosses or None
        None if the model is not linear.

    Examples
    --------
    >>> import tertium
    >>> model = tertium.metric("beer:language=en").trained
    >>> hyp, ref = "we met the Bürgermeister at noon", "we met the mayor at noon"
    >>> lost = score_losses(model, hyp, [ref])
    >>> str(lost.losses[0].note)
    'a word that is not English: Bürgermeister (1 of 6 words)'
    >>> abs(sum(loss.points for loss in lost.losses) - (1 - lost.score)) < 1e-9
    True
    """
    import numpy as np

    if not isinstance(model.ranker, Linear):
        return None
    profile = model.profile
    texts = [for_reference(hyp, number, len(refs)) for number in range(len(refs))]
    features = profile.features(texts, list(refs), threads=1)
    identity = profile.features(list(refs), list(refs), threads=1)
    scores = np.clip(model.scores(features, identity), 0.0, 1.0)
    best = int(scores.argmax())
    row, copy = features[best : best + 1], identity[best : best + 1]
    lost = (model.contributions(copy) - model.contributions(row))[0]
    slope = model.scaler.line_slope(float(model.raw(row)[0]), float(model.raw(copy)[0]))
    values = GroupValues(profile, row[0].tolist(), copy[0].tolist(), lost.tolist())
    wording = Wording(profile, texts[best], refs[best])
    totals = by_group(profile, lost)
    whole = sum(loss for loss in totals.values() if loss > 0)
    losses = []
    for group, loss in totals.items():
        note, words = wording.describe(group, values.of(group))
        losses.append(
            Loss(
                group,
                loss + 0.0,  # no negative zero
                loss / whole if whole else 0.0,
                None if slope is None else slope * loss,
                note,
                words,
            )
        )
    losses.sort(key=lambda each: -each.loss)
    return ScoreLosses(metric, float(scores[best]), best, tuple(losses))
