# SPDX-License-Identifier: Apache-2.0
"""Metrics that mark error spans, compared with human spans.

Intervals resample segments, with all outputs of a segment together: translations of one
source share what is hard about it. The permutation test swaps two metrics' predictions
segment by segment for the same reason. One set of samples and coins serves all metrics.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.judgements.spans.matching import Annotation
from tertium.meta.spans.conversions import label_of, score_of
from tertium.meta.spans.inputs import (
    Compared,
    Marked,
    Output,
    by_judge,
    common_outputs,
    marked_outputs,
    matched,
    needs_documents,
)
from tertium.meta.spans.ordered import OrderedMeasures
from tertium.meta.spans.probes import PROBES, known_lengths, probe_outputs
from tertium.meta.spans.results import SpanDifference, SpanEvaluation, SpanValue
from tertium.meta.spans.statistics import measures, output_row, values_of
from tertium.notes import Note
from tertium.stats.correction import adjust

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.data.testset import Testset
    from tertium.judgements.tables import Judgements
    from tertium.meta.spans.statistics import Array

    StrPath: TypeAlias = str | os.PathLike[str]

__all__ = ["correlate_spans"]

_TOLERANCE = 1e-12
_CHUNK = 500  # samples that are held at once, unless there are many segments
_HELD = 8_000_000  # numbers of samples that are held at once


def correlate_spans(
    predictions: Mapping[str, Judgements],
    judgements: Judgements,
    *,
    testset: Testset | None = None,
    probes: bool = False,
    missing: str = "drop",
    error_free_score: float | None = None,
    error_free_prediction: float | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    test: str | None = None,
    trials: int = 1000,
    correction: str = "holm",
    seed: int = SEED,
) -> SpanEvaluation:
    """Return how well predicted spans fit human ones.

    Parameters
    ----------
    predictions : mapping of str to Judgements
        By metric. Where every judge of one annotated all its outputs, each is a metric
        of its own, ``NAME:JUDGE``. Scores alone give ``score:...`` only, and labels
        with `error_free_prediction`.
    judgements : Judgements
        Human spans, and ratings if there are any.
    testset : Testset, optional
        The texts, for probes.
    probes : bool
        Whether to add predictions that ignore quality (see
        :mod:`tertium.meta.spans.probes`).
    missing : {"drop", "error"}
        What to do about judged outputs that a metric did not annotate. All metrics are
        compared on the same outputs.
    error_free_score : float, optional
        Outputs without a human span are free of errors only with this human score or
        more, as 85 in task 3 of WMT 2026; by default whatever the score.
    error_free_prediction : float, optional
        Outputs that a metric scores are predicted to be free of errors from this score
        on; by default if it marks nothing.
    resamples : int
        For intervals; 0 gives none.
    confidence : float
    test : {"permutation"}, optional
        Test differences between metrics.
    trials : int
    correction : {"holm", "bh", "none"}
    seed : int

    Returns
    -------
    SpanEvaluation

    Raises
    ------
    InputError
        If nothing can be compared.
    """
    if test not in (None, "permutation"):
        message = f"no test {test!r} of error spans; choose permutation"
        raise InputError(message, options=("test",))
    human, metrics, outputs = _read(predictions, judgements, probes, missing)
    labels = _Labels(error_free_score, error_free_prediction)
    labels.check(human)
    notes = (
        *_notes(outputs, human, metrics),
        *_beyond(outputs, human, metrics, testset),
    )
    if probes:
        metrics |= probe_outputs(outputs, human, testset, seed=seed)
    segments, clusters = _clusters(outputs)
    sums, ordered = {}, {}
    for name, marked in metrics.items():
        rows, scores = _rows(outputs, marked, human, labels)
        sums[name] = _Sums(
            _by_segment(rows, clusters, segments), labels.undefined(marked)
        )
        ordered[name] = OrderedMeasures(*scores, clusters, segments)
    values = _values(
        sums, ordered, resamples=resamples, confidence=confidence, seed=seed
    )
    order = {name: k for k, name in enumerate(metrics)}
    values.sort(key=lambda value: order[value.metric])
    tested = {name: each for name, each in sums.items() if name not in PROBES}
    return SpanEvaluation(
        values=tuple(values),
        differences=_test(tested, trials, correction, seed) if test else (),
        probes=tuple(name for name in metrics if name in PROBES),
        outputs=len(outputs),
        judged=len(human.annotations),
        segments=segments,
        scale=human.scale,
        run={
            "seed": seed,
            "resamples": resamples,
            "confidence": confidence,
            "over": "segments",
            "test": test,
            "trials": trials if test else None,
            "correction": correction if test else None,
            "error_free_score": error_free_score,
            "error_free_prediction": error_free_prediction,
        },
        notes=notes,
        compared=Compared(tuple(outputs), human, metrics),
    )


def _read(
    predictions: Mapping[str, Judgements],
    judgements: Judgements,
    probes: bool,
    missing: str,
) -> tuple[Marked, dict[str, Marked], list[Output]]:
    """Return human and predicted spans, and the outputs that all of them have."""
    documents = needs_documents(judgements)
    human = marked_outputs(judgements, documents=documents)
    metrics: dict[str, Marked] = {}
    left_out: dict[str, str] = {}
    for name, each in predictions.items():
        for judge, marked in by_judge(
            marked_outputs(each, documents=documents)
        ).items():
            metrics[f"{name}:{judge}" if judge else name] = matched(marked, human)
        left_out[name] = "; ".join(map(str, each.notes))
    if not metrics and not probes:
        message = "no predictions; give files of predicted spans, or ask for probes"
        raise InputError(message, options=("predictions",))
    outputs = common_outputs(human, metrics, missing=missing, left_out=left_out)
    return human, metrics, outputs


@dataclass(frozen=True)
class _Labels:
    """What makes an output free of errors, besides that nothing is marked.

    Parameters
    ----------
    human : float, optional
        The least human score.
    predicted : float, optional
        The least predicted score, which then is all that counts.
    """

    human: float | None
    predicted: float | None

    def check(self, human: Marked) -> None:
        """Raise an error if there are no human scores to compare with."""
        if self.human is not None and not human.scores:
            message = (
                "error-free outputs need a least human score, but the judgements have "
                "no ratings, or several scales; omit it, or select a scale"
            )
            raise InputError(message, options=("error_free_score",))

    def truth(self, annotations: Sequence[Annotation], rated: float | None) -> bool:
        """Return whether people found an output free of errors."""
        if self.human is not None and (rated is None or rated < self.human):
            return False
        return _free(annotations)

    def guess(self, annotations: Sequence[Annotation], score: float | None) -> bool:
        """Return whether a metric, with a score of its own, predicts no error."""
        if self.predicted is not None and score is not None:
            return label_of(score, self.predicted)
        return _free(annotations)

    def undefined(self, marked: Marked) -> NDArray[np.bool_]:
        """Return which measures a metric does not have."""
        labels = () if self.predicted is None else ("error-free:",)
        known = ("score:", *labels)
        return np.array(
            [marked.only_scores and not name.startswith(known) for name in measures()]
        )


class _Sums(NamedTuple):
    """Statistics of one metric by segment, and which measures are undefined."""

    table: Array
    undefined: NDArray[np.bool_]

    def values(self, sums: Array) -> Array:
        """Return the measures of sums of rows, NaN where one is undefined."""
        return np.where(self.undefined, np.nan, values_of(sums))


def _notes(
    outputs: Sequence[Output], human: Marked, metrics: Mapping[str, Marked]
) -> Iterator[Note]:
    left_out = len(human.annotations) - len(outputs)
    if left_out:
        values = {"count": left_out, "judged": len(human.annotations)}
        yield Note("outputs-without-prediction", values)
    for name, marked in metrics.items():
        lacking = _unscored(outputs, marked)
        if 0 < lacking < len(outputs):
            yield Note(
                "scores-of-some-outputs",
                {"metric": name, "count": lacking, "outputs": len(outputs)},
            )
    for name, marked in {"judgements": human, **metrics}.items():
        for severity, count in marked.unknown.items():
            yield Note(
                "unknown-severity-of",
                {"name": name, "count": count, "severity": severity},
            )


def _unscored(outputs: Sequence[Output], marked: Marked) -> int:
    """Return how many outputs a metric gave no score of its own."""
    return sum(output not in marked.scores for output in outputs)


def _beyond(
    outputs: Sequence[Output],
    human: Marked,
    metrics: Mapping[str, Marked],
    testset: Testset | None,
) -> Iterator[Note]:
    """Yield notes on metrics whose spans end after the outputs that they mark."""
    lengths = known_lengths(outputs, human, testset)
    for name, marked in metrics.items():
        late = [
            (output, end)
            for output in outputs
            for each in marked.annotations.get(output, {}).values()
            if (end := max((mark.end for mark in each.marks), default=0))
            > lengths.get(output, end)
        ]
        if late:
            first, end = late[0]
            values = {
                "metric": name,
                "count": len(late),
                "where": f"segment {first.segment!r} of {first.system}",
                "end": end,
                "length": lengths[first],
            }
            yield Note("spans-beyond-output", values)


def _clusters(outputs: Sequence[Output]) -> tuple[int, list[int]]:
    numbers: dict[tuple[str, str], int] = {}
    clusters = [
        numbers.setdefault((each.langpair, each.segment), len(numbers))
        for each in outputs
    ]
    return len(numbers), clusters


def _rows(
    outputs: Sequence[Output], marked: Marked, human: Marked, labels: _Labels
) -> tuple[Array, tuple[list[float], list[float | None], list[bool]]]:
    """Return the statistics of every output; scores, human scores, and labels."""
    rows, scores, ratings, truth = [], [], [], []
    # One scale for all outputs: costs of spans are another one than a metric's scores.
    ratings_of = marked.scores if not _unscored(outputs, marked) else {}
    for output in outputs:
        # Where there are only scores, what follows from spans is undefined anyway.
        known = marked.annotations.get(output, {"": Annotation()})
        predicted = list(known.values())
        people = list(human.annotations[output].values())
        score = ratings_of[output] if ratings_of else _mean_score(predicted)
        rated = human.scores.get(output) if human.scores else _mean_score(people)
        free = labels.truth(people, rated)
        label = labels.guess(predicted, marked.scores.get(output))
        row = output_row(predicted, people, labels=(label, free), scores=(score, rated))
        rows.append(row)
        scores.append(score)
        ratings.append(rated)
        truth.append(free)
    return np.array(rows), (scores, ratings, truth)


def _free(annotations: Sequence[Annotation]) -> bool:
    """Return whether most annotators found no error."""
    free = sum(label_of(0.0 if each.error_free else -1.0) for each in annotations)
    return 2 * free > len(annotations)


def _mean_score(annotations: Sequence[Annotation]) -> float:
    return sum(map(score_of, annotations)) / len(annotations)


def _by_segment(rows: Array, clusters: Sequence[int], segments: int) -> Array:
    sums = np.zeros((segments, rows.shape[1]))
    np.add.at(sums, np.asarray(clusters), rows)
    return sums


def _values(
    sums: Mapping[str, _Sums],
    ordered: Mapping[str, OrderedMeasures],
    *,
    resamples: int,
    confidence: float,
    seed: int,
) -> list[SpanValue]:
    results = []
    names = [*measures(), *OrderedMeasures.names]
    size = len(next(iter(sums.values())).table)
    sampled: dict[str, list[Array]] = {name: [] for name in sums}
    for weights in _weights(size, resamples, seed):
        for name, each in sums.items():
            precision = ordered[name].sampled_precision(weights)
            sampled[name].append(
                np.column_stack([each.values(weights @ each.table), precision])
            )
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    for name, each in sums.items():
        totals = [float(value) for value in each.values(each.table.sum(axis=0))]
        values = [None if np.isnan(value) else value for value in totals]
        values += ordered[name].values()
        samples = None
        if resamples:
            tau = np.full(resamples, np.nan)
            if ordered[name].has_interval:  # so the same weights are soon made again
                tau = ordered[name].sampled_tau(_weights(size, resamples, seed))
            samples = np.column_stack([np.concatenate(sampled[name]), tau])
        for k, (measure, value) in enumerate(zip(names, values, strict=True)):
            interval = None
            if samples is not None and not np.isnan(samples[:, k]).any():
                low, high = np.quantile(samples[:, k], tails)
                interval = (float(low), float(high))
            results.append(SpanValue(name, measure, value, interval))
    return results


def _weights(size: int, resamples: int, seed: int) -> Iterator[Array]:
    """Yield how often resamples have each segment, chunk by chunk."""
    generator = np.random.default_rng(seed)
    step = _step(size)
    for first in range(0, resamples, step):
        number = min(step, resamples - first)
        counts = generator.multinomial(size, np.full(size, 1 / size), size=number)
        yield counts.astype(np.float64)


def _step(size: int) -> int:
    return max(1, min(_CHUNK, _HELD // size))


def _coins(size: int, trials: int, seed: int) -> NDArray[np.bool_]:
    """Return which segments are swapped in every trial."""
    generator = np.random.default_rng(seed)
    coins = np.empty((trials, size), bool)
    step = _step(size)
    for first in range(0, trials, step):
        part = coins[first : first + step]
        part[:] = generator.integers(0, 2, part.shape)
    return coins


def _moved(coins: NDArray[np.bool_], difference: Array) -> Array:
    """Return the sums that trials move from one metric to another."""
    step = _step(coins.shape[1])
    parts = [
        coins[first : first + step].astype(np.float64) @ difference
        for first in range(0, len(coins), step)
    ]
    return np.concatenate(parts)


def _test(
    sums: Mapping[str, _Sums], trials: int, correction: str, seed: int
) -> tuple[SpanDifference, ...]:
    """Return differences between metrics, with p-values of a permutation test.

    The observed outcome is one of the trials (Phipson and Smyth 2010). The correction
    is for the number of metric pairs, for every measure apart.
    """
    pairs = list(combinations(sums, 2))
    if not pairs:
        return ()
    size = len(next(iter(sums.values())).table)
    coins = _coins(size, trials, seed)
    p_values, deltas = [], []
    for a, b in pairs:
        one, two = sums[a].table.sum(axis=0), sums[b].table.sum(axis=0)
        moved = _moved(coins, sums[b].table - sums[a].table)
        delta = sums[a].values(one) - sums[b].values(two)
        swapped = values_of(one + moved) - values_of(two - moved)
        extreme = np.abs(swapped) >= np.abs(delta) - _TOLERANCE
        p_values.append((extreme.sum(axis=0) + 1) / (trials + 1))
        deltas.append(delta)
    differences = []
    for k, measure in enumerate(measures()):
        known = [i for i, delta in enumerate(deltas) if not np.isnan(delta[k])]
        raw = [float(p_values[i][k]) for i in known]
        adjusted = raw if correction == "none" else adjust(raw, correction)
        for i, p, corrected in zip(known, raw, adjusted, strict=True):
            gap = float(deltas[i][k])
            differences.append(SpanDifference(measure, *pairs[i], gap, p, corrected))
    return tuple(differences)
