# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign export``: judgements into files."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from tertium.cli import options
from tertium.errors import InputError

__all__ = ["export"]

_EXPORT = """\
Write the judgements of a campaign. Judges appear under pseudonyms. `answers` has
everything, attention checks included; other formats hold what rank, agree and
correlate read.
"""

#: What can be written beside judgements.
_SIDES = {
    "participants": "who took part in a survey, anonymous: .csv, .tsv or .jsonl; only "
    "those who agreed to archiving",
    "items": "what a survey showed, as a test set for score and correlate",
    "codebook": "what every column of the exports of a survey means, as Markdown",
}


def export(argv: Sequence[str]) -> int:
    """Write the judgements of a campaign, and what lies beside them."""
    from tertium.cli.campaign import add_database, start, the_campaign

    examples = (
        "  tertium campaign export news -o answers.jsonl\n"
        "  tertium campaign export news -o store --format parquet\n"
        "  tertium campaign export news -o news.csv --format wmt-csv\n"
        "  tertium campaign export study -o study.tsv --format likert-tsv --archive\n"
        "  tertium campaign export study --participants people.tsv --items set.jsonl\n"
        "  tertium correlate set.jsonl -J study.tsv --gold likert-order -m chrf \\\n"
        "      --coef spearman:none --slice permutation\n\nformats:\n"
        + "".join(f"  {name:<13}  {about}\n" for name, about in _formats().items())
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
    sides = {name: path for name in _SIDES if (path := getattr(args, name)) is not None}
    if args.output is None and not sides:
        message = "nothing to write; name a file with -o, or one of --" + ", --".join(
            _SIDES
        )
        raise InputError(message)
    start(args, change=False)
    from tertium.campaigns.exporting import write_export
    from tertium.campaigns.tasks import get_task

    campaign = the_campaign(args.campaign)
    task = get_task(campaign.task)
    judges = task.judges_to_archive(campaign) if args.archive else None
    if args.archive and judges is None:
        message = (
            f"nobody of {args.campaign} was asked about archiving; leave --archive"
        )
        raise InputError(message)
    if args.output is not None:
        counts = write_export(campaign, args.output, args.format, judges=judges)
        options.remark(args, f"wrote {_written(counts)} to {args.output}")
    for name, path in sides.items():
        task.write_side(campaign, name, path, all=args.all)
        options.remark(args, f"wrote {name} to {path}")
    return 0


def _formats() -> dict[str, str]:
    from tertium.campaigns.formats import formats

    return formats()


def _written(counts: Mapping[str, int]) -> str:
    said = [f"{n} {name if n != 1 else name[:-1]}" for name, n in counts.items() if n]
    return ", ".join(said) or "no judgement, as there is none yet,"


def _add_survey(parser: argparse.ArgumentParser) -> None:
    """Add what only surveys have."""
    for name, about in _SIDES.items():
        parser.add_argument(f"--{name}", metavar="FILE", help=about)
    parser.add_argument(
        "--all", action="store_true", help="with --participants: all of them"
    )
    parser.add_argument(
        "--archive",
        action="store_true",
        help="only judgements of those who agreed to archiving",
    )
