# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign import`` and ``token``: judgements from and for other programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tertium.cli.campaign import database
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import frozen, parse
from tertium.errors import InputError

__all__ = ["import_", "token"]

_IMPORT = """\
Put judgements from elsewhere into a campaign of this database. The `answers` that
`tertium campaign export` writes bring new items with them, and finish work that its
judge had begun here. Any other format is for existing items: a judgement goes to the
item that it names, or that has its segment and systems (or texts). Judges come under
pseudonyms, and nobody can sign in as one. A judgement that is already there adds
nothing. One bad line keeps all of them out, unless --skip-bad is given; every bad line
is reported with its number.
"""
_IMPORT_EXAMPLES = """\
  tertium campaign import news answers.jsonl
  tertium campaign import news answers.jsonl --skip-bad
  tertium campaign import news wmt14.csv --format wmt-csv
  tertium campaign import news store         (Parquet, or a ZIP of it)

formats: {formats}
Means (mtme) and pairs are rejected: the original judgements cannot be recovered.
"""
_API = """\
Create a token by which programs use the REST API of one campaign: observers read its
progress, managers export, import and add items. It is shown once. The API is described
at /api/v1/openapi.json on the server.
"""
_API_EXAMPLES = """\
  tertium campaign token news
  tertium campaign token news --role observer --days 7
  tertium campaign token news --list
  tertium campaign token news --revoke 0123456789ab
  curl -H "Authorization: Bearer $TOKEN" \\
      http://127.0.0.1:8000/api/v1/campaigns/news/export?format=wmt-csv
"""
_SHOWN = 20  # bad lines


@frozen
class ImportOptions(database.Database):
    """The options of ``import``."""

    campaign: str
    file: str
    format: str | None
    skip_bad: bool


@frozen
class TokenOptions(database.Database):
    """The options of ``token``."""

    campaign: str
    role: str
    days: float
    list: bool
    revoke: str | None


def import_(argv: Sequence[str]) -> int:
    """Put judgements from elsewhere into a campaign."""
    from tertium.campaigns.exchange.formats import imports

    examples = _IMPORT_EXAMPLES.format(formats=", ".join(imports()))
    parser = flags.parser("campaign import", _IMPORT, examples)
    parser.add_argument("campaign", metavar="NAME")
    parser.add_argument("file", metavar="FILE", help="a file, or a folder of tables")
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="one of those below (default: recognised from the file)",
    )
    flags.add_switch(
        parser, "--skip-bad", help="store good lines although others are bad"
    )
    database.add_database(parser)
    options = parse(parser, argv, ImportOptions)
    database.start(options, change=False)
    from tertium.campaigns.exchange.importing import import_file
    from tertium.campaigns.lookup import find_campaign

    campaign = find_campaign(options.campaign)
    done = import_file(
        campaign, options.file, format_name=options.format, skip_bad=options.skip_bad
    )
    for bad in done.bad[:_SHOWN]:
        sys.stderr.write(f"{options.file}:{bad.line}: {bad.reason}\n")
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
    """Create, list or revoke tokens."""
    parser = flags.parser("campaign token", _API, _API_EXAMPLES)
    parser.add_argument("campaign", metavar="NAME")
    parser.add_argument("--role", choices=["manager", "observer"], default="manager")
    parser.add_argument("--days", type=float, default=90, help="(default: 90)")
    parser.add_argument("--list", action="store_true", help="list the existing tokens")
    parser.add_argument("--revoke", metavar="ID", help="make a token void")
    database.add_database(parser)
    options = parse(parser, argv, TokenOptions)
    database.start(options, change=False)
    from tertium.campaigns.api.tokens import new_token, revoke
    from tertium.campaigns.lookup import find_campaign
    from tertium.campaigns.models import Role

    campaign = find_campaign(options.campaign)
    if options.list:
        for one in campaign.tokens.order_by("created"):
            state = "revoked" if one.revoked else f"until {one.expires:%Y-%m-%d}"
            sys.stdout.write(f"{one.short}  {one.role}  {state}\n")
        return 0
    if options.revoke is not None:
        sys.stdout.write(f"revoked {revoke(campaign, options.revoke).short}\n")
        return 0
    made, text = new_token(campaign, Role(options.role), days=options.days)
    what = f"{made.short}, {options.role}, {options.days:g} days; it is shown only now"
    remark(options, what)
    sys.stdout.write(f"{text}\n")
    return 0
