# SPDX-License-Identifier: Apache-2.0
"""Twins of headword chains (Liu and Gildea 2005) and of the overlap of arcs."""

from __future__ import annotations

from collections import Counter


def chains(tree, length: int) -> Counter:
    counts = Counter()
    for word in range(len(tree.forms)):
        chain = [word]
        while len(chain) < length and tree.heads[chain[0]]:
            chain.insert(0, tree.heads[chain[0]] - 1)
        if len(chain) == length:
            counts[tuple(tree.forms[i] for i in chain)] += 1
    return counts


def headword_chain(hyp, ref, longest: int) -> float:
    total = 0.0
    for length in range(1, longest + 1):
        hyp_chains, ref_chains = chains(hyp, length), chains(ref, length)
        if hyp_chains:
            total += (hyp_chains & ref_chains).total() / hyp_chains.total()
    return total / longest


def arcs(tree, kind: str) -> Counter:
    counts = Counter()
    for word, head, label in zip(tree.forms, tree.heads, tree.deprels, strict=True):
        above = tree.forms[head - 1] if head else None
        counts[
            {
                "labelled": (above, word, label),
                "unlabelled": (above, word),
                "words": word,
            }[kind]
        ] += 1
    return counts


def overlap(hyp, ref, kind: str) -> tuple[int, int, int]:
    hyp_arcs, ref_arcs = arcs(hyp, kind), arcs(ref, kind)
    return (hyp_arcs & ref_arcs).total(), hyp_arcs.total(), ref_arcs.total()
