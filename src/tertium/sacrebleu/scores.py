# SPDX-License-Identifier: Apache-2.0
"""One score as sacreBLEU prints it: number, line, JSON and signature.

Nothing here needs NumPy.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tertium.metrics.bleu import Bleu

if TYPE_CHECKING:
    from tertium.metrics import Metric

__all__ = [
    "Result",
    "Score",
    "Segments",
    "bleu_parts",
    "brevity_penalty",
    "corpus_score",
    "geometric_mean",
    "plain_results",
    "score_of",
    "sentence_scores",
    "signature",
]

#: One reference per segment, or several.
Segments: TypeAlias = "list[str] | list[tuple[str, ...]]"

_SHORT = {
    "nrefs": "#",
    "seed": "rs",
    "version": "v",
    "case": "c",
    "eff": "e",
    "smooth": "s",
    "space": "s",
    "norm": "nr",
    "punct": "pn",
    "asian": "as",
}
# Only TER shortens its tokeniser.
_SHORT_TER = {**_SHORT, "tok": "t"}


@dataclass(frozen=True)
class Score:
    """A score with its name.

    `verbose` has the details of BLEU, `interval` the mean of resampled scores and half
    the width of their confidence interval.
    """

    name: str
    score: float
    verbose: str = ""
    interval: tuple[float, float] | None = None

    def number(self, width: int) -> str:
        """Return the score, and its interval if there is one."""
        number = f"{self.score:.{width}f}"
        return f"{number} ({self._confidence(width)})" if self._shown else number

    def line(self, width: int, signature: str) -> str:
        """Return the line of text with name and signature."""
        head = f"{self.name}|{signature} = {self.number(width)}"
        return f"{head} {self.verbose}" if self.verbose else head

    def to_json(self, width: int, signature: str) -> str:
        """Return the JSON object with the signature and its fields."""
        fields: dict[str, str | float] = {
            "name": self.name,
            "score": float(f"{self.score:.{width}f}"),
            "signature": signature,
        }
        if self._shown and self.interval is not None:
            mean, half = self.interval
            fields["confidence_mean"] = float(f"{mean:.{width}f}")
            fields["confidence_var"] = float(f"{half:.{width}f}")
            fields["confidence"] = self._confidence(width)
        if self.verbose:
            fields["verbose_score"] = self.verbose
        for item in signature.split("|"):
            key, _, value = item.partition(":")
            fields[key] = value
        return json.dumps(fields, indent=1, ensure_ascii=False)

    @property
    def _shown(self) -> bool:
        # sacreBLEU treats a mean of zero as no interval.
        return self.interval is not None and self.interval[0] > 0

    def _confidence(self, width: int) -> str:
        mean, half = self.interval or (0.0, 0.0)
        return f"μ = {mean:.{width}f} ± {half:.{width}f}"


@dataclass(frozen=True)
class Result:
    """The result of one system: score, p-value against the baseline, interval."""

    score: float
    p_value: float | None = None
    mean: float | None = None
    ci: float | None = None


def corpus_score(metric: Metric, hyps: list[str], refs: Segments) -> Score:
    """Return the corpus score."""
    return score_of(metric, metric.sums(metric.checked([hyps], refs))[0].values())


def plain_results(
    metrics: Sequence[Metric], systems: Sequence[list[str]], refs: Segments
) -> list[list[Result]]:
    """Return the results of each system for each metric, without a test."""
    return [
        [Result(corpus_score(metric, hyps, refs).score) for hyps in systems]
        for metric in metrics
    ]


def sentence_scores(metric: Metric, hyps: list[str], refs: Segments) -> Iterator[Score]:
    """Yield the score of each segment."""
    for i, hyp in enumerate(hyps):
        batch = metric.checked([[hyp]], refs[i : i + 1])
        yield score_of(metric, metric.sums(batch, threads=1)[0].values())


def score_of(metric: Metric, row: list[float]) -> Score:
    """Return the score of a sum of statistics."""
    if not isinstance(metric, Bleu):
        return Score(metric.label, metric.from_statistics(row))
    score, precisions, penalty = bleu_parts(row, metric)
    hyp_length, ref_length = row[:2]
    ratio = hyp_length / ref_length if ref_length else 0.0
    verbose = (
        f"{'/'.join(f'{precision:.1f}' for precision in precisions)} "
        f"(BP = {penalty:.3f} ratio = {ratio:.3f} "
        f"hyp_len = {hyp_length:.0f} ref_len = {ref_length:.0f})"
    )
    return Score(metric.label, score, verbose)


def bleu_parts(row: Sequence[float], metric: Bleu) -> tuple[float, list[float], float]:
    """Return BLEU, its smoothed precisions in per cent and the brevity penalty.

    The kernel gives the same score except for the last bits, which sacreBLEU's JSON
    shows; here are its operations in its order.
    """
    order = metric.max_ngram_order
    penalty = brevity_penalty(*row[:2])
    matches, totals = row[2 : 2 + order], row[2 + order :]
    precisions = [0.0] * order
    if not any(matches):
        return 0.0, precisions, penalty
    value = metric.smooth_value or 0.0
    halvings, used = 1.0, order
    for i, (match, total) in enumerate(zip(matches, totals, strict=True)):
        if metric.smooth_method == "add-k" and i > 0:
            match, total = match + value, total + value
        if total == 0:
            break
        if metric.effective_order:
            used = i + 1
        if match:
            precisions[i] = 100.0 * match / total
        elif metric.smooth_method == "exp":
            halvings *= 2
            precisions[i] = 100.0 / (halvings * total)
        elif metric.smooth_method == "floor":
            precisions[i] = 100.0 * value / total
    return penalty * geometric_mean(precisions[:used]), precisions, penalty


def brevity_penalty(hyp_length: float, ref_length: float) -> float:
    """Return BLEU's penalty for short output."""
    if hyp_length >= ref_length:
        return 1.0
    return math.exp(1 - ref_length / hyp_length) if hyp_length > 0 else 0.0


def geometric_mean(precisions: Sequence[float]) -> float:
    """Return the geometric mean, zero if any value is zero."""
    if 0 in precisions:
        return 0.0
    return math.exp(sum(map(math.log, precisions)) / len(precisions))


def signature(metric: Metric, *, names: str = "long", **run: str) -> str:
    """Return the signature with long or with sacreBLEU's short names.

    Examples
    --------
    >>> signature(Bleu(), names="short", nrefs="1").rpartition("|")[0]
    '#:1|c:mixed|e:no|tok:13a|s:exp'
    """
    text = metric.signature_for(**run)
    if names == "long":
        return text
    short = _SHORT_TER if metric.name == "ter" else _SHORT
    items = (item.partition(":") for item in text.split("|"))
    return "|".join(f"{short.get(key, key)}:{value}" for key, _, value in items)
