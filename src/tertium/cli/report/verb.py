# SPDX-License-Identifier: Apache-2.0
"""``tertium report``: which system is better, where, and why, as one page."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.cli.report.commands import explain_commands
from tertium.cli.report.options import Options, parse
from tertium.cli.shared.caching import caching
from tertium.cli.shared.inputs import (
    check_specs,
    read_testset,
    runs_of,
    with_scores,
)
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_few, remark_notes
from tertium.cli.shared.render import check_workbook, emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.analysis.report import SystemReport
    from tertium.data.testset import Testset

__all__ = ["command"]

_STDOUT = (None, "-", "/dev/stdout")


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = with_scores(parse(argv))
    _check_output(options)
    with caching(options):
        result = _report(options)
        remark_notes(options, result)
        if options.test == "bootstrap":
            resamples = int(result.comparison.run["resamples"])
            remark_few(options, resamples, 1 - options.alpha, "--resamples")
        note_result(result.to_json, segments=len(result.testset))
        _write(result, options)
    return 0


def _check_output(options: Options) -> None:
    """Reject a page that nobody could read, before hours of work."""
    written = options.written
    if written != "html":
        if options.open:
            raise InputError(f"--open shows a page; omit it with -f {written}")
        if written == "xlsx":
            check_workbook(options.output)
        return
    if options.output in _STDOUT and (options.open or sys.stdout.isatty()):
        why = "--open needs a file" if options.open else "a page is not for a terminal"
        raise InputError(f"{why}; write it to one with -o report.html")
    if options.output not in _STDOUT:
        from tertium._files import check_place

        check_place(str(options.output))


def _report(options: Options) -> SystemReport:
    from tertium.analysis.report import report
    from tertium.cli.report.tags import read_tags, training_lines

    check_specs(options.metrics)
    resegmented = None
    if options.resegment is not None:
        from tertium.cli.shared.resegmented import read_resegmented

        testset, resegmented = read_resegmented(options)
    else:
        testset = read_testset(options, runs=True)
    _check_systems(testset, options)
    first, second = options.focus or (None, None)
    with Progress(quiet=options.quiet) as progress:
        result = report(
            testset,
            metrics=options.metrics,
            focus=None if first is None or second is None else (first, second),
            tags=read_tags(options.tags or (), len(testset)),
            training=training_lines(options.training),
            language=_language(options),
            test=options.test,
            resamples=options.resamples,
            correction=options.correction,
            seed=options.seed,
            alpha=options.alpha,
            by_document=options.by_document,
            data_hash=options.data_hash,
            threads=options.threads,
            progress=progress.phase,
            runs=runs_of(options),
            resegmented=resegmented,
        )
    commands = explain_commands(options, list(result.testset.systems), resegmented)
    return replace(result, commands=commands)


def _language(options: Options) -> str | None:
    from tertium.data.io import DEMO_LANGUAGE, wants_demo

    named = options.language or options.langpair
    if not named and options.testset is not None and wants_demo(options.testset):
        return DEMO_LANGUAGE
    return options.language


def _check_systems(testset: Testset, options: Options) -> None:
    """Reject a single system, and a focus on unknown ones."""
    from tertium.engine.runs import RunGroups

    names = RunGroups.of(list(testset.systems), runs_of(options)).names
    if len(names) < 2:
        message = (
            f"a report needs two systems or more, not {len(names)}; give each with -i "
            "NAME=FILE, or a test set with a column for each"
        )
        raise InputError(message)
    if not len(testset):
        raise InputError("the test set has no segments; there is nothing to report")
    for name in options.focus or ():
        if name not in names:
            from tertium.errors import UnknownNameError

            raise UnknownNameError("system", name, names)


def _write(result: SystemReport, options: Options) -> None:
    from tertium.engine.base import csv_text

    if options.written == "json":
        emit(result.to_json(), options.output)
        return
    if options.written == "csv":
        emit(csv_text(result.records()), options.output)
        return
    if options.written == "xlsx":
        result.to_excel(str(options.output))
        return
    emit(result.to_html(title=_title(options)), options.output)
    if options.output in _STDOUT:
        return
    path = os.path.abspath(str(options.output))
    size = os.path.getsize(path) / 1e6
    remark(options, f"the report is in {options.output} ({size:.1f} MB)")
    if options.open:
        import webbrowser
        from pathlib import Path

        webbrowser.open(Path(path).as_uri())


def _title(options: Options) -> str:
    """Return the name of the test set, as far as it has one."""
    if options.title is not None:
        return options.title
    path = options.mtme or options.testset
    if path is None:
        return ""
    name = os.path.basename(os.path.normpath(path))
    pair = options.langpair
    return name if pair is None or pair in name else f"{name}, {pair}"
