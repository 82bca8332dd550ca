# SPDX-License-Identifier: Apache-2.0
"""Metrics of word order over permutation trees and forests.

Stanojević and Sima'an 2014, Evaluating Word Order Recursively over Permutation-
Forests; Stanojević 2017, chapter 4. No metric enumerates trees: all are computed on
the flat tree, which is built in linear time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from tertium.metrics.order import PUBLISHED, InterpolatedMetric, OrderMetric
from tertium.metrics.settings import Setting, setting
from tertium.order.permutation import RECURSIVE_CHOICES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium.metrics.base import Rows

__all__ = [
    "AvgArity",
    "InvertedRatio",
    "LogPets",
    "MaxOp",
    "NPets",
    "Pef",
    "Pet",
    "PetSize",
    "Recpef",
    "Recpet",
    "StraightRatio",
]

_THESIS = "Stanojević 2017, Permutation Forests for Modeling Word Order, 4.3"
_PAPER = "Stanojević and Sima'an 2014, Evaluating Word Order Recursively"
_TREE = "over the permutation trees of the aligned words"


class PetSize(InterpolatedMetric):
    """The number of nodes of the permutation tree."""

    name = "pet-size"
    label = "|PET|"
    summary = "many nodes in the permutation tree: order falls into small steps"
    formula = f"(internal nodes - 1) / (n-2) {_TREE}; 1 for n ≤ 2"
    paper = _THESIS


class MaxOp(InterpolatedMetric):
    """The longest operator of the permutation tree."""

    name = "max-op"
    label = "MAX|Op|"
    summary = "no long operator in the permutation tree: no large tangle of words"
    formula = f"1 - (longest operator - 2) / (n-2) {_TREE}; 1 for n ≤ 2"
    paper = _THESIS


class NPets(InterpolatedMetric):
    """The number of permutation trees."""

    name = "n-pets"
    label = "#PETs"
    summary = "many permutation trees: the more monotone or inverted, the more"
    formula = f"(#trees - 1) / (Cat(n-1) - 1) {_TREE}; 1 for n ≤ 2"
    paper = _THESIS


class LogPets(InterpolatedMetric):
    """The logarithm of the number of permutation trees."""

    name = "log-pets"
    label = "log #PETs"
    summary = "n-pets on a logarithmic scale, which long sentences do not flatten"
    formula = f"log #trees / log Cat(n-1) {_TREE}; 1 for n ≤ 2"
    paper = f"none; n-pets as in {_THESIS}"


class StraightRatio(InterpolatedMetric):
    """The share of straight nodes."""

    name = "straight-ratio"
    label = "straight"
    summary = "share of straight binary nodes among the n-1 that order needs"
    formula = "straight binary nodes / (n-1); over=chart: straight spans / C(n, 2)"
    paper = "Stanojević 2017, 1.7, in words only"

    over: str = setting(
        "tree", "nodes of a tree or spans of the forest", choices=("tree", "chart")
    )


class _LowerIsBetter(OrderMetric):
    """A count of disorder, which is not mixed with a score of words."""

    higher_is_better = False
    copy_exception = ""

    @overload
    def from_statistics(self, rows: list[float]) -> float: ...
    @overload
    def from_statistics(self, rows: ArrayLike) -> float | Rows: ...
    def from_statistics(self, rows: ArrayLike) -> float | Rows:
        """Return the score of a row, or of every row along the last axis."""
        # The kernel has it negative: of several references it keeps the highest.
        return 0.0 - super().from_statistics(rows)


class InvertedRatio(_LowerIsBetter):
    """The share of inverted nodes."""

    name = "inverted-ratio"
    label = "inverted"
    summary = "share of inverted binary nodes among the n-1 that order needs"
    formula = "inverted binary nodes / (n-1); over=chart: inverted spans / C(n, 2)"
    paper = "Stanojević 2017, 1.7, in words only"
    empty = "1 where no word of a reference is aligned, 0 for one word or no reference"

    over: str = setting(
        "tree", "nodes of a tree or spans of the forest", choices=("tree", "chart")
    )


class AvgArity(_LowerIsBetter):
    """The mean length of operators."""

    name = "avg-arity"
    label = "arity"
    summary = "mean number of children of a node of the permutation tree"
    formula = f"mean length of operators {_TREE}; 2 if all are binary"
    paper = "Stanojević 2017, 1.7, in words only"
    empty = "|ref|, at least 2, where no word is aligned; 2 for one aligned word"
    bounds = (2.0, float("inf"))
    unit = float("nan")


#: Settings of the recursive scores.
_RECURSIVE: dict[str, Setting] = {
    "beta": setting(
        0.6, "weight of a node against the nodes below it", minimum=0, maximum=1
    ),
    "gamma": setting(0.0, "score of the inverted operator", minimum=0, maximum=1),
    "op_score": setting(
        "binary",
        "score of longer operators: 0, or a metric of their order",
        choices=RECURSIVE_CHOICES["op_score"],
    ),
    "child_weight": setting(
        "plain",
        "blocks weigh the same, or with words as many words as they have (BEER 1.0)",
        choices=RECURSIVE_CHOICES["child_weight"],
    ),
    "rescale": setting(
        False, "whether to stretch the scale so that full inversion gets 0 (BEER 1.0)"
    ),
}
_TREE_SETTINGS = {
    **_RECURSIVE,
    "branching": setting("left", "which canonical tree", choices=("left", "right")),
}
_FOREST_SETTINGS = {
    **_RECURSIVE,
    "forest": setting(
        "split",
        "mean over splits (published), mean over trees, best or worst tree",
        choices=RECURSIVE_CHOICES["forest"],
    ),
}
_FOREST_COST = (
    "that of the aligner, then blocks² at most; blocks³ for forest=tree, max, min"
)


class Recpet(InterpolatedMetric, settings=_TREE_SETTINGS):
    """The recursive score of one canonical permutation tree."""

    name = "recpet"
    label = "RECPET"
    summary = "operators of the canonical permutation tree, scored from the root down"
    formula = (
        "φ(node) = β·opScore + (1-β)·mean φ(children of several words); opScore = 1 "
        "straight, γ inverted, 0 longer; alone where all children are words"
    )
    paper = _PAPER


class Recpef(InterpolatedMetric, settings=_FOREST_SETTINGS):
    """The recursive score of the permutation forest."""

    name = "recpef"
    label = "RECPEF"
    summary = "operators of all permutation trees, scored from the root down"
    formula = (
        "φ(span) = β·opScore + (1-β)·mean over splits of mean φ(parts of several "
        "words); opScore = 1 straight, γ inverted, 0 longer; alone over words"
    )
    paper = _PAPER
    cost = _FOREST_COST


_BLEND = "; Sent = α·BLEU-1 + (1-α)·BP(|π|, |ref|)·φ; corpus = Σ|ref|·Sent / Σ|ref|"
_BLENDED_EMPTY = "0 where no word is aligned"


class Pet(InterpolatedMetric, settings={**_TREE_SETTINGS, **PUBLISHED}):
    """RECPET mixed with BLEU-1, with the published defaults."""

    name = "pet"
    label = "PET"
    summary = "word order by the canonical permutation tree, mixed with BLEU-1"
    formula = f"φ as recpet{_BLEND}"
    paper = _PAPER
    empty = _BLENDED_EMPTY
    part = "recpet"


class Pef(InterpolatedMetric, settings={**_FOREST_SETTINGS, **PUBLISHED}):
    """RECPEF mixed with BLEU-1, with the published defaults."""

    name = "pef"
    label = "PEF"
    summary = "word order by the permutation forest, mixed with BLEU-1"
    formula = f"φ as recpef{_BLEND}"
    paper = _PAPER
    empty = _BLENDED_EMPTY
    part = "recpef"
    cost = _FOREST_COST
