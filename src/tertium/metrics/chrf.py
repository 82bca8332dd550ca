# SPDX-License-Identifier: Apache-2.0
"""chrF (Popović 2015) and chrF++ (Popović 2017), equal to sacreBLEU's."""

from __future__ import annotations

from tertium import _core
from tertium.errors import InputError
from tertium.metrics.native import NativeMetric
from tertium.metrics.settings import setting

__all__ = ["Chrf", "ChrfPlusPlus"]


class Chrf(NativeMetric):
    """chrF; the row is (n-grams of hyp, of ref, matches) for every order."""

    name = "chrf"
    summary = "F-score of character n-grams, with word n-grams as chrF++"
    formula = (
        "chrF = (1 + β²) P R / (β² P + R), P and R means over the orders of clipped "
        "n-gram precision and recall; β = 2, characters 1-6, chrF++ adds words 1-2; "
        "with several references the best one counts"
    )
    paper = "Popović 2015, chrF; Popović 2017, chrF++"
    equal_to = "sacreBLEU 2.6.0 (every option)"
    cost = "linear in the length of the text"
    empty = "0 for an empty hypothesis, reference or corpus"
    copy_exception = (
        "an empty copy gets 0; with eps_smoothing=yes also one shorter than an order"
    )

    char_order: int = setting(6, "the longest character n-grams", minimum=0, maximum=64)
    word_order: int = setting(
        0, "the longest word n-grams (2: chrF++)", minimum=0, maximum=64
    )
    beta: float = setting(2.0, "how much more recall counts", minimum=0)
    lowercase: bool = setting(False, "whether to ignore case")
    whitespace: bool = setting(False, "whether spaces are characters")
    eps_smoothing: bool = setting(False, "smooth as chrF++.py, NLTK and Moses do")

    def make_kernel(self) -> _core.Kernel:
        """Return the kernel for the settings."""
        if self.char_order + self.word_order == 0:
            message = "chrf: char_order and word_order are both 0; set one of them"
            raise InputError(message)
        return _core.chrf(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
        )

    def preprocess(self, lines: list[str]) -> list[str]:
        """Return the lines, lower-cased if asked for."""
        return [line.lower() for line in lines] if self.lowercase else lines

    @property
    def label(self) -> str:
        """ChrF with its beta and a plus sign for every word order."""
        return f"chrF{self.beta:g}{'+' * self.word_order}"

    def signature_fields(self) -> dict[str, str]:
        """Return sacreBLEU's fields."""
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": "no" if self.eps_smoothing else "yes",
            "nc": str(self.char_order),
            "nw": str(self.word_order),
            "space": "yes" if self.whitespace else "no",
        }


class ChrfPlusPlus(Chrf):
    """chrF with word n-grams up to two."""

    name = "chrf++"
    summary = "chrF with word unigrams and bigrams"

    word_order: int = setting(2, "the longest word n-grams", minimum=0, maximum=64)
