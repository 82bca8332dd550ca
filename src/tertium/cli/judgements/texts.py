# SPDX-License-Identifier: Apache-2.0
"""Options and help that the actions of ``tertium judgements`` share."""

from __future__ import annotations

import argparse
import textwrap

__all__ = ["STORES", "add_normalise", "add_store", "format_list"]

STORES = """\
A store is a folder of Parquet files, or, if its name ends in .sqlite, .sqlite3 or
.db, one SQLite file. `demo` names bundled judgements by simulated judges.
"""


def add_store(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the store to write."""
    parser.add_argument(
        "-o", "--output", required=True, metavar="STORE", help="the store to write"
    )


def add_normalise(parser: argparse.ArgumentParser) -> None:
    """Add the option that puts scores on one scale."""
    parser.add_argument(
        "--normalise",
        metavar="HOW",
        help="scores from 0 to 1: likert[=BOXES] (5) or degree[=LARGEST] (18) for "
        "ratings; rank turns rankings into ratings, 1 - (rank - 1) / candidates, and "
        "leaves out other ratings; rank-zero divides by candidates - 1",
    )


def format_list(*, writable: bool) -> str:
    """Return the formats for help, with what those that can be written lose."""
    from tertium.judgements import FORMATS
    from tertium.judgements.formats.losses import LOSSES

    shown = {
        name: kind.about
        for name, kind in FORMATS.items()
        if kind.write is not None or not writable
    }
    width = max(map(len, shown))
    lines = []
    for name, about in shown.items():
        lines.append(f"  {name:<{width}}  {about}\n")
        if writable and (what := FORMATS[name].loses):
            losses = f"loses {', '.join(str(LOSSES[each]) for each in what)}"
            for line in textwrap.wrap(losses, 84 - width):
                lines.append(f"  {'':<{width}}  {line}\n")
    return f"formats:\n{''.join(lines)}"
