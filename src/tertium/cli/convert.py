# SPDX-License-Identifier: Apache-2.0
"""``tertium convert``: test sets from one format to another."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared import flags, values
from tertium.cli.shared.inputs import add_input, read_testset
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Input, frozen
from tertium.errors import UnknownNameError

if TYPE_CHECKING:
    from tertium.data.testset import Testset

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
  tertium convert -r ref.txt -i A=a.txt --tokenize 13a -o tokenised --to plain
"""


@frozen
class Options(Input):
    """The options of ``tertium convert``."""

    output: str
    to: str | None
    tokenize: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = values.parse(_parser(), argv, Options)
    from tertium.data import write
    from tertium.data.io import output_format

    output_format(options.output, options.to)  # An error here comes before long work.
    if options.tokenize is not None:
        _words([], options.tokenize)
    testset = read_testset(options)
    if options.tokenize is not None:
        testset = _tokenized(testset, options.tokenize)
    write(testset, options.output, format=options.to)
    remark(
        options,
        f"wrote {count(len(testset), 'segment')} and "
        f"{count(len(testset.systems), 'system')} to {options.output}",
    )
    return 0


def _tokenized(testset: Testset, name: str) -> Testset:
    """Return the test set with outputs and references as tokens between spaces."""
    return replace(
        testset,
        systems={
            system: _words(texts, name) for system, texts in testset.systems.items()
        },
        references=[tuple(_words(refs, name)) for refs in testset.references],
    )


def _words(texts: Sequence[str], name: str) -> list[str]:
    from tertium.text.tokenizers import TOKENIZERS, tokenize

    if name not in TOKENIZERS:
        raise UnknownNameError("tokeniser", name, TOKENIZERS)
    return [" ".join(words) for words in tokenize(map(str, texts), name)]


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
    parser.add_argument(
        "--tokenize",
        metavar="NAME",
        help="write outputs and references as words separated by single spaces: 13a, "
        "intl, words, zh, char, ... (sources stay as they are)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    return parser
