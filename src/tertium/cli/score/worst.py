# SPDX-License-Identifier: Apache-2.0
"""``tertium score --worst N``: the worst segments, ready for ``tertium explain``."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_note
from tertium.cli.shared.render import emit, render
from tertium.data.annotated import layer
from tertium.errors import InputError
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.cli.score.verb import Options
    from tertium.data.testset import Testset
    from tertium.engine.worst import WorstSegment, WorstSegments

__all__ = ["list_worst"]

_SHOWN = 60


def list_worst(options: Options, chunks: Callable[[], Iterable[Testset]]) -> int:
    """Score, and write the worst segments instead of the system scores."""
    from tertium.data.testset import join
    from tertium.engine.worst import worst_segments

    if options.segments or options.documents or options.interval is not None:
        message = "--worst lists segments; omit --segments, --documents and --interval"
        raise InputError(message)
    with Progress("segments", quiet=options.quiet) as progress:
        result = worst_segments(
            join(chunks()),
            worst=options.worst or 0,
            metrics=options.metrics,
            threads=options.threads,
            progress=progress,
        )
    in_tables = not options.style.for_programs and options.format != "json"
    for note in result.notes:
        if "system" not in note.values:
            remark_note(options, note)
        elif not in_tables:
            where = f"{note.values['system']}, {note.values['metric']}"
            remark(options, f"{where}: {note}")
    if options.format == "json":
        emit(result.to_json(), options.output)
    elif in_tables:
        render(list(_tables(result, options)), options.format, output=options.output)
    else:
        render([_one_table(result, options)], options.format, output=options.output)
    return 0


def _one_table(result: WorstSegments, options: Options) -> Table:
    """Return all segments in one table, for programs."""
    digits = options.style.places
    rows = [
        [
            item.metric,
            item.system,
            str(item.segment),
            result.scores.metrics[item.metric].show(item.score, digits),
            *_texts(item),
        ]
        for item in result.segments
    ]
    head = ["metric", "system", "segment", "score", "output", "reference"]
    return Table(head, rows, left=len(head))


def _tables(result: WorstSegments, options: Options) -> Iterator[Table]:
    """Yield one table per metric and system, with the command that explains it."""
    table, digits = result.scores, options.style.places
    labels = options.style.labels(table)
    notes = {
        (note.values["metric"], note.values["system"]): str(note)
        for note in result.notes
        if "system" in note.values
    }
    for spec, info in table.metrics.items():
        for name in table.systems:
            segments = result.of(name, spec)
            rows = [
                [
                    str(item.segment),
                    info.show(item.score, digits),
                    *(_cut(text) for text in _texts(item)),
                ]
                for item in segments
            ]
            head = ["segment", labels[spec], "output", "reference"]
            below = (notes.get((spec, name)), _explain(options, name, spec, segments))
            yield Table(
                head,
                rows,
                title=f"{name}: worst of {count(table.segments, 'segment')} under "
                f"{labels[spec]}",
                note="\n".join(filter(None, below)),
                left=len(head),
            )


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


def _texts(item: WorstSegment) -> tuple[str, str]:
    """Return the output, or its permutation, and the first reference."""
    perm = layer(item.output, "permutation")
    output = str(item.output) if perm is None else str(perm)
    return output, item.references[0] if item.references else ""


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1].rstrip()}…"
