# SPDX-License-Identifier: Apache-2.0
"""Dependencies that output and reference share: headword chains and single arcs.

Words are compared, not aligned. In flattened trees every word is the head of the
next one: headword chains are then n-grams, and unlabelled arcs bigrams.
"""

from __future__ import annotations

from tertium import _core
from tertium.metrics.settings import setting
from tertium.metrics.structured import TreeMetric

__all__ = ["DependencyF", "HeadwordChain"]


class HeadwordChain(TreeMetric):
    """HWCM; the row is (shared chains, chains of the output) for every length."""

    name = "headword-chain"
    summary = "precision of chains of words, each the head of the next"
    formula = (
        "1/N Σ_n |chains of n words of hyp that are in ref, clipped| / |chains of n "
        "words of hyp|, counts summed over segments; a length without chains gives 0"
    )
    paper = "Liu and Gildea 2005, Syntactic features for evaluation of MT (HWCM)"
    equal_to = (
        "the definition for one reference (of several the best counts; the paper clips "
        "by all of them); with flat=yes, the mean of n-gram precisions"
    )
    cost = "N n log n for n words, and that of the aligner"
    empty = "0 for empty text"
    example = "headword-chain:flat=yes"
    bounds = (0.0, 1.0)
    unit = 1.0
    copy_exception = "a tree less than N words deep has no chain of N words"

    max_length: int = setting(4, "N, the longest chains", minimum=1, maximum=64)

    def make_kernel(self) -> _core.PairKernel:
        """Return the kernel."""
        return _core.headword_chain(self.flat, self.max_length)

    @property
    def label(self) -> str:
        """HWCM."""
        return "HWCM"


class DependencyF(TreeMetric):
    """Overlap of arcs; the row is (shared arcs, arcs of hyp, arcs of ref)."""

    name = "dependency-f"
    summary = "overlap of dependency arcs: precision, recall, F or their mean"
    formula = (
        "P = |shared arcs, clipped| / |arcs of hyp|, R = the same / |arcs of ref|, "
        "score=f: 2PR/(P + R), score=mean: (P + R)/2; an arc is head word, dependent "
        "word and label, and a root's head is none; counts summed over segments"
    )
    paper = (
        "score=mean: SHALLOW and DEEP of LAYERED (Gautam and Bhattacharyya 2014, "
        "LAYERED: metric for machine translation evaluation)"
    )
    equal_to = "the definition"
    cost = "n log n for n words, and that of the aligner"
    empty = "0 for empty text"
    example = "dependency-f:flat=yes"
    bounds = (0.0, 1.0)
    unit = 1.0
    copy_exception = "a copy of an empty reference has no arcs"

    score: str = setting(
        "f", "what is reported", choices=("precision", "recall", "f", "mean")
    )
    arcs: str = setting(
        "labelled",
        "what arcs share: words and label, words, or the dependent word alone",
        choices=("labelled", "unlabelled", "words"),
    )

    def make_kernel(self) -> _core.PairKernel:
        """Return the kernel."""
        return _core.dependency_overlap(self.flat, self.arcs, self.score)

    @property
    def label(self) -> str:
        """Dep-F, or what else is reported."""
        return {"f": "Dep-F", "precision": "Dep-P", "recall": "Dep-R"}.get(
            self.score, "Dep-mean"
        )
