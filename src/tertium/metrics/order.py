# SPDX-License-Identifier: Apache-2.0
"""Metrics of word order: from aligned words to a permutation to a score.

Texts are lower-cased, and words without a link are left out. Of several references
the one with the best segment score counts. BLEU-1 is unsmoothed, with a brevity
penalty of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias, cast

from tertium import _core
from tertium.data.annotated import layer
from tertium.data.batch import Batch, References
from tertium.errors import InputError
from tertium.metrics.aligned import AlignedMetric
from tertium.metrics.settings import Setting, setting
from tertium.order.permutation import FLAT_METRICS

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = [
    "Fuzzy",
    "Hamming",
    "InterpolatedMetric",
    "Kendall",
    "LRScore",
    "OrderMetric",
    "Spearman",
    "SqrtKendall",
    "Ulam",
]

_Perms: TypeAlias = "Sequence[Sequence[int]]"


class OrderMetric(AlignedMetric):
    """A score of word order; the row is (weight · score, weight, degenerate or not).

    The score is that of the permutation of the aligned words, and the corpus score
    the weighted mean. A segment with fewer than two aligned words is degenerate.
    Outputs may bring permutations of their own instead of texts: see
    :func:`tertium.order.permutation_testset`.
    """

    _kernel: _core.OrderKernel

    cost = "that of the aligner, then linear in the length of the text"
    equal_to = "the definition, on all permutations of up to 7 words"
    empty = "0 where no word is aligned, 1 where one is"
    copy_exception = "a copy of a text without words gets 0"
    bounds = (0.0, 1.0)
    unit = 1.0
    layers = ("links", "permutation", "tree")
    degenerate_column = 2

    weight: str = setting(
        "segment",
        "whether segments weigh the same, or as many words as their reference",
        choices=("segment", "length"),
    )
    keep: str = setting(
        "leftmost",
        "which link of a word with several counts",
        choices=("leftmost", "rightmost", "probable"),
    )
    unaligned: str = setting(
        "drop",
        "words without a link: left out, or moved with their neighbour on a side",
        choices=("drop", "left", "right"),
    )

    #: The order metric that a mixture contains, where it is another one.
    part: ClassVar[str] = ""

    @property
    def measure(self) -> str:
        """The kernel's name for what is measured."""
        return self.part or self.name

    @property
    def needs_texts(self) -> str:
        """Why permutations alone do not suffice, or ""."""
        return ""

    def kernel_settings(self) -> dict[str, float | str]:
        """Return the settings that the kernel knows."""
        others = AlignedMetric.settings
        return {key: getattr(self, key) for key in self.settings if key not in others}

    def make_kernel(self) -> _core.OrderKernel:
        """Return the kernel for the settings."""
        return _core.order(self.measure, **self.kernel_settings())  # type: ignore[arg-type]

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:
        """Return the rows of every system; texts are aligned once."""
        perms_by_system = self._permutations(batch)
        if perms_by_system is not None:
            return [self._permutation_rows(perms, threads) for perms in perms_by_system]
        return super().rows(batch, threads=threads)

    def sums(self, batch: Batch, *, threads: int | None = None) -> list[_core.Sums]:
        """Return the exact sum of the rows of every system; rows are not kept."""
        perms_by_system = self._permutations(batch)
        if perms_by_system is None:
            return super().sums(batch, threads=threads)
        with self.own_errors():
            read = [_core.Permutations(perms) for perms in perms_by_system]
            return self._kernel.sum_permutations(read, threads or 0)

    def reference_scores(
        self, hyps: Sequence[str], refs: References, *, threads: int | None = None
    ) -> list[list[float]]:
        """Return the score of every segment against each of its references.

        An output that brings a permutation has its score with all of them.
        """
        perms_by_system = self._permutations(Batch([hyps], refs))
        if perms_by_system is None:
            return super().reference_scores(hyps, refs, threads=threads)
        scores = self.permutation_scores(perms_by_system[0], threads=threads).tolist()
        counts = [1 if isinstance(texts, str) else len(texts) for texts in refs]
        return [[score] * n for score, n in zip(scores, counts, strict=True)]

    def permutation_scores(
        self, perms: Sequence[Sequence[int]], *, threads: int | None = None
    ) -> Rows:
        """Return the score of every permutation; the reference is as long.

        Parameters
        ----------
        perms : sequence of sequences of int
            Each holds every value from 1 to its length once.
        threads : int, optional
            All cores by default.

        Examples
        --------
        >>> import tertium
        >>> tertium.metric("kendall").permutation_scores([[1, 2], [3, 1, 2]]).tolist()
        [1.0, 0.33333333333333337]
        """
        import numpy as np

        self._check_permutations_suffice()
        rows = self._permutation_rows(perms, threads)
        return np.asarray(self.from_statistics(rows), dtype=np.float64)

    def _permutation_rows(self, perms: _Perms, threads: int | None) -> Rows:
        with self.own_errors():
            return self._kernel.permutation_rows(
                _core.Permutations(perms), threads or 0
            )

    def _permutations(self, batch: Batch) -> list[list[Sequence[int]]] | None:
        """Return the permutations that outputs bring, or None if they bring none."""
        if not batch.brings("permutation"):
            return None
        perms_by_system = [
            [layer(hyp, "permutation") for hyp in hyps] for hyps in batch.systems
        ]
        if any(perm is None for perms in perms_by_system for perm in perms):
            message = (
                "some outputs bring a permutation and some do not; give all of them "
                "one, or none"
            )
            raise InputError(message)
        self._check_permutations_suffice()
        return cast("list[list[Sequence[int]]]", perms_by_system)

    def _check_permutations_suffice(self) -> None:
        if self.needs_texts:
            raise InputError(f"{self.spec} {self.needs_texts}")


