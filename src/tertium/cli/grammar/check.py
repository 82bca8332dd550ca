# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar check`` and ``watch``: mistakes in templates."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium._version import __version__
from tertium.cli.grammar import inputs
from tertium.cli.shared import flags, values
from tertium.cli.shared.advice import with_flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit, emit_json, render
from tertium.cli.shared.values import frozen
from tertium.errors import InputError, TertiumError
from tertium.report.tables.grammar_checks import check_table, check_text

if TYPE_CHECKING:
    from tertium.grammars.authoring.checks import CheckReport
    from tertium.grammars.authoring.validation import Finding

__all__ = ["check", "watch"]

_ABOUT = """\
Look for mistakes in templates: syntax, names and types of the grammar, variable sets
that one language lacks, empty sets, a prototype that the grammar rejects, samples that
are wrongly accepted or rejected, and, as warnings, small sets, values with a single
expression, words that the analyser does not know. Reference files are read and counted.
The exit code is 1 if there is an error; warnings do not count unless --strict is given.
"""

_EXAMPLES = """\
  tertium grammar check weather
  tertium grammar check templates/ --strict -f json
  tertium grammar check weather --analyser voikko
  tertium grammar check segments.refs

A template may come from someone else: it starts no program and reads no file outside
its folder unless --allow-commands or --allow-outside is given. A program given with
--analyser command:... always runs.

The JSON has {"tertium": VERSION, "templates": [{"name", "summary", "findings":
[{"severity", "code", "where", "message", "cure"}]}]}.
"""

_WATCH = """\
Check templates, and check them again whenever one of their files is saved. Stop with
Ctrl-C.
"""

_WATCH_EXAMPLES = """\
  tertium grammar watch weather
  tertium grammar watch weather --analyser none --every 2
"""


class Checked(inputs.Outside, values.Remarks):
    """What is checked, and how."""

    names: list[str]
    analyser: str | None
    allow_commands: bool


@frozen
class CheckOptions(Checked, values.Output):
    """The options of ``check``."""

    strict: bool


@frozen
class WatchOptions(Checked):
    """The options of ``watch``."""

    every: float


def _add_checked(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names",
        nargs="+",
        metavar="TEMPLATE|REFERENCES",
        help="template folders, bundled templates, or reference files",
    )
    parser.add_argument(
        "--analyser",
        metavar="SPEC",
        help="what analyses words of the target languages, or none (default: what "
        "template.toml names)",
    )
    inputs.add_commands(parser)
    inputs.add_outside(parser)
    inputs.add_quiet(parser)


def check(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("grammar check", _ABOUT, _EXAMPLES)
    _add_checked(parser)
    flags.add_switch(parser, "--strict", help="warnings are errors, for the exit code")
    flags.add_output(parser)
    options = values.parse(parser, argv, CheckOptions)
    reports = _reports(options)
    if options.format == "json":
        templates = [report.to_dict() for report in reports]
        emit_json({"tertium": __version__, "templates": templates}, options.output)
    elif options.format == "table":
        emit("".join(map(check_text, reports)), options.output)
    else:
        render([check_table(reports)], options.format, output=options.output)
    errors = any(report.errors for report in reports)
    return int(errors or (options.strict and any(one.findings for one in reports)))


def _reports(options: Checked) -> list[CheckReport]:
    """Return the reports, with flags in what they advise."""
    from tertium.grammars.authoring.checks import check_templates

    reports = check_templates(
        options.names,
        analyser=options.analyser,
        allow_commands=options.allow_commands,
        allow_outside=options.allow_outside,
    )
    for report in reports:
        for note in report.notes:
            remark(options, note)
    return [
        replace(report, findings=tuple(map(_flagged, report.findings)))
        for report in reports
    ]


def _flagged(finding: Finding) -> Finding:
    advice = InputError(finding.cure, options=finding.options)
    return replace(finding, cure=with_flags(advice))


# -------------------------------------------------------------------------- watch


def watch(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("grammar watch", _WATCH, _WATCH_EXAMPLES)
    _add_checked(parser)
    parser.add_argument(
        "--every",
        type=_seconds,
        default=0.5,
        metavar="SECONDS",
        help="how often to look (default: %(default)s)",
    )
    options = values.parse(parser, argv, WatchOptions)
    last: dict[str, tuple[int, int]] | None = None
    try:
        while True:
            now = _stamps(options.names, strict=last is None)
            if now != last:
                changed = sorted(
                    path
                    for path in {*now, *(last or {})}
                    if path and last and now.get(path) != last.get(path)
                )
                last = now
                _check_again(options, changed)
            time.sleep(options.every)
    except KeyboardInterrupt:
        sys.stdout.write("\n")
        remark(options, "stopped watching")
        return 0


def _stamps(names: Sequence[str], *, strict: bool) -> dict[str, tuple[int, int]]:
    """Return when files changed; unless `strict`, a missing template is a change."""
    from tertium.grammars.authoring.template_files import file_stamps

    try:
        return file_stamps(names)
    except (InputError, OSError):  # OSError: the folder vanished in between
        if strict:
            raise
        return {"": (0, 0)}


def _check_again(options: WatchOptions, changed: Sequence[str]) -> None:
    stamp = time.strftime("%H:%M:%S")
    why = f" ({', '.join(map(os.path.basename, changed))} changed)" if changed else ""
    sys.stdout.write(f"--- {stamp}{why}\n")
    try:
        emit("".join(map(check_text, _reports(options))), None)
    except (TertiumError, OSError) as error:
        # A file may be half saved, or missing for a moment: the next look will tell.
        sys.stdout.write(f"{error}\n")
    sys.stdout.flush()


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.05 <= value <= 3600:
        message = f"{text!r} is not a time; give seconds, 0.05 to 3600"
        raise argparse.ArgumentTypeError(message)
    return value
