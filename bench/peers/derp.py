# SPDX-License-Identifier: Apache-2.0
"""DERP on 25 words, all aligned, against its twin in Python with RapidFuzz.

python -m bench derp
"""

from __future__ import annotations

import random
import sys

from rapidfuzz.distance import Levenshtein

from bench.measure import ROOT, Report, best
from tertium import _core
from tertium.trees import DependencyTree

sys.path.insert(0, str(ROOT / "tests"))
from oracles import derp as oracle

WORDS, PAIRS, SOME = 25, 20_000, 100
LABELS = ("nsubj", "obj", "obl", "det", "case", "amod", "advmod", "punct", "conj")


def projective_tree(rng: random.Random) -> DependencyTree:
    """Return a tree about as deep as those of real sentences."""
    heads = [0] * WORDS

    def hang(begin: int, end: int, head: int) -> None:
        while begin < end:  # a few dependents, each with the words around it
            stop = rng.randint(begin + 1, end)
            middle = rng.randrange(begin, stop)
            heads[middle] = head
            hang(begin, middle, middle + 1)
            hang(middle + 1, stop, middle + 1)
            begin = stop

    root = rng.randrange(WORDS)
    hang(0, root, root + 1)
    hang(root + 1, WORDS, root + 1)
    labels = tuple(rng.choice(LABELS) for _ in range(WORDS))
    return DependencyTree(tuple(f"w{i}" for i in range(WORDS)), tuple(heads), labels)


def moved(rng: random.Random) -> list[tuple[int, int]]:
    """Return links of an output in which three blocks of words have moved."""
    order = list(range(WORDS))
    for _ in range(3):
        begin, size = rng.randrange(WORDS - 5), rng.randint(1, 5)
        block = order[begin : begin + size]
        del order[begin : begin + size]
        place = rng.randrange(len(order) + 1)
        order[place:place] = block
    return list(enumerate(order))


def run(report: Report) -> None:
    """Measure structured and flattened DERP, one thread."""
    rng = random.Random(1)
    data = [
        (projective_tree(rng), projective_tree(rng), moved(rng)) for _ in range(PAIRS)
    ]
    pairs = _core.Pairs(
        [[hyp.forms for hyp, _, _ in data]], [[ref.forms] for _, ref, _ in data], "none"
    )
    for i, (_, _, links) in enumerate(data):
        pairs.set_matches(0, i, 0, [(h, 1, r, 1, 0, 1.0) for h, r in links])
    number = {name: i for i, name in enumerate(LABELS)}
    ordered = [ref for _, ref, _ in data] + [hyp for hyp, _, _ in data]
    pairs.set_trees(
        [(list(t.heads), [number[name] for name in t.deprels]) for t in ordered],
        list(LABELS),
    )
    flattened = [
        (DependencyTree.flat(hyp.forms), DependencyTree.flat(ref.forms), links)
        for hyp, ref, links in data[:SOME]
    ]
    for job, flat, some in (
        ("DERP, 25 words", False, data[:SOME]),
        ("DERP flat, 25 words", True, flattened),
    ):
        kernel = _core.derp(flat, "contract", "max", False, "full", "keep")
        rows = kernel.rows(pairs, 1)[0]

        def twin(some: list = some) -> list[float]:
            trees = (oracle.spanning_tree(*one, Levenshtein.distance) for one in some)
            return [oracle.score(edges) for edges in trees]

        same = all(
            abs(a - b) < 1e-12 for a, b in zip(twin(), rows[:SOME, 0], strict=True)
        )
        if not same:
            raise SystemExit(f"{job}: the scores differ")
        seconds = best(lambda kernel=kernel: kernel.rows(pairs, 1), lambda: None, 7)
        other = best(twin, lambda: None, 5)
        report.add(
            f"{job}, all aligned, {PAIRS:,} pairs",
            seconds,
            peer="Python + RapidFuzz",
            other=other * PAIRS / SOME,
            wanted=100,
            rate=f"{PAIRS / seconds:,.0f} pairs/s",
        )


if __name__ == "__main__":
    run(Report())
