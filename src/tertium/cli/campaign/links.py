# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign invite``, and the links that other actions print."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.campaigns.site.addresses import PORT
from tertium.cli.campaign import database
from tertium.cli.shared import flags
from tertium.cli.shared.values import OptionGroup, frozen, parse

if TYPE_CHECKING:
    from tertium.campaigns.models import Campaign

__all__ = ["LinkAddress", "add_url", "dashboard_lines", "invite", "link_line"]

_ABOUT = "Print a signed link by which people join a campaign. It expires.\n"
_EXAMPLES = """\
  tertium campaign invite news
  tertium campaign invite news --role observer --most 1 --days 7
  tertium campaign invite study --group students
"""
_SHOWN = 10  # campaigns listed when the server starts


class LinkAddress(OptionGroup):
    """The address that links begin with."""

    url: str | None
    port: int


@frozen
class Options(LinkAddress, database.Database):
    """The options of the action."""

    campaign: str
    role: str
    days: float
    most: int | None
    group: str


def add_url(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where people will find the server."""
    parser.add_argument(
        "--url",
        help="where people will find the server (default: $TERTIUM_URL, or "
        "http://127.0.0.1 with --port)",
    )
    parser.add_argument(
        "--port",
        type=flags.number(1, 65535),
        default=PORT,
        help="the port that `tertium campaign serve` gets (default: %(default)s)",
    )


def invite(argv: Sequence[str]) -> int:
    """Print a new invitation."""
    parser = flags.parser("campaign invite", _ABOUT, _EXAMPLES)
    parser.add_argument("campaign", metavar="NAME")
    parser.add_argument(
        "--role",
        choices=["annotator", "manager", "observer"],
        default="annotator",
        help="annotators judge, managers do everything, observers look at the "
        "dashboard (default: %(default)s)",
    )
    parser.add_argument(
        "--days",
        type=float,
        default=30,
        help="how long it can be used (default: %(default)s)",
    )
    parser.add_argument(
        "--most", type=int, metavar="N", help="people who may use it (default: any)"
    )
    parser.add_argument(
        "--group",
        default="",
        metavar="NAME",
        help="recorded for those who follow it: how they were recruited",
    )
    add_url(parser)
    database.add_database(parser)
    options = parse(parser, argv, Options)
    from tertium.campaigns.site.addresses import public_url

    url = public_url(options.url, port=options.port)
    database.start(options, change=False)
    from tertium.campaigns.lookup import find_campaign

    campaign = find_campaign(options.campaign)
    sys.stdout.write(
        link_line(
            campaign,
            options.role,
            url,
            most=options.most,
            days=options.days,
            group=options.group[:60],
        )
    )
    return 0


def link_line(
    campaign: Campaign,
    role: str,
    url: str,
    *,
    most: int | None,
    days: float = 30,
    group: str = "",
) -> str:
    """Return a line with a new invitation."""
    from tertium.campaigns.models import Role
    from tertium.campaigns.people.accounts import invite as new_invitation
    from tertium.campaigns.people.accounts import join_url

    invitation = new_invitation(campaign, Role(role), days=days, most=most, group=group)
    people = "one person" if most == 1 else f"{most} people" if most else "any number"
    return f"{role} ({people}, {days:g} days): {join_url(invitation, url)}\n"


def dashboard_lines(url: str) -> str:
    """Return where the dashboards of all campaigns are; no line holds a secret."""
    from tertium.campaigns.models import Campaign, Role

    campaigns = Campaign.objects.order_by("name")
    lines = []
    for one in campaigns[:_SHOWN]:
        lines.append(f"{one.name}: the dashboard is {url}/m/{one.name}/\n")
        if not one.members.filter(role=Role.MANAGER).exists():
            lines.append(
                f"  nobody manages it yet; follow the manager's link of `load`, or of "
                f"`tertium campaign invite {one.name} --role manager --url {url}`\n"
            )
    if (more := campaigns.count() - _SHOWN) > 0:
        lines.append(f"... and {more} more campaigns\n")
    return "".join(lines)
