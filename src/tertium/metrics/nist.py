# SPDX-License-Identifier: Apache-2.0
"""NIST (Doddington 2002), equal to NLTK's.

N-grams weigh what they tell: rare ones more. The weights come from all
references of the test set, so rows depend on them: :meth:`Nist.prepare` counts,
and :meth:`Nist.statistics` of an unprepared metric counts the references given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium import _core
from tertium.data.batch import Batch, References, lone_surrogate
from tertium.errors import InputError
from tertium.metrics.base import Fitting
from tertium.metrics.kernels import preprocessed_references
from tertium.metrics.origin import Origin, origin_of, remade
from tertium.metrics.settings import setting
from tertium.metrics.words import ATTACHED, WordMetric

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["Nist"]


class Nist(WordMetric):
    """NIST; the row is (weights…, totals…, reference length, hyp length)."""

    name = "nist"
    summary = "n-gram precision weighted by the information of the n-grams"
    formula = (
        "Σₙ (Σ info of matched n-grams / n-grams of hyp) · exp(β ln² min(1, |hyp|/|ref|"
        ")), n ≤ 5; info = log₂(count(w₁…wₙ₋₁) / count(w₁…wₙ)) in the references; "
        "penalty ½ at ⅔ of the length"
    )
    paper = (
        "Doddington 2002, Automatic Evaluation of MT Quality Using N-gram Statistics"
    )
    equal_to = "NLTK 3.10.4 (0 where NLTK divides by zero)"
    cost = "linear; memory grows with the words and n-grams of the references"
    empty = "0 for an empty hypothesis or an empty corpus"
    punctuation = ATTACHED
    bounds = (0.0, float("inf"))
    unit = float("nan")
    copy_exception = "the highest score depends on the references: there is no maximum"
    needs_corpus = True

    #: The kernel, once it has seen references.
    counts: _core.NistKernel | None = None

    max_ngram_order: int = setting(5, "the longest n-grams", minimum=1, maximum=64)

    def make_kernel(self) -> _core.NistKernel:
        """Return a kernel that has seen no references yet."""
        return _core.nist(
            tokenize=self.kernel_tokenizer, max_ngram_order=self.max_ngram_order
        )

    def fit(self, refs: References) -> Nist:
        """Return a copy whose weights come from `refs`."""
        fitting = self.fitting()
        fitting.observe(refs)
        return fitting.fitted()

    def fitting(self) -> NistFitting:
        """Return what counts the n-grams of references that come in parts."""
        return NistFitting(self)

    def with_kernel(self, kernel: _core.NistKernel) -> Nist:
        """Return a copy with a kernel that has seen all references."""
        fitted = Nist(**{key: getattr(self, key) for key in self.settings})
        fitted._kernel = fitted.counts = kernel
        return fitted

    def fitted_state(self) -> object:
        """Return the references, or the counts of n-grams if those were not kept."""
        if self.fitted_to is None or len(self.fitted_to) or self.counts is None:
            return self.fitted_to
        total, words, numbers, counts = self.counts.state()
        return {"total": total, "words": words, "numbers": numbers, "counts": counts}

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Pickle with n-gram counts if the references were not kept."""
        if self.fitted_to is None or len(self.fitted_to) or self.counts is None:
            return super().__reduce__()
        return _restored, (self.spec, self.counts.state(), origin_of(self))

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:
        """Return the rows of every system, weighted by its references if unprepared."""
        if self.fitted_to is None:
            return self.prepare(batch.references).rows(batch, threads=threads)
        return super().rows(batch, threads=threads)

    def sums(self, batch: Batch, *, threads: int | None = None) -> list[_core.Sums]:
        """Return the exact sum of the rows of every system; only once prepared."""
        if self.fitted_to is None:
            message = "nist needs all references first; call prepare(references)"
            raise InputError(message)
        return super().sums(batch, threads=threads)

    @property
    def label(self) -> str:
        """NIST."""
        return "NIST"


class NistFitting(Fitting):
    """Counts n-grams of references; four bytes per word are kept until the end."""

    def __init__(self, metric: Nist) -> None:
        self._metric = metric
        self._kernel = metric.make_kernel()

    def observe(self, refs: References) -> None:
        """Count the next references."""
        local = Batch([], refs).references
        lists = preprocessed_references(local, self._metric.preprocess)
        try:
            self._kernel.observe(lists)
        except UnicodeEncodeError as error:
            raise lone_surrogate([], lists) from error

    def fitted(self) -> Nist:
        """Return the metric with weights from all references."""
        self._kernel.finish()
        fitted = self._metric.with_kernel(self._kernel)
        fitted.fitted_to = ()
        return fitted


def _restored(
    spec: str, state: tuple[float, list[bytes], bytes, bytes], origin: Origin | None
) -> Nist:
    made = remade(spec, origin)
    if not isinstance(made, Nist):
        message = f"{spec} is not nist"
        raise InputError(message)
    kernel = made.make_kernel()
    kernel.restore(state)
    fitted = made.with_kernel(kernel)
    fitted.fitted_to = ()
    return fitted
