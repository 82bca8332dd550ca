# SPDX-License-Identifier: Apache-2.0
"""Which source words have no counterpart: predictions on held-out training sentences.

    python -m bench preorder_unaligned [--lines N] [--test N] [--grammar]

English-Japanese. The last sentences of the training data are the test data; the
development data are not used. Precision and recall are those of words without links.
With --grammar, a grammar that learnt from the same sentences is compared: the words
that the operators P01 and P10 attach in its best derivation.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence

from bench.studies.preorder_choices import read
from tertium.align.links import Links
from tertium.preorder.gold import gold_orders
from tertium.preorder.parsing.derivations import TreeNode
from tertium.preorder.parsing.ensemble import train_grammars
from tertium.preorder.parsing.model import GrammarPreorderer
from tertium.preorder.unaligned import learn_unaligned

THRESHOLDS = (0.5, 0.4, 0.3, 0.2)
#: The child that is unaligned.
ATTACHED = {"P01": 0, "P10": 1}


def figures(
    name: str, predicted: Sequence[Iterable[int]], right: Sequence[Iterable[int]]
) -> str:
    """Return precision, recall and F1 as a line."""
    pairs = [({*a}, {*b}) for a, b in zip(predicted, right, strict=True)]
    hits = sum(len(a & b) for a, b in pairs)
    precision = hits / max(1, sum(len(a) for a, _ in pairs))
    recall = hits / max(1, sum(len(b) for _, b in pairs))
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return f"{name:28} {precision:9.4f} {recall:7.4f} {f1:7.4f}"


def attached(nodes: Iterable[TreeNode]) -> Iterator[int]:
    """Yield the words that a derivation attaches as unaligned."""
    for node in nodes:
        child = ATTACHED.get(node.label.partition("_")[0])
        if child is not None:
            yield from range(node.children[child].start, node.children[child].end)
        yield from attached(node.children)


def by_grammar(
    learn: tuple[list[list[str]], list[Links]], test: list[list[str]]
) -> list[list[int]]:
    """Return the words that the best derivations of a grammar attach."""
    model = train_grammars(*learn, restarts=1)
    assert isinstance(model, GrammarPreorderer)
    return [list(attached(best[0].trees)) for best in model.derivations(test)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Predict unaligned words.")
    parser.add_argument("--lines", type=int, help="to learn from (default: all others)")
    parser.add_argument("--test", type=int, default=2_000, help="the last sentences")
    parser.add_argument("--grammar", action="store_true")
    options = parser.parse_args()
    sentences, links = read()
    end = min(options.lines or len(sentences), len(sentences) - options.test)
    learn = sentences[:end], links[:end]
    test = sentences[-options.test :]
    right = [gold.unaligned for gold in gold_orders(test, links[-options.test :])]
    words, without = sum(map(len, test)), sum(map(len, right))
    print(f"learnt from {end:,} sentences, tested on {len(test):,}:")
    print(f"{words:,} words, {without:,} without links ({without / words:.1%})")
    print(f"{'':28} precision  recall      F1")
    table = learn_unaligned(*learn)
    for threshold in THRESHOLDS:
        positions = table.positions(test, threshold=threshold)
        print(figures(f"probability above {threshold}", positions, right))
    if options.grammar:
        print(figures("grammar, best derivation", by_grammar(learn, test), right))


if __name__ == "__main__":
    main()
