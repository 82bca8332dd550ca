# SPDX-License-Identifier: Apache-2.0
"""Tree edit distance against edist, apted and zss; DTED on plain text.

python -m bench tree_edit
"""

from __future__ import annotations

import random

import zss
from apted import APTED
from apted.helpers import Tree
from edist.ted import standard_ted

import tertium
from bench.measure import Report, best, load
from tertium.data.batch import Batch
from tertium.trees import LabelledTree, edit_distance, edit_distances


def random_tree(generator: random.Random, nodes: int) -> LabelledTree:
    """Return a tree whose nodes hang on random earlier ones, numbered depth first."""
    children: list[list[int]] = [[] for _ in range(nodes)]
    for node in range(1, nodes):
        children[generator.randrange(node)].append(node)
    parents: list[int] = []
    todo = [(0, -1)]
    while todo:
        node, parent = todo.pop()
        parents.append(parent)
        todo += [(child, len(parents) - 1) for child in reversed(children[node])]
    return LabelledTree(generator.choices("abcdefgh", k=nodes), parents)


def as_zss(tree: LabelledTree) -> zss.Node:
    nodes = [zss.Node(label) for label in tree.labels]
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            nodes[parent].addkid(nodes[node])
    return nodes[0]


def as_edist(tree: LabelledTree) -> tuple[list[object], list[list[int]]]:
    children: list[list[int]] = [[] for _ in tree.labels]
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            children[parent].append(node)
    return list(tree.labels), children


def trees(report: Report, nodes: int = 25, pairs: int = 400) -> None:
    """Compare at unit costs on one thread; trees are made before, in each form."""
    generator = random.Random(12345)
    tree_pairs = [
        (random_tree(generator, nodes), random_tree(generator, nodes))
        for _ in range(pairs)
    ]
    edist = [(*as_edist(a), *as_edist(b)) for a, b in tree_pairs]
    some = tree_pairs[:40]
    apted = [(Tree.from_text(a.brackets), Tree.from_text(b.brackets)) for a, b in some]
    zss_trees = [(as_zss(a), as_zss(b)) for a, b in some]

    def nothing() -> None:
        """No text is read, so there is nothing to renew."""

    expected = edit_distances(tree_pairs, threads=1)
    assert expected == [standard_ted(*pair) for pair in edist]
    scale = pairs / len(some)
    batch = best(lambda: edit_distances(tree_pairs, threads=1), nothing, 15)
    single = best(lambda: [edit_distance(a, b) for a, b in tree_pairs], nothing, 15)
    job = f"{pairs} pairs of trees, {nodes} nodes"
    edist_time = best(lambda: [standard_ted(*pair) for pair in edist], nothing, 7)
    apted_time = scale * best(
        lambda: [APTED(a, b).compute_edit_distance() for a, b in apted], nothing, 3
    )
    zss_time = scale * best(
        lambda: [zss.simple_distance(a, b) for a, b in zss_trees], nothing, 3
    )
    rate = f"{1e6 * batch / pairs:.2f} µs per pair"
    for peer, other, wanted in (
        ("edist", edist_time, 8),
        ("apted", apted_time, 800),
        ("zss", zss_time, 2000),
    ):
        report.add(job, batch, peer=peer, other=other, wanted=wanted, rate=rate)
    rate = f"{1e6 * single / pairs:.2f} µs per pair"
    report.add(
        f"{job}, call by call", single, peer="edist", other=edist_time, rate=rate
    )


def flat(report: Report, testset: tertium.Testset) -> None:
    """DTED on flattened trees: the kernel alone, texts aligned before."""
    refs = [[refs[0]] for refs in testset.references]
    hyps = next(iter(testset.systems.values()))
    for spec in ("dted:flat=yes", "dted:flat=yes,variant=cl"):
        time = kernel_time(tertium.metric(spec), hyps, refs)
        rate = f"{1e6 * time / len(hyps):.2f} µs per segment"
        report.add(f"{spec}, {len(hyps)} segments, kernel", time, rate=rate)


def kernel_time(
    metric: tertium.Metric, hyps: list[str], refs: list[list[str]]
) -> float:
    pairs = metric.pairs(Batch([hyps], refs))
    return best(lambda: metric._kernel.sums(pairs, 1), lambda: None, 7)


def main() -> None:
    report = Report()
    trees(report)
    flat(report, load()[0])


if __name__ == "__main__":
    main()
