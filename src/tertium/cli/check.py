# SPDX-License-Identifier: Apache-2.0
"""``tertium check``: mistakes in a test set, before it is scored."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli import options
from tertium.cli.render import Table, emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.checks import Finding, Report

__all__ = ["command"]

_ABOUT = """\
Look for mistakes in a test set before scoring it. An error makes scores wrong, a
warning may, a note is good to know. The exit code is 1 if there is an error.
"""

_EXAMPLES = """\
  tertium check newstest.tsv.gz
  tertium check -s src.txt -r ref.txt -i A=a.txt B=b.txt
  tertium check demo --only identical-systems duplicates
  tertium check newstest.jsonl --skip length --strict -q
  tertium check newstest.jsonl -f json | jq '.findings[] | .kind'

The JSON has one object: {"tertium": VERSION, "segments": N, "findings": [{"kind",
"severity": "error" or "warning" or "note", "where", "message", "count",
"examples": [the first ten segments, counted from 1]}]}.

exit codes: 0 no error; 1 an error (with --strict also a warning); 2 wrong usage or
input.
"""

_HEAD = ("kind", "severity", "where", "count", "message")
_NARROW = 40


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    from tertium.data.checks import KINDS, check

    args = _parse(argv, KINDS)
    _check_kinds(args)
    report = check(options.read_testset(args), only=args.only, skip=args.skip)
    if args.format == "json":
        emit(report.to_json(), args.output)
    elif args.format == "table" and not report.findings and args.output is None:
        if not args.quiet:
            emit(report.summary(), None)
    else:
        render([_table(report, args)], args.format, output=args.output)
    if args.output is not None:
        options.remark(args, f"{report.summary()}; see {args.output}")
    failed = report.count("error") + args.strict * report.count("warning")
    return 1 if failed else 0


def _parse(argv: Sequence[str], kinds: dict[str, str]) -> argparse.Namespace:
    width = max(map(len, kinds))
    listed = "".join(f"  {kind:<{width}}  {about}\n" for kind, about in kinds.items())
    parser = options.parser("check", _ABOUT, f"{_EXAMPLES}\nkinds:\n{listed}")
    options.add_input(parser)
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
    parser.add_argument(
        "--strict", action="store_true", help="exit with 1 for warnings as well"
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="findings alone, no summary"
    )
    options.add_output(parser)
    return parser.parse_args(argv)


def _check_kinds(args: argparse.Namespace) -> None:
    """Refuse a test set that stands where a kind should be."""
    for name in (*(args.only or ()), *args.skip):
        if args.testset is None and os.path.isfile(name):
            message = f"{name} is a file, not a kind; give the test set before --only"
            raise InputError(message)


def _table(report: Report, args: argparse.Namespace) -> Table:
    rows = [_row(found) for found in report.findings]
    if args.format == "table":
        for row in rows:
            row[2] = _shortened(row[2])
        if args.output is None and sys.stdout.isatty():
            rows = _wrapped(rows)
    note = "" if args.quiet else report.summary()
    return Table(_HEAD, rows, note=note, left=len(_HEAD))


def _row(found: Finding) -> list[str]:
    count = f"{found.count:,}"
    return [found.kind, found.severity, found.where, count, found.message]


def _shortened(where: str) -> str:
    return where if len(where) <= _NARROW else f"{where[: _NARROW - 3]}..."


def _wrapped(rows: list[list[str]]) -> list[list[str]]:
    """Break messages into several rows, so that they fit on the terminal."""
    import shutil
    import textwrap

    used = sum(max(map(len, column)) + 3 for column in list(zip(_HEAD, *rows))[:-1])  # noqa: B905
    width = max(_NARROW, shutil.get_terminal_size().columns - used - 2)
    wrapped = []
    for *cells, message in rows:
        first, *rest = textwrap.wrap(message, width, break_long_words=False)
        wrapped.append([*cells, first])
        wrapped += [[*[""] * len(cells), line] for line in rest]
    return wrapped
