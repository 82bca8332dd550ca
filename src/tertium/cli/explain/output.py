# SPDX-License-Identifier: Apache-2.0
"""What ``tertium explain`` writes: text, drawings, a page or JSON."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.report.explain.explained import Explanation

__all__ = ["write"]


def write(found: Sequence[Explanation], args: argparse.Namespace) -> None:
    """Write explanations in the format asked for."""
    if args.format == "json":
        _write_json(found, args)
    elif args.format == "html":
        _write_page(found, args)
    elif args.format == "svg":
        _write_drawings(found, args)
    else:
        _write_text(found, args)


def _write_json(found: Sequence[Explanation], args: argparse.Namespace) -> None:
    import json

    from tertium._version import __version__

    segments = []
    for explanation in found:
        own = explanation.to_dict()
        del own["tertium"]
        segments.append(own)
    out = {"tertium": __version__, "segments": segments}
    emit(json.dumps(out, ensure_ascii=False, indent=2), args.output)


def _write_page(found: Sequence[Explanation], args: argparse.Namespace) -> None:
    from tertium.report.explain import render_page

    title = "Why this score?" if len(found) == 1 else "Why these scores?"
    page = render_page(
        found, title=title, diagrams=args.draw, relations=_relations(args)
    )
    emit(page, args.output)
    if args.output is not None:
        remark(args, f"{count(len(found), 'segment')} in {args.output}")


def _relations(args: argparse.Namespace) -> int | None:
    from tertium.report.explain.findings import RELATIONS

    return None if args.all else RELATIONS


def _write_drawings(found: Sequence[Explanation], args: argparse.Namespace) -> None:
    from tertium.report.explain import DIAGRAMS
    from tertium.report.explain.diagrams import draw

    drawings = {
        f"{_prefix(explanation)}{name}{_suffix(spec)}.svg": draw(own, name, spec)
        for explanation in found
        for name in args.draw or DIAGRAMS
        for spec, own in explanation.each(name)
    }
    folder = args.output is not None and not args.output.endswith(".svg")
    if not folder:
        if len(drawings) == 1:
            (canvas,) = drawings.values()
            emit(canvas.to_svg(), args.output)
            if args.output is not None:
                remark(args, f"1 drawing in {args.output}")
            return
        message = (
            f"{len(drawings)} drawings need a folder; give one with -o, or one drawing "
            "of one segment and one metric, such as --draw forest"
        )
        raise InputError(message)
    try:
        os.makedirs(args.output, exist_ok=True)
    except OSError as error:
        message = (
            f"cannot make the folder {args.output} ({error.strerror}); name another"
        )
        raise InputError(message) from None
    for name, canvas in drawings.items():
        emit(canvas.to_svg(), os.path.join(args.output, name))
    remark(args, f"{count(len(drawings), 'drawing')} in {args.output}")


def _prefix(explanation: Explanation) -> str:
    parts = [] if explanation.segment is None else [f"{explanation.segment:04d}"]
    if explanation.system is not None:
        parts.append(_fit(explanation.system))
    return "".join(f"{part}-" for part in parts)


def _suffix(spec: str) -> str:
    return f"-{_fit(spec)}" if spec else ""


def _fit(name: str) -> str:
    """Return a name for a file: names may hold what paths may not."""
    return re.sub(r"[^\w.+=-]+", "_", name)


def _write_text(found: Sequence[Explanation], args: argparse.Namespace) -> None:
    import shutil

    from tertium.report.explain import render_text

    terminal = args.output is None and sys.stdout.isatty()
    width = shutil.get_terminal_size((80, 24)).columns if terminal else 80
    colour = terminal and not os.environ.get("NO_COLOR")
    texts = [
        render_text(
            explanation,
            sections=args.draw,
            width=width,
            colour=colour,
            relations=_relations(args),
        )
        for explanation in found
    ]
    rule = "─" * width
    emit(f"\n{rule}\n\n".join(texts), args.output)
