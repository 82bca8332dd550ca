# SPDX-License-Identifier: Apache-2.0
"""``tertium judgements import``: files of other tools read into a store."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from tertium._messages import count
from tertium.cli.judgements.reading import remark_each
from tertium.cli.judgements.texts import STORES, add_normalise, add_store, format_list
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Remarks, frozen, parse

__all__ = ["import_"]

_IMPORT = """\
Read files of judgements into a store. The format of each file is detected. Rows that
cannot be read are set aside in a file, with file, line and reason; the exit code is
0 nevertheless, and 2 with --strict, which then writes nothing.
"""

_IMPORT_EXAMPLES = """\
  tertium judgements import wmt12.RNK_results.csv.gz -o wmt12
  tertium judgements import *.rankings.tsv.gz -o wmt15.sqlite --campaign wmt15
  tertium judgements import mine.txt -o store --format pairs --langpair de-en
  tertium judgements import answers.json -o store --systems systems.tsv
  tertium judgements import asked.tsv -o store --normalise likert=5
  tertium judgements import large.jsonl.zst -o store --rows-per-shard 1000000
  tertium judgements import esa.csv -o store --batches batches.json
  tertium judgements import esa.csv batches.json -o store    the same, and keep batches
"""


@frozen
class Options(Remarks):
    """The options of the action."""

    files: Sequence[str]
    output: str
    rows_per_shard: int | None
    format: str | None
    langpair: str | None
    campaign: str | None
    scale: str | None
    systems: str | None
    keep_unmatched: bool
    batches: str | None
    normalise: str | None
    strict: bool
    quarantine: str | None


def import_(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.judgements import import_judgements
    from tertium.judgements.sources import check_distinct, with_demo
    from tertium.judgements.summary import describe

    parser = _parser()
    options = parse(parser, argv, Options)
    if options.keep_unmatched and options.systems is None:
        parser.error("--keep-unmatched goes with --systems")
    check_distinct(options.files)
    with Progress("judgements", quiet=options.quiet) as progress:
        result = import_judgements(
            with_demo(options.files),
            out=options.output,
            rows=options.rows_per_shard,
            format=options.format,
            langpair=options.langpair,
            campaign=options.campaign,
            scale=options.scale,
            batches=options.batches,
            systems=options.systems,
            keep_unmatched=options.keep_unmatched,
            normalise=options.normalise,
            strict=options.strict,
            quarantine=options.quarantine or f"{options.output.rstrip(os.sep)}.bad.tsv",
            progress=progress,
        )
    kinds = ", ".join(sorted(set(result.formats.values())))
    files = count(len(result.formats), "file")
    what = describe(result.judgements) if result.number or not result.items else ""
    shown = count(sum(len(one.contents) for one in result.items), "item")
    parts = [part for part in (what, shown if result.items else "") if part]
    written = " and ".join(parts)
    remark(options, f"wrote {written} of {files} ({kinds}) to {options.output}")
    remark_each(options, result.notes)
    return 0


def _parser() -> argparse.ArgumentParser:
    from tertium.judgements import FORMATS
    from tertium.judgements.items import ITEM_FORMATS

    examples = f"{_IMPORT_EXAMPLES}\n{format_list(writable=False)}"
    parser = flags.parser("judgements import", f"{_IMPORT}\n{STORES}", examples)
    parser.add_argument("files", nargs="+", metavar="FILE", help="`-` is stdin")
    add_store(parser)
    parser.add_argument(
        "--format",
        choices=list(FORMATS | ITEM_FORMATS),
        metavar="NAME",
        help="(default: detected)",
    )
    parser.add_argument(
        "-l",
        "--langpair",
        metavar="SRC-TRG",
        help="of all judgements (default: what the file, or its name, says)",
    )
    parser.add_argument("--campaign", metavar="NAME", help="of all judgements")
    parser.add_argument(
        "--scale", metavar="NAME", help="of ratings whose file does not name one"
    )
    parser.add_argument(
        "--systems",
        metavar="FILE",
        help="who produced which candidate, where only texts were judged: TSV with "
        "the columns segment, part, system, text",
    )
    flags.add_switch(
        parser,
        "--keep-unmatched",
        help="with --systems: keep candidates that no system has, which count for "
        "agreement only (default: an error that lists them)",
    )
    parser.add_argument(
        "--batches",
        metavar="FILE",
        help="the batches of an Appraise campaign (JSON): exports then name segments "
        "by their line in the test set, and error spans get their texts",
    )
    add_normalise(parser)
    flags.add_switch(parser, "--strict", help="fail at the first bad row")
    parser.add_argument(
        "--quarantine",
        metavar="FILE",
        help="where bad rows go (default: STORE.bad.tsv)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    return parser
