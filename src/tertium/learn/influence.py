# SPDX-License-Identifier: Apache-2.0
"""What moves the score of a linear model: weights, ranges, and what texts lose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.learn.matrices import TextRows
from tertium.learn.rankers import Linear
from tertium.learn.validation import model_scores

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.learn.model import Model, Rows
    from tertium.learn.profile import Profile

__all__ = ["GroupLoss", "Influence", "by_group", "group_losses", "influences"]


@dataclass(frozen=True)
class Influence:
    """A feature of a linear model.

    Parameters
    ----------
    name, group : str
    weight : float
        Of the feature as the profile computes it.
    low, high : float
        Its range in training, 0 included; 0 to 1 where the model does not say.
    influence : float
        The size of the weight times the range: the most it can move the raw score.
    """

    name: str
    group: str
    weight: float
    low: float
    high: float
    influence: float


@dataclass(frozen=True)
class GroupLoss:
    """What the texts of a system lose against copies of their references.

    Parameters
    ----------
    system : str
    score : float
        The mean score of its segments.
    lost : dict of str to float
        The mean loss of raw score, by group of features.
    texts : int
        How many texts there are.
    above_copy : int
        How many of them have a higher raw score than a copy of their reference.
    """

    system: str
    score: float
    lost: dict[str, float]
    texts: int
    above_copy: int


def influences(model: Model) -> list[Influence] | None:
    """Return the features of a model, those that can move it most first.

    None if the model is not linear.
    """
    if not isinstance(model.ranker, Linear):
        return None
    profile, ranges = model.profile, model.ranges
    plain, _ = model.plain_weights()
    size = len(profile.names)
    lows = ranges.low if ranges else (0.0,) * size
    highs = ranges.high if ranges else (1.0,) * size
    features = [
        Influence(name, group, weight, low, high, abs(weight) * (high - low))
        for name, group, weight, low, high in zip(
            profile.names, profile.groups, plain, lows, highs, strict=True
        )
    ]
    return sorted(features, key=lambda each: -each.influence)


def group_losses(
    model: Model, testset: Testset, *, threads: int | None = None
) -> list[GroupLoss]:
    """Return what the systems of a test set lose, by group of features.

    A text with several references is explained by its best one.

    Raises
    ------
    InputError
        When the test set has no references or no systems.
    NotDefinedError
        When the model is not linear.
    """
    if not testset.systems or not len(testset) or not any(testset.references):
        message = "there are no texts with references to explain; give both"
        raise InputError(message)
    losses = []
    for system, hyps in testset.systems.items():
        texts = TextRows()
        flat, counts = texts.add(hyps, testset.references)
        rows = [part.tolist() for part in np.split(flat, np.cumsum(counts)[:-1])]
        features = texts.features(model.profile, threads=threads)
        raw = model.raw(features)
        best = [max(numbers, key=lambda n: raw[n]) for numbers in rows]
        refs = [
            testset.references[i][numbers.index(row)]
            for i, (numbers, row) in enumerate(zip(rows, best, strict=True))
        ]
        identity = model.profile.features(refs, refs, threads=threads)
        lost = model.contributions(identity) - model.contributions(features[best])
        scores = model_scores(model, hyps, testset.references, threads=threads)
        losses.append(
            GroupLoss(
                system,
                float(scores.mean()),
                by_group(model.profile, lost.mean(axis=0)),
                len(hyps),
                int((raw[best] > model.raw(identity)).sum()),
            )
        )
    return losses


def by_group(profile: Profile, values: Rows) -> dict[str, float]:
    """Return the sum of values, one per feature, of every group."""
    groups = np.array(profile.groups)
    return {
        name: float(values[groups == name].sum())
        for name in dict.fromkeys(profile.groups)
    }
