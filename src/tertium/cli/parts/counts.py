# SPDX-License-Identifier: Apache-2.0
"""The counts that ``tertium parts`` shows, for people and for programs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence

from tertium.cli.shared.render import emit
from tertium.cli.shared.values import Remarks
from tertium.report.tables.table import Table, as_text

__all__ = ["ABOUT_COUNTS", "Counts", "add_counts", "on_stdout", "show"]

ABOUT_COUNTS = """\
Counts go to stdout if -o names a file, and to stderr otherwise; -q leaves them out.
"""


class Counts(Remarks):
    """Where the data go, and how their counts look."""

    output: str | None
    format: str


def add_counts(parser: argparse.ArgumentParser) -> None:
    """Add the options of `Counts`."""
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not to stdout"
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("table", "json"),
        default="table",
        help="format of the counts (default: table)",
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no counts and no remarks"
    )


def show(
    options: Counts, counts: Mapping[str, object], tables: Sequence[Table]
) -> None:
    """Write counts to stdout, or to stderr where stdout has the data."""
    if options.quiet:
        return
    from tertium._version import __version__

    text = as_text(tables, "table")
    if options.format == "json":
        text = json.dumps({"tertium": __version__, **counts}, ensure_ascii=False)
    if on_stdout(options):
        sys.stderr.write(text if text.endswith("\n") else f"{text}\n")
    else:
        emit(text, None)


def on_stdout(options: Counts) -> bool:
    """Tell whether the data go to standard output."""
    return options.output in (None, "-", "/dev/stdout")
