# SPDX-License-Identifier: Apache-2.0
"""Why a model reorders sentences as it does: orders, trees and expectations."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tertium._version import __version__
from tertium.preorder.application import apply_model
from tertium.preorder.brackets import bracketed
from tertium.preorder.typology import Typology, describe_orders

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.preorder.model import Preorderer, Reordering

    Progress: TypeAlias = Callable[[int, int], None]

__all__ = ["ExplainedOrder", "OrderExplanation", "explain_orders"]


@dataclass(frozen=True, eq=False)
class ExplainedOrder:
    """One sentence, its new order, and the probabilities behind it.

    Parameters
    ----------
    words : tuple of str
    reordering : Reordering
    expectations : ndarray
        P(word i before word j).
    number : int
        Of the sentence in its text, counted from 1.
    """

    words: tuple[str, ...]
    reordering: Reordering
    expectations: NDArray[np.float64]
    number: int

    @property
    def reordered(self) -> str:
        """The words in their new order, as a text."""
        return " ".join(self.reordering.reorder(self.words))

    def to_dict(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "number": self.number,
            "words": list(self.words),
            "reordered": self.reordering.reorder(self.words),
            "tree": bracketed(self.words, self.reordering),
            **self.reordering.to_dict(),
            "expectations": self.expectations.tolist(),
        }


@dataclass(frozen=True, eq=False)
class OrderExplanation:
    """Some sentences in detail, and statistics of the whole text.

    Parameters
    ----------
    kind : str
        The kind of model.
    sentences : tuple of ExplainedOrder
    typology : Typology
        Of all sentences of the text.
    """

    kind: str
    sentences: tuple[ExplainedOrder, ...]
    typology: Typology

    def to_dict(self) -> dict[str, object]:
        """Return the object that ``tertium preorder explain -f json`` prints."""
        return {
            "tertium": __version__,
            "kind": self.kind,
            "sentences": [each.to_dict() for each in self.sentences],
            "typology": self.typology.to_dict(),
        }

    def to_json(self) -> str:
        """Return the same as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def explain_orders(
    model: Preorderer,
    sentences: Sequence[Sequence[str]],
    *,
    numbers: Sequence[int] | None = None,
    most: int = 10,
    threads: int | None = None,
    progress: Progress | None = None,
) -> OrderExplanation:
    """Explain how a model reorders sentences.

    Parameters
    ----------
    model : Preorderer
    sentences : sequence of sequences of str
        The statistics are about all of them.
    numbers : sequence of int, optional
        The sentences to show, counted from 1; by default the first `most` that the
        model reorders.
    most : int
    threads : int, optional
    progress : callable, optional
        Called with the number of sentences so far, and of all.
    """
    applied = apply_model(model, sentences, threads=threads, progress=progress)
    reorderings = applied.reorderings
    if numbers is None:
        moved = (
            number
            for number, each in enumerate(reorderings, start=1)
            if each.order != tuple(range(len(each.order)))
        )
        numbers = [*moved][:most] or list(range(1, min(most, len(sentences)) + 1))
    chosen = [tuple(sentences[number - 1]) for number in numbers]
    shown = tuple(
        ExplainedOrder(words, reorderings[number - 1], matrix, number)
        for words, number, matrix in zip(
            chosen, numbers, model.expectations(chosen, threads=threads), strict=True
        )
    )
    return OrderExplanation(model.kind, shown, describe_orders(sentences, reorderings))
