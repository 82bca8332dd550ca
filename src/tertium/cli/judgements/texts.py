# SPDX-License-Identifier: Apache-2.0
"""Options and help that the actions of ``tertium judgements`` share."""

from __future__ import annotations

import argparse
import textwrap

from tertium.cli.shared import flags

__all__ = ["STORES", "add_normalise", "add_store", "format_list"]

STORES = """\
A store is a folder of Parquet files, or, if its name ends in .sqlite, .sqlite3 or
.db, one SQLite file. `demo` names bundled judgements by simulated judges.
"""


def add_store(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the store to write, and say how it is cut."""
    parser.add_argument(
        "-o", "--output", required=True, metavar="STORE", help="the store to write"
    )
    parser.add_argument(
        "--rows-per-shard",
        type=flags.number(1, 10**9),
        metavar="N",
        help="write several Parquet files per table, with N rows each",
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
    from tertium.judgements.items import ITEM_FORMATS

    shown = {
        name: kind.about
        for name, kind in FORMATS.items()
        if kind.write is not None or not writable
    }
    items = {
        name: kind.about
        for name, kind in ITEM_FORMATS.items()
        if writable or not kind.is_text
    }
    width = max(map(len, [*shown, *items]))
    lines = []
    for name, about in shown.items():
        lines.append(f"  {name:<{width}}  {about}\n")
        if writable and (what := FORMATS[name].loses):
            losses = f"loses {', '.join(str(LOSSES[each]) for each in what)}"
            for line in textwrap.wrap(losses, 84 - width):
                lines.append(f"  {'':<{width}}  {line}\n")
    kept = "".join(f"  {name:<{width}}  {about}\n" for name, about in items.items())
    which = "files" if writable else "files without judgements"
    return (
        f"formats:\n{''.join(lines)}\n{which}, which a store keeps as they are:\n{kept}"
    )
