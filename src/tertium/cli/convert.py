# SPDX-License-Identifier: Apache-2.0
"""``tertium convert``: test sets from one format to another."""

from __future__ import annotations

from collections.abc import Sequence

from tertium._messages import count
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark

__all__ = ["command"]

_ABOUT = """\
Convert a test set between formats: TSV, CSV, Excel, JSONL, Parquet, WMT XML, and
folders of plain text or WMT SGML files. A format that cannot hold a text exactly
refuses it.
"""

_EXAMPLES = """\
  tertium convert newstest.tsv.gz -o newstest.jsonl
  tertium convert -s src.txt -r ref.txt -i A=a.txt B=b.txt -o all.tsv
  tertium convert newstest.xml -o newstest --to plain
  tertium convert demo -o demo.parquet
  tertium convert newstest.jsonl -o newstest.xlsx
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    parser = flags.parser("convert", _ABOUT, _EXAMPLES)
    flags.add_input(parser)
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="PATH",
        help="the file (its extension says the format), or a folder",
    )
    parser.add_argument(
        "--to",
        metavar="FORMAT",
        help="plain, tsv, csv, xlsx, jsonl, parquet, sgml or xml",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    args = parser.parse_args(argv)
    from tertium.data import write
    from tertium.data.io import output_format

    output_format(args.output, args.to)  # An error here comes before long work.
    testset = flags.read_testset(args)
    write(testset, args.output, format=args.to)
    remark(
        args,
        f"wrote {count(len(testset), 'segment')} and "
        f"{count(len(testset.systems), 'system')} to {args.output}",
    )
    return 0
