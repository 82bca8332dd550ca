# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign export``: judgements into files."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping, Sequence

from tertium._messages import count
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError, UnknownNameError

__all__ = ["export"]

_EXPORT = """\
Write the judgements of a campaign. Judges appear under pseudonyms. `answers` has
everything, attention checks included; csv, tsv and xlsx are tables for people and
spreadsheets. rank, agree and correlate read these and the other formats.
"""

#: More of what can be written beside judgements.
_MORE = {
    "participants": ": .csv, .tsv or .jsonl; see --all",
}


def export(argv: Sequence[str]) -> int:
    """Write the judgements of a campaign, and what lies beside them."""
    from tertium.campaigns.exchange.formats import SIDES, format_of, formats
    from tertium.cli.campaign.verb import add_database, start, the_campaign

    examples = (
        "  tertium campaign export news -o answers.jsonl\n"
        "  tertium campaign export news -o news.xlsx\n"
        "  tertium campaign export news -o store --format parquet\n"
        "  tertium campaign export news -o news.csv --format wmt-csv\n"
        "  tertium campaign export study -o study.tsv --format likert-tsv --archive\n"
        "  tertium campaign export study --participants people.tsv --items set.jsonl\n"
        "  tertium correlate set.jsonl -J study.tsv --gold likert-order -m chrf \\\n"
        "      --coef spearman:none --slice permutation\n\nformats:\n"
        + "".join(map(_format_line, formats().items()))
        + "\n`tertium campaign import` reads all of them but csv, tsv, xlsx, mtme and "
        "pairs.\n"
    )
    parser = flags.parser("campaign export", _EXPORT, examples)
    parser.add_argument("campaign", metavar="NAME")
    parser.add_argument("-o", "--output", metavar="FILE", help="the judgements")
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="one of those below (default: by the suffix of FILE; .jsonl is answers, "
        ".csv, .tsv and .xlsx are tables, .sqlite and .parquet stores)",
    )
    _add_survey(parser)
    add_database(parser)
    args = parser.parse_args(argv)
    sides = {name: path for name in SIDES if (path := getattr(args, name)) is not None}
    if args.output is None and not sides:
        message = "nothing to write; name a file with -o, or one of --" + ", --".join(
            SIDES
        )
        raise InputError(message)
    if args.format is not None and args.format not in formats():
        raise UnknownNameError("format of exports", args.format, formats())
    chosen = format_of(args.output, args.format) if args.output is not None else ""
    start(args, change=False)
    from tertium.campaigns.exchange.exporting import tally, write_file
    from tertium.campaigns.tasks import get_task

    campaign = the_campaign(args.campaign)
    if args.output is not None:
        counts = write_file(campaign, args.output, chosen, archive=args.archive or None)
        judges = get_task(campaign.task).judges_to_archive(campaign)
        kinds = tally(campaign, judges=judges if args.archive else None)
        said = f"wrote {_written(counts)} to {args.output}{_from(counts, kinds)}"
        remark(args, said)
    for name, path in sides.items():
        write_file(campaign, path, name, archive=False if args.all else None)
        remark(args, f"wrote {name} to {path}")
    return 0


def _format_line(named: tuple[str, object]) -> str:
    """Return a format, what it is and what it loses."""
    from tertium.campaigns.exchange.formats import losses

    name, about = named
    lost = textwrap.wrap(
        f"without {', '.join(map(str, losses(name)))}",
        86,
        initial_indent=" " * 17,
        subsequent_indent=" " * 17,
    )
    without = "".join(f"{line}\n" for line in lost) if losses(name) else ""
    return f"  {name:<13}  {about}\n{without}"


def _written(counts: Mapping[str, int]) -> str:
    said = [f"{n} {name if n != 1 else name[:-1]}" for name, n in counts.items() if n]
    return ", ".join(said) or "no judgement, as there is none yet,"


def _from(counts: Mapping[str, int], kinds: Mapping[str, int]) -> str:
    """Return which judgements are in a file and which are not, for who counts them."""
    said = {
        "judgement": kinds["work"],
        "attention check": kinds["check"],
        "training answer": kinds["training"],
    }
    if not any(said.values()):
        return ""
    parts = [count(n, what) for what, n in said.items() if n]
    if "answers" in counts:
        return f": {_listed(parts)}"
    inside = count(kinds["work"], "judgement")
    left = [count(n, what) for what, n in list(said.items())[1:] if n]
    return f", from {inside}" + (f"; without {_listed(left)}" if left else "")


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def _add_survey(parser: argparse.ArgumentParser) -> None:
    """Add what only surveys have."""
    from tertium.campaigns.exchange.formats import SIDES

    for name, about in SIDES.items():
        more = _MORE.get(name, "")
        parser.add_argument(f"--{name}", metavar="FILE", help=f"{about}{more}")
    parser.add_argument(
        "--all", action="store_true", help="with --participants: all of them"
    )
    parser.add_argument(
        "--archive",
        action="store_true",
        help="only judgements of those who agreed to archiving",
    )