class InterpolatedMetric(OrderMetric):
    """A score of word order that may be mixed with a score of words."""

    alpha: float = setting(
        0.0, "weight of the lexical score; 0 is order alone", minimum=0, maximum=1
    )
    lexical: str = setting("bleu1", "the score of words alone", choices=("bleu1", "f1"))
    brevity: bool = setting(
        False, "whether to penalise fewer aligned words than the reference has"
    )

    @property
    def needs_texts(self) -> str:
        """Why permutations alone do not suffice, or ""."""
        if self.alpha == 0:
            return ""
        return (
            f"needs texts for its lexical part, and there are only permutations; set "
            f"alpha=0, or use {self.measure}"
        )


_SENT = " of the aligned words; with alpha: α·Lex + (1-α)·BP(|π|, |ref|)·score"


class Kendall(InterpolatedMetric):
    """Kendall's tau as a share of pairs."""

    name = "kendall"
    label = "Kendall"
    summary = "share of pairs of aligned words that are in order"
    formula = f"1 - inversions / (n(n-1)/2){_SENT}"
    paper = "Lapata 2006; Birch and Osborne 2010, LRscore"
    cost = "that of the aligner, then words · log words"


class SqrtKendall(InterpolatedMetric):
    """The square root of Kendall's share."""

    name = "sqrt-kendall"
    label = "√Kendall"
    summary = "square root of kendall: small disorder costs less"
    formula = f"√kendall{_SENT}"
    paper = "Birch et al. 2010, Metrics for MT Evaluation: Evaluating Reordering"
    cost = Kendall.cost


class Spearman(InterpolatedMetric):
    """Spearman's rho between 0 and 1."""

    name = "spearman"
    label = "Spearman"
    summary = "rank correlation of the positions of aligned words"
    formula = f"(ρ + 1) / 2 = 1 - 3 Σ(π_i - i)² / (n(n²-1)){_SENT}"
    paper = "Stanojević and Sima'an 2014, Evaluating Word Order Recursively"


class Hamming(InterpolatedMetric):
    """The share of words at their place."""

    name = "hamming"
    label = "Hamming"
    summary = "share of aligned words that stand at their place"
    formula = f"|{{i : π_i = i}}| / n{_SENT}"
    paper = "Birch and Osborne 2010, LRscore"


class Ulam(InterpolatedMetric):
    """The longest increasing subsequence."""

    name = "ulam"
    label = "Ulam"
    summary = "longest stretch of aligned words in order, gaps allowed"
    formula = f"(longest increasing subsequence - 1) / (n-1){_SENT}"
    paper = "Ulam 1972; Birch et al. 2010"
    cost = "that of the aligner, then words · log words"


class Fuzzy(InterpolatedMetric):
    """The number of chunks in monotone order."""

    name = "fuzzy"
    label = "Fuzzy"
    summary = "few chunks of neighbouring words in order score well"
    formula = f"1 - (chunks - 1) / (n-1), chunks = maximal runs of +1 steps{_SENT}"
    paper = "Talbot et al. 2011, A Lightweight Evaluation Framework"


#: The published mixture of an order score with BLEU-1: pef, pet and lrscore.
PUBLISHED: dict[str, Setting] = {
    "weight": setting(
        "length",
        "whether segments weigh the same, or as many words as their reference",
        choices=("segment", "length"),
    ),
    "alpha": setting(0.5, "weight of the lexical score", minimum=0, maximum=1),
    "brevity": setting(
        True, "whether to penalise fewer aligned words than the reference has"
    ),
}


class LRScore(InterpolatedMetric, settings=PUBLISHED):
    """LRscore: a distance between orders, mixed with BLEU-1."""

    name = "lrscore"
    label = "LRscore"
    summary = "word order by Kendall or Hamming, mixed with BLEU-1"
    formula = "α·BLEU-1 + (1-α)·BP(|π|, |ref|)·distance; corpus weighted by |ref|"
    paper = "Birch and Osborne 2010, LRscore for Evaluating Lexical and Reordering"
    equal_to = "the definition in Stanojević and Sima'an 2014, 4, with their α"
    empty = "0 where no word is aligned"
    cost = "that of the aligner, then words · log words"

    distance: str = setting("kendall", "the score of order", choices=FLAT_METRICS)

    @property
    def measure(self) -> str:
        """The distance."""
        return self.distance

    def kernel_settings(self) -> dict[str, float | str]:
        """Return the settings that the kernel knows."""
        settings = super().kernel_settings()
        del settings["distance"]
        return settings
