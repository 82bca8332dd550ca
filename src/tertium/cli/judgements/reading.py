# SPDX-License-Identifier: Apache-2.0
"""Judgements as verbs read them: with progress, and remarks on rows left out."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Remarks

if TYPE_CHECKING:
    from tertium.judgements import Judgements
    from tertium.notes import Note

__all__ = ["add_files", "add_judgements", "add_only", "read", "remark_each"]

# The flags that a note's advice is about.
_FLAGS: Mapping[str, str] = {
    "several-campaigns": "--only campaign=%(first)s",
    "several-campaigns-apart": "--only campaign=%(first)s",
    "spans-left-out": "--scale %(scale)s",
    "cut-documents": "--batches",
}


def add_judgements(parser: argparse.ArgumentParser) -> None:
    """Add what names judgements: stores, files, `demo`, and a selection of them."""
    parser.add_argument(
        "judgements",
        nargs="+",
        metavar="STORE|FILE",
        help="stores, files of any format that `tertium judgements import` reads, "
        "folders of JSONL shards, or `demo`",
    )
    add_only(parser)


def add_files(parser: argparse.ArgumentParser, *, langpair: str) -> None:
    """Add judgements with their format and language pairs, whose help is `langpair`."""
    add_judgements(parser)
    parser.add_argument(
        "--input-format", metavar="FORMAT", help="of the files (default: detected)"
    )
    parser.add_argument(
        "-l",
        "--langpair",
        nargs="+",
        metavar="SRC-TRG",
        help=f"only these language pairs; {langpair}",
    )


def add_only(parser: argparse.ArgumentParser) -> None:
    """Add the option that selects judgements."""
    parser.add_argument(
        "--only",
        nargs="+",
        action="extend",
        default=[],
        metavar="COLUMN=VALUE",
        help="judgements with this value, such as langpair=de-en; if a column is given "
        "twice, with either value; COLUMN= for those without a value and COLUMN=* for "
        "those with one, so part= selects whole segments and part=* parts of them",
    )


def read(
    paths: Sequence[str],
    options: Remarks,
    *,
    only: Sequence[str] = (),
    langpair: Sequence[str] | None = None,
    campaign: str | None = None,
    input_format: str | None = None,
) -> Judgements:
    """Return the judgements of :meth:`tertium.Judgements.read`, and show its notes."""
    from tertium.judgements import Judgements

    with Progress("judgements", quiet=options.quiet) as progress:
        judgements = Judgements.read(
            paths,
            only=only,
            langpair=langpair,
            campaign=campaign,
            input_format=input_format,
            progress=progress,
        )
    remark_each(options, judgements.notes)
    return judgements


def remark_each(options: Remarks, notes: Iterable[Note | str]) -> None:
    """Write notes to stderr, with the flags that help."""
    for note in notes:
        flag = None if isinstance(note, str) else _FLAGS.get(note.code)
        if isinstance(note, str) or flag is None:
            remark(options, str(note))
        else:
            remark(options, f"{note} ({flag % note.values})")
