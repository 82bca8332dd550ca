# SPDX-License-Identifier: Apache-2.0
"""ROUGE-S (Lin 2004): pairs of words in their order, gaps allowed."""

from __future__ import annotations

from tertium import _core
from tertium.metrics.settings import setting
from tertium.metrics.words import ATTACHED, WordMetric

__all__ = ["RougeS"]


class RougeS(WordMetric):
    """ROUGE-S; the row is (common skip bigrams, those of hyp, those of ref)."""

    name = "rouge-s"
    summary = "F-score of skip bigrams: word pairs in order, with gaps"
    formula = (
        "P = common / skip bigrams of hyp, R = common / those of ref (clipped counts); "
        "F = (1 + β²) P R / (R + β² P); best of several references; corpus sums"
    )
    paper = "Lin 2004, ROUGE: a Package for Automatic Evaluation of Summaries"
    equal_to = "the definition in the paper"
    cost = "words · distinct words, or words · max_skip where that is below 64"
    longest = 200_000
    empty = "0 where a side has fewer than two words"
    punctuation = ATTACHED
    bounds = (0.0, 1.0)
    unit = 1.0
    symmetric = True  # with beta = 1
    copy_exception = "a copy of fewer than two words has no skip bigram and gets 0"

    max_skip: int = setting(
        -1, "words between the two; -1: any number", minimum=-1, maximum=10**6
    )
    beta: float = setting(1.0, "how much more recall counts", minimum=0)

    def make_kernel(self) -> _core.Kernel:
        """Return the kernel for the settings."""
        return _core.rouge_s(
            tokenize=self.kernel_tokenizer, max_skip=self.max_skip, beta=self.beta
        )

    @property
    def label(self) -> str:
        """ROUGE-S with its longest gap."""
        return "ROUGE-S" if self.max_skip < 0 else f"ROUGE-S{self.max_skip}"
