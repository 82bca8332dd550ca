# SPDX-License-Identifier: Apache-2.0
"""The addresses in links of ``tertium campaign``: where people reach the server."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tertium.cli.shared import flags
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.campaigns.models import Campaign

__all__ = [
    "PORT",
    "add_url",
    "board_lines",
    "host_names",
    "link_line",
    "public_url",
    "served_url",
]

#: Where the server listens unless somebody says otherwise.
PORT = 8000
_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - looked for, not listened on
_LOCAL = "localhost,127.0.0.1,[::1]"
_SHOWN = 10  # campaigns listed when the server starts


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


def public_url(args: argparse.Namespace) -> str:
    """Return the address that links begin with, without a slash at its end.

    Raises
    ------
    InputError
        When it is not an address of the web.
    """
    return _wanted(args) or f"http://127.0.0.1:{args.port}"


def _wanted(args: argparse.Namespace) -> str:
    """Return the address that an option or the environment names, if one does."""
    found: str = args.url or os.environ.get("TERTIUM_URL", "")
    if not found:
        return ""
    try:
        parts = urlsplit(found)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:  # half an IPv6 address
        usable = False
    if not usable:
        message = f"{found!r} is not the address of a server"
        raise InputError(f"{message}; give one such as https://mt.example.org")
    return found.rstrip("/")


def served_url(args: argparse.Namespace, port: int, names: str | None) -> str:
    """Return where people reach a server that listens on a port of this machine.

    Parameters
    ----------
    names : str, optional
        The host names that people type, separated by commas; the first one is taken.
    """
    if wanted := _wanted(args):
        return wanted
    plain = [name for name in (names or "").split(",") if name.strip("*. ")]
    first = plain[0].lstrip("*.") if plain else _host(args.host)
    if getattr(args, "https", False):  # a proxy in front has the usual port
        return f"https://{first}"
    return f"http://{first}:{port}"


def _host(host: str) -> str:
    if host in _EVERYWHERE:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def host_names(args: argparse.Namespace) -> str:
    """Return the host names to answer for, where nobody listed them.

    They are this machine, the address listened on, and that of the links.
    """
    found = [_LOCAL]
    if args.host not in _EVERYWHERE:
        found.append(_host(args.host))
    if wanted := _wanted(args):
        name = urlsplit(wanted).hostname or ""
        found.append(f"[{name}]" if ":" in name else name)
    return ",".join(dict.fromkeys(",".join(found).split(",")))


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
    from tertium.campaigns.people.accounts import invite, token_of

    invitation = invite(campaign, Role(role), days=days, most=most, group=group)
    people = "one person" if most == 1 else f"{most} people" if most else "any number"
    return f"{role} ({people}, {days:g} days): {url}/join/{token_of(invitation)}\n"


def board_lines(url: str) -> str:
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
