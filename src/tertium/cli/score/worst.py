# SPDX-License-Identifier: Apache-2.0
"""``tertium score --worst N``: the worst segments, ready for ``tertium explain``."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared.executors import threads_of
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_note
from tertium.cli.shared.render import write_excel, write_result
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.cli.score.verb import Options
    from tertium.engine.chunks import Chunk
    from tertium.engine.worst import WorstSegment

__all__ = ["list_worst"]


def list_worst(options: Options, chunks: Callable[[], Iterable[Chunk]]) -> int:
    """Score, and write the worst segments instead of the system scores."""
    from tertium.data.kept import keep_on_disk
    from tertium.engine.chunks import texts_of
    from tertium.engine.worst import worst_segments

    if options.segments or options.documents or options.interval is not None:
        message = "--worst lists segments; omit --segments, --documents and --interval"
        raise InputError(message)
    with Progress("segments", quiet=options.quiet) as progress:
        result = worst_segments(
            keep_on_disk(map(texts_of, chunks())),
            worst=options.worst or 0,
            metrics=options.metrics,
            threads=threads_of(options, options.threads),
            progress=progress,
        )
    in_tables = not options.style.for_programs and options.format != "json"
    for note in result.notes:
        if "system" not in note.values:
            remark_note(options, note)
        elif not in_tables:
            where = f"{note.values['system']}, {note.values['metric']}"
            remark(options, f"{where}: {note}")
    if options.excel:
        note_result(result.to_json)
        write_excel(options, result)
        return 0
    from tertium.report.tables.worst import worst_tables

    write_result(
        options,
        result.to_json,
        lambda: worst_tables(
            result,
            options.style,
            below=lambda system, spec: _explain(
                options, system, spec, result.of(system, spec)
            ),
        ),
    )
    return 0


def _explain(
    options: Options, system: str, spec: str, segments: Sequence[WorstSegment]
) -> str:
    """Return the command that explains segments."""
    if not segments:
        return ""
    words = ["tertium", "explain"]
    if testset := options.mtme or options.testset:
        words.append(testset)
    files = {
        "-r": options.references,
        "-i": options.systems,
        "-s": options.source and [options.source],
        "--permutations": options.permutations,
        "--alignments": options.alignments,
        "--trees": options.trees,
        "--ref-trees": options.ref_trees,
    }
    for flag, paths in files.items():
        if paths:
            words += [flag, *paths]
    for name in ("zero_based", "one_based", "sure_only"):
        if getattr(options, name):
            words.append(f"--{name.replace('_', '-')}")
    if options.input_format:
        words += ["--input-format", options.input_format]
    numbers = ",".join(str(item.segment) for item in segments)
    words += ["--system", system, "--segments", numbers, "-m", spec]
    return shlex.join(words)
