# SPDX-License-Identifier: Apache-2.0
"""Evaluations of language pairs: metrics run on texts, beside the judgements.

Metrics may take long. Everything else is therefore read, put together and checked
first, with made-up scores in place of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tertium.engine.inputs import as_metrics
from tertium.errors import InputError, UnknownNameError
from tertium.meta.agreement.choice import (
    check_resampling,
    chosen_coefficients,
    needs_segments,
)
from tertium.meta.answers import UNITS, single_judgements
from tertium.meta.evaluation import Evaluation, evaluation
from tertium.meta.figures import possible
from tertium.meta.gaps import gaps
from tertium.meta.probes import probes
from tertium.meta.scores import MetricScores, run_metrics, segment_names
from tertium.meta.slices import sliced
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.meta.human import Human
    from tertium.meta.inputs.pairs import PairInput
    from tertium.meta.inputs.testsets import OnNote
    from tertium.metrics import Metric
    from tertium.stats.resample import Report

__all__ = ["Design", "evaluations_of"]


@dataclass(frozen=True, kw_only=True)
class Design:
    """What is compared.

    Parameters
    ----------
    coef, exclude, missing, least, slice, probes, over, resamples, gap, average_without
    unit
        As in :func:`tertium.correlate`.
    """

    coef: Sequence[str] | None = None
    exclude: Sequence[str] = ()
    missing: str = "error"
    least: int = 1
    slice: str | None = None
    probes: bool = True
    over: str | None = None
    resamples: int = 1000
    gap: Sequence[str] = ()
    average_without: Sequence[str] = ()
    unit: Sequence[str] = ("item",)

    def check(self, evaluations: Sequence[Evaluation], *, on_note: OnNote) -> None:
        """Raise an error if the evaluations do not allow this comparison.

        Metrics need only have names, not scores.

        Raises
        ------
        InputError
        """
        asked = chosen_coefficients(evaluations, self.coef)
        if self.over is not None:
            check_resampling(evaluations, asked, self.over, resamples=self.resamples)
        names = {str(each.human.langpair or "all"): each for each in evaluations}
        empty = [name for name, each in names.items() if not possible(each.human)]
        if empty:
            on_note(Note("pair-without-comparisons", {"langpairs": ", ".join(empty)}))
        for name in self.average_without:
            if name not in names:
                raise UnknownNameError("language pair to leave out", name, names)
        metrics = dict.fromkeys(m.name for each in evaluations for m in each.metrics)
        for name in self.gap:
            if name not in metrics:
                raise UnknownNameError("metric", name, metrics)
            gaps(evaluations, name)  # for its checks


def evaluations_of(
    pairs: Sequence[PairInput],
    metrics: Sequence[str | Metric],
    design: Design,
    *,
    on_note: OnNote,
    threads: int | None = None,
    progress: Report | None = None,
) -> list[Evaluation]:
    """Return one evaluation per language pair, or per slice of one.

    Raises
    ------
    InputError
        If the design does not fit the inputs; before any metric is run.
    """

    def evaluated(run: Callable[[PairInput], list[MetricScores]]) -> list[Evaluation]:
        return [each for pair in pairs for each in _evaluated(pair, run(pair), design)]

    if not metrics:
        evaluations = evaluated(lambda _: [])
        design.check(evaluations, on_note=on_note)
        return evaluations
    design.check(evaluated(lambda pair: _made_up(pair, metrics)), on_note=on_note)
    return evaluated(
        lambda pair: run_metrics(
            pair.texts, metrics, threads=threads, progress=progress
        )
    )


def _evaluated(
    pair: PairInput, run: Sequence[MetricScores], design: Design
) -> list[Evaluation]:
    """Return judgements, metrics and probes side by side, in slices."""
    scores = [*run, *pair.scores]
    if not scores:
        message = "there are no metric scores; give metrics to run, or score files"
        raise InputError(message, options=("metrics", "scores"))

    def with_metrics(human: Human) -> Evaluation:
        extra = probes(human, pair.testset) if design.probes else []
        return evaluation(
            human,
            [*scores, *extra],
            exclude=design.exclude,
            references=pair.references,
            missing=design.missing,
            least=design.least,
            segments=needs_segments(human, design.coef),
        )

    parts = [with_metrics(human) for human in pair.humans]
    if not pair.by_judge:
        parts = [
            each for part in parts for each in sliced(part, pair.testset, design.slice)
        ]
    return [
        each for part in map(_with_question, parts) for each in _in_units(part, design)
    ]


def _with_question(both: Evaluation) -> Evaluation:
    """Return the evaluation under the name of its kind of judgements, if need be."""
    human = both.human
    if human.question is None:
        return both
    base = human.langpair or "all"
    name = f"{base} {human.question}"
    return replace(both, human=replace(human, langpair=name, base=base))


def _in_units(both: Evaluation, design: Design) -> Iterator[Evaluation]:
    """Yield the evaluation with means of outputs, and with single judgements."""
    for unit in dict.fromkeys(design.unit):
        if unit not in UNITS:
            raise UnknownNameError("unit", unit, UNITS)
        if unit == "item":
            yield both
            continue
        single = single_judgements(both)
        if len(set(design.unit)) > 1:
            name = both.human.langpair or "all"
            base = both.human.base or name
            human = replace(single.human, langpair=f"{name} judgements", base=base)
            single = replace(single, human=human)
        yield single


def _made_up(pair: PairInput, metrics: Sequence[str | Metric]) -> list[MetricScores]:
    """Return scores of everything that metrics will score, under their names."""
    system = dict.fromkeys(pair.texts.systems, 0.0)
    segment = dict.fromkeys(segment_names(pair.texts), 0.0)
    return [
        MetricScores(spec, system, dict.fromkeys(system, segment))
        for spec in as_metrics(metrics)
    ]
