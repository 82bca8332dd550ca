# SPDX-License-Identifier: Apache-2.0
"""What metrics over aligned words share: the aligner and its settings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium import _core
from tertium.align.aligner import aligner
from tertium.errors import InputError
from tertium.metrics.base import (
    References,
    ScoredMetric,
    check_texts,
    lone_surrogate,
)
from tertium.metrics.settings import setting
from tertium.text.tokenizers import NATIVE_TOKENIZERS, tokenizer_signature

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["AlignedMetric", "AlignedPercentage"]


class AlignedMetric(ScoredMetric):
    """A metric whose kernel reads aligned pairs of texts.

    Of several references the one with the best score counts.
    """

    _kernel: _core.PairKernel

    tokenize: str = setting("none", "the tokeniser", choices=NATIVE_TOKENIZERS)
    lowercase: bool = setting(True, "whether to ignore case")

    @abstractmethod
    def make_kernel(self) -> _core.PairKernel:
        """Return the kernel for the settings."""

    def pairs(
        self,
        systems: Sequence[Sequence[str]],
        refs: References,
        *,
        threads: int | None = None,
    ) -> _core.Pairs:
        """Return the texts as aligned pairs, for every system and reference."""
        checked = [check_texts(hyps, refs) for hyps in systems]
        texts = [hyps for hyps, _ in checked]
        lists = checked[0][1] if checked else []
        nested = [(ref,) if isinstance(ref, str) else ref for ref in lists]
        try:
            return self.align(texts, nested, threads=threads)
        except UnicodeEncodeError as error:
            raise lone_surrogate(texts, lists) from error
        except (ValueError, IndexError) as error:
            raise InputError(str(error)) from None

    def align(
        self,
        systems: Sequence[Sequence[str]],
        refs: Sequence[Sequence[str]],
        *,
        threads: int | None = None,
    ) -> _core.Pairs:
        """Return checked texts as aligned pairs."""
        shared = aligner(tokenize=self.tokenize, lowercase=self.lowercase)
        return shared.pairs(systems, refs, threads=threads)

    def statistics_many(
        self,
        systems: Sequence[Sequence[str]],
        refs: References,
        *,
        threads: int | None = None,
    ) -> list[Rows]:
        """Return the rows of several systems; texts are aligned once."""
        pairs = self.pairs(systems, refs, threads=threads)
        return self._kernel.rows(pairs, threads or 0)

    def add_statistics(
        self,
        totals: Sequence[list[float]],
        systems: Sequence[Sequence[str]],
        refs: References,
        *,
        threads: int | None = None,
    ) -> list[list[float]]:
        """Return the totals plus the rows of a batch, without keeping rows."""
        pairs = self.pairs(systems, refs, threads=threads)
        return self._kernel.add(list(totals), pairs, threads or 0)

    def signature_fields(self) -> dict[str, str]:
        """Return what a signature says of the settings."""
        fields = super().signature_fields()
        del fields["tokenize"], fields["lowercase"]
        case = "lc" if self.lowercase else "mixed"
        return {"case": case, "tok": tokenizer_signature(self.tokenize), **fields}


class AlignedPercentage(AlignedMetric):
    """The share of aligned words; the row is (aligned words, words)."""

    name = "aligned-percentage"
    summary = "share of words, of output and reference together, that are aligned"
    formula = "(aligned words of hyp + of ref) / (|hyp| + |ref|), summed over segments"
    paper = "McCaffery 2017, The mat sat on the cat, 3.5.1"
    equal_to = "the thesis's worked example"
    cost = "that of the aligner"
    empty = "0 if both are empty or nothing is aligned"
    bounds = (0.0, 1.0)
    unit = 1.0
    copy_exception = "a copy of an empty reference has no words to align"

    def make_kernel(self) -> _core.PairKernel:
        """Return the kernel."""
        return _core.aligned_percentage()

    @property
    def label(self) -> str:
        """Aligned."""
        return "Aligned"
