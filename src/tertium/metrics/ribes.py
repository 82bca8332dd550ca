# SPDX-License-Identifier: Apache-2.0
"""RIBES (Isozaki et al. 2010), equal to NLTK's.

NLTK before 3.10.4 counted only pairs inside runs of consecutive ranks; from
that version on it counts every ascending pair, as the paper does.
"""

from __future__ import annotations

from tertium import _core
from tertium.metrics.settings import setting
from tertium.metrics.words import ATTACHED, WordMetric

__all__ = ["Ribes"]


class Ribes(WordMetric):
    """RIBES; the row is (segment score, 1), the corpus score the mean."""

    name = "ribes"
    summary = "rank correlation of the order of words found in the reference"
    formula = (
        "RIBES = NKT · p₁^α · BP^β; NKT = share of ascending pairs among aligned "
        "words, p₁ = aligned words / |hyp|, α = 0.25, β = 0.10; corpus = mean"
    )
    paper = "Isozaki et al. 2010, Automatic Evaluation for Distant Language Pairs"
    equal_to = "NLTK 3.10.4 (segments over 2000 words, which NLTK rejects, score too)"
    cost = "words² for the rank correlation"
    longest = 100_000
    empty = "0 for an empty hypothesis or reference"
    punctuation = ATTACHED
    bounds = (0.0, 1.0)
    unit = 1.0
    copy_exception = (
        "words that no context makes unique are not aligned, so a copy of a sentence "
        "with such repetitions stays below 1, and one of a single word gets 0"
    )

    alpha: float = setting(0.25, "exponent of the unigram precision", minimum=0)
    beta: float = setting(0.10, "exponent of the brevity penalty", minimum=0)

    def make_kernel(self) -> _core.Kernel:
        """Return the kernel for the settings."""
        return _core.ribes(
            tokenize=self.kernel_tokenizer, alpha=self.alpha, beta=self.beta
        )

    @property
    def label(self) -> str:
        """RIBES."""
        return "RIBES"
