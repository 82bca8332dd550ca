# SPDX-License-Identifier: Apache-2.0
"""How an order is chosen with a reordering grammar, on held-out training sentences.

python -m bench preorder_choices [--train N] [--test N] [--restarts N]

Claims of Stanojević (2017): the source order is worse than any grammar; splits help;
the order of least risk is at least as good as the most frequent one, and that as one
sample; the best path of a lattice is far above its first. The last sentences of the
training data are the test data; the development data are not used.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from bench.measure import ROOT
from tertium.align.links import Links
from tertium.align.pharaoh import parse_pharaoh
from tertium.data.lines import open_lines
from tertium.preorder.gold import gold_orders
from tertium.preorder.parsing.ensemble import GrammarEnsemble, train_grammars
from tertium.preorder.parsing.model import CHOICES, GrammarPreorderer
from tertium.preorder.scoring import score_orders

LATTICE = 100


def read() -> tuple[list[list[str]], list[Links]]:
    """Return the English sentences of the training data and their links."""
    data = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
    folder = data / "preorder"
    lines = open_lines(folder / "enja.train.tsv.gz")
    sentences = [line.split("\t")[0].split() for line in lines]
    return sentences, list(
        map(parse_pharaoh, open_lines(folder / "enja.train.gdfa.gz"))
    )


def oracle(
    model: GrammarPreorderer, sentences: Sequence[Sequence[str]], links: Sequence[Links]
) -> float:
    """Return the mean tau of the paths of lattices that are closest to gold."""
    lattices = model.lattice(sentences, LATTICE)
    gold = gold_orders(sentences, links)
    pairs = zip(lattices, gold, strict=True)
    return float(np.mean([lattice.closest(one.order)[1] for lattice, one in pairs]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare choices of orders.")
    parser.add_argument("--train", type=int, default=20_000, help="sentences")
    parser.add_argument("--test", type=int, default=2_000, help="the last ones")
    parser.add_argument("--restarts", type=int, default=4, help="grammars")
    options = parser.parse_args()
    sentences, links = read()
    test, gold = sentences[-options.test :], links[-options.test :]
    if options.train + options.test > len(sentences):
        parser.error(f"there are {len(sentences)} sentences")
    learn = list(islice(sentences, options.train)), list(islice(links, options.train))

    unsplit = train_grammars(*learn, restarts=1, splits=(1, 1))
    several = train_grammars(*learn, restarts=options.restarts)
    first = GrammarPreorderer(
        several.grammars[0] if isinstance(several, GrammarEnsemble) else several.grammar
    )
    systems = {"unsplit, risk": [one.order for one in unsplit.apply(test)]}
    for choice in CHOICES:
        chosen = first.apply(test, choice=choice)
        systems[f"split, {choice}"] = [one.order for one in chosen]
    systems[f"{options.restarts} grammars"] = [one.order for one in several.apply(test)]
    scores = score_orders(systems, test, gold, measures=["tau"])
    for name, row in scores.systems.items():
        low, high = row["tau"].interval or (0.0, 0.0)
        print(f"{name:22} {row['tau'].score:.4f} [{low:.4f}, {high:.4f}]")
    print(f"closest of {LATTICE} paths   {oracle(first, test, gold):.4f}")


if __name__ == "__main__":
    main()
