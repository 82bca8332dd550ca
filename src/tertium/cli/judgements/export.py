# SPDX-License-Identifier: Apache-2.0
"""``tertium judgements export`` and ``merge``: judgements written elsewhere."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.judgements.reading import add_judgements, remark_each
from tertium.cli.judgements.texts import (
    STORES,
    add_normalise,
    add_store,
    format_list,
)
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Remarks, frozen, parse
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgements import Judgements
    from tertium.notes import Note

__all__ = ["export", "merge"]

_EXPORT = """\
Write judgements of a store, or of files of any format, in one format. Most formats
lose something, as listed below; a remark says what these judgements lose.
"""

_EXPORT_EXAMPLES = """\
  tertium judgements export store -o all.jsonl
  tertium judgements export store -o de-en.csv --format wmt-csv --only langpair=de-en
  tertium judgements export demo -o pairs.tsv --format pairs
  tertium judgements export wmt12 -o scores.tsv --format likert-tsv --normalise rank
  tertium judgements export store -o batches.json --format appraise-batches
  tertium judgements export large -o shards --rows-per-shard 1000000 --compress zst
"""

_MERGE = """\
Put the judgements of several stores, or of files of any format, into a new store.
Nothing is left out, not even duplicates.
"""

_MERGE_EXAMPLES = """\
  tertium judgements merge wmt15 wmt16 -o both
  tertium judgements merge old.sqlite new.rankings.tsv -o all.sqlite
  tertium judgements merge large -o shards --rows-per-shard 1000000
"""

# Notes on what a format cannot hold.
_LOSSES = ("kinds-left-out", "details-lost")
_USUAL = "tertium-jsonl"
#: Endings of files that nobody expects JSON lines in.
_OTHERS = (".csv", ".tsv", ".xml", ".xlsx", ".parquet", ".sqlite", ".db")


@frozen
class MergeOptions(Remarks):
    """The options of ``merge``."""

    judgements: Sequence[str]
    only: Sequence[str]
    output: str
    rows_per_shard: int | None


@frozen
class ExportOptions(MergeOptions):
    """The options of ``export``."""

    format: str | None
    normalise: str | None
    compress: str | None


def export(argv: Sequence[str]) -> int:
    """Run ``export`` and return its exit code."""
    from tertium.judgements import Judgements
    from tertium.judgements.adjustment.normalised import normaliser
    from tertium.judgements.items import ITEM_FORMATS, export_items

    options = parse(_export_parser(), argv, ExportOptions)
    name = options.format or _usual(options)
    if name in ITEM_FORMATS:
        if options.only or options.normalise is not None:
            message = (
                f"{name} has whole files as they were read, with all judges; omit "
                "--only and --normalise, or choose another --format"
            )
            raise InputError(message)
        number = export_items(options.judgements, options.output, name=name)
        remark(options, f"wrote {count(number, 'item')} to {options.output}")
        return 0
    if options.normalise is not None:
        normaliser(options.normalise)  # a wrong one is an error before reading
    if options.rows_per_shard is not None and name != _USUAL:
        message = "shards of judgements are tertium-jsonl; omit --format"
        raise InputError(message)
    if options.rows_per_shard is None and options.compress is not None:
        raise InputError("--compress is for shards; add --rows-per-shard")
    judgements = Judgements.read(options.judgements, only=options.only, strict=True)
    notes = _write(options, judgements, name)
    losses = [note for note in notes if note.code in _LOSSES]
    remark_each(options, [note for note in notes if note not in losses])
    if losses:
        listed = "; ".join(map(str, losses))
        remark(options, f"{listed}; tertium-jsonl keeps everything")
    return 0


def _usual(options: ExportOptions) -> str:
    """Return the format that loses nothing, unless the file is called another one.

    Raises
    ------
    InputError
        When the name of the file promises a table or XML.
    """
    ending = Path(options.output).suffix.lower()
    if options.rows_per_shard is None and ending in _OTHERS:
        message = (
            f"{options.output} would have JSON lines; name the format of {ending} "
            "(--format), or a file that ends with .jsonl"
        )
        raise InputError(message)
    return _USUAL


def _write(options: ExportOptions, judgements: Judgements, name: str) -> Sequence[Note]:
    from tertium.judgements import write_judgements
    from tertium.judgements.writing import write_judgement_shards

    if options.rows_per_shard is not None:
        return write_judgement_shards(
            judgements,
            options.output,
            rows=options.rows_per_shard,
            compression=options.compress,
            normalise=options.normalise,
        )
    return write_judgements(
        judgements,
        options.output,
        format=name,
        normalise=options.normalise,
    )


def merge(argv: Sequence[str]) -> int:
    """Run ``merge`` and return its exit code."""
    from tertium.judgements import Judgements, write_store
    from tertium.judgements.items import add_items, stored_items
    from tertium.judgements.store import check_store_place, is_store
    from tertium.judgements.summary import describe

    parser = flags.parser("judgements merge", f"{_MERGE}\n{STORES}", _MERGE_EXAMPLES)
    add_judgements(parser)
    add_store(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    options = parse(parser, argv, MergeOptions)
    check_store_place(options.output, rows=options.rows_per_shard)
    judgements = Judgements.read(options.judgements, only=options.only, strict=True)
    write_store(judgements, options.output, rows=options.rows_per_shard)
    stores = list(filter(is_store, options.judgements))
    if options.only and any(stored_items(path) for path in stores):
        # They have everybody's judgements.
        remark(options, "files as they were read are left out, because of --only")
        stores = []
    for path in stores:
        add_items(options.output, stored_items(path))
    remark(options, f"wrote {describe(judgements)} to {options.output}")
    return 0


def _export_parser() -> argparse.ArgumentParser:
    from tertium.judgements import FORMATS
    from tertium.judgements.items import ITEM_FORMATS

    examples = f"{_EXPORT_EXAMPLES}\n{format_list(writable=True)}"
    parser = flags.parser("judgements export", _EXPORT, examples)
    add_judgements(parser)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="`-` is stdout"
    )
    names = [name for name, kind in FORMATS.items() if kind.write is not None]
    parser.add_argument(
        "--format",
        choices=[*names, *ITEM_FORMATS],
        metavar="NAME",
        help="(default: tertium-jsonl, which loses nothing)",
    )
    add_normalise(parser)
    flags.add_shards(parser, "write a folder of JSONL shards with N judgements each")
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    return parser
