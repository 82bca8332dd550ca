# SPDX-License-Identifier: Apache-2.0
"""Preordering as a self-contained HTML page: sentences in detail, and the language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.report.components import (
    Cell,
    Component,
    Details,
    Diagram,
    Facts,
    Group,
    Legend,
    Page,
    Section,
    Table,
    Text,
    download,
    number_cell,
)
from tertium.report.preorder.diagrams import draw_blocks, draw_expectations, draw_tree
from tertium.report.rendering import render
from tertium.report.tables.table import percent

if TYPE_CHECKING:
    from tertium.preorder.explanation import ExplainedOrder, OrderExplanation
    from tertium.preorder.typology import Typology

__all__ = ["explanation_page"]

_TREE = (
    "Every node orders its parts: ⟨1 2⟩ keeps them, ⟨2 1⟩ exchanges them. A number in "
    "a node is the share of the source order that is kept below it."
)
_LONGEST = 60  # words in a heat map


def explanation_page(
    explanation: OrderExplanation, *, extra: Sequence[Section] = ()
) -> str:
    """Return an explanation as a page.

    Parameters
    ----------
    explanation : OrderExplanation
    extra : sequence of Section
        Further sections, before the others.
    """
    typology = explanation.typology
    page = Page(
        f"{percent(typology.moved, typology.sentences)} of the sentences get a new "
        "order",
        kicker=f"Preordering · model of kind {explanation.kind}",
        lead=(
            f"{count(typology.sentences, 'sentence')} in all; "
            f"{count(len(explanation.sentences), 'sentence')} in detail below."
        ),
        sections=[
            *extra,
            *map(_sentence, explanation.sentences),
            Section("language", "Operators and triggers", _typology(typology)),
        ],
        downloads=[
            download(
                "all figures as JSON",
                "preorder.json",
                explanation.to_json(),
                media_type="application/json",
            )
        ],
    )
    return render(page)


def _sentence(each: ExplainedOrder) -> Section:
    words, reordering = each.words, each.reordering
    facts = [("source", " ".join(words)), ("new order", each.reordered)]
    if reordering.expected is not None:
        facts.append(("expected tau", f"{reordering.expected:.4f}"))
    if reordering.confidence is not None:
        facts.append(("confidence", f"{reordering.confidence:.4f}"))
    if reordering.fallback is not None:
        facts.append(("no parse", reordering.fallback))
    blocks: list[Component] = [Facts(facts)]
    name = f"sentence-{each.number}"
    if words:
        blocks += [
            Diagram(
                f"{name}-blocks",
                draw_blocks(words, reordering).to_svg(),
                "Blocks of words that move together.",
            ),
            Diagram(f"{name}-tree", draw_tree(words, reordering).to_svg(), _TREE),
        ]
    if 1 < len(words) <= _LONGEST:
        heat = draw_expectations(words, each.expectations, reordering.order)
        caption = "The new order has the highest sum of probabilities that is possible."
        diagram = Diagram(f"{name}-expectations", heat.to_svg(), caption)
        blocks.append(Details("Probabilities of all pairs of words", [diagram]))
    return Section(name, f"Sentence {each.number}", blocks)


def _typology(typology: Typology) -> list[Component]:
    total = sum(typology.operators.values())
    operators = [
        [Cell(name), _integer(number), _percent(number, total)]
        for name, number in typology.operators.items()
    ]
    arities = [
        [_integer(arity), _integer(number), _percent(number, typology.sentences)]
        for arity, number in typology.arities.items()
    ]
    triggers = [
        [Cell(t.word), _integer(t.inverted), _integer(t.count), number_cell(t.share, 3)]
        for t in typology.triggers
    ]
    tables = [
        Table(
            "Operators of permutation trees", ["operator", "count", "share"], operators
        ),
        Table(
            "Largest operator of a sentence", ["parts", "sentences", "share"], arities
        ),
    ]
    blocks: list[Component] = [Group("tables", tables)]
    if triggers:
        head = ["word", "inversions", "occurrences", "share"]
        blocks += [
            Table("Words that trigger inversions", head, triggers),
            Legend(
                "A word triggers an inversion if it moves alone behind what follows it."
            ),
        ]
    else:
        blocks.append(Text("No word triggers an inversion."))
    return blocks


def _integer(value: int) -> Cell:
    return Cell(f"{value:,}", value, "number")


def _percent(part: int, whole: int) -> Cell:
    return Cell(percent(part, whole), part / whole if whole else 0.0, "number")
