# SPDX-License-Identifier: Apache-2.0
"""Agreement of scores with human preferences on pairs that no model has seen.

Tau is that of the WMT14 metrics task on all judged pairs: human ties are left out,
a tie of the metric counts 0. Accuracy is the share of pairs in the right order, where a
tie is wrong. Untrained metrics stand beside the trained one, on the same pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tertium._executor import elsewhere, spread
from tertium.errors import InputError, UnknownNameError
from tertium.learn.data import Source
from tertium.learn.pairs import Pairs, judged_pairs
from tertium.meta.agreement.ties import Cells, tau, tie_matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.learn.model import Model
    from tertium.metrics import Metric

__all__ = [
    "BASELINES",
    "LEAVE_OUT",
    "Agreement",
    "LeftOut",
    "agreement",
    "averages",
    "leave_one_out",
    "model_scores",
    "summary",
    "validate",
]

Vector: TypeAlias = "NDArray[np.float64]"

#: Metrics without training that stand beside a trained one.
BASELINES = ("chrf", "sentbleu", "meteor")

LEAVE_OUT = ("language", "year")

_PART = 10_000  # texts that are scored at once


@dataclass(frozen=True)
class Agreement:
    """Agreement of a metric with human preferences on one source.

    Parameters
    ----------
    source, metric : str
    pairs : int
    tau : float or None
        None without pairs.
    accuracy : float or None
    """

    source: str
    metric: str
    pairs: int
    tau: float | None
    accuracy: float | None


@dataclass(frozen=True)
class LeftOut:
    """Agreement of models on the part of the data they were not trained on.

    Parameters
    ----------
    by : {"language", "year"}
    figures : tuple of Agreement
        One for every metric and source; that of the models is called ``trained``.
    """

    by: str
    figures: tuple[Agreement, ...]


def agreement(pairs: Pairs, scores: Vector, metric: str) -> Agreement:
    """Return the agreement of text scores with human preferences.

    Parameters
    ----------
    pairs : Pairs
    scores : array
        One for every text of the pairs; higher is better.
    metric : str
        What the result is called.
    """
    difference = scores[pairs.better] - scores[pairs.worse]
    right, wrong = int((difference > 0).sum()), int((difference < 0).sum())
    number = len(difference)
    cells = Cells(((right, number - right - wrong, wrong), (0, 0, 0), (0, 0, 0)))
    return Agreement(
        pairs.name,
        metric,
        number,
        tau(cells, tie_matrix("wmt14")),
        right / number if number else None,
    )


def model_scores(
    model: Model,
    hyps: Sequence[str],
    refs: Sequence[Sequence[str]],
    *,
    threads: int | None = None,
) -> Vector:
    """Return the score of every text by its best reference."""
    parts = [
        _part_scores(model, hyps[i : i + _PART], refs[i : i + _PART], threads)
        for i in range(0, len(hyps), _PART)
    ]
    return np.concatenate(parts) if parts else np.zeros(0)


def _part_scores(
    model: Model,
    hyps: Sequence[str],
    refs: Sequence[Sequence[str]],
    threads: int | None,
) -> Vector:
    flat = [
        (hyp, ref) for hyp, own_refs in zip(hyps, refs, strict=True) for ref in own_refs
    ]
    starts = np.cumsum([0, *(len(own_refs) for own_refs in refs)])[:-1]
    if not flat:
        return np.zeros(0)
    texts, against = (list(side) for side in zip(*flat, strict=True))
    features = model.profile.features(texts, against, threads=threads)
    different = list(dict.fromkeys(against))
    place = {ref: i for i, ref in enumerate(different)}
    identity = model.profile.features(different, different, threads=threads)
    rows = np.array([place[ref] for ref in against])
    scores = np.asarray(model.scores(features, identity[rows]))
    return np.asarray(np.maximum.reduceat(scores, starts))


def validate(
    sources: Sequence[Source],
    model: Model | None,
    *,
    name: str = "trained",
    metrics: Sequence[str] = BASELINES,
    kind: str | None = None,
    gap: float | None = None,
    threads: int | None = None,
) -> list[Agreement]:
    """Return the agreement of a model, and of untrained metrics, with judges.

    Parameters
    ----------
    sources : sequence of Source
    model : Model, optional
    name : str
        What the model is called.
    metrics : sequence of str
        Specs of untrained metrics.
    kind, gap
        As in :func:`tertium.learn.pairs.pairs_from`.
    threads : int, optional

    Notes
    -----
    Sources without a decided comparison give nothing.
    """
    from tertium.metrics import metric

    made = {spec: metric(spec) for spec in metrics}
    work = partial(_validated, model, name, made, threads)
    judged = (
        judged_pairs(source, kind=kind, gap=gap)
        for source in sources
        if source.has(kind)
    )
    parts = (pairs for pairs in judged if len(pairs))
    return [each for figures in spread(work, parts) for each in figures]


def _validated(
    model: Model | None,
    name: str,
    untrained: Mapping[str, Metric],
    threads: int | None,
    pairs: Pairs,
) -> list[Agreement]:
    """Return the agreement of all metrics on one source."""
    figures = []
    if model is not None:
        scores = model_scores(model, pairs.hyps, pairs.refs, threads=threads)
        figures.append(agreement(pairs, scores, name))
    for spec, metric in untrained.items():
        fitted = metric.prepare(pairs.refs)
        scores = np.concatenate(
            [
                np.asarray(fitted.from_statistics(rows), dtype=np.float64)
                for rows in (
                    fitted.statistics(
                        pairs.hyps[i : i + _PART],
                        pairs.refs[i : i + _PART],
                        threads=threads,
                    )
                    for i in range(0, len(pairs.hyps), _PART)
                )
            ]
        )
        # A text without a score, such as an empty one, is worse than all others.
        rising = scores if metric.higher_is_better else -scores
        rising = np.where(np.isnan(rising), -np.inf, rising)
        with np.errstate(invalid="ignore"):
            figures.append(agreement(pairs, rising, spec))
    return figures


def averages(figures: Sequence[Agreement]) -> dict[str, tuple[float, float]]:
    """Return mean tau and accuracy over sources, by metric, in order of appearance."""
    by: dict[str, list[Agreement]] = {}
    for each in figures:
        by.setdefault(each.metric, []).append(each)
    return {
        name: (
            float(np.mean([each.tau for each in all_own])),
            float(np.mean([each.accuracy for each in all_own])),
        )
        for name, all_own in by.items()
        if all(each.tau is not None for each in all_own)
    }


def leave_one_out(
    sources: Sequence[Source],
    fit: Callable[[Sequence[Source]], Model],
    *,
    by: str = "language",
    metrics: Sequence[str] = BASELINES,
    kind: str | None = None,
    gap: float | None = None,
    threads: int | None = None,
    log: Callable[[str], None] | None = None,
) -> LeftOut:
    """Return the agreement of models on language pairs or years left out of training.

    Parameters
    ----------
    sources : sequence of Source
    fit : callable
        Trains a model on some of the sources. Where chunks are done elsewhere
        (:func:`tertium.use`), it is sent, so that it must be picklable.
    by : {"language", "year"}
        What is left out in turn: the sources of a language pair, in all campaigns, or
        those of a campaign.
    metrics, kind, gap, threads
        As in :func:`validate`.
    log : callable, optional
        Called with a line on what is left out, before each training in this process.

    Raises
    ------
    InputError
        When there is only one language pair, or campaign.
    """
    if by not in LEAVE_OUT:
        raise UnknownNameError("part to leave out", by, LEAVE_OUT)
    parts = dict.fromkeys(_key(source, by) for source in sources)
    if len(parts) < 2:
        what = "language pair" if by == "language" else "campaign"
        message = (
            f"all judgements are of one {what}, {next(iter(parts), 'none')}; give more "
            f"to leave one {what} out"
        )
        raise InputError(message)
    figures: list[Agreement] = []
    how: dict[str, Any] = {
        "metrics": metrics,
        "kind": kind,
        "gap": gap,
        "threads": threads,
    }
    if elsewhere():
        sent = [source.sendable() for source in sources]
        work = partial(_left_out, sent, fit, by, **how)
        for agreements in spread(work, parts):
            figures += agreements
    else:
        for key in parts:
            if log is not None:
                log(f"without {key}:")
            figures += _left_out(sources, fit, by, key, **how)
    if not figures:
        raise InputError(
            "no source has a pair with a human preference; give more judgements"
        )
    return LeftOut(by, tuple(figures))


def _key(source: Source, by: str) -> str:
    return source.langpair if by == "language" else source.campaign


def _left_out(
    sources: Sequence[Source],
    fit: Callable[[Sequence[Source]], Model],
    by: str,
    key: str,
    **how: Any,
) -> list[Agreement]:
    """Return the agreement of the model without some sources, on these."""
    model = fit([source for source in sources if _key(source, by) != key])
    left_out = [source for source in sources if _key(source, by) == key]
    return validate(left_out, model, **how)


def summary(figures: Sequence[Agreement]) -> dict[str, object]:
    """Return figures as plain data, metric to source to values."""
    by_metric: dict[str, dict[str, object]] = {}
    for each in figures:
        by_metric.setdefault(each.metric, {})[each.source] = {
            "pairs": each.pairs,
            "tau": each.tau,
            "accuracy": each.accuracy,
        }
    return dict(by_metric)
