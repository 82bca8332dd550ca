# SPDX-License-Identifier: Apache-2.0
"""``tertium nbest merge`` and ``convert``: n-best lists written elsewhere."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.nbest.files import FORMATS_HELP, Files, add_files, stream
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_note
from tertium.cli.shared.values import frozen, parse
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.tuning.lists import NBestList

__all__ = ["convert", "merge"]

_CONVERT = """\
Write n-best lists in another format. Whatever the format has no place for is an error;
with --lossy it is dropped, and a remark says so.
"""

_CONVERT_EXAMPLES = """\
  tertium nbest convert -n list.nbest.gz -r ref.txt -s src.txt -o list.jsonl
  tertium nbest convert -n samples.jsonl -o samples.nbest.gz --lossy
  tertium nbest convert -n cand.txt --params params.txt -o list.jsonl
  tertium nbest convert -n samples.jsonl -o cand.txt --to zmert --params-out params.txt
  tertium nbest convert -n samples.jsonl.gz -o samples --rows-per-shard 10000
"""

_MERGE = """\
Put the lists of several files, such as the iterations of a tuning run, into one file:
the hypotheses of a segment in the order of the files, without duplicates.
"""

_MERGE_EXAMPLES = """\
  tertium nbest merge -n run1.nbest.gz run2.nbest.gz -o both.nbest.gz
  tertium nbest merge -n a.jsonl b.jsonl -o all.jsonl --duplicates text
  tertium nbest merge -n a.nbest b.nbest -r ref.txt -o all.jsonl \\
    --duplicates statistics -m bleu

Duplicates share text and features (both), one of them, or the features and the
statistics of a metric (as in the extractor of Moses, which does not tell texts apart
that count the same). The first of them is kept.
"""


@frozen
class ConvertOptions(Files):
    """The options of ``convert``."""

    output: str
    to: str | None
    params_out: str | None
    lossy: bool
    rows_per_shard: int | None
    compress: str | None


@frozen
class MergeOptions(ConvertOptions):
    """The options of ``merge``."""

    duplicates: str
    metric: str | None


def convert(argv: Sequence[str]) -> int:
    """Run ``convert`` and return its exit code."""
    parser = flags.parser(
        "nbest convert", f"{_CONVERT}\n{FORMATS_HELP}", _CONVERT_EXAMPLES
    )
    _add_options(parser)
    options = parse(parser, argv, ConvertOptions)
    _write(stream(options), options)
    return 0


def merge(argv: Sequence[str]) -> int:
    """Run ``merge`` and return its exit code."""
    from tertium.tuning.merging import DUPLICATES, deduplicate

    parser = flags.parser("nbest merge", f"{_MERGE}\n{FORMATS_HELP}", _MERGE_EXAMPLES)
    _add_options(parser)
    parser.add_argument(
        "--duplicates",
        choices=(*DUPLICATES, "keep"),
        default="both",
        help="what duplicates share (default: both, text and features); keep: none are "
        "removed",
    )
    parser.add_argument(
        "-m", "--metric", metavar="SPEC", help="for --duplicates statistics"
    )
    options = parse(parser, argv, MergeOptions)
    if (options.metric is not None) != (options.duplicates == "statistics"):
        parser.error("--metric and --duplicates statistics go together")
    if options.duplicates == "keep":
        _write(stream(options), options)
    elif options.metric is None:
        lists = stream(options)
        _write(_distinct(lists, options.duplicates), options)
    else:
        from tertium.metrics import metric

        loaded = metric(options.metric)
        whole = list(stream(options))
        _write(deduplicate(whole, by="statistics", metric=loaded), options)
    return 0


def _distinct(lists: Iterable[NBestList], by: str) -> Iterator[NBestList]:
    from tertium.tuning.merging import deduplicate

    for each in lists:
        yield from deduplicate([each], by=by)


def _write(lists: Iterable[NBestList], options: ConvertOptions) -> None:
    from tertium._files import check_place
    from tertium.tuning.writing import format_of, write_nbest, write_nbest_shards

    kind = "jsonl" if options.rows_per_shard else format_of(options.output, options.to)
    if options.rows_per_shard is None:
        if options.compress is not None:
            raise InputError("--compress is for shards; add --rows-per-shard")
        check_place(options.output)
    elif options.to not in (None, "jsonl") or options.params_out is not None:
        raise InputError("shards of n-best lists are JSONL; omit --to")
    sizes = []

    def counted() -> Iterator[NBestList]:
        for each in lists:
            sizes.append(len(each))
            progress.phase("lists", len(sizes))
            yield each

    with Progress(quiet=options.quiet) as progress:
        if options.rows_per_shard is not None:
            write_nbest_shards(
                counted(),
                options.output,
                rows=options.rows_per_shard,
                compression=options.compress,
            )
            notes = []
        else:
            notes = write_nbest(
                counted(),
                options.output,
                format=kind,
                params=options.params_out,
                lossy=options.lossy,
            )
    for note in notes:
        remark_note(options, note)
    remark(
        options,
        f"wrote {count(len(sizes), 'list')} with {sum(sizes):,} hypotheses to "
        f"{options.output} ({kind})",
    )


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="`-` is stdout"
    )
    parser.add_argument(
        "--to",
        choices=("moses", "jsonl", "zmert"),
        help="the format (default: jsonl if the name of the file has .jsonl, or moses)",
    )
    parser.add_argument(
        "--params-out",
        metavar="FILE",
        help="with --to zmert: write the names of features there",
    )
    flags.add_shards(parser, "write a folder of JSONL shards with N lists each")
    flags.add_switch(parser, "--lossy", help="drop what the format has no place for")
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
