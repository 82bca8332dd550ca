# SPDX-License-Identifier: Apache-2.0
"""``tertium judgements stats``: counts and shares of judgements."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._version import __version__
from tertium.cli.judgements.reading import add_judgements
from tertium.cli.shared import flags
from tertium.cli.shared.render import emit_json, render
from tertium.cli.shared.values import Output, frozen, parse

if TYPE_CHECKING:
    pass

__all__ = ["Options", "stats"]

_ABOUT = """\
Count judges, systems, segments and judgements of every kind, by language pair and
campaign, or by other columns. Or show how ratings are composed, or who the judges
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
median in seconds. Unknown values are null.

With --composition it is {"tertium", "composition": [{"scale", "ratings", "positions",
"trend", "questionnaires", "between", "languages", "lengths"}]}; parts have "name",
"ratings", "mean", "deviation", tests "statistic", "p", "n", and lengths "outputs",
"reference", "hypothesis", "pearson". With --people it is {"tertium", "judges":
[{"judge", "age", "education", "languages", "points"}], "groups": [{"question",
"answer", "judges", "judgements"}], "unknown", "absent"}.
"""


@frozen
class Options(Output):
    """The options of the action."""

    judgements: Sequence[str]
    only: Sequence[str]
    by: Sequence[str]
    composition: bool
    people: str | None
    texts: str | None


def stats(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.judgements import Judgements, summarise

    parser = _parser()
    options = parse(parser, argv, Options)
    if options.texts is not None and not options.composition:
        parser.error("--texts goes with --composition")
    judgements = Judgements.read(options.judgements, only=options.only, strict=True)
    if options.composition or options.people is not None:
        from tertium.cli.judgements.makeup import show_composition, show_people

        show = show_composition if options.composition else show_people
        show(judgements, options)
        return 0
    by = list(dict.fromkeys(options.by))
    groups = summarise(judgements, by)
    if options.format == "json":
        shown = [group.to_dict() for group in groups]
        whole = {"tertium": __version__, "by": by, "groups": shown}
        emit_json(whole, options.output)
        return 0
    from tertium.report.tables.judgements import summary_table

    table = summary_table(groups, by, options.style)
    render([table], options.format, output=options.output)
    return 0


def _parser() -> argparse.ArgumentParser:
    from tertium.judgements.summary import GROUPS

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
    flags.add_switch(
        instead,
        "--composition",
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
    return parser
