# SPDX-License-Identifier: Apache-2.0
"""McCaffery 2017, chapter 5: worked examples of DERP."""

from __future__ import annotations

from itertools import combinations

from tertium import _core
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.reproductions.recipes.dted.trees import (
    BUNNY,
    EGGS,
    HOLMES,
    SHERLOCK,
    links_of,
    tree_of,
)
from tertium.trees import DependencyTree, DerpEdge, derp

__all__ = [
    "edge_table",
    "encodings",
    "holmes",
    "many_to_many",
    "meta_graph",
    "normalisations",
    "shared_edges",
    "spanning_tree",
]


def encodings(_: Exhibit, __: Data) -> Outcome:
    """Figure 5.1 and section 5.3.2: encoded paths."""
    (edge,) = derp(SHERLOCK.hyp, SHERLOCK.ref, links_of("4-1 2-6")).edges
    printed = "(DET DOBJ, β, NSUBJ)", "(DET NSUBJ, α, DOBJ CMP)"
    ours = str(edge.hyp_path), str(edge.ref_path)
    chain = tree_of("n x m", "2 3 0", "XCOMP XCOMP ROOT")
    (crossed,) = derp(chain, chain, links_of("1-3 3-1")).edges
    return Outcome(
        claims=(
            Claim("the paths from the to Sherlock are the printed ones",
                  ours == printed, " and ".join(ours)),
            Claim("two edges up against two edges down cost five, because the "
                  "direction is compared apart", crossed.disparity == 5,
                  f"{crossed.ref_path} and {crossed.hyp_path}: {crossed.disparity}"),
        )
    )  # fmt: skip


def meta_graph(_: Exhibit, __: Data) -> Outcome:
    """Figure 5.2: its size."""
    words = {r for _, r in SHERLOCK.pairs}
    counts = {"words": len(words), "edges": len(_all_edges())}
    return Outcome(
        tuple(Cell(row, "count", n, against="count") for row, n in counts.items())
    )


def edge_table(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 5.1: all edges."""
    edges = _all_edges()
    cells, wrong = [], []
    for row, printed in exhibit.published.items():
        edge = edges[frozenset(row.split())]
        values = {"L": edge.disparity, "Lmax": edge.max_disparity}
        cells += [
            Cell(row, name, value, against=name) for name, value in values.items()
        ]
        if any(printed[name] != values[name] for name in printed):
            wrong.append(row)
    free = edges[frozenset(("becoming", "is"))]
    return Outcome(
        tuple(cells),
        (
            Claim("the edge between words with one counterpart is free",
                  free.shared and free.disparity == 0),
            Claim("no other row than “is a” and “is the” differs",
                  set(wrong) <= {"is a", "is the"}, f"{', '.join(wrong)} differ"),
        ),
    )  # fmt: skip


def spanning_tree(_: Exhibit, __: Data) -> Outcome:
    """Figure 5.6: the chosen edges, in the printed order."""
    result = derp(SHERLOCK.hyp, SHERLOCK.ref, SHERLOCK.pairs)
    chosen = {frozenset(edge.ref_words) for edge in result.edges}
    printed = {
        frozenset(pair.split())
        for pair in (
            "becoming is", "Sherlock a", "detective the", "becoming detective",
            "becoming Sherlock",
        )
    }  # fmt: skip
    shown = ", ".join("-".join(edge.ref_words) for edge in result.edges)
    return Outcome(
        (Cell("tree", "cost", result.disparity, against="cost"),),
        (
            Claim(
                "the edges numbered in table 5.1 are chosen", chosen == printed, shown
            ),
        ),
    )


def shared_edges(_: Exhibit, __: Data) -> Outcome:
    """Figure 5.3: two paths of a spanning tree share a dependency edge."""
    tree = tree_of("It was the light pink salmon mousse", "7 7 7 5 7 7 0")
    aligned = links_of("3-3 4-4 5-5 6-6")
    result = derp(tree, tree, aligned)
    steps = [step for edge in result.edges for step in _steps(tree, edge.ref)]
    most = max(steps.count(step) for step in steps)
    return Outcome(
        claims=(
            Claim(
                "an edge to the unaligned “mousse” is in two paths",
                most == 2,
                ", ".join("-".join(edge.ref_words) for edge in result.edges),
            ),
        )
    )


def holmes(_: Exhibit, __: Data) -> Outcome:
    """Figure 5.4: a longer path that costs less."""
    near = derp(HOLMES.hyp, HOLMES.ref, links_of("2-1 1-2")).disparity
    far = derp(HOLMES.hyp, HOLMES.ref, links_of("2-1 3-3")).disparity
    text = "the path from a to Holmes costs less than the one from a to Sherlock"
    return Outcome(claims=(Claim(text, far < near, f"{far} against {near}"),))


def many_to_many(_: Exhibit, __: Data) -> Outcome:
    """Figure 5.7: greedy and optimal sums of the printed weights."""
    cheap = {(0, 1, 0, 1): 0, (0, 1, 0, 2): 2, (0, 2, 0, 2): 5}
    sides = [(0, 1), (0, 2), (1, 2)]
    edges = sorted(
        (cheap.get((*hyp, *ref), 6), 6, (*hyp, *ref)) for hyp in sides for ref in sides
    )
    core = [(*nodes, cost, most) for cost, most, nodes in edges]
    sums = {
        row: sum(core[e][4] for e in _core.derp_join(core, 3, 3, exact))
        for row, exact in (("greedy", False), ("optimum", True))
    }
    return Outcome(
        tuple(Cell(row, "cost", n, against="cost") for row, n in sums.items())
    )


def normalisations(exhibit: Exhibit, _: Data) -> Outcome:
    """Figure 5.8: costs per edge of two trees whose labels all differ."""
    cells = []
    for row, (ref, aligned) in zip(exhibit.published, (EGGS, BUNNY), strict=True):
        labels = tuple(f"x{label}" for label in ref.deprels)
        hyp = DependencyTree(ref.forms, ref.heads, labels)
        links = links_of(" ".join(f"{i}-{i}" for i in aligned.split()))
        result = derp(hyp, ref, links)
        values = {
            "cost": result.disparity,
            "per spanning edge": result.per_spanning_edge,
            "per dependency edge": result.per_dependency_edge,
        }
        cells += [
            Cell(row, name, value, against=name) for name, value in values.items()
        ]
    scores = [cell.ours for cell in cells if cell.column == "per spanning edge"]
    claim = Claim(
        "trees with as many words and aligned words, all labels wrong, score "
        "differently, so these quotients keep a trace of structure",
        scores[0] != scores[1],
        " and ".join(f"{score:g}" for score in scores),
    )
    return Outcome(tuple(cells), (claim,))


def _all_edges() -> dict[frozenset[str], DerpEdge]:
    """Return the edges of the meta-graph of figure 5.2, by the words they join."""
    edges = {}
    words = sorted({r for _, r in SHERLOCK.pairs})
    for ends in combinations(words, 2):
        links = [link for link in SHERLOCK.pairs if link[1] in ends]
        (edge,) = derp(SHERLOCK.hyp, SHERLOCK.ref, links).edges
        edges[frozenset(edge.ref_words)] = edge
    return edges


def _steps(tree: DependencyTree, ends: tuple[int, int]) -> list[int]:
    """Return the dependency edges of a path, by their lower words."""
    above = []
    for word in ends:
        chain = []
        while word >= 0:
            chain.append(word)
            word = tree.heads[word] - 1
        above.append(chain)
    common = set(above[0]) & set(above[1])
    return [word for chain in above for word in chain if word not in common]
