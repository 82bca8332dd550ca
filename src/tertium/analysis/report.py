# SPDX-License-Identifier: Apache-2.0
"""Which system is better, where, and why: one analysis of a test set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium._seed import SEED
from tertium.analysis.buckets import Bucket
from tertium.analysis.first_runs import first_runs, readable_runs
from tertium.analysis.gap_meaning import GapMeaning, gap_meanings
from tertium.analysis.groups import BUILT_IN, Training
from tertium.analysis.habits import Habit, find_habits
from tertium.analysis.intervals import Figure, Resampler
from tertium.analysis.metric_agreement import MetricPair, agreement
from tertium.analysis.ngrams import NgramGain
from tertium.analysis.remarks import (
    on_groups,
    on_resegmentation,
    on_runs,
    on_stems,
    on_tests,
)
from tertium.analysis.segments import defined, output_scores, with_segments
from tertium.analysis.tables import make_tables
from tertium.analysis.word_classes import WordClass
from tertium.analysis.word_errors import (
    ErrorKind,
    LabelledOutputs,
    has_stemmer,
)
from tertium.analysis.words import split
from tertium.engine.base import Result, record_sheet
from tertium.engine.compare import LEAST_RESAMPLES, compare
from tertium.engine.inputs import Systems, as_testset
from tertium.engine.runs import RunGroups, split_runs
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from os import PathLike

    from tertium._executor import Executor
    from tertium.analysis.commands import ExplainCommand
    from tertium.cache.store import Cache
    from tertium.data.checks import Report as CheckReport
    from tertium.data.segmentation import Resegmentation
    from tertium.data.testset import Testset
    from tertium.engine.base import Sheet
    from tertium.engine.comparison import Comparison
    from tertium.metrics import Metric, References
    from tertium.notes import Note
    from tertium.stats.resample import Report, Rows

__all__ = ["METRICS", "ReportSection", "SystemReport", "report"]

#: The metrics of a report, unless others are asked for.
METRICS = ("bleu", "chrf", "ter")


@dataclass(frozen=True, repr=False)
class SystemReport(Result):
    """What there is to say about the systems of a test set.

    The rows of :meth:`to_frame` are scores of groups of segments; with
    ``segments=True`` they are outputs, with scores and numbers of errors in columns.

    Attributes
    ----------
    testset : Testset
        Of a system with several runs, it has the first.
    comparison : Comparison
        Scores with intervals, tests of all pairs, clusters; of all runs. Without
        tests and clusters where there are too few segments for a bootstrap.
    focus : tuple of str
        The two systems whose differences are looked at.
    checks : tertium.data.checks.Report
        What ``tertium check`` finds.
    buckets : list of Bucket
        Scores of groups of segments.
    words : list of WordClass
        How well systems translate words of a kind.
    ngrams : tuple of lists of NgramGain
        Where either system in focus gains.
    errors : list of ErrorKind
    habits : list of Habit
    metrics : list of MetricPair
        How far metrics agree.
    segments : mapping of str to array
        Scores of outputs, systems x segments, by metric; of first runs. NaN where a
        metric leaves an output out; sentence BLEU for ``bleu``.
    labels : mapping of str to LabelledOutputs
        Errors word by word, by system.
    language : str
        The language of stems; "" where only equal words are the same.
    length_ratios : mapping of str to Figure
        Words of the outputs per 100 words of the first references, by system.
    gaps : mapping of str to GapMeaning
        What the difference between the two systems in focus means, by metric; those
        without stored judgements are left out, and all where nothing is tested.
    scorers : mapping of str to Metric
        The metrics themselves, by the spec that the user wrote.
    commands : mapping of str to ExplainCommand
        How ``tertium explain`` finds the outputs of systems; without, captions of the
        page have the texts.
    remarks : tuple of Note
        What weakens the tables; :attr:`notes` has those of the comparison, too.
    """

    testset: Testset
    comparison: Comparison
    focus: tuple[str, str]
    checks: CheckReport
    buckets: list[Bucket]
    words: list[WordClass]
    ngrams: tuple[list[NgramGain], list[NgramGain]]
    errors: list[ErrorKind]
    habits: list[Habit]
    metrics: list[MetricPair]
    segments: Mapping[str, np.ndarray] = field(default_factory=dict)
    labels: Mapping[str, LabelledOutputs] = field(default_factory=dict)
    language: str = ""
    length_ratios: Mapping[str, Figure] = field(default_factory=dict)
    gaps: Mapping[str, GapMeaning] = field(default_factory=dict)
    scorers: Mapping[str, Metric] = field(default_factory=dict)
    commands: Mapping[str, ExplainCommand] = field(default_factory=dict)
    remarks: tuple[Note, ...] = ()

    @property
    def notes(self) -> list[Note]:
        """What a user should know before trusting the report."""
        return [*self.comparison.notes, *self.remarks]

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``tertium report -f json`` prints."""
        from tertium.report.analysis.words import cautions, headline

        return {
            **self.comparison.to_dict(),
            "systems": self._system_scores(),
            "headline": headline(self),
            "cautions": list(cautions(self)),
            "language": self.language,
            "focus": list(self.focus),
            "checks": self.checks.to_dict()["findings"],
            "buckets": [each.to_dict() for each in self.buckets],
            "words": [each.to_dict() for each in self.words],
            "ngrams": [[each.to_dict() for each in side] for side in self.ngrams],
            "errors": [
                {**each.to_dict(), "segments": self._segment_errors(number)}
                for number, each in enumerate(self.errors)
            ],
            "gaps": {
                spec: {
                    "better": self.comparison.pair(*self.focus, spec).better,
                    **one.to_dict(),
                }
                for spec, one in self.gaps.items()
            },
            "length_ratios": {
                name: figure.to_dict() for name, figure in self.length_ratios.items()
            },
            "habits": [each.to_dict() for each in self.habits],
            "agreement": [each.to_dict() for each in self.metrics],
        }

    def _system_scores(self) -> dict[str, Any]:
        """Return the scores of systems, with those of their segments."""
        systems: dict[str, Any] = self.comparison.scores.to_dict()["systems"]
        places = {name: place for place, name in enumerate(self.testset.systems)}
        for name, scores in systems.items():
            for spec, rows in self.segments.items():
                if scores[spec]["segments"] is None:
                    scores[spec]["segments"] = [*map(defined, rows[places[name]])]
        return systems

    def _segment_errors(self, kind: int) -> dict[str, list[int]]:
        """Return how many errors of a kind every output has, by system."""
        return {name: one.counts[:, kind].tolist() for name, one in self.labels.items()}

    def to_html(self, *, title: str = "") -> str:
        """Return the report as one HTML file that loads nothing."""
        from tertium.report.analysis.page import (  # type: ignore[import-untyped,unused-ignore]
            report_page,
        )

        page: str = report_page(self, title=title)
        return page

    def section(self, name: str) -> ReportSection:
        """Return one section of the page, which notebooks show.

        Parameters
        ----------
        name : {"systems", "where", "differences", "outputs", "metrics", "how"}
        """
        return ReportSection(self, name)

    def _segment_records(self) -> list[dict[str, Any]]:
        kinds = [each.kind for each in self.errors]
        return [
            {
                "segment": number + 1,
                "system": name,
                **{
                    spec: defined(of[place, number])
                    for spec, of in self.segments.items()
                },
                **dict(
                    zip(kinds, self.labels[name].counts[number].tolist(), strict=True)
                ),
            }
            for number in range(len(self.testset))
            for place, name in enumerate(self.testset.systems)
        ]

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "kind": bucket.group.kind,
                "label": bucket.group.label,
                "segments": len(bucket.group.members),
                "metric": spec,
                "system": system,
                "score": figure.value,
                "low": figure.interval[0] if figure.interval else None,
                "high": figure.interval[1] if figure.interval else None,
            }
            for bucket in self.buckets
            for spec, scores in bucket.scores.items()
            for system, figure in scores.items()
        ]

    def _sheets(self) -> Mapping[str, Sheet]:
        return {
            **self.comparison._sheets(),
            "groups": record_sheet(self._records()),
            "outputs": record_sheet(self._segment_records()),
        }

    def __repr__(self) -> str:
        return repr(self.comparison)


