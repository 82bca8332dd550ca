# SPDX-License-Identifier: Apache-2.0
"""Stanojević 2017, chapter 3: reordering grammars, on English-Japanese.

The patents of the thesis are not public. Here models learn from part of the Tanaka
corpus (``preorder/enja.train.tsv.gz`` and links in ``enja.train.gdfa.gz``) and are
scored on other sentences of it (``enja.dev``).
"""

from __future__ import annotations

import gzip
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import cast

from tertium.align.links import Links
from tertium.align.pharaoh import read_pharaoh
from tertium.preorder import OrderScores, Preorderer, score_orders, train
from tertium.preorder.extraction import extract_units
from tertium.preorder.parsing.model import GrammarPreorderer
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Curve, Exhibit, Outcome

__all__ = [
    "PAIRS",
    "corpus",
    "data_sizes",
    "example_orders",
    "model",
    "perplexities",
    "reordering_table",
]

#: Pairs to learn from; those of the discriminative model as in the thesis.
PAIRS, FEW = 20_000, 600
#: The rows of the thesis with a model of their own, and its settings.
_GRAMMARS = {
    "RG left-branching": "left",
    "RG right-branching": "right",
    "RG ITG-forest": "itg",
    "RG PET-forest": "pet",
}
_PLAIN, _LADER = "A no preordering", "C LADER"
ROWS = (_PLAIN, _LADER, *_GRAMMARS)
#: Sentences of our own: verb and object, preposition and its noun.
_OBJECTS = {
    "i bought a new car .": ("bought", "car"),
    "she reads many books .": ("reads", "books"),
    "he wrote a long letter .": ("wrote", "letter"),
    "my father likes coffee .": ("likes", "coffee"),
    "we played tennis yesterday .": ("played", "tennis"),
    "they sold their house .": ("sold", "house"),
}
_PREPOSITIONS = {
    "she lives in tokyo .": ("in", "tokyo"),
    "he went to school .": ("to", "school"),
    "i came from london .": ("from", "london"),
    "we talked about music .": ("about", "music"),
    "they walked along the river .": ("along", "river"),
    "the cat slept on the sofa .": ("on", "sofa"),
}


def data_sizes(_: Exhibit, data: Data) -> Outcome:
    """Table 3.1: how much of the data grammars of either kind can express."""
    sentences, links = corpus(_folder(data), "train", PAIRS)
    extraction = extract_units(sentences, links)
    usable = sum(extraction.arities.values())
    sizes = {
        "train RG PET": round((extraction.covered(5) or 0) * usable),
        "train RG ITG": round((extraction.covered(2) or 0) * usable),
        "train LADER": FEW,
        "train translation": len(sentences),
    }
    words = {"train translation": extraction.words}
    words["train LADER"] = sum(len(sentence) for sentence in sentences[:FEW])
    cells = [Cell(row, "sentences", size) for row, size in sizes.items()]
    cells += [Cell(row, "source words", size) for row, size in words.items()]
    lost = 1 - sizes["train RG ITG"] / sizes["train RG PET"]
    return Outcome(
        tuple(cells),
        (
            Claim(
                "operators of up to five parts cover more sentences than binary ones",
                sizes["train RG PET"] > sizes["train RG ITG"],
                f"{sizes['train RG PET']:,} and {sizes['train RG ITG']:,} sentences "
                f"of {usable:,}",
            ),
            Claim(
                "but binary ones cover all but one in a hundred of them",
                lost < 0.01,
                f"{100 * lost:.2f} % are lost",
            ),
        ),
    )


def reordering_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 3.2: Kendall's tau of predicted orders."""
    scores = _scores(_folder(data))
    column = "Kendall τ"
    cells = []
    for row in ROWS:
        score = scores[row]["tau"]
        low, high = score.interval or (None, None)
        cells.append(Cell(row, column, score.score, low, high, column))
    printed = {row: exhibit.published[row][column] for row in ROWS}
    claims = [_sign(scores, first, second, printed) for first, second in _COMPARED]
    return Outcome(tuple(cells), tuple(claims))


