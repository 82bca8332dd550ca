# SPDX-License-Identifier: Apache-2.0
"""``tertium score --rows-per-shard N``: segment scores in a folder of shards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.cli.score.verb import Options
    from tertium.engine.results import ScoreTable

__all__ = ["check_shards", "write_shards"]


def check_shards(options: Options) -> None:
    """Reject options that do not go with shards, before long work."""
    if options.rows_per_shard is None:
        if options.compress is not None:
            raise InputError("--compress is for shards; add --rows-per-shard")
        return
    from tertium._files import check_folder
    from tertium.data.formats import extension_of

    if not options.segments or options.output in (None, "-", "/dev/stdout"):
        message = "shards have segment scores and go to a folder"
        raise InputError(f"{message}; give --segments and -o FOLDER")
    if options.worst is not None or options.documents or options.joined:
        message = "shards have segment scores; omit --worst, --documents and --joined"
        raise InputError(message)
    if options.format != "table":
        raise InputError("shards are JSONL; omit -f")
    output = options.output or ""
    if options.excel or extension_of(output):
        message = f"{output} has the extension of a file, and shards go to a folder"
        raise InputError(f"{message}; give a name without it")
    check_folder(output)


def write_shards(options: Options, table: ScoreTable) -> None:
    """Write the segment scores, and say how many shards there are."""
    from tertium.engine.score_shards import without_segments, write_score_shards

    # A record has the hashes of the shards; their scores would not fit into it.
    note_result(without_segments(table).to_json, segments=table.segments)
    with Progress("rows", quiet=options.quiet) as progress:
        manifest = write_score_shards(
            table,
            options.output or "",
            rows=options.rows_per_shard or 0,
            compression=options.compress,
            progress=progress,
        )
    remark(
        options,
        f"wrote {count(manifest.rows, 'row')} of segment scores to {options.output} in "
        f"{count(len(manifest.shards), 'shard')}",
    )