@dataclass(frozen=True)
class ReportSection:
    """One section of a report: a page of its own, or a frame in a notebook."""

    report: SystemReport = field(repr=False)
    name: str

    def to_html(self) -> str:
        """Return the section as one HTML file that loads nothing."""
        from tertium.report.analysis.page import section_page

        return section_page(self.report, self.name)

    def _repr_html_(self) -> str:
        """Return a frame, so that neither styles nor scripts meet the notebook's."""
        from html import escape

        return (
            f'<iframe srcdoc="{escape(self.to_html())}" title="{escape(self.name)}" '
            'sandbox="allow-scripts" style="width: 100%; height: 40em; border: 0">'
            "</iframe>"
        )


def report(
    systems: Systems,
    references: References | None = None,
    *,
    sources: Sequence[str] | None = None,
    docs: Sequence[str] | None = None,
    metrics: Sequence[str | Metric] | str | Metric = METRICS,
    focus: tuple[str, str] | None = None,
    tags: Mapping[str, Sequence[str]] | None = None,
    training: Iterable[str] | None = None,
    language: str | None = None,
    test: str = "bootstrap",
    resamples: int | None = None,
    correction: str = "holm",
    seed: int = SEED,
    alpha: float = 0.05,
    by_document: bool = False,
    data_hash: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    cache: Cache | str | PathLike[str] | None = None,
    progress: Report | None = None,
    runs: Mapping[str, Sequence[str]] | None = None,
    resegmented: Mapping[str, Resegmentation] | None = None,
) -> SystemReport:
    """Say which system is better, where, and why.

    Parameters
    ----------
    systems : Testset, or mapping of name to texts
        Several runs of a system are :class:`tertium.Runs` instead of texts: their
        means are compared, and everything else looks at the first run.
    references : sequence of str or of sequences of str
    sources, docs : sequence of str, optional
        Of every segment, where `systems` is not a test set.
    metrics : sequence of str
        The first one decides the order of systems and the headline.
    focus : tuple of str, optional
        The two systems whose differences are looked at; by default the two that are
        best by the first metric.
    tags : mapping of str to sequence of str, optional
        Further columns to group segments by, such as ``{"domain": [...]}``. A column
        with more than fifty values, or with more than half as many as there are
        segments, is left out with a note.
    training : iterable of str, optional
        Sentences of the target side of the training corpus; then words are rare or
        unseen there, not in the references.
    language : str, optional
        Of references and outputs, for stems; by default that of the test set. Without
        a stemmer for it, the report says so.
    test, resamples, correction, seed, alpha, by_document
        As in :func:`tertium.compare`, for pairs of systems. Groups of segments, words
        and errors are always tested by a bootstrap with Holm's correction.
    data_hash, threads, executor, cache, progress
        As in :func:`tertium.compare`.
    runs : mapping of str to sequence of str, optional
        Which systems of a Testset are runs of one system, by its name.
    resegmented : mapping of str to Resegmentation, optional
        How outputs were cut, by system or run, if their lines were not those of the
        references; see :func:`tertium.data.segmentation.read_resegmented`.

    Examples
    --------
    >>> import tertium
    >>> from tertium.analysis import report
    >>> result = report(tertium.read("demo"), metrics="chrf", language="de")
    >>> result.focus
    ('good', 'order')
    >>> [(each.kind, each.counts["order"]) for each in result.errors][:2]
    [('inflection', 0), ('order', 153)]
    """
    systems, named = split_runs(systems)
    every = _testset(systems, references, sources, docs)
    grouped = {**named, **(runs or {})}
    testset, places = first_runs(every, grouped)
    asked = _tags(tags, len(testset))
    if progress:
        progress("checks", 0, None)
    from tertium.data.checks import check

    checks = check(readable_runs(every, grouped))
    kept: dict[str, tuple[Metric, list[Rows]]] = {}
    cut = resegmented or {}
    comparison = compare(
        every,
        metrics=metrics,
        test=test,
        resamples=resamples,
        correction=correction,
        seed=seed,
        alpha=alpha,
        by_document=by_document,
        data_hash=data_hash,
        threads=threads,
        executor=executor,
        cache=cache,
        progress=progress,
        observe=lambda spec, metric, rows: kept.update({spec: (metric, rows)}),
        runs=grouped,
        facts=dict(
            [("reseg", one.by) for one in cut.values() if not one.unchanged][:1]
        ),
    )
    every_run = output_scores(kept)
    comparison = _completed(comparison, every, every_run, grouped, cut)
    names = list(testset.systems)
    chosen = _focus(comparison, focus)
    resampler = Resampler(
        (names.index(chosen[0]), names.index(chosen[1])),
        _bootstrap_resamples(comparison, resamples),
        seed,
        alpha,
        threads,
        grow=resamples is None,
        documents=_documents(testset) if by_document else None,
    )
    tongue = _language(testset, language)
    stems = tongue if has_stemmer(tongue) else ""
    scorers = {spec: metric for spec, (metric, _) in kept.items()}
    segments = {spec: scores[places] for spec, scores in every_run.items()}
    tables = make_tables(
        testset,
        scorers,
        {spec: [rows[place] for place in places] for spec, (_, rows) in kept.items()},
        resampler,
        stems=stems,
        tags=asked,
        training=None if training is None else _training(training),
        progress=progress,
    )
    return SystemReport(
        testset=testset,
        comparison=comparison,
        focus=chosen,
        checks=checks,
        buckets=tables.buckets,
        words=tables.words,
        ngrams=tables.ngrams,
        errors=tables.errors,
        habits=find_habits(testset),
        metrics=_agreement(comparison, segments),
        segments=segments,
        labels=tables.labels,
        language=stems,
        length_ratios=tables.length_ratios,
        gaps={} if comparison.has_few_units else _gaps(comparison, chosen),
        scorers=scorers,
        remarks=(
            *on_runs(comparison),
            *on_resegmentation(cut, every.notes),
            *on_groups(testset, asked),
            *on_tests(tables.tests(next(iter(kept))), resampler),
            *on_stems(tongue, known=bool(stems)),
        ),
    )


