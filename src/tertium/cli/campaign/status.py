# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign status``: the progress of campaigns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._version import __version__
from tertium.cli.campaign import database
from tertium.cli.shared import flags
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.values import Output, frozen, parse
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.campaigns.dashboard.progress import Progress

__all__ = ["status"]

_ABOUT = "Show the progress of campaigns: items, judgements, people, time per item.\n"
_EXAMPLES = """\
  tertium campaign status
  tertium campaign status news -f json

The JSON is {"tertium": VERSION, "campaigns": [{"campaign": NAME, "title": TEXT,
"task": TASK, "phase": PHASE, "items": N, "judged": N, "wanted": N, "first": N,
"under_way": N, "judgements": N, "annotators": N, "judges": N, "seconds": X or null}]};
seconds is the median per item, wanted and first are first judgements.
"""
_NOTE = """\
items: pages to judge; judged: those with all first judgements that the plan wants.
judgements: all of them, repeated items and attention checks included, training not; by
judges, the people who made them. seconds: median per item, without breaks.
An export has one ranking or rating per part of a judgement (segment, question), and
agreement compares candidates two by two, so their numbers are larger."""


@frozen
class Options(Output, database.Database):
    """The options of the action."""

    campaign: list[str]


def status(argv: Sequence[str]) -> int:
    """Show the progress of campaigns."""
    parser = flags.parser("campaign status", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "campaign", metavar="NAME", nargs="*", help="campaigns (default: all)"
    )
    flags.add_output(parser)
    database.add_database(parser)
    options = parse(parser, argv, Options)
    database.start(options, change=False)
    from tertium.campaigns.dashboard.progress import progress
    from tertium.campaigns.lookup import find_campaigns

    _show([progress(one) for one in find_campaigns(options.campaign)], options)
    return 0


def _show(campaigns: Sequence[Progress], options: Options) -> None:
    if options.format == "json":
        shown = {
            "tertium": __version__,
            "campaigns": [one.to_dict() for one in campaigns],
        }
        emit(f"{json.dumps(shown, ensure_ascii=False)}\n", options.output)
        return
    missing = "" if options.style.for_programs else "n/a"
    digits = 1 if options.digits is None else options.digits
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
        for one in campaigns
    ]
    table = Table(head, rows, note=_NOTE, left=3)
    render([table], options.format, output=options.output)
