# SPDX-License-Identifier: Apache-2.0
"""``tertium report``: which system is better, where, and why, as one page."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.report.options import Options, parse
from tertium.cli.shared.caching import caching
from tertium.cli.shared.inputs import check_specs, read_testset, with_scores
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_few, remark_notes
from tertium.cli.shared.render import emit
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
        resamples = int(result.comparison.run["resamples"])
        remark_few(options, resamples, 1 - options.alpha, "--resamples")
        note_result(result.to_json, segments=len(result.testset))
        _write(result, options)
    return 0


def _check_output(options: Options) -> None:
    """Reject a page that nobody could read, before hours of work."""
    if options.format != "html":
        if options.open:
            raise InputError("--open shows a page; omit it with -f json")
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
    testset = _of_two(read_testset(options), options)
    first, second = options.focus or (None, None)
    with Progress(quiet=options.quiet) as progress:
        return report(
            testset,
            metrics=options.metrics,
            focus=None if first is None or second is None else (first, second),
            tags=read_tags(options.tags or (), len(testset)),
            training=training_lines(options.training),
            language=options.language,
            resamples=options.resamples,
            seed=options.seed,
            alpha=options.alpha,
            by_document=options.by_document,
            threads=options.threads,
            progress=progress.phase,
        )


def _of_two(testset: Testset, options: Options) -> Testset:
    """Return the test set unless it has a single system."""
    names = list(testset.systems)
    if len(names) < 2:
        message = (
            f"a report needs two systems or more, not {len(names)}; give each with -i "
            "NAME=FILE, or a test set with a column for each"
        )
        raise InputError(message)
    if not len(testset):
        raise InputError("the test set has no segments; there is nothing to report")
    for name in options.focus or ():
        if name not in testset.systems:
            from tertium.errors import UnknownNameError

            raise UnknownNameError("system", name, names)
    return testset


def _write(result: SystemReport, options: Options) -> None:
    if options.format == "json":
        emit(result.to_json(), options.output)
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
    return "" if path is None else os.path.basename(os.path.normpath(path))