def _completed(
    comparison: Comparison,
    every: Testset,
    scores: Mapping[str, np.ndarray],
    runs: Mapping[str, Sequence[str]],
    resegmented: Mapping[str, Resegmentation],
) -> Comparison:
    """Return the comparison with what a report adds, or takes away from it.

    These are scores of segments where systems have several runs, how outputs were cut,
    and no tests of too few segments.
    """
    if runs:
        names = RunGroups.of(list(every.systems), runs)
        comparison = with_segments(comparison, scores, names)
    if resegmented:
        table = replace(comparison.scores, resegmented=resegmented)
        comparison = replace(comparison, scores=table)
    return comparison.untested() if comparison.has_few_units else comparison


def _agreement(
    comparison: Comparison, segments: Mapping[str, np.ndarray]
) -> list[MetricPair]:
    table = comparison.scores
    names = list(table.systems)
    totals = {s: {n: table[n][s].score for n in names} for s in table.metrics}
    return agreement(table.metrics, names, totals, segments)


def _gaps(comparison: Comparison, focus: tuple[str, str]) -> dict[str, GapMeaning]:
    return gap_meanings(
        {
            spec: comparison.pair(*focus, spec).delta
            for spec in comparison.scores.metrics
        }
    )


def _bootstrap_resamples(comparison: Comparison, resamples: int | None) -> int:
    """Return how often groups are resampled: like systems, if these are at all."""
    if comparison.run["test"] == "bootstrap":
        return int(comparison.run["resamples"])
    return resamples or LEAST_RESAMPLES["bootstrap"]


