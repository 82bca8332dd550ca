# SPDX-License-Identifier: Apache-2.0
"""Scores of permutations instead of texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tertium._seed import SEED
from tertium.align.aligner import AlignerSettings
from tertium.engine.inputs import as_metrics
from tertium.engine.score import score_stream
from tertium.errors import InputError
from tertium.metrics.mean import Mean
from tertium.metrics.order import OrderMetric
from tertium.order.files import permutation_testset

if TYPE_CHECKING:
    from tertium.engine.results import ScoreTable
    from tertium.metrics import Metric

__all__ = ["check_metrics", "score_permutations"]

_Perms: TypeAlias = "Sequence[Sequence[int]]"

# A permutation has as many words as its reference, and every word one link.
_OF_TEXTS = (*AlignerSettings._fields, "brevity", "keep", "unaligned")


def score_permutations(
    systems: Mapping[str, _Perms] | _Perms,
    *,
    metrics: Sequence[str | Metric] | str | Metric = ("recpef",),
    segments: bool = False,
    confidence: float | None = None,
    resamples: int = 1000,
    seed: int = SEED,
    threads: int | None = None,
) -> ScoreTable:
    """Score the word order of systems given as permutations.

    Parameters
    ----------
    systems : mapping of name to permutations, or list of permutations
        A permutation holds every value from 1 to its length once. One list is one
        system, called ``system``.
    metrics : sequence of str
        Word order metrics without a lexical part: ``recpef``, ``kendall``.
    segments, confidence, resamples, seed, threads
        As in :func:`tertium.score`.

    Returns
    -------
    ScoreTable

    Examples
    --------
    >>> score_permutations([[1, 2, 3], [2, 1]], metrics=["recpef", "kendall"])
    system  RECPEF  Kendall
    system  0.5000   0.5000
    """
    named = systems if isinstance(systems, Mapping) else {"system": systems}
    check_metrics(as_metrics(metrics).values())
    testset = permutation_testset(named)
    return score_stream(
        lambda: [testset],
        metrics=metrics,
        segments=segments,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        threads=threads,
    )


def check_metrics(metrics: Iterable[Metric]) -> None:
    """Reject metrics that need more than permutations.

    Raises
    ------
    InputError
        With the name of the metric and what to use instead.
    """
    for metric in metrics:
        if isinstance(metric, Mean):
            check_metrics(part for part, _ in metric.parts)
        elif not isinstance(metric, OrderMetric):
            message = (
                f"{metric.spec} needs texts, and there are only permutations; give "
                "references and systems, or use a word order metric such as recpef or "
                "kendall"
            )
            raise InputError(message, options=("references", "systems"))
        elif metric.needs_texts:
            raise InputError(f"{metric.spec} {metric.needs_texts}")
        else:
            _check_settings(metric)


def _check_settings(metric: OrderMetric) -> None:
    """Reject settings that say how texts become permutations."""
    for name, setting in metric.settings.items():
        value = getattr(metric, name)
        if name in _OF_TEXTS and value != setting.default:
            message = (
                f"{metric.spec}: {name}={setting.show(value)} is about texts, and "
                "there are only permutations; omit it"
            )
            raise InputError(message)
