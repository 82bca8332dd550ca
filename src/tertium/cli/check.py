# SPDX-License-Identifier: Apache-2.0
"""``tertium check``: mistakes in a test set, before it is scored."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared import flags, values
from tertium.cli.shared.inputs import add_input, reopen_testset, testset_files
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.values import Input, Output, frozen
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.checks import Report

__all__ = ["Options", "command"]

_ABOUT = """\
Look for mistakes in a test set before scoring it. An error makes scores wrong, a
warning may, a note is good to know. The exit code is 1 if there is an error.

Files are read twice, piece by piece; memory grows by some 25 bytes per segment. Of a
folder of shards, sizes, rows and hashes are compared with its manifest first.
"""

_EXAMPLES = """\
  tertium check newstest.tsv.gz
  tertium check -s src.txt -r ref.txt -i A=a.txt B=b.txt
  tertium check demo --only identical-systems duplicates
  tertium check newstest.jsonl --skip length --strict -q
  tertium check large-shards --skip shifted
  tertium check newstest.jsonl -f json | jq '.findings[] | .kind'

The JSON has one object: {"tertium": VERSION, "segments": N, "findings": [{"kind",
"severity": "error" or "warning" or "note", "where", "message", "count",
"examples": [the first ten segments, counted from 1]}]}.

exit codes: 0 no error; 1 an error (with --strict also a warning); 2 wrong usage or
input.
"""


@frozen
class Options(Input, Output):
    """The options of ``tertium check``."""

    only: list[str] | None
    skip: list[str]
    strict: bool


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    from tertium.data.checks import KINDS, check_stream

    options = values.parse(_parser(KINDS), argv, Options)
    _check_kinds(options)
    # Repeated ids are among the findings.
    open_chunks = reopen_testset(options, ignore=("repeated-ids",))
    with (
        testset_files(options).outlook() as total,
        Progress("segments", quiet=options.quiet, total=total) as progress,
    ):
        _verify(options, progress)
        report = check_stream(
            open_chunks, only=options.only, skip=options.skip, progress=progress.phase
        )
    if report.segments == 0:
        message = "there are no segments to check; are the files empty?"
        raise InputError(message)
    _write(report, options)
    if options.output is not None:
        remark(options, f"{report.summary()}; see {options.output}")
    failed = report.count("error") + options.strict * report.count("warning")
    return 1 if failed else 0


def _verify(options: Options, progress: Progress) -> None:
    """Compare the shards of a partitioned test set with their manifest."""
    path = options.testset
    if path is None or options.input_format is not None or not os.path.isdir(path):
        return
    from tertium.data.formats.mtme import is_mtme
    from tertium.data.partitions import is_partitioned, open_partitions

    if not is_mtme(path) and is_partitioned(path):
        shards = open_partitions(path)
        total = len(shards.names)
        shards.verify(progress=lambda done: progress.phase("shards", done, total))


def _parser(kinds: dict[str, str]) -> argparse.ArgumentParser:
    width = max(map(len, kinds))
    listed = "".join(f"  {kind:<{width}}  {about}\n" for kind, about in kinds.items())
    parser = flags.parser("check", _ABOUT, f"{_EXAMPLES}\nkinds:\n{listed}")
    add_input(parser)
    parser.add_argument(
        "--only", nargs="+", metavar="KIND", help="look for these kinds alone"
    )
    parser.add_argument(
        "--skip",
        nargs="+",
        default=[],
        metavar="KIND",
        help="do not look for these kinds",
    )
    flags.add_switch(parser, "--strict", help="exit with 1 for warnings as well")
    flags.add_switch(parser, "-q", "--quiet", help="findings alone, no summary")
    flags.add_output(parser)
    return parser


def _check_kinds(options: Options) -> None:
    """Reject a test set in the place of a kind."""
    for name in (*(options.only or ()), *options.skip):
        if options.testset is None and os.path.isfile(name):
            message = f"{name} is a file, not a kind; give the test set before --only"
            raise InputError(message)


def _write(report: Report, options: Options) -> None:
    note_result(report.to_json)
    if options.format == "json":
        emit(report.to_json(), options.output)
        return
    note = "" if options.quiet else report.summary()
    width = None
    if options.format == "table" and options.output is None:
        if not report.findings:
            sys.stdout.write(f"{note}\n" if note else "")
            return
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    from tertium.report.tables.checks import check_table, check_text

    if width is not None and (text := check_text(report, note, width)):
        emit(text, None)
        return
    table = check_table(report, options.style, note=note, width=width)
    render([table], options.format, output=options.output)