def _testset(
    systems: Systems,
    references: References | None,
    sources: Sequence[str] | None,
    docs: Sequence[str] | None,
) -> Testset:
    testset = as_testset(systems, references, docs=docs)
    if len(testset) and not any(testset.references):
        message = (
            "there are no references, and a report counts errors against them; give "
            "references, or compare scores alone with `tertium compare`"
        )
        raise InputError(message)
    return testset if sources is None else replace(testset, sources=list(sources))


def _focus(comparison: Comparison, focus: tuple[str, str] | None) -> tuple[str, str]:
    table = comparison.scores
    if focus is None:
        first, second, *_ = table.ranked()
        return first, second
    for name in focus:
        if name not in table.systems:
            raise UnknownNameError("system", name, list(table.systems))
    if len(set(focus)) < 2:
        message = "the systems in focus are the same; name two"
        raise InputError(message)
    return focus


def _language(testset: Testset, language: str | None) -> str:
    if language is not None:
        return language
    pair = testset.langpair or ""
    return pair.rpartition("-")[2].split("_")[0] if "-" in pair else ""


def _documents(testset: Testset) -> np.ndarray:
    """Return the document of every segment, numbered as they come."""
    numbers: dict[str, int] = {}
    docs = testset.docs or []
    return np.array([numbers.setdefault(doc, len(numbers)) for doc in docs], np.int64)


def _training(lines: Iterable[str]) -> Training:
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(split(line))
    return Training(counts)


def _tags(
    tags: Mapping[str, Sequence[str]] | None, segments: int
) -> Mapping[str, Sequence[str]]:
    for name, column in (tags or {}).items():
        if name in BUILT_IN:
            message = f"a report has groups called {name!r}; give the tag another name"
            raise InputError(message)
        if len(column) != segments:
            message = (
                f"tag {name!r} has {len(column)} values for {segments} segments; give "
                "one per segment"
            )
            raise InputError(message)
    return tags or {}
