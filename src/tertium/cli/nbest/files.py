# SPDX-License-Identifier: Apache-2.0
"""The files that all actions of ``tertium nbest`` read."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared.remarks import remark_note
from tertium.cli.shared.values import Remarks

if TYPE_CHECKING:
    from tertium.notes import Note
    from tertium.tuning.lists import NBestList

__all__ = ["FORMATS_HELP", "Files", "add_files", "stream"]

FORMATS_HELP = """\
formats, recognised by content, compressed or not:
  moses   0 ||| TEXT ||| lm= -1.5 tm= -2 -3 ||| -4.2
  zmert   0 ||| TEXT ||| -1.5 -2 -3          names are in a parameter file
  jsonl   {"id": "0", "src": "..", "refs": [".."],
           "hyps": [{"text": "..", "features": {"lm": -1.5}, "score": -4.2}]}
"""


class Files(Remarks):
    """The files of lists, as :func:`add_files` names them."""

    nbest: Sequence[str]
    references: Sequence[str] | None
    source: str | None
    params: str | None


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the files."""
    parser.add_argument(
        "-n",
        "--nbest",
        nargs="+",
        required=True,
        metavar="FILE",
        help="n-best lists; hypotheses of a segment in several files are put together "
        "(`-`: stdin)",
    )
    parser.add_argument(
        "-r",
        "--references",
        nargs="+",
        metavar="FILE",
        help="one or several references per segment, instead of those in the lists",
    )
    parser.add_argument("-s", "--source", metavar="FILE", help="the source")
    parser.add_argument(
        "--params",
        metavar="FILE",
        help="the parameter file of Z-MERT, which names features without labels",
    )


def stream(options: Files) -> Iterator[NBestList]:
    """Yield the lists, with remarks on what their readers ignore."""
    from tertium.tuning.reading import stream_nbest

    def report(note: Note) -> None:
        remark_note(options, note)

    return stream_nbest(
        options.nbest,
        references=options.references,
        source=options.source,
        params=options.params,
        on_note=report,
    )
