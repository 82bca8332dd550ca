# SPDX-License-Identifier: Apache-2.0
"""Training of reordering grammars against the same steps in NumPy.

python -m bench preorder_training
"""

from __future__ import annotations

import gzip
import os
import random
import sys
import time
from pathlib import Path

import numpy as np

from bench.measure import ROOT, Report, best
from tertium.preorder.forests import Forest
from tertium.preorder.grammar import Lexicon, train_grammar
from tertium.preorder.grammar.corpus import ForestCorpus, UnitCorpus, learn_terminals
from tertium.preorder.grammar.estimates import Estimate, chart_estimate
from tertium.preorder.units import Units, corpus_units

SPLITS = (30, 3)
SENTENCES = 20_000


def sentences(count: int) -> tuple[list[list[str]], list[list[tuple[int, int]]], str]:
    """Return sentences and links, and what they are."""
    data = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
    folder = data / "preorder"
    if not folder.exists():
        return *made_up(count), "made-up sentences"
    with gzip.open(folder / "enja.train.tsv.gz", "rt", encoding="utf-8") as file:
        words = [line.split("\t")[0].split() for line in file][:count]
    with gzip.open(folder / "enja.train.gdfa.gz", "rt", encoding="utf-8") as file:
        links = [
            [(int(a), int(b)) for a, b in (item.split("-") for item in line.split())]
            for line in file
        ][:count]
    return words, links, "English-Japanese"


def made_up(count: int) -> tuple[list[list[str]], list[list[tuple[int, int]]]]:
    """Return sentences of ten words whose second half is swapped with the first."""
    generator = random.Random(12345)
    words = [[f"w{generator.randrange(2000)}" for _ in range(10)] for _ in range(count)]
    return words, [[(i, (i + 5) % 10) for i in range(10)] for _ in range(count)]


class Prototype:
    """The E-step in NumPy: vectors over states, one span after the other."""

    def __init__(self, estimate: Estimate, terminals: int) -> None:
        self.estimate = estimate
        self.slots, states = estimate.unary.shape
        self.emissions = np.zeros((terminals, self.slots))
        for terminal in range(terminals):
            part = slice(estimate.first[terminal], estimate.first[terminal + 1])
            self.emissions[terminal, estimate.slot[part]] = estimate.value[part]
        self.counts = np.zeros((self.slots, states))
        self.emitted = np.zeros_like(self.emissions)
        self.first_state = np.concatenate([[0], np.cumsum(estimate.splits)])
        self.index = {item.name: i for i, item in enumerate(estimate.operators)}

    def blocks(self, op: int) -> list[slice]:
        """Return the slots of each child of an operator."""
        count = self.estimate.splits[op]
        starts = (
            self.estimate.unary_row(op, child)
            for child in range(self.estimate.operators[op].arity)
        )
        return [slice(start, start + count) for start in starts]

    def expect(self, forest: Forest, terminals: list[int]) -> float:
        """Add the counts of one sentence; return its log-probability."""
        unary = self.estimate.unary
        slots: list[np.ndarray] = []  # of each span, inside
        inside: list[np.ndarray | None] = []
        columns = []
        for span in forest.spans:
            if span.operator is None:
                slots.append(self.emissions[terminals[span.start]])
                inside.append(None)
                columns.append(slice(0))
                continue
            op = self.index[span.operator.name]
            blocks = self.blocks(op)
            v = np.zeros(self.estimate.splits[op])
            for parts in span.inferences:
                product = np.ones_like(v)
                for part, block in zip(parts, blocks, strict=True):
                    product = product * slots[part][block]
                v += product
            states = slice(self.first_state[op], self.first_state[op + 1])
            slots.append(unary[:, states] @ v)
            inside.append(v)
            columns.append(states)
        root = self.estimate.root[columns[-1]]
        total = float(root @ inside[-1])
        above = [np.zeros(self.slots) for _ in forest.spans]
        for i in range(len(forest.spans) - 1, -1, -1):
            span = forest.spans[i]
            if span.operator is None:
                self.emitted[terminals[span.start]] += above[i] * slots[i]
                continue
            states = columns[i]
            outside = root / total
            if i < len(forest.spans) - 1:
                outside = unary[:, states].T @ above[i]
                self.counts[:, states] += np.outer(above[i], inside[i])
            blocks = self.blocks(self.index[span.operator.name])
            for parts in span.inferences:
                for c, block in enumerate(blocks):
                    product = outside
                    for other, part in enumerate(parts):
                        if other != c:
                            product = product * slots[part][blocks[other]]
                    above[parts[c]][block] += product
        return float(np.log(total))


def prepared(
    words: list[list[str]], links: list[list[tuple[int, int]]]
) -> tuple[ForestCorpus, Estimate, UnitCorpus, Lexicon]:
    corpus = UnitCorpus.of(words, links, max_words=50)
    terminals = learn_terminals(corpus, unknown=3, suffixes=0)
    lexicon = Lexicon(terminals)
    forests = ForestCorpus(
        corpus, lexicon, variant="pet", attach="right", height="low", threads=0
    )
    splits = [SPLITS[item.arity > 2] for item in forests.operators]
    unsplit = chart_estimate(forests.operators, forests.forests, len(terminals))
    return forests, unsplit.split(splits, np.random.default_rng(1)), corpus, lexicon


def step(report: Report, few: int = 200) -> None:
    """Compare one E-step on one thread; the prototype does a part of the sentences."""
    words, links, what = sentences(SENTENCES)
    forests, estimate, _, lexicon = prepared(words, links)
    kernel = estimate.kernel()
    one = best(lambda: forests.forests.expect(kernel, 1), lambda: None, 3)
    both = best(lambda: forests.forests.expect(kernel, 0), lambda: None, 3)
    rows = corpus_units([len(item) for item in words[:few]], links[:few])
    charts = [
        (Forest.of_units(units), lexicon.numbers(texts(units, item)).tolist())
        for units, item in zip((rows[i] for i in range(few)), words[:few], strict=True)
        if parses(units)
    ]
    plain = Prototype(estimate, len(estimate.first) - 1)
    start = time.perf_counter()
    logs = [plain.expect(forest, numbers) for forest, numbers in charts]
    other = (time.perf_counter() - start) / len(charts) * len(forests.forests)
    ours = forests.forests.log_probabilities(kernel, 0)[: len(charts)]
    assert np.allclose(ours, logs)
    report.add(
        f"E-step, {len(forests.forests):,} sentences, splits 30/3",
        one,
        peer="NumPy prototype",
        other=other,
        wanted=30,
        rate=f"{len(forests.forests) / one:,.0f} sentences per second",
    )
    report.note(
        f"E-step on all processors: {both:.2f} s ({what}). The prototype did "
        f"{len(charts)} sentences, scaled to all."
    )


def texts(units: Units, words: list[str]) -> list[str]:
    return [" ".join(words[start:end]) for start, end in units.spans]


def parses(units: Units) -> bool:
    if units.aligned < 2:
        return False
    try:
        Forest.of_units(units)
    except ValueError:
        return False
    return True


def whole(report: Report) -> None:
    """Time the training of a grammar as users start it."""
    for count in (SENTENCES, 50_000):
        words, links, what = sentences(count)
        start = time.perf_counter()
        train_grammar(words, links, variant="pet", iterations=10)
        seconds = time.perf_counter() - start
        report.add(
            f"training, {len(words):,} sentences, 10 iterations ({what})", seconds
        )


def run(report: Report) -> None:
    step(report)
    whole(report)


if __name__ == "__main__":
    run(Report())
    sys.exit()
