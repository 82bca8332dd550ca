# SPDX-License-Identifier: Apache-2.0
"""BLEU (Papineni et al. 2002) and its smoothed forms for single sentences.

`bleu` equals sacreBLEU. `sentbleu` is sacreBLEU's sentence BLEU (effective
order), `sentbleu-plus1` the SENTBLEU of the WMT metrics tasks (one added to
matches and totals of every order), `bleu-nrc` the smoothed counts of Chen and
Cherry (2014), `bleu1` looks at single words only.
"""

from __future__ import annotations

from typing import ClassVar

from tertium import _core
from tertium.metrics.settings import setting
from tertium.metrics.words import WordMetric
from tertium.text.tokenizers import TOKENIZERS, tokenizer_signature

__all__ = ["Bleu", "Bleu1", "BleuNrc", "SentBleu", "SentBleuPlusOne"]

# Chen and Cherry (2014), table 1.
_SMOOTH_VALUES = {"floor": 0.1, "add-k": 1.0}
_SMOOTHINGS = ("none", "floor", "add-k", "exp", "plus-one")


class Bleu(WordMetric):
    """BLEU; the row is (hyp length, ref length, matches…, totals…)."""

    name = "bleu"
    summary = "precision of word n-grams with a penalty for short output"
    formula = (
        "BLEU = BP · exp(Σₙ ln pₙ / N), pₙ = clipped n-gram matches / n-grams of the "
        "hypothesis, N = 4; BP = min(1, exp(1 - |ref| / |hyp|)); sums over the corpus"
    )
    paper = "Papineni et al. 2002, Bleu: a Method for Automatic Evaluation of MT"
    equal_to = "sacreBLEU 2.6.0 (every tokeniser, smoothing and option)"
    cost = "linear in the length of the text"
    empty = "0 for an empty hypothesis or an empty corpus"
    punctuation = "marks are words of their own, cut off by mteval-v13a's rules"
    copy_exception = (
        "a copy shorter than max_ngram_order words gets 0 unless effective_order=yes, "
        "as in sacreBLEU; an empty one always"
    )

    tokenize: str = setting("13a", "the tokeniser", choices=TOKENIZERS)
    smooth_method: str = setting(
        "exp", "what to do about orders without a match", choices=_SMOOTHINGS
    )
    smooth_value: float | None = setting(
        None, "for floor (default 0.1) and add-k (default 1)", minimum=0
    )
    effective_order: bool = setting(False, "stop at the longest order with n-grams")
    max_ngram_order: int = setting(4, "the longest n-grams", minimum=1, maximum=64)
    ref_length: str = setting(
        "closest",
        "which of several reference lengths counts",
        choices=("closest", "shortest", "average", "longest"),
    )

    def make_kernel(self) -> _core.Kernel:
        """Return the kernel for the settings."""
        return _core.bleu(
            tokenize=self.kernel_tokenizer,
            smooth_method=self.smooth_method,
            smooth_value=self._smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=self.max_ngram_order,
            ref_length=self.ref_length,
        )

    @property
    def _smooth_value(self) -> float:
        if self.smooth_value is not None:
            return self.smooth_value
        return _SMOOTH_VALUES.get(self.smooth_method, 0.0)

    @property
    def label(self) -> str:
        """BLEU, or BLEU-n for another longest n-gram."""
        return "BLEU" if self.max_ngram_order == 4 else f"BLEU-{self.max_ngram_order}"

    def signature_fields(self) -> dict[str, str]:
        """Return sacreBLEU's fields, and `reflen` where it is not `closest`."""
        smooth = self.smooth_method
        if smooth in _SMOOTH_VALUES:
            smooth += f"[{self._smooth_value:.2f}]"
        fields = {
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes" if self.effective_order else "no",
            "tok": tokenizer_signature(self.tokenize),
            "smooth": smooth,
        }
        if self.ref_length != "closest":
            fields["reflen"] = self.ref_length
        return fields


class SentBleu(Bleu):
    """sacreBLEU's BLEU for single sentences."""

    name = "sentbleu"
    summary = "BLEU for single segments: only orders that have n-grams count"
    formula = (
        "as bleu, over the orders for which the segment has n-grams; the score of a "
        "corpus comes from its summed counts and is not a mean of segments"
    )
    equal_to = "sacreBLEU 2.6.0, sentence_bleu and --sentence-level"
    copy_exception = "an empty copy gets 0"

    effective_order: bool = setting(True, "stop at the longest order with n-grams")

    @property
    def label(self) -> str:
        """SentBLEU."""
        return "sentBLEU"


class SentBleuPlusOne(Bleu):
    """BLEU with one added to matches and totals of every order."""

    name = "sentbleu-plus1"
    summary = "BLEU for single segments: (matches + 1) / (n-grams + 1) everywhere"
    formula = "pₙ = (mₙ + 1) / (totalₙ + 1) for every n ≤ 4; otherwise as bleu"
    paper = "Lin and Och 2004, ORANGE; Macháček 2014, 4.1.2 (SENTBLEU)"
    equal_to = "the definition in Macháček 2014"
    copy_exception = "an empty copy gets 0"

    smooth_method: str = setting(
        "plus-one", "what to do about orders without a match", choices=_SMOOTHINGS
    )

    @property
    def label(self) -> str:
        """SentBLEU+1."""
        return "sentBLEU+1"


class Bleu1(Bleu):
    """BLEU of single words."""

    name = "bleu1"
    summary = "BLEU that looks at single words only"
    copy_exception = "an empty copy gets 0"

    max_ngram_order: int = setting(1, "the longest n-grams", minimum=1, maximum=64)


class BleuNrc(WordMetric):
    """BLEU-NRC; the row is (segment score, 1), the corpus score the mean."""

    name = "bleu-nrc"
    summary = "sentence BLEU with counts smoothed over neighbouring orders"
    formula = (
        "m'ₙ = mₙ, or for mₙ = 0 the last one · ln|c| / K; m''₀ = m'₁ + 1, m''ₙ = "
        "(m''ₙ₋₁ + m'ₙ + m'ₙ₊₁) / 3; pₙ = m''ₙ / totalₙ; BLEU of these, n ≤ 4; "
        "corpus = mean of segments"
    )
    paper = "Chen and Cherry 2014, A Systematic Comparison of Smoothing Techniques"
    equal_to = "the definition in Macháček 2014 (no public tool)"
    cost = "linear in the length of the text"
    empty = "0 for an empty hypothesis or an empty corpus"
    punctuation = "marks are words of their own, cut off by mteval-v13a's rules"
    # Smoothed precisions may exceed 1: a copy of a short sentence scores above 100.
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    copy_exception = "smoothing lifts precisions above 1, so there is no best value"

    tokenize: str = setting("13a", "the tokeniser", choices=TOKENIZERS)
    k: float = setting(5.0, "the constant K", minimum=0.01)

    def make_kernel(self) -> _core.Kernel:
        """Return the kernel for the settings."""
        return _core.bleu_nrc(tokenize=self.kernel_tokenizer, k=self.k)

    @property
    def label(self) -> str:
        """BLEU-NRC."""
        return "BLEU-NRC"
