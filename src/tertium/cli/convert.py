# SPDX-License-Identifier: Apache-2.0
"""``tertium convert``: test sets from one format to another."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium._messages import count
from tertium.cli.shared import flags, values
from tertium.cli.shared.inputs import add_input, read_testset
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Input, frozen

__all__ = ["Options", "command"]

_ABOUT = """\
Convert a test set between formats: TSV, CSV, Excel, JSONL, Parquet, WMT XML, and
folders of plain text or WMT SGML files. A format that cannot hold a text exactly
rejects it.
"""

_EXAMPLES = """\
  tertium convert newstest.tsv.gz -o newstest.jsonl
  tertium convert -s src.txt -r ref.txt -i A=a.txt B=b.txt -o all.tsv
  tertium convert newstest.xml -o newstest --to plain
  tertium convert demo -o demo.parquet
  tertium convert newstest.jsonl -o newstest.xlsx
"""


@frozen
class Options(Input):
    """The options of ``tertium convert``."""

    output: str
    to: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = values.parse(_parser(), argv, Options)
    from tertium.data import write
    from tertium.data.io import output_format

    output_format(options.output, options.to)  # An error here comes before long work.
    testset = read_testset(options)
    write(testset, options.output, format=options.to)
    remark(
        options,
        f"wrote {count(len(testset), 'segment')} and "
        f"{count(len(testset.systems), 'system')} to {options.output}",
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("convert", _ABOUT, _EXAMPLES)
    add_input(parser)
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="PATH",
        help="the file (its extension chooses the format), or a folder",
    )
    parser.add_argument(
        "--to",
        metavar="FORMAT",
        help="plain, tsv, csv, xlsx, jsonl, parquet, sgml or xml",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    return parser
