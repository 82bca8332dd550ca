# SPDX-License-Identifier: Apache-2.0
"""Word order: trees, forests and flat metrics of permutations."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

from scipy.stats import kendalltau

import tertium
from bench.measure import ROOT, Report, best
from tertium import _core

sys.path.append(str(ROOT / "tests"))
from oracles import permutations as oracle

WORDS = 25


def moved(n: int, moves: int, draw: random.Random) -> list[int]:
    """Return the identity with some blocks moved, as translations have them."""
    perm = list(range(1, n + 1))
    for _ in range(moves):
        a, b, c = sorted(draw.sample(range(n + 1), 3))
        perm = perm[:a] + perm[b:c] + perm[a:b] + perm[c:]
    return perm


def permutations(report: Report) -> None:
    """Scores of 25-word permutations, from lists of numbers to scores."""
    draw = random.Random(1)
    count, few = 20_000, 60
    perms = [
        moved(WORDS, 3, draw) if i % 2 else draw.sample(range(1, WORDS + 1), WORDS)
        for i in range(count)
    ]

    def own(spec: str) -> float:
        metric = tertium.metric(spec)
        return best(
            lambda: metric.permutation_scores(perms, threads=1), lambda: None, 60
        )

    def peer(job: Callable[[list[int]], object]) -> float:
        seconds = best(lambda: [job(perm) for perm in perms[:few]], lambda: None, 30)
        return seconds / few * count

    identity = list(range(WORDS))
    for spec, name, job, wanted in (
        ("recpef", "pure-Python oracle",
         lambda perm: oracle.forest_table(perm, 0.6, 0.0), 300),
        ("recpef:forest=tree", "pure-Python oracle",
         lambda perm: oracle.forest_table(perm, 0.6, 0.0, "tree"), None),
        ("kendall", "scipy.stats.kendalltau",
         lambda perm: kendalltau(identity, perm), 100),
        ("ulam", "scipy.stats.kendalltau",
         lambda perm: kendalltau(identity, perm), 100),
    ):  # fmt: skip
        seconds = own(spec)
        report.add(
            f"{spec}, {count:,} permutations of {WORDS}",
            seconds,
            peer=name,
            other=peer(job),
            wanted=wanted,
            rate=f"{count / seconds:,.0f} perm/s",
        )
    report.note(
        f"Permutations: half random, half with three moved blocks; peers ran on {few} "
        "of them. At least 300,000 RECPEF scores per second are wanted."
    )


def growth(report: Report) -> None:
    """Time a word of building flat trees: linear growth is a constant."""
    draw = random.Random(2)
    lines = []
    for exponent in (3, 4, 5, 6):
        n = 10**exponent
        kinds = {
            "random": draw.sample(range(1, n + 1), n),
            "1,000 moved blocks": moved_blocks(n, 1000, draw),
            "2413 in 2413": nested(n),
        }
        cells = []
        for kind, perm in kinds.items():
            batch = _core.Permutations([perm] * max(5, 10**6 // n))
            spent = best(
                lambda batch=batch: _core.permutation_tree_sizes(batch),
                lambda: None,
                5,
            )
            cells.append(f"{kind} {1e9 * spent / len(batch) / n:.0f}")
        lines.append(f"n = {n:,}: {', '.join(cells)}")
    report.note(
        f"Building flat trees, ns per word: {'; '.join(lines)}. The number of steps "
        "per word is constant; from 10^5 words on memory no longer fits the cache."
    )


def moved_blocks(n: int, blocks: int, draw: random.Random) -> list[int]:
    """Return consecutive blocks in random order, every second one turned."""
    cuts = [0, *sorted(draw.sample(range(1, n), min(blocks, n - 1) - 1)), n]
    parts = [
        list(range(a + 1, b + 1))
        for a, b in zip(cuts, cuts[1:], strict=False)  # noqa: RUF007
    ]
    draw.shuffle(parts)
    return [v for i, part in enumerate(parts) for v in (part[::-1] if i % 2 else part)]


def nested(n: int) -> list[int]:
    """Return n words in nested blocks of 2413: many nodes, great depth of blocks."""
    perm = [1]
    while len(perm) < n:
        size = len(perm)
        perm = [v + (op - 1) * size for op in (2, 4, 1, 3) for v in perm]
    order = {value: rank for rank, value in enumerate(sorted(perm[:n]), start=1)}
    return [order[value] for value in perm[:n]]


def main() -> None:
    report = Report()
    permutations(report)
    growth(report)


if __name__ == "__main__":
    main()
