# SPDX-License-Identifier: Apache-2.0
"""Parsing with reordering grammars: growth with sentence length and splits, pruning.

python -m bench preorder_parse [--model MODEL --sentences FILE]

CPU time of exact expectations on one thread, with random grammars. Cost is that of the
formula n² · slots · states + n³ · items, and the speed that it predicts is relative to
the first row. With a trained model and a file of sentences, pruning is compared with
exact expectations.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from bench.measure import processor
from support.reordering_grammars import random_grammar
from tertium.preorder.grammar import Grammar
from tertium.preorder.parsing.model import GrammarPreorderer


def cost(grammar: Grammar, words: int) -> float:
    """Return the stated complexity of one sentence."""
    slots, states = grammar.unary.shape
    spans = words * (words - 1) / 2
    edges = words * (words**2 - 1) / 6
    return 2 * spans * slots * states + 3 * edges * (slots - states)


def row(grammar: Grammar, words: int, unit: float) -> float:
    """Print the time for sentences of one length; return time over cost."""
    model = GrammarPreorderer(grammar)
    rng = np.random.default_rng(1)
    count = max(1, 2400 // words**2 * 2)
    sentences = [rng.choice(["a", "b", "c"], words).tolist() for _ in range(count)]
    seconds = processor(lambda: model.expectations(sentences, threads=1), 3) / count
    unit = unit or seconds / cost(grammar, words)
    splits = f"{grammar.splits[0]}/{grammar.splits[-1]}"
    speed = cost(grammar, words) * unit / seconds
    print(
        f"{splits:>6} {words:5d} words {1000 * seconds:9.2f} ms per sentence "
        f"{1 / seconds:9.1f} sentences per s {speed:6.2f} of the predicted speed"
    )
    return unit


def growth() -> None:
    """Print times by sentence length, then by splits."""
    unit = 0.0
    thesis = random_grammar(1, splits=(30, 3))
    for words in (12, 6, 25, 50, 80):
        unit = row(thesis, words, unit)
    for splits in ((1, 1), (4, 1), (8, 2), (16, 3), (60, 3)):
        row(random_grammar(1, splits=splits), 12, unit)


def pruning(path: str, file: str) -> None:
    """Print times and errors of pruning with a trained model."""
    grammar = Grammar.load(path)
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    sentences: Sequence[Sequence[str]] = [line.split() for line in lines]
    exact = GrammarPreorderer(grammar)
    matrices = exact.expectations(sentences, threads=1)
    orders = [one.order for one in exact.apply(sentences, threads=1)]
    for prune in (0.0, 1e-6, 1e-4, 1e-3, 1e-2):
        model = GrammarPreorderer(grammar, prune=prune)
        seconds = processor(
            lambda model=model: model.expectations(sentences, threads=1), 1
        )
        pruned = model.expectations(sentences, threads=1)
        errors = [
            abs(a - b).max(initial=0) for a, b in zip(matrices, pruned, strict=True)
        ]
        other = [one.order for one in model.apply(sentences, threads=1)]
        changed = sum(a != b for a, b in zip(orders, other, strict=True))
        print(
            f"prune {prune:<8g} {len(sentences) / seconds:8.1f} sentences per s, "
            f"largest error of an expectation: mean {np.mean(errors):.4f}, "
            f"most {max(errors):.4f}; {changed} of {len(sentences)} orders change"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the parser.")
    parser.add_argument("--model", help="a trained grammar")
    parser.add_argument("--sentences", help="tokenised sentences, one per line")
    options = parser.parse_args()
    growth()
    if options.model and options.sentences:
        pruning(options.model, options.sentences)


if __name__ == "__main__":
    main()
