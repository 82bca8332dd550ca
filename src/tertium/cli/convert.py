# SPDX-License-Identifier: Apache-2.0
"""``tertium convert``: test sets from one format to another."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared import flags, values
from tertium.cli.shared.inputs import add_input, stream_testset, testset_files
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Input, frozen
from tertium.data.formats import extension_of
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["Options", "command"]

_ABOUT = """\
Convert a test set between formats: TSV, CSV, Excel, JSONL, Parquet, WMT XML, and
folders of plain text or WMT SGML files. A format that cannot hold a text exactly
rejects it.

Segments are read and written piece by piece, so memory does not grow with the test set;
Excel, SGML and WMT XML are held as a whole. With --rows-per-shard the output is a
folder of shards with a manifest, which is read wherever a test set is.
"""

_EXAMPLES = """\
  tertium convert newstest.tsv.gz -o newstest.jsonl
  tertium convert -s src.txt -r ref.txt -i A=a.txt B=b.txt -o all.tsv
  tertium convert newstest.xml -o newstest --to plain
  tertium convert demo -o demo.parquet
  tertium convert newstest.jsonl -o newstest.xlsx
  tertium convert -r ref.txt -i A=a.txt --tokenize 13a -o tokenised --to plain
  tertium convert large.jsonl.gz -o large --rows-per-shard 100000 --compress zst
  tertium convert large -o large.parquet
"""


@frozen
class Options(Input):
    """The options of ``tertium convert``."""

    output: str
    to: str | None
    tokenize: str | None
    rows_per_shard: int | None
    compress: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = values.parse(_parser(), argv, Options)
    _check(options)  # An error here comes before long work.
    written = _Written()
    with (
        testset_files(options).outlook() as total,
        Progress("segments", quiet=options.quiet, total=total) as progress,
    ):
        chunks = written.count(stream_testset(options), progress)
        if options.tokenize is not None:
            name = options.tokenize
            chunks = (_tokenized(chunk, name) for chunk in chunks)
        what = _write(chunks, options)
    remark(
        options,
        f"wrote {count(written.segments, 'segment')} and "
        f"{count(written.systems, 'system')} to {options.output}{what}",
    )
    return 0


def _check(options: Options) -> None:
    from tertium.data.io import output_format

    if options.tokenize is not None:
        _words([], options.tokenize)
    if options.rows_per_shard is None:
        if options.compress is not None:
            message = (
                "--compress is for shards; add --rows-per-shard, or give the output "
                f"the extension .{options.compress}"
            )
            raise InputError(message)
        output_format(options.output, options.to)
        return
    from tertium.data.partitions.writing import check_partitions

    kind = options.to or "jsonl"
    check_partitions(kind, options.compress, options.rows_per_shard)
    if extension_of(options.output):
        message = (
            f"{options.output} has the extension of a file, and shards go to a folder; "
            "give a name without it, and the format with --to"
        )
        raise InputError(message)


def _write(chunks: Iterator[Testset], options: Options) -> str:
    """Write the test set, and return what to say about shards."""
    if options.rows_per_shard is None:
        from tertium.data import write_stream

        write_stream(chunks, options.output, format=options.to)
        return ""
    from tertium.data.partitions import write_partitions

    manifest = write_partitions(
        chunks,
        options.output,
        format=options.to or "jsonl",
        compression=options.compress,
        rows=options.rows_per_shard,
    )
    return f" in {count(len(manifest.shards), 'shard')}"


class _Written:
    """How much passed by."""

    segments = 0
    systems = 0

    def count(
        self, chunks: Iterator[Testset], progress: Callable[[int], None]
    ) -> Iterator[Testset]:
        for chunk in chunks:
            self.segments += len(chunk)
            self.systems = len(chunk.systems)
            yield chunk
            progress(self.segments)


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
    flags.add_shards(
        parser,
        "write a folder of shards with N segments each, as jsonl (default), parquet or "
        "plain (a folder of text files per shard)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    return parser
