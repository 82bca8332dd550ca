# SPDX-License-Identifier: Apache-2.0
"""Word error rates: WER, PER (Tillmann et al. 1997), CDER (Leusch et al. 2006)."""

from __future__ import annotations

from tertium import _core
from tertium.metrics.words import ATTACHED, WordMetric

__all__ = ["Cder", "ErrorRate", "Per", "Wer"]


class ErrorRate(WordMetric):
    """Errors per reference word; the row is (errors, reference length).

    Of several references the one with the lowest rate counts.
    """

    higher_is_better = False
    bounds = (0.0, float("inf"))
    unit = 1.0
    empty = "1 if only one side is empty, 0 if both are"
    punctuation = ATTACHED

    def make_kernel(self) -> _core.Kernel:
        """Return the kernel for the settings."""
        return _core.edit(kind=self.name, tokenize=self.kernel_tokenizer)

    @property
    def label(self) -> str:
        """The abbreviation in capitals."""
        return self.name.upper()


class Wer(ErrorRate):
    """Word error rate."""

    name = "wer"
    summary = "insertions, deletions and substitutions per reference word"
    formula = "WER = Levenshtein distance in words / |ref|"
    paper = "Nießen et al. 2000, An Evaluation Tool for MT"
    equal_to = "jiwer 4 and RapidFuzz 3 on white-space tokens"
    cost = "hypothesis words · reference words / 64"
    longest = 1_000_000


class Per(ErrorRate):
    """Position-independent error rate."""

    name = "per"
    summary = "WER that does not look at word order"
    formula = "PER = (max(|hyp|, |ref|) - |bag(hyp) ∩ bag(ref)|) / |ref|"
    paper = "Tillmann et al. 1997, Accelerated DP Based Search for SMT"
    equal_to = "the definition in Macháček 2014 (no maintained tool)"
    cost = "linear in the length of the text"


class Cder(ErrorRate):
    """Edit distance in which blocks of the hypothesis may be jumped to."""

    name = "cder"
    summary = "WER in which a jump to any place of the hypothesis costs one edit"
    formula = (
        "rows reference, columns hypothesis; first row 0,1,1,…; insertion, deletion, "
        "substitution cost 1; after a row every cell ≤ row minimum + 1; last corner / "
        "|ref|"
    )
    paper = "Leusch et al. 2006, CDER: Efficient MT Evaluation Using Block Movements"
    equal_to = "the definition in Macháček 2014 (no maintained tool)"
    cost = "hypothesis words · reference words"
    longest = 200_000
