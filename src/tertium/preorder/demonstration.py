# SPDX-License-Identifier: Apache-2.0
"""A model trained, scored and explained on the bundled corpus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tertium._seed import SEED
from tertium.preorder.demo import demo_text
from tertium.preorder.explanation import OrderExplanation, explain_orders
from tertium.preorder.results import OrderScores
from tertium.preorder.scoring import score_orders
from tertium.preorder.training import DEFAULT_MODEL, train

if TYPE_CHECKING:
    from tertium.preorder.model import Preorderer

    OnProgress: TypeAlias = Callable[[str, int, int | None], None]

__all__ = ["Demonstration", "demonstrate"]


@dataclass(frozen=True, eq=False)
class Demonstration:
    """A model of the bundled corpus, with its scores and an explanation.

    Parameters
    ----------
    model : Preorderer
    scores : OrderScores
        Of the model, the source order and its reverse, on sentences it has not seen.
    explanation : OrderExplanation
        Of the same sentences.
    """

    model: Preorderer
    scores: OrderScores
    explanation: OrderExplanation


def demonstrate(
    *,
    model: str = DEFAULT_MODEL,
    most: int = 5,
    seed: int = SEED,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> Demonstration:
    """Train on the bundled corpus, and show what the model has learnt.

    Parameters
    ----------
    model : str
        As in :func:`tertium.preorder.train`.
    most : int
        How many sentences to explain.
    seed : int
    threads : int, optional
    progress : callable, optional
        Called with what is counted, how many are done, and of how many.
    """
    text, test = demo_text("train"), demo_text("test")
    learnt = train(
        text.sentences,
        text.links,
        model=model,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    orders = [each.order for each in learnt.apply(test.sentences, threads=threads)]
    scores = score_orders(
        {model: orders},
        test.sentences,
        test.links,
        baselines=("identity", "reverse"),
        seed=seed,
        threads=threads,
    )
    explanation = explain_orders(learnt, test.sentences, most=most, threads=threads)
    return Demonstration(learnt, scores, explanation)
