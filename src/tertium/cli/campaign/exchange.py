# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign import`` and ``token``: judgements from and for other programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError

__all__ = ["import_", "token"]

_IMPORT = """\
Put judgements from elsewhere into a campaign of this database. `answers`, which
`tertium campaign export` writes, bring items that are new, and finish work that its
judge had begun here. Any other format is for items that are there: a judgement goes to
the item that it names, or that has its segment and systems (or texts). Judges come
under pseudonyms, and nobody can sign in as one. A judgement that is there already adds
nothing. One bad line keeps all of them out, unless --skip-bad is given; every bad line
is told with its number.
"""

_ABOUT = """\
Make a token by which programs use the REST API of one campaign: as observer they read
how far it is, as manager they export, import and add items. It is shown once. The API
is described at /api/v1/openapi.json of the server.
"""
_SHOWN = 20  # bad lines


def import_(argv: Sequence[str]) -> int:
    """Put judgements from elsewhere into a campaign."""
    from tertium.campaigns.exchange.formats import imports
    from tertium.cli.campaign.verb import add_database, start, the_campaign

    examples = (
        "  tertium campaign import news answers.jsonl\n"
        "  tertium campaign import news answers.jsonl --skip-bad\n"
        "  tertium campaign import news wmt14.csv --format wmt-csv\n"
        "  tertium campaign import news store         (Parquet, or a ZIP of it)\n\n"
        f"formats: {', '.join(imports())}\n"
        "Means (mtme) and pairs are refused: nobody can tell what people said.\n"
    )
    parser = flags.parser("campaign import", _IMPORT, examples)
    parser.add_argument("campaign", metavar="NAME")
    parser.add_argument("file", metavar="FILE", help="a file, or a folder of tables")
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="one of those below; told from the file by default",
    )
    parser.add_argument(
        "--skip-bad", action="store_true", help="store good lines though others are bad"
    )
    add_database(parser)
    args = parser.parse_args(argv)
    start(args, change=False)
    from tertium.campaigns.exchange.importing import import_file

    campaign = the_campaign(args.campaign)
    try:
        done = import_file(
            campaign, args.file, format_name=args.format, skip_bad=args.skip_bad
        )
    except OSError as error:
        message = f"cannot read {args.file}: {error.strerror}; check the path"
        raise InputError(message) from None
    for bad in done.bad[:_SHOWN]:
        sys.stderr.write(f"{args.file}:{bad.line}: {bad.reason}\n")
    if done.wrong > len(done.bad[:_SHOWN]):
        sys.stderr.write(f"... and {done.wrong - _SHOWN} more\n")
    if not done.stored:
        message = (
            f"{done.wrong} lines cannot be stored, so nothing was; correct them, or "
            "give --skip-bad to store the others"
        )
        raise InputError(message)
    sys.stdout.write(
        f"campaign {campaign.name}: {done.added} judgements added, {done.known} were "
        f"there, {done.wrong} left out; {done.items} items and {done.judges} judges "
        "are new\n"
    )
    return 0


def token(argv: Sequence[str]) -> int:
    """Make, list or revoke tokens."""
    from tertium.cli.campaign.verb import add_database, start, the_campaign

    examples = (
        "  tertium campaign token news\n"
        "  tertium campaign token news --role observer --days 7\n"
        "  tertium campaign token news --list\n"
        "  tertium campaign token news --revoke 0123456789ab\n"
        '  curl -H "Authorization: Bearer $TOKEN" \\\n'
        "      http://127.0.0.1:8000/api/v1/campaigns/news/export?format=wmt-csv\n"
    )
    parser = flags.parser("campaign token", _ABOUT, examples)
    parser.add_argument("campaign", metavar="NAME")
    parser.add_argument("--role", choices=["manager", "observer"], default="manager")
    parser.add_argument("--days", type=float, default=90, help="(default: 90)")
    parser.add_argument("--list", action="store_true", help="list the tokens there are")
    parser.add_argument("--revoke", metavar="ID", help="make a token void")
    add_database(parser)
    args = parser.parse_args(argv)
    if not 0 < args.days <= 3650:
        raise InputError("--days must be above 0, and 3650 at most")
    start(args, change=False)
    from tertium.campaigns.api.tokens import new_token, revoke
    from tertium.campaigns.models import Role

    campaign = the_campaign(args.campaign)
    if args.list:
        for one in campaign.tokens.order_by("created"):
            state = "revoked" if one.revoked else f"until {one.expires:%Y-%m-%d}"
            sys.stdout.write(f"{one.short}  {one.role}  {state}\n")
        return 0
    if args.revoke is not None:
        sys.stdout.write(f"revoked {revoke(campaign, args.revoke).short}\n")
        return 0
    made, text = new_token(campaign, Role(args.role), days=args.days)
    if not args.quiet:
        what = f"{made.short}, {args.role}, {args.days:g} days; it is shown only now"
        remark(args, what)
    sys.stdout.write(f"{text}\n")
    return 0
