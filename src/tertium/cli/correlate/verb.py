# SPDX-License-Identifier: Apache-2.0
"""``tertium correlate``: correlation of metrics with human judgements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.correlate.options import Options, parse
from tertium.cli.shared.caching import caching
from tertium.cli.shared.executors import threads_of, working
from tertium.cli.shared.inputs import files_by_name
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_few, remark_note
from tertium.cli.shared.render import emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.meta.results import Correlations
    from tertium.notes import Note

__all__ = ["command"]


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = parse(argv)
    if options.spans:
        from tertium.cli.correlate.spans import spans_command

        return spans_command(options)
    _check(options)
    with caching(options):
        result = _correlate(options)
    _remark(options, result)
    if options.plot:
        from tertium.report.meta.plots import plots, write_plots

        write_plots(plots(options.plot), result)
    if options.task_files:
        from tertium.meta.files.task import write_task_files

        write_task_files(result, options.task_files, digits=_digits(options))
    note_result(result.to_json)
    if options.format == "json":
        emit(result.to_json(), options.output)
    elif options.format == "html":
        emit(_page(options, result), options.output)
    else:
        from tertium.report.tables.correlations import correlation_tables

        tables = correlation_tables(result, options.style, p_values=options.p_values)
        render(tables, options.format, output=options.output)
    return 0


def _correlate(options: Options) -> Correlations:
    from tertium.meta import correlate

    with working(options), Progress(quiet=options.quiet) as progress:
        return correlate(
            options.testsets,
            options.judgements,
            metrics=options.metrics,
            alignments=files_by_name(options.alignments, "alignments"),
            one_based=options.one_based,
            sure_only=options.sure_only,
            trees=files_by_name(options.trees, "trees"),
            ref_trees=options.ref_trees,
            sets=options.sets or (),
            scores=options.scores,
            human_scores=options.human_scores or (),
            mtme=options.mtme,
            langpair=options.langpair,
            only=options.only,
            gold=options.gold,
            human=options.human,
            unit=options.unit,
            reference=options.reference,
            test_set=options.test_set,
            domain=options.domain,
            lower_is_better=options.lower_is_better,
            higher_is_better=options.higher_is_better,
            missing=options.missing or "error",
            least=options.least,
            coef=options.coef,
            exclude=options.exclude,
            slice=options.slice,
            probes=not options.no_probes,
            resamples=options.resamples,
            over=options.over,
            slow=options.slow,
            confidence=options.confidence,
            test=options.test,
            trials=options.trials,
            correction=options.correction,
            average_without=options.average_without,
            gap=options.gap,
            families=options.families or False,
            data_hash=options.data_hash,
            systems_columns=options.systems_columns,
            seed=options.seed,
            threads=threads_of(options, options.threads),
            progress=progress.phase,
            on_note=lambda note: remark_note(options, note),
        )


def _check(options: Options) -> None:
    """Reject options that cannot be met, before anything that takes long."""
    if options.predictions or options.probes:
        flag = "predictions" if options.predictions else "probes"
        message = "predictions and their probes are error spans; compare spans"
        raise InputError(f"{message} (--spans)", options=(flag,))
    if not (options.testsets or options.scores or options.mtme):
        message = (
            "nothing to compare; give test sets and metrics (-m), or --scores, and "
            "judgements (-J); try: tertium correlate demo -m bleu chrf"
        )
        raise InputError(message)
    if options.task_files:
        from tertium.meta.files.task import make_folder

        make_folder(options.task_files)
    if options.format == "html":
        from tertium.report.draw.vega import altair

        altair()
    if options.plot:
        from tertium.report.meta.plots import check_plots

        check_plots(options.plot, test=options.test, gap=options.gap, gold=options.gold)


def _remark(options: Options, result: Correlations) -> None:
    langpairs: dict[Note, list[str]] = {}
    for langpair, notes in result.notes.items():
        for note in notes:
            langpairs.setdefault(note, []).append(langpair)
    for note, names in langpairs.items():
        remark(options, f"{', '.join(names)}: {note}")
    for langpair, hopeless in result.hopeless.items():
        text = hopeless.explain(unit="output", option="--trials", sampled="trial")
        remark(options, f"{langpair}: {options.test}: {text}")
    remark_few(options, options.resamples, options.confidence, "--resamples")


def _page(options: Options, result: Correlations) -> str:
    from tertium.report.meta.page import meta_page

    return meta_page(
        result,
        result.evaluations,
        gaps=result.gaps,
        families=result.families,
        without=result.average_without,
        p_values=options.p_values,
        digits=_digits(options),
    )


def _digits(options: Options) -> int:
    return 3 if options.digits is None else options.digits
