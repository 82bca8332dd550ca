# SPDX-License-Identifier: Apache-2.0
"""``tertium align``: links between words, made, joined, converted and evaluated."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tertium.cli.align.options import Options, parse
from tertium.cli.shared.caching import caching
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit, render
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.align import AlignmentQuality, Links


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = parse(argv)
    with caching(options):
        return _align(options)


def _align(options: Options) -> int:
    _announce(options)
    what = "iterations" if options.bilingual else "segments"
    with Progress(what, quiet=options.quiet) as progress:
        segments = options.run(threads=options.threads, progress=progress)
        links = None if options.gold is None else list(segments)
        if links is None:
            _write(segments, options)
    _name_tokeniser(options)
    if links is None:
        return 0
    quality = options.quality(links)
    if options.output is not None:
        _write(links, options)
    _show(quality, options.format)
    return 0


def _announce(options: Options) -> None:
    if options.command or options.priors or options.aligner == "eflomal":
        # The built-in aligner shows its progress.
        remark(options, "aligning in both directions, which may take a while")


def _name_tokeniser(options: Options) -> None:
    if options.tokenize not in (None, "none"):
        remark(
            options,
            f"these links count words tokenised by {options.tokenize}; to score with "
            f"them, set the same on metrics: `tertium score --alignments NAME=FILE "
            f"-m kendall:tokenize={options.tokenize}`",
        )


def _write(segments: Iterable[Links], options: Options) -> None:
    from tertium.align import write_naacl, write_pharaoh

    place = options.output or "-"
    if options.format == "json":
        links = [[link._asdict() for link in segment] for segment in segments]
        emit(_json({"links": links}), options.output)
    elif options.format == "naacl":
        write_naacl(place, segments)
    else:
        write_pharaoh(place, segments, base=options.first_word("output"))


def _show(quality: AlignmentQuality, format: str) -> None:
    figures = quality.to_dict()
    if format == "json":
        emit(_json({"quality": figures}), None)
        return
    row = [
        f"{figure:,}" if isinstance(figure, int) else f"{figure:.4f}"
        for figure in figures.values()
    ]
    names = {"f1": "F1", "aer": "AER ↓"}
    head = [names.get(name, name) for name in figures]
    render([Table(head, [row], left=0)], "table")


def _json(content: dict[str, object]) -> str:
    from tertium._version import __version__

    return json.dumps({"tertium": __version__, **content}, ensure_ascii=False)
