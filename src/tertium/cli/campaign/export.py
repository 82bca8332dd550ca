# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign export``: judgements into files."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from tertium._messages import count
from tertium.cli.campaign import database
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import frozen, parse
from tertium.errors import InputError, UnknownNameError

__all__ = ["export"]

_ABOUT = """\
Write the judgements of a campaign. Judges appear under pseudonyms. `answers` has
everything, attention checks included; csv, tsv and xlsx are tables for people and
spreadsheets. rank, agree and correlate read these and the other formats.
"""
_EXAMPLES = """\
  tertium campaign export news -o answers.jsonl
  tertium campaign export news -o news.xlsx
  tertium campaign export news -o store --format parquet
  tertium campaign export news -o news.csv --format wmt-csv
  tertium campaign export study -o study.tsv --format likert-tsv --archive
  tertium campaign export study --participants people.tsv --items set.jsonl
  tertium correlate set.jsonl -J study.tsv --gold likert-order -m chrf \\
      --coef spearman:none --slice permutation

formats:
{formats}
`tertium campaign import` reads all of them but csv, tsv, xlsx, mtme and pairs.
"""


@frozen
class Options(database.Database):
    """The options of the action."""

    campaign: str
    output: str | None
    format: str | None
    participants: str | None
    items: str | None
    codebook: str | None
    all: bool
    archive: bool

    def sides(self) -> dict[str, str]:
        """Return the files to write beside judgements, by what they hold."""
        from tertium.campaigns.exchange.formats import SIDES

        paths = {name: getattr(self, name) for name in SIDES}
        return {name: path for name, path in paths.items() if path is not None}


def export(argv: Sequence[str]) -> int:
    """Write the judgements of a campaign, and what lies beside them."""
    from tertium.campaigns.exchange.formats import SIDES, format_of, formats

    options = _options(argv)
    sides = options.sides()
    if options.output is None and not sides:
        message = "nothing to write; name a file with -o, or one of --"
        raise InputError(message + ", --".join(SIDES))
    if options.format is not None and options.format not in formats():
        raise UnknownNameError("export format", options.format, formats())
    kind = "" if options.output is None else format_of(options.output, options.format)
    database.start(options, change=False)
    from tertium.campaigns.exchange.exporting import tally, write_file
    from tertium.campaigns.lookup import find_campaign
    from tertium.campaigns.tasks import get_task

    campaign = find_campaign(options.campaign)
    if options.output is not None:
        archive = options.archive or None
        counts = write_file(campaign, options.output, kind, archive=archive)
        judges = get_task(campaign.task).judges_to_archive(campaign)
        kinds = tally(campaign, judges=judges if archive else None)
        written = f"wrote {_written(counts)} to {options.output}"
        remark(options, written + _sources(counts, kinds))
    for name, path in sides.items():
        write_file(campaign, path, name, archive=False if options.all else None)
        remark(options, f"wrote {name} to {path}")
    return 0


def _options(argv: Sequence[str]) -> Options:
    from tertium.campaigns.exchange.formats import SIDES

    parser = flags.parser(
        "campaign export", _ABOUT, _EXAMPLES.format(formats=_formats())
    )
    parser.add_argument("campaign", metavar="NAME")
    parser.add_argument("-o", "--output", metavar="FILE", help="the judgements")
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="one of those below (default: by the suffix of FILE; .jsonl is answers, "
        ".csv, .tsv and .xlsx are tables, .sqlite and .parquet stores)",
    )
    for name, about in SIDES.items():
        more = ": .csv, .tsv or .jsonl; see --all" * (name == "participants")
        parser.add_argument(f"--{name}", metavar="FILE", help=f"{about}{more}")
    flags.add_switch(parser, "--all", help="with --participants: all of them")
    flags.add_switch(
        parser, "--archive", help="only judgements of those who agreed to archiving"
    )
    database.add_database(parser)
    return parse(parser, argv, Options)


def _formats() -> str:
    """Return the formats, one per line, with what each loses below it."""
    from tertium.campaigns.exchange.formats import formats, losses

    lines = []
    for name, about in formats().items():
        lines.append(f"  {name:<13}  {about}\n")
        if lost := ", ".join(map(str, losses(name))):
            wrapped = textwrap.wrap(f"without {lost}", 86 - 17)
            lines += [f"{'':17}{line}\n" for line in wrapped]
    return "".join(lines)


def _written(counts: Mapping[str, int]) -> str:
    parts = [f"{n} {name if n != 1 else name[:-1]}" for name, n in counts.items() if n]
    return ", ".join(parts) or "no judgement, as there is none yet,"


def _sources(counts: Mapping[str, int], kinds: Mapping[str, int]) -> str:
    """Return which judgements are in a file and which are not, for who counts them."""
    numbers = {
        "judgement": kinds["work"],
        "attention check": kinds["check"],
        "training judgement": kinds["training"],
    }
    if not any(numbers.values()):
        return ""
    if "answers" in counts:
        return f": {_listed([count(n, what) for what, n in numbers.items() if n])}"
    inside = count(numbers.pop("judgement"), "judgement")
    others = [count(n, what) for what, n in numbers.items() if n]
    return f", from {inside}" + (f"; without {_listed(others)}" if others else "")


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