def perplexities(_: Exhibit, data: Data) -> Outcome:
    """Figure 3.3: perplexity of the training data by iteration of EM."""
    folder = _folder(data)
    curves, claims = [], []
    for row in _GRAMMARS:
        grammar = model(folder, row)
        if not isinstance(grammar, GrammarPreorderer):
            raise TypeError(f"{row} is a {type(grammar).__name__}")
        log = cast("list[dict[str, float]]", grammar.grammar.settings["log"])
        values = [item["perplexity"] for item in log]
        curves.append(Curve(row, tuple(enumerate(values, start=1))))
        falls = all(a > b for a, b in pairwise(values))
        ten = (values[0] - values[min(9, len(values) - 1)]) / (values[0] - values[-1])
        claims += [
            Claim(
                f"{row}: perplexity falls with every iteration",
                falls,
                f"{values[0]:.0f} to {values[-1]:.0f} in {len(values)} iterations",
            ),
            Claim(
                f"{row}: ten iterations bring most of it",
                ten > 0.5,
                f"{100 * ten:.0f} % of the fall",
            ),
        ]
    return Outcome(claims=tuple(claims), curves=tuple(curves), axis="iteration")


def example_orders(_: Exhibit, data: Data) -> Outcome:
    """Figure 3.5: verbs after their objects, prepositions after their nouns."""
    grammar = model(_folder(data), "RG PET-forest")
    claims = []
    for text, examples in (
        ("verbs come after their objects", _OBJECTS),
        ("prepositions come after their nouns", _PREPOSITIONS),
    ):
        sentences = [sentence.split() for sentence in examples]
        orders = grammar.apply(sentences)
        after, shown = 0, []
        for words, order, (early, late) in zip(
            sentences, orders, examples.values(), strict=True
        ):
            places = list(order.order)
            a, b = (places.index(words.index(word)) for word in (early, late))
            after += a > b
            shown.append(" ".join(order.reorder(words)))
        claims.append(
            Claim(
                f"{text}, in most of {len(examples)} sentences",
                after > len(examples) / 2,
                f"{after} of {len(examples)}: {'; '.join(shown)}",
            )
        )
    return Outcome(claims=tuple(claims))


# ------------------------------------------------------------------------- helpers

#: Pairs of rows whose difference the thesis discusses, the better one first.
_COMPARED = (
    *((row, _PLAIN) for row in (_LADER, *_GRAMMARS)),
    *((row, _LADER) for row in _GRAMMARS),
    ("RG right-branching", "RG left-branching"),
    ("RG PET-forest", "RG left-branching"),
    ("RG PET-forest", "RG right-branching"),
    ("RG PET-forest", "RG ITG-forest"),
)


def _sign(
    scores: OrderScores, first: str, second: str, printed: dict[str, float]
) -> Claim:
    """Return whether a difference has its published sign."""
    test = next(t for t in scores.pairs if {t.a, t.b} == {first, second})
    sign = 1 if test.a == first else -1
    low, high = sorted(sign * bound for bound in test.interval)
    return Claim(
        f"{first} is better than {second}",
        sign * test.delta > 0,
        f"{sign * test.delta:+.4f} [{low:+.4f}, {high:+.4f}], published "
        f"{printed[first] - printed[second]:+.4f}",
    )


def _folder(data: Data) -> Path:
    return data.path("preorder")


@cache
def _scores(folder: Path) -> OrderScores:
    sentences, links = corpus(folder, "dev", None)
    orders = {
        row: [one.order for one in model(folder, row).apply(sentences)]
        for row in ROWS
        if row != _PLAIN
    }
    orders[_PLAIN] = [tuple(range(len(words))) for words in sentences]
    return score_orders(
        orders, sentences, links, measures=("tau",), baselines=(), correction="none"
    )


@cache
def model(folder: Path, row: str, size: int = PAIRS) -> Preorderer:
    """Return the model of a row of table 3.2, from that many pairs."""
    if row == _LADER:
        return train(*corpus(folder, "train", FEW), model="btg")
    return train(
        *corpus(folder, "train", size),
        model="grammar",
        variant=_GRAMMARS[row],
        restarts=1,
    )


@cache
def corpus(
    folder: Path, part: str, size: int | None
) -> tuple[list[list[str]], list[Links]]:
    """Return the first English sentences of a part of the data, and their links."""
    with gzip.open(folder / f"enja.{part}.tsv.gz", "rt", encoding="utf-8") as file:
        sentences = [line.split("\t", 1)[0].split() for line in file]
    return sentences[:size], read_pharaoh(folder / f"enja.{part}.gdfa.gz")[:size]
