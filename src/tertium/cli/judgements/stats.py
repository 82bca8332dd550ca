# SPDX-License-Identifier: Apache-2.0
"""``tertium judgements stats``: counts and shares of judgements."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

from tertium.cli.judgements.verb import add_judgements, read
from tertium.cli.shared import flags
from tertium.cli.shared.render import Table, emit, render

if TYPE_CHECKING:
    from tertium.judgements.summary import Summary

__all__ = ["stats"]

_ABOUT = """\
Count judges, systems, segments and judgements of every kind, by language pair and
campaign, or by other columns. Or show what ratings were made of, or who the judges
were.
"""

_EXAMPLES = """\
  tertium judgements stats demo
  tertium judgements stats wmt12 --by langpair judge
  tertium judgements stats wmt12 --by system --only langpair=de-en -f tsv
  tertium judgements stats wmt12 -f json | jq '.groups[] | .ties'
  tertium judgements stats demo --composition --texts demo
  tertium judgements stats answers --people judges.tsv

The JSON has one object: {"tertium": VERSION, "by": [COLUMN], "groups": [{"kind",
"group": {COLUMN: VALUE or null}, "judges", "systems", "segments", "judgements",
"comparisons", "ties", "garbage", "first", "last", "duration"}]}. Ties are a share of
comparisons, garbage is one of ranked outputs; times are ISO 8601, the duration is the
median in seconds. What is unknown is null.

With --composition it is {"tertium", "composition": [{"scale", "ratings", "positions",
"trend", "questionnaires", "between", "languages", "lengths"}]}; parts have "name",
"ratings", "mean", "deviation", tests "statistic", "p", "n", and lengths "outputs",
"reference", "hypothesis", "pearson". With --people it is {"tertium", "judges":
[{"judge", "age", "education", "languages", "points"}], "groups": [{"question",
"answer", "judges", "judgements"}], "unknown", "absent"}.
"""

_NOTE = """\
ties: share of comparisons of two systems. garbage: share of ranked outputs.
seconds: median for a judgement."""


def stats(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.judgements.summary import GROUPS, summarise

    parser = flags.parser("judgements stats", _ABOUT, _EXAMPLES)
    add_judgements(parser)
    parser.add_argument(
        "--by",
        nargs="+",
        choices=GROUPS,
        default=["langpair", "campaign"],
        metavar="COLUMN",
        help=f"columns (default: langpair campaign): {', '.join(GROUPS)}",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--composition",
        action="store_true",
        help="ratings by position, questionnaire and source language, and lengths; "
        "from the metadata position, questionnaire, source_language, reference and "
        "hypothesis",
    )
    instead.add_argument(
        "--people",
        metavar="FILE",
        help="age, education, languages and language points of judges: TSV with the "
        "columns judge, age, education, languages (English:native; German:fluent)",
    )
    parser.add_argument(
        "--texts",
        metavar="TESTSET",
        help="with --composition: where texts are, if ratings do not have them",
    )
    flags.add_output(parser)
    args = parser.parse_args(argv)
    if args.texts is not None and not args.composition:
        parser.error("--texts goes with --composition")
    if args.composition or args.people is not None:
        from tertium.cli.judgements.makeup import composition, people

        show = composition if args.composition else people
        show(read(args), args)
        return 0
    by = list(dict.fromkeys(args.by))
    found = summarise(read(args), by)
    if args.format == "json":
        emit(_json(found, by), args.output)
        return 0
    programs = flags.for_programs(args)
    times = ["first", "last"] if programs else ["time"]
    counts = ["judges", "systems", "segments", "judgements", "comparisons"]
    head = ["kind", *by, *counts, "ties", "garbage", *times, "seconds"]
    shares = flags.digits(args)
    unknown = "" if programs else "-"
    none = "" if programs else "n/a"
    rows = []
    for each in found:
        row = [each.kind, *(each.group[column] or unknown for column in by)]
        row += [str(each.judges), str(each.systems), str(each.segments)]
        row += [str(each.judgements)]
        row.append(none if each.comparisons is None else str(each.comparisons))
        row += [_number(each.ties, shares, 3), _number(each.garbage, shares, 3)]
        row += _times(each) if programs else [_span(each)]
        row.append(_number(each.duration, shares, 1))
        rows.append(row)
    table = Table(head, rows, note=_NOTE, left=1 + len(by))
    render([table], args.format, output=args.output)
    return 0


def _json(found: Sequence[Summary], by: Sequence[str]) -> str:
    from tertium._version import __version__

    def moment(value: object) -> str:
        if isinstance(value, datetime):
            return value.isoformat()
        raise TypeError

    groups = [asdict(each) for each in found]
    whole = {"tertium": __version__, "by": list(by), "groups": groups}
    return json.dumps(whole, ensure_ascii=False, indent=2, default=moment)


def _number(value: float | None, digits: int | None, usual: int) -> str:
    if value is None:
        return "" if digits == -1 else "n/a"
    if digits == -1:
        return repr(value)
    return f"{value:.{usual if digits is None else digits}f}"


def _times(each: Summary) -> list[str]:
    return [m.isoformat() if m else "" for m in (each.first, each.last)]


def _span(each: Summary) -> str:
    if each.first is None or each.last is None:
        return "n/a"
    first, last = each.first.date().isoformat(), each.last.date().isoformat()
    return first if first == last else f"{first} - {last}"
