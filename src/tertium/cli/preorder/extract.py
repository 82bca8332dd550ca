# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder extract``: minimal phrases and permutations of a corpus."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium._files import check_places
from tertium.cli.preorder.texts import LinkedText, add_linked_text
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.values import Output, Remarks, frozen, parse

if TYPE_CHECKING:
    from tertium.preorder.extraction import Extraction

__all__ = ["extract"]

_ABOUT = """\
Show what a corpus with word links can teach: minimal phrases, how often and by which
operators they are reordered, and how many sentences a model can express.
"""

_EXAMPLES = """\
  tertium preorder extract -s train.en --links train.gdfa
  tertium preorder extract -s train.en --links train.gdfa -f json
  tertium preorder extract -s train.en --links train.gdfa --units train.units.jsonl

A unit is a minimal phrase, or a word without links. The file of --units has one JSON
object per sentence and line: {"units": [[START, END], ..], "ranks": [RANK, ..]}, words
counted from 0, ranks in the target from 1, 0 for a unit without links.

The JSON is {"tertium", "attach", "sentences", "words", "linked", "units", "phrases",
"unaligned", "too_few", "monotone", "arities": {ARITY: SENTENCES}, "operators":
{OPERATOR: COUNT}, "covered": {"2": SHARE, "5": SHARE}, "tau"}. "linked" counts words
with links, "phrases" units of several words, "too_few" sentences with fewer than two
linked units, "monotone" those that keep their order; "arities" has the largest operator
of each sentence, and "tau" is Kendall's tau of the source order.
"""


@frozen
class Options(Output, Remarks, LinkedText):
    """The options of the action."""

    attach: str
    units: str | None


def extract(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    check_places([options.source, options.links], [options.output, options.units])
    from tertium.data.lines import write_lines
    from tertium.preorder.extraction import extract_units

    sentences, links = options.read()
    with Progress("sentences", quiet=options.quiet) as progress:
        result = extract_units(
            sentences, links, attach=options.attach, progress=progress
        )
    if options.units is not None:
        write_lines(options.units, _units(result))
    if options.format == "json":
        emit(json.dumps(result.to_dict(), indent=2), options.output)
        return 0
    from tertium.report.tables.preorder import extraction_tables

    tables = extraction_tables(result, options.style)
    render(tables, options.format, output=options.output)
    return 0


def _units(result: Extraction) -> Iterator[str]:
    for each in result.units:
        yield json.dumps({"units": each.spans, "ranks": each.ranks})


def _parser() -> argparse.ArgumentParser:
    from tertium.preorder.units import ATTACH

    parser = flags.parser("preorder extract", _ABOUT, _EXAMPLES)
    add_linked_text(parser)
    parser.add_argument(
        "--attach",
        choices=ATTACH,
        default="right",
        help="words without links move with the next word on this side (default: "
        "right)",
    )
    parser.add_argument("--units", metavar="FILE", help="also write all units there")
    flags.add_output(parser)
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no progress and no remarks"
    )
    return parser
