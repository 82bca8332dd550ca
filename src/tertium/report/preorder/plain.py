# SPDX-License-Identifier: Apache-2.0
"""Explained orders as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.preorder.brackets import bracketed

if TYPE_CHECKING:
    from tertium.preorder.explanation import ExplainedOrder, OrderExplanation

__all__ = ["explanation_text"]

_TRIGGERS = 10


def explanation_text(explanation: OrderExplanation) -> str:
    """Return sentences with their trees, and what the text has in common."""
    typology = explanation.typology
    parts = [_sentence(each) for each in explanation.sentences]
    operators = ", ".join(f"{op} {n:,}" for op, n in typology.operators.items())
    triggers = ", ".join(
        f"{t.word} ({t.inverted:,} of {t.count:,})"
        for t in typology.triggers[:_TRIGGERS]
    )
    parts.append(
        f"{typology.moved:,} of {count(typology.sentences, 'sentence')} reordered\n"
        f"operators: {operators or 'none'}\n"
        f"words that trigger inversions: {triggers or 'none'}\n"
    )
    return "\n".join(parts)


def _sentence(each: ExplainedOrder) -> str:
    reordering = each.reordering
    figures = [
        f"{name} {value:.4f}"
        for name, value in (
            ("expected tau", reordering.expected),
            ("confidence", reordering.confidence),
        )
        if value is not None
    ]
    if reordering.fallback is not None:
        figures.append(f"no parse: {reordering.fallback}")
    return (
        f"{each.number}  {' '.join(each.words)}\n"
        f"   {each.reordered}\n"
        f"   {bracketed(each.words, reordering)}\n"
        f"   {', '.join(figures)}\n"
    )
