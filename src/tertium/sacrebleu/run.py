# SPDX-License-Identifier: Apache-2.0
"""One run of sacreBLEU: from its options to the text that it prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from tertium.errors import InputError
from tertium.sacrebleu import inputs, remarks
from tertium.sacrebleu.report import Layout, MetricColumn, report_one, report_several
from tertium.sacrebleu.scores import (
    corpus_score,
    plain_results,
    sentence_scores,
    signature,
)
from tertium.sacrebleu.settings import metrics_of

if TYPE_CHECKING:
    from tertium.metrics import Metric
    from tertium.sacrebleu.inputs import Column, Remark
    from tertium.sacrebleu.options import SacreBleuOptions
    from tertium.sacrebleu.scores import Segments

__all__ = ["run"]


@dataclass(frozen=True)
class _Run:
    """Options and references of a run, and how its report looks."""

    options: SacreBleuOptions
    refs: Segments
    nrefs: int
    layout: Layout
    seed: int | None

    def signature(self, metric: Metric, **resampling: str) -> str:
        names = "short" if self.options.short else "long"
        return signature(metric, names=names, nrefs=str(self.nrefs), **resampling)


def run(
    options: SacreBleuOptions,
    *,
    seed: int | None,
    remark: Remark,
    colour: bool = False,
) -> str:
    r"""Return what sacreBLEU prints.

    Parameters
    ----------
    options : SacreBleuOptions
    seed : int or None
        The seed of resampling; with None, runs differ.
    remark : callable
        Called with each remark, while files are read and after.
    colour : bool
        Whether to colour the report, as on a terminal.

    Raises
    ------
    InputError
        When options and files do not fit together.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from tertium.sacrebleu.options import SacreBleuOptions
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.txt")
    ...     _ = path.write_text("the cat sat on the mat\n")
    ...     options = SacreBleuOptions(
    ...         refs=[str(path)], input=[str(path)], score_only=True)
    ...     run(options, seed=1, remark=print)
    '100.0'
    """
    references = inputs.read_references(
        options.refs, columns=options.num_refs, encoding=options.encoding, remark=remark
    )
    systems = inputs.read_systems(
        options.input,
        paired=options.test is not None,
        encoding=options.encoding,
        remark=remark,
    )
    _check_systems(options, len(systems))
    inputs.check_lengths(systems, references)
    metrics = metrics_of(
        options.metrics, options.settings, langpair=options.langpair, remark=remark
    )
    for text in _remarks(options, metrics, systems):
        remark(text)
    layout = Layout(
        format=options.format,
        width=options.width,
        score_only=options.score_only,
        colour=colour,
    )
    this = _Run(options, inputs.segments(references), len(references), layout, seed)
    if options.sentence_level:
        return _sentences(this, metrics[0], systems[0].lines)
    if options.test is None:
        metrics = sorted(metrics, key=lambda metric: metric.name)
    if len(systems) == 1:
        return _one(this, metrics, systems[0].lines)
    return _several(this, metrics, systems)


def _sentences(this: _Run, metric: Metric, hyps: list[str]) -> str:
    scores = sentence_scores(metric, hyps, this.refs)
    width = this.options.width
    if this.options.score_only:
        return "\n".join(score.number(width) for score in scores)
    label = this.signature(metric)
    return "\n".join(score.line(width, label) for score in scores)


def _one(this: _Run, metrics: Sequence[Metric], hyps: list[str]) -> str:
    options = this.options
    resampling: dict[str, str] = {}
    score = corpus_score
    if options.confidence and options.confidence_n > 1:
        from tertium.sacrebleu.paired import score_with_interval

        resampling = {"bs": str(options.confidence_n), "seed": str(this.seed).lower()}
        score = partial(
            score_with_interval, resamples=options.confidence_n, seed=this.seed
        )
    if options.format == "json":  # It always has long signatures.
        this = replace(this, options=replace(options, short=False))
    labels = [this.signature(metric, **resampling) for metric in metrics]
    scores = [score(metric, hyps, this.refs) for metric in metrics]
    return report_one(scores, labels, this.layout)


def _several(this: _Run, metrics: Sequence[Metric], systems: Sequence[Column]) -> str:
    options = this.options
    texts = [system.lines for system in systems]
    resampling: dict[str, str] = {}
    test = None
    if options.test is None:
        results = plain_results(metrics, texts, this.refs)
    else:
        from tertium.sacrebleu.paired import TESTS

        test = (options.test, options.trials)
        resampling = {options.test: str(options.trials), "seed": str(this.seed).lower()}
        results = TESTS[options.test](
            metrics, texts, this.refs, trials=options.trials, seed=this.seed
        )
    columns = [
        MetricColumn(metric.label, this.signature(metric, **resampling), scores)
        for metric, scores in zip(metrics, results, strict=True)
    ]
    names = [system.name for system in systems]
    return report_several(names, columns, this.layout, test=test)


def _check_systems(options: SacreBleuOptions, number: int) -> None:
    if options.sentence_level and number > 1:
        message = f"sentence_level=True takes one system, not {number}; run it once"
        raise InputError(f"{message} per system", options=("sentence_level",))
    if options.test and number == 1:
        message = "a paired test needs two systems; name the baseline first"
        raise InputError(message, options=("input",))
    if options.confidence and number > 1:
        message = f"confidence=True takes one system, not {number}; use a paired test"
        raise InputError(message, options=("confidence",))


def _remarks(
    options: SacreBleuOptions, metrics: Sequence[Metric], systems: Sequence[Column]
) -> Iterator[str]:
    if "bleu" in options.metrics and not options.force:
        yield from remarks.on_tokenized(systems)
    if options.test:
        yield from remarks.on_copies(systems, options.trials)
        yield from remarks.on_few_trials(options.trials, options.test)
    if options.confidence and options.confidence_n > 1:
        yield from remarks.on_few_resamples(options.confidence_n)
    if options.test == "ar":
        yield from remarks.on_smoothing(metrics)
