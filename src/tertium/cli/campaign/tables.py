# SPDX-License-Identifier: Apache-2.0
"""Tables of ``tertium campaign status``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from tertium._version import __version__
from tertium.cli.shared.render import Table, emit, render

if TYPE_CHECKING:
    from tertium.campaigns.dashboard.progress import Progress

__all__ = ["show_status"]


_NOTE = """\
items: pages to judge; judged: those with all first judgements that the plan wants.
judgements: all answers, repeated items and attention checks included, training not; by
judges, the people who gave them. seconds: median per item, without breaks.
An export has a ranking or rating for every part of a judgement (segment, question), and
agreement compares candidates two by two, so their numbers are larger."""


def show_status(found: Sequence[Progress], args: argparse.Namespace) -> None:
    """Show how far campaigns are."""
    if args.format == "json":
        campaigns = [asdict(one) for one in found]
        text = json.dumps(
            {"tertium": __version__, "campaigns": campaigns}, ensure_ascii=False
        )
        emit(f"{text}\n", args.output)
        return
    missing = "n/a" if args.format in ("table", "md", "latex", "html") else ""
    digits = 1 if args.digits is None else args.digits
    head = ["campaign", "task", "phase", "items", "judged", "under way"]
    head += ["judgements", "judges", "annotators", "seconds"]
    rows = [
        [
            one.campaign,
            one.task,
            one.phase,
            str(one.items),
            str(one.judged),
            str(one.under_way),
            str(one.judgements),
            str(one.judges),
            str(one.annotators),
            missing if one.seconds is None else f"{one.seconds:.{digits}f}",
        ]
        for one in found
    ]
    table = Table(head, rows, note=_NOTE, left=3)
    render([table], args.format, output=args.output)
