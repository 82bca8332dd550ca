# SPDX-License-Identifier: Apache-2.0
"""DERP: dependency relations between aligned words (McCaffery 2017, chapter 5).

The spanning tree takes edges in the order (L, L_max, words), which makes its sums
unique where the thesis leaves ties open. :func:`tertium.trees.derp` shows the edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium import _core
from tertium.metrics.alternatives import AlternativeTreeMetric
from tertium.metrics.settings import setting
from tertium.trees.paths import DERP_CHOICES

if TYPE_CHECKING:
    pass

__all__ = ["Derp"]


class Derp(AlternativeTreeMetric):
    """DERP; the row is (score, weight, degenerate segments)."""

    name = "derp"
    summary = "how alike the dependency paths between aligned words are"
    formula = (
        "1 - Σ L / Σ L_max over the edges of a minimum spanning tree of the aligned "
        "words, where of the paths between two words in both trees L = "
        "lev(labels climbed) + [other direction] + lev(labels descended) and L_max is "
        "the most that could be; normalise=spanning|dependency: 1 / (1 + Σ L / edges); "
        "mean over segments"
    )
    paper = (
        "McCaffery 2017, The mat sat on the cat, ch. 5 (Eq. 5.7); structure=projected: "
        "Hwa et al. 2005, Bootstrapping parsers via syntactic projection across "
        "parallel texts"
    )
    equal_to = "the thesis's worked example (5.6), with ties resolved by L_max"
    cost = (
        "k² for k links; unless flat, also the product of the depths of both words "
        "for every link, so that chains of over 5,000 words are rejected; "
        "ordinality=greedy k² log k; "
        "exact k⁴ and at most 4,000 pairs of paths, where links are many to many; all "
        "that for every pair of parses"
    )
    empty = (
        "1 if there is no path to compare (fewer than two aligned words on either "
        "side), counted as degenerate; degenerate=zero makes it 0, drop leaves the "
        "segment out; of several references one with a path is always preferred; "
        "0 for an empty corpus"
    )
    example = "derp:flat=yes"
    bounds = (0.0, 1.0)
    unit = 1.0
    weight_column = 1
    degenerate_column = 2
    prefers_founded = True
    copy_exception = (
        "repeated words may be aligned crosswise; with degenerate=zero, one word has "
        "no path; parses=mean compares different parses too"
    )

    ordinality: str = setting(
        "contract",
        "several words for several words: as one, or all joined",
        choices=DERP_CHOICES["ordinality"],
    )
    normalise: str = setting(
        "max",
        "what the sum of L is divided by: L_max, or edges of either tree",
        choices=DERP_CHOICES["normalise"],
    )
    ignore_punct: bool = setting(False, "whether to leave out punctuation")
    labels: str = setting(
        "full",
        "labels as they are, without subtypes, or none",
        choices=DERP_CHOICES["labels"],
    )
    degenerate: str = setting(
        "keep",
        "segments without a path to compare: 1, 0, or left out",
        choices=DERP_CHOICES["degenerate"],
    )

    def make_kernel(self) -> _core.PairKernel:
        """Return the kernel."""
        return _core.derp(
            self.flat,
            self.ordinality,
            self.normalise,
            self.ignore_punct,
            self.labels,
            self.degenerate,
        )

    @property
    def label(self) -> str:
        """DERP, or fDERP for flattened trees."""
        return "fDERP" if self.flat else "DERP"
