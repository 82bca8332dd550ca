# SPDX-License-Identifier: Apache-2.0
"""Expected scores of hypotheses, by metrics of the core or by any other.

Metrics over texts run in the core as a whole. Those over n-grams (BLEU, chrF) count
each text of a list once and match two texts once for both directions; TER reads each
text once, others each reference. Every other metric scores the distinct pairs as one
batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.data.batch import Batch, lone_surrogate
from tertium.errors import InputError
from tertium.metrics import Metric, metric
from tertium.metrics.bleu import Bleu
from tertium.metrics.mean import Mean, to_percent
from tertium.metrics.native import NativeMetric
from tertium.tuning.pool import model_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Utility", "expected_scores", "has_aggregate", "pair_scores", "utility_of"]

# Pairs in a batch: bounds the memory for statistics.
_PAIRS = 20_000


class Utility:
    """A weighted mean of metrics, of single segments.

    Parameters
    ----------
    parts : sequence of (Metric, float)
        Metrics and their weights, which are made to add up to 1.
    """

    def __init__(self, parts: Sequence[tuple[Metric, float]]) -> None:
        total = sum(weight for _, weight in parts)
        self.parts = tuple((part, weight / total) for part, weight in parts)

    @property
    def sign(self) -> float:
        """1 where more is better, -1 for an error rate."""
        single = len(self.parts) == 1
        return -1.0 if single and not self.parts[0][0].higher_is_better else 1.0

    def combine(self, scores: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the utility of scores, one array per metric.

        One metric keeps its scale; several are put on a scale from 0 to 100. Utilities
        of expected scores are expected utilities: all of this is linear.
        """
        if len(self.parts) == 1:
            return scores[0]
        shares = [
            weight * np.asarray(to_percent(part, score))
            for (part, weight), score in zip(self.parts, scores, strict=True)
        ]
        return np.asarray(sum(shares), dtype=np.float64)

    def prepare(self, references: Sequence[str]) -> Utility:
        """Return the utility with its metrics fitted to all references."""
        if not any(part.needs_corpus for part, _ in self.parts):
            return self
        return Utility([(part.prepare(references), w) for part, w in self.parts])


def utility_of(specs: str | Metric | Sequence[str | Metric]) -> Utility:
    """Return the utility that specs stand for.

    Several metrics have equal weights; those of ``mean:`` keep theirs. BLEU is used as
    for single sentences, that is with ``effective_order=yes``.

    Raises
    ------
    InputError
        When there is no metric, or when several include one without a natural unit.

    Examples
    --------
    >>> [(part.spec, weight) for part, weight in utility_of("mean:chrf*3+bleu").parts]
    [('chrf', 0.75), ('bleu:effective_order=yes', 0.25)]
    """
    items = [specs] if isinstance(specs, (str, Metric)) else list(specs)
    made = [metric(item) if isinstance(item, str) else item for item in items]
    # As a mean, several metrics are checked as its parts are.
    whole = made[0] if len(made) == 1 else Mean([(part, 1.0) for part in made])
    return Utility([(_of_segments(part), weight) for part, weight in _flat(whole, 1.0)])


def _flat(whole: Metric, share: float) -> list[tuple[Metric, float]]:
    if not isinstance(whole, Mean):
        return [(whole, share)]
    total = sum(weight for _, weight in whole.parts)
    return [
        item
        for part, weight in whole.parts
        for item in _flat(part, share * weight / total)
    ]


def _of_segments(part: Metric) -> Metric:
    """Return BLEU for single sentences: short ones would have 0 otherwise."""
    if isinstance(part, Bleu) and not part.effective_order:
        values = {key: getattr(part, key) for key in part.settings}
        return type(part)(**{**values, "effective_order": True})
    return part


def _kernel_metric(part: Metric) -> NativeMetric | None:
    """Return a metric that the core computes as a whole, or None."""
    kind = type(part)
    if (
        isinstance(part, NativeMetric)
        and kind.rows is NativeMetric.rows
        and kind.from_statistics is NativeMetric.from_statistics
        and kind.check is Metric.check
    ):
        return part
    return None


def has_aggregate(part: Metric) -> bool:
    """Return whether a metric has expected n-gram counts: BLEU and chrF."""
    from tertium import _core

    native = _kernel_metric(part)
    return native is not None and _core.has_aggregate(native.kernel)


def expected_scores(
    part: Metric,
    hyps: Sequence[list[str]],
    refs: Sequence[list[str]],
    weights: Sequence[NDArray[np.float64]],
    *,
    aggregate: bool = False,
    threads: int | None = None,
) -> list[NDArray[np.float64]]:
    """Return the expected score of every hypothesis of every list.

    Parameters
    ----------
    part : Metric
    hyps, refs : sequence of list of str
        By list; the same object where hypotheses are the references.
    weights : sequence of ndarray
        Of the references of every list; they add up to 1.
    aggregate : bool
        Score against expected n-gram counts instead of every reference.
    threads : int, optional
    """
    native = _kernel_metric(part)
    if native is None:
        return [
            _expected(part, *each, threads=threads)
            for each in zip(hyps, refs, weights, strict=True)
        ]
    from tertium import _core

    if part.longest is not None:
        for texts, others in zip(hyps, refs, strict=True):
            part.check(Batch([texts], texts))
            if others is not texts:
                part.check(Batch([others], others))
    read = [native.preprocess(texts) for texts in hyps]
    same = [others is texts for texts, others in zip(hyps, refs, strict=True)]
    read_refs = [
        texts if one else native.preprocess(others)
        for one, texts, others in zip(same, read, refs, strict=True)
    ]
    try:
        return _core.mbr_scores(
            native.kernel, read, read_refs, list(weights), aggregate, threads or 0
        )
    except UnicodeEncodeError as error:
        raise lone_surrogate(read, [t for texts in read_refs for t in texts]) from error
    except ValueError as error:
        raise InputError(str(error)) from None


def _expected(
    part: Metric,
    hyps: list[str],
    refs: list[str],
    weights: NDArray[np.float64],
    *,
    threads: int | None,
) -> NDArray[np.float64]:
    """Return expected scores by any metric; equal texts are scored once."""
    rows = {text: row for row, text in enumerate(dict.fromkeys(hyps))}
    columns = {text: column for column, text in enumerate(dict.fromkeys(refs))}
    shares = np.bincount([columns[text] for text in refs], weights)
    table = pair_scores(part, list(rows), list(columns), threads=threads)
    # Not a product of NumPy, whose last bits depend on its threads.
    expected = model_scores(table, np.asarray(shares, np.float64))
    return expected[[rows[text] for text in hyps]]


def pair_scores(
    part: Metric,
    hyps: Sequence[str],
    refs: Sequence[str],
    *,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Return the score of every hypothesis against every reference.

    Returns
    -------
    ndarray of shape (len(hyps), len(refs))
    """
    table = np.empty((len(hyps), len(refs)))
    step = max(1, _PAIRS // max(1, len(refs)))
    for start in range(0, len(hyps), step):
        chunk = hyps[start : start + step]
        batch = Batch([[hyp] * len(refs) for hyp in chunk], list(refs))
        part.check(batch)
        stats = np.stack(part.rows(batch, threads=threads))
        table[start : start + len(chunk)] = part.from_statistics(stats)
    return table
