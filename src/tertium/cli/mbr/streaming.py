# SPDX-License-Identifier: Apache-2.0
"""Lists that are read one by one, and choices that are written one by one."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.mbr.output import Choice
from tertium.cli.shared.executors import threads_of, working
from tertium.cli.shared.parsers import note_facts
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_note, remark_notes
from tertium.cli.shared.values import Place, Run, frozen
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.notes import Note
    from tertium.tuning.lists import NBestList
    from tertium.tuning.mbr import MbrList, MbrResult

__all__ = ["Options", "is_streamed", "note_choice", "remark_result", "stream_picks"]

_SYSTEM = "mbr"


@frozen
class Options(Choice, Place, Run):
    """The options of the verb."""

    metrics: Sequence[str]
    references: Sequence[str] | None
    scores: list[str]
    keep: int | None
    lower_is_better: list[str]
    higher_is_better: list[str]
    utility_weights: str
    scale: float
    aggregate: bool
    prune: float | None
    rows_per_shard: int | None
    compress: str | None


def is_streamed(options: Options) -> bool:
    """Return whether lists are read one by one.

    Raises
    ------
    InputError
        When options on shards do not go together.
    """
    if options.rows_per_shard is not None:
        from tertium.data.partitions.writing import check_partitions

        check_partitions("jsonl", options.compress, options.rows_per_shard)
        if options.output is None or options.top != 1:
            message = "shards go to a folder, with one choice per list"
            raise InputError(f"{message}; give -o FOLDER, and omit --top")
        if options.chosen_format != "text":
            raise InputError("shards are a test set in JSONL; omit -f")
        return True
    if options.compress is not None:
        raise InputError("--compress is for shards; add --rows-per-shard")
    if not any(os.path.isdir(path) for path in options.nbest):
        return False
    return options.chosen_format == "text" and options.top == 1


def stream_picks(options: Options) -> int:
    """Choose from lists, write what was chosen, and return the exit code."""
    from tertium.tuning.mbr import MbrStream
    from tertium.tuning.reading import stream_nbest

    held: deque[NBestList] = deque()

    def lists() -> Iterator[NBestList]:
        for each in stream_nbest(options.nbest, on_note=listen):
            held.append(each)
            yield each

    def listen(note: Note) -> None:
        remark_note(options, note)

    references = None
    if options.references is not None:
        references = stream_nbest(options.references, on_note=listen)
    stream = MbrStream(
        lists(),
        options.metrics,
        references=references,
        utility_weights=options.utility_weights,
        scale=options.scale,
        aggregate=options.aggregate,
        prune=options.prune,
        seed=options.seed,
        threads=threads_of(options, options.threads),
    )
    with working(options), Progress("lists", quiet=options.quiet) as progress:

        def picks() -> Iterator[tuple[NBestList, str]]:
            for number, each in enumerate(stream, start=1):
                yield held.popleft(), _text(each)
                progress(number)

        _write(options, picks())
    remark_result(options, stream.result)
    note_choice(stream.result, stream.done)
    return 0


def _text(each: MbrList) -> str:
    return each.best[0].text


def _write(options: Options, picks: Iterator[tuple[NBestList, str]]) -> None:
    if options.rows_per_shard is None:
        from tertium.data.lines import write_lines

        lines = (" ".join(text.splitlines()) for _, text in picks)
        write_lines(options.output or "-", lines)
        return
    from tertium.data.partitions import write_partitions

    manifest = write_partitions(
        _testsets(picks),
        options.output or "",
        compression=options.compress,
        rows=options.rows_per_shard,
    )
    remark(
        options,
        f"wrote {count(manifest.rows, 'choice')} to {options.output} in "
        f"{count(len(manifest.shards), 'shard')}",
    )


def _testsets(picks: Iterator[tuple[NBestList, str]]) -> Iterator[Testset]:
    """Yield choices as chunks of a test set."""
    from itertools import islice

    from tertium.data.testset import CHUNK, Testset

    first: NBestList | None = None
    while chunk := list(islice(picks, CHUNK)):
        first = first or chunk[0][0]
        for each, _ in chunk:
            if (each.source is None) != (first.source is None) or (
                bool(each.references) != bool(first.references)
            ):
                message = (
                    f"the list {each.id} has not the same columns as the list "
                    f"{first.id}; give all lists sources and references, or none"
                )
                raise InputError(message)
        yield Testset(
            [each.references for each, _ in chunk],
            {_SYSTEM: [text for _, text in chunk]},
            sources=None
            if first.source is None
            else [each.source or "" for each, _ in chunk],
            ids=[each.id for each, _ in chunk],
        )


def note_choice(result: MbrResult, lists: int) -> None:
    """Take note of how choices from so many lists were made."""
    note_facts(
        lists=lists,
        methods=[] if result.method == "pairwise" else [result.method],
        metrics={spec: used.to_dict() for spec, used in result.metrics.items()},
    )


def remark_result(options: Options, result: MbrResult) -> None:
    """Write what to know about choices, and what pruning saved."""
    remark_notes(options, result)
    if result.prune is not None:
        share = 100 * result.pairs / max(1, result.all_pairs)
        remark(
            options,
            f"scored {result.pairs:,} of {result.all_pairs:,} pairs ({share:.0f} %); "
            f"in each list the chance that the best was dropped is below "
            f"{result.prune:g}, as far as a t-test holds",
        )
