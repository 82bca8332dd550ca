# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign export``: judgements into files."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping, Sequence

from tertium.cli import options
from tertium.errors import InputError

__all__ = ["export"]

_EXPORT = """\
Write the judgements of a campaign. Judges appear under pseudonyms. `answers` has
everything, attention checks included; other formats hold what rank, agree and
correlate read.
"""

#: More of what can be written beside judgements.
_MORE = {
    "participants": ": .csv, .tsv or .jsonl; see --all",
}


def export(argv: Sequence[str]) -> int:
    """Write the judgements of a campaign, and what lies beside them."""
    from tertium.campaigns.formats import SIDES, formats
    from tertium.cli.campaign import add_database, start, the_campaign

    examples = (
        "  tertium campaign export news -o answers.jsonl\n"
        "  tertium campaign export news -o store --format parquet\n"
        "  tertium campaign export news -o news.csv --format wmt-csv\n"
        "  tertium campaign export study -o study.tsv --format likert-tsv --archive\n"
        "  tertium campaign export study --participants people.tsv --items set.jsonl\n"
        "  tertium correlate set.jsonl -J study.tsv --gold likert-order -m chrf \\\n"
        "      --coef spearman:none --slice permutation\n\nformats:\n"
        + "".join(map(_format_line, formats().items()))
        + "\n`tertium campaign import` reads all of them but mtme and pairs.\n"
    )
    parser = options.parser("campaign export", _EXPORT, examples)
    parser.add_argument("campaign", metavar="NAME")
    parser.add_argument("-o", "--output", metavar="FILE", help="the judgements")
    parser.add_argument(
        "--format",
        metavar="NAME",
        default="answers",
        help="one of those below (default: %(default)s)",
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
    start(args, change=False)
    from tertium.campaigns.exporting import write_file

    campaign = the_campaign(args.campaign)
    if args.output is not None:
        counts = write_file(
            campaign, args.output, args.format, archive=args.archive or None
        )
        options.remark(args, f"wrote {_written(counts)} to {args.output}")
    for name, path in sides.items():
        write_file(campaign, path, name, archive=False if args.all else None)
        options.remark(args, f"wrote {name} to {path}")
    return 0


def _format_line(named: tuple[str, str]) -> str:
    """Return a format, what it is and what it loses."""
    from tertium.campaigns.formats import losses

    name, about = named
    lost = textwrap.wrap(
        f"without {', '.join(losses(name))}",
        86,
        initial_indent=" " * 17,
        subsequent_indent=" " * 17,
    )
    without = "".join(f"{line}\n" for line in lost) if losses(name) else ""
    return f"  {name:<13}  {about}\n{without}"


def _written(counts: Mapping[str, int]) -> str:
    said = [f"{n} {name if n != 1 else name[:-1]}" for name, n in counts.items() if n]
    return ", ".join(said) or "no judgement, as there is none yet,"


def _add_survey(parser: argparse.ArgumentParser) -> None:
    """Add what only surveys have."""
    from tertium.campaigns.formats import SIDES

    for name, about in SIDES.items():
        more = _MORE.get(name, "")
        parser.add_argument(f"--{name}", metavar="FILE", help=about + more)
    parser.add_argument(
        "--all", action="store_true", help="with --participants: all of them"
    )
    parser.add_argument(
        "--archive",
        action="store_true",
        help="only judgements of those who agreed to archiving",
    )
