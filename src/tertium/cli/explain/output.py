# SPDX-License-Identifier: Apache-2.0
"""What ``tertium explain`` writes: text, diagrams, a page or JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit, emit_json
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.cli.explain.options import Options
    from tertium.report.explain.explained import Explanation

__all__ = ["write"]


def write(explanations: Sequence[Explanation], options: Options) -> None:
    """Write explanations in the format asked for."""
    if options.format == "json":
        _write_json(explanations, options)
    elif options.format == "html":
        _write_page(explanations, options)
    elif options.format == "svg":
        _write_diagrams(explanations, options)
    else:
        _write_text(explanations, options)


def _write_json(explanations: Sequence[Explanation], options: Options) -> None:
    from tertium._version import __version__

    segments = []
    for explanation in explanations:
        segment = explanation.to_dict()
        del segment["tertium"]
        segments.append(segment)
    out = {"tertium": __version__, "segments": segments}
    emit_json(out, options.output)


def _write_page(explanations: Sequence[Explanation], options: Options) -> None:
    from tertium.report.explain import render_page

    title = "Why this score?" if len(explanations) == 1 else "Why these scores?"
    page = render_page(
        explanations, title=title, diagrams=options.draw, relations=_relations(options)
    )
    emit(page, options.output)
    if options.output is not None:
        remark(options, f"{count(len(explanations), 'segment')} in {options.output}")


def _relations(options: Options) -> int | None:
    from tertium.report.explain.findings import RELATIONS

    return None if options.all else RELATIONS


def _write_diagrams(explanations: Sequence[Explanation], options: Options) -> None:
    from tertium.report.explain.files import diagram_files

    diagrams = diagram_files(explanations, options.draw)
    if options.output is None or options.output.endswith(".svg"):
        if len(diagrams) == 1:
            (canvas,) = diagrams.values()
            emit(canvas.to_svg(), options.output)
            if options.output is not None:
                remark(options, f"1 diagram in {options.output}")
            return
        message = (
            f"{len(diagrams)} diagrams need a folder; give one with -o, or one diagram "
            "of one segment and one metric, such as --draw forest"
        )
        raise InputError(message)
    try:
        os.makedirs(options.output, exist_ok=True)
    except OSError as error:
        message = (
            f"cannot make the folder {options.output} ({error.strerror}); name another"
        )
        raise InputError(message) from None
    for name, canvas in diagrams.items():
        emit(canvas.to_svg(), os.path.join(options.output, name))
    remark(options, f"{count(len(diagrams), 'diagram')} in {options.output}")


def _write_text(explanations: Sequence[Explanation], options: Options) -> None:
    import shutil

    from tertium.report.explain import render_text

    terminal = options.output is None and sys.stdout.isatty()
    width = shutil.get_terminal_size((80, 24)).columns if terminal else 80
    colour = terminal and not os.environ.get("NO_COLOR")
    texts = [
        render_text(
            explanation,
            sections=options.draw,
            width=width,
            colour=colour,
            relations=_relations(options),
        )
        for explanation in explanations
    ]
    rule = "─" * width
    emit(f"\n{rule}\n\n".join(texts), options.output)
