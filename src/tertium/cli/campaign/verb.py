# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign``: collect judgements from people in a web page."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tertium.cli.campaign.links import add_url, link_line, public_url
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError, TertiumError, UnknownNameError

if TYPE_CHECKING:
    from tertium.campaigns.loading import Checked, Loaded
    from tertium.campaigns.models import Campaign

__all__ = ["add_database", "command", "start", "the_campaign"]

_ACTIONS = {
    "new": "write a configuration to start from, or one like another",
    "load": "put a campaign and its items into the database; print its links",
    "invite": "print one more link for annotators, managers or observers",
    "serve": "run the server",
    "status": "show how far campaigns are",
    "export": "write the judgements to a file",
    "import": "put judgements from elsewhere into a campaign",
    "token": "make, list or revoke tokens of the REST API",
    "demo": "run a ready campaign on bundled data",
}

_LOAD = """\
Check a configuration and put the campaign with its items into the database, all of
it or nothing. Loading again adds items that are new; those that are there stay as
people saw them. Printed are a link for annotators and one for managers.
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    if not argv:
        sys.stdout.write(_help())
        return 2
    if argv[0] in ("-h", "--help"):
        sys.stdout.write(_help())
        raise SystemExit(0)
    if argv[0] not in _ACTIONS:
        raise UnknownNameError("action of tertium campaign", argv[0], _ACTIONS)
    from tertium.cli.campaign import exchange as campaign_exchange
    from tertium.cli.campaign import export as campaign_export
    from tertium.cli.campaign import new as campaign_new
    from tertium.cli.campaign import serve as campaign_serve

    actions: dict[str, Callable[[Sequence[str]], int]] = {
        "new": campaign_new.new,
        "load": _load,
        "invite": _invite,
        "serve": campaign_serve.serve,
        "status": _status,
        "export": campaign_export.export,
        "import": campaign_exchange.import_,
        "token": campaign_exchange.token,
        "demo": campaign_serve.demo,
    }
    try:
        return actions[argv[0]](argv[1:])
    except TertiumError:
        raise
    except Exception as error:
        if (problem := _database_problem(error)) is None:
            raise
        raise problem from None


def _database_problem(error: Exception) -> InputError | None:
    """Return what is wrong with the database, if that is what went wrong."""
    if "django" not in sys.modules:
        return None
    from tertium.campaigns.site.setup import database_problem

    return database_problem(error)


def _help() -> str:
    width = max(map(len, _ACTIONS))
    listed = "".join(f"  {name:<{width}}  {what}\n" for name, what in _ACTIONS.items())
    return (
        "usage: tertium campaign ACTION ...\n\n"
        "Collect judgements from people in a web page (extra [web]).\n\n"
        f"actions:\n{listed}\nexamples:\n"
        "  tertium campaign demo                        try it: one command\n"
        "  tertium campaign new news/campaign.toml --task segranks\n"
        "  tertium campaign load news/campaign.toml\n"
        "  tertium campaign serve --port 8000\n"
        "  tertium campaign export news -o store --format parquet\n"
        "  tertium rank store\n"
        "  tertium campaign ACTION --help               every action has examples\n"
    )


def start(args: argparse.Namespace, *, change: bool = True) -> None:
    """Start Django on the database that options name, and bring it up to date."""
    from tertium.campaigns.site.setup import prepare

    set_up(args)
    steps = prepare(change=change)
    if "campaigns.0001_initial" in steps:
        remark(args, f"made the database{_place(args)}")
    elif steps:
        remark(args, f"the database was brought up to date ({steps[-1]})")


def _place(args: argparse.Namespace) -> str:
    """Return the path of the database; an address may hold a password."""
    from tertium.campaigns.site.database import DEFAULT

    where = args.database or os.environ.get("TERTIUM_DATABASE", DEFAULT)
    return "" if "://" in where else f" {where}"


def set_up(args: argparse.Namespace) -> None:
    """Start Django; the database is not touched."""
    from tertium.campaigns.site.setup import start as set_up_django

    set_up_django(
        args.database,
        hosts=getattr(args, "hosts", None),
        https=getattr(args, "https", False),
        secret_file=args.secret_file,
    )


def add_database(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where campaigns are kept."""
    parser.add_argument(
        "--database",
        metavar="WHERE",
        help="a path (SQLite), or postgresql://USER:PASSWORD@HOST/NAME (default: "
        "$TERTIUM_DATABASE, or campaigns.sqlite3 here)",
    )
    parser.add_argument(
        "--secret-file",
        metavar="FILE",
        help="the key that signs links; made at first use (default: the path of the "
        "SQLite file with .key behind it, or campaigns.key here)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")


def the_campaign(name: str) -> Campaign:
    """Return a campaign by name."""
    from tertium.campaigns.models import Campaign

    found = Campaign.objects.filter(name=name).first()
    if found is None:
        names = list(Campaign.objects.values_list("name", flat=True))
        if not names:
            message = "the database has no campaign yet; `tertium campaign load` one"
            raise InputError(message)
        raise UnknownNameError("campaign", name, names)
    return found


# ------------------------------------------------------------------------- load


def _load(argv: Sequence[str]) -> int:
    examples = (
        "  tertium campaign load news/campaign.toml\n"
        "  tertium campaign load news/campaign.toml --check\n"
        "  tertium campaign load news/campaign.toml --url https://mt.example.org\n"
        "  tertium campaign load news/campaign.toml --database postgresql://me@db/mt\n"
    )
    parser = flags.parser("campaign load", _LOAD, examples)
    parser.add_argument("config", metavar="CONFIG.toml")
    parser.add_argument(
        "--check", action="store_true", help="read and check everything, change nothing"
    )
    parser.add_argument(
        "--allow-outside",
        action="store_true",
        help="read files outside the folder of CONFIG.toml too",
    )
    add_url(parser)
    add_database(parser)
    args = parser.parse_args(argv)
    url = public_url(args)
    from tertium.campaigns.config import read_config

    config = read_config(args.config, allow_outside=args.allow_outside)
    if args.check:
        set_up(args)
        from tertium.campaigns.loading import check

        found = check(config)
        _remark_notes(args, found)
        sys.stdout.write(
            f"{found.report}{args.config}: {found.work} items to judge"
            f"{''.join(f' and {more}' for more in _more(found))}; nothing changed\n"
        )
        return 0
    start(args)
    from tertium.campaigns.loading import load
    from tertium.campaigns.models import Role

    loaded = load(config)
    _remark_notes(args, loaded)
    what = "made" if loaded.new else "brought up to date"
    known = f", {loaded.known} were there" if loaded.known else ""
    more = f", of them {' and '.join(_more(loaded))}" if _more(loaded) else ""
    sys.stdout.write(loaded.report)
    sys.stdout.write(
        f"campaign {config.name} was {what}: {loaded.added} items added{more}{known}\n"
    )
    if loaded.new:
        for role in (Role.ANNOTATOR, Role.MANAGER):
            most = 1 if role == Role.MANAGER else None
            sys.stdout.write(link_line(loaded.campaign, role, url, most=most))
        text = (
            f"the links work while `tertium campaign serve` is reached at {url}; for "
            "another address give --port or --url, or set TERTIUM_URL"
        )
        remark(args, text)
    return 0


def _remark_notes(args: argparse.Namespace, found: Checked | Loaded) -> None:
    from tertium.cli.shared.advice import note_text

    for note in found.notes:
        remark(args, note_text(note, config=args.config))


def _more(found: Checked | Loaded) -> list[str]:
    """Return how many items are there for something else than work."""
    kinds = {"attention checks": found.checks, "training items": found.training}
    return [f"{number} {what}" for what, number in kinds.items() if number]


# ----------------------------------------------------------------------- invite


def _invite(argv: Sequence[str]) -> int:
    text = "Print a signed link by which people join a campaign. It expires.\n"
    examples = (
        "  tertium campaign invite news\n"
        "  tertium campaign invite news --role observer --most 1 --days 7\n"
        "  tertium campaign invite study --group students\n"
    )
    parser = flags.parser("campaign invite", text, examples)
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
        help="noted with those who follow it: how they were recruited",
    )
    add_url(parser)
    add_database(parser)
    args = parser.parse_args(argv)
    if args.days <= 0 or (args.most is not None and args.most < 1):
        message = "--days and --most must be above 0; leave --most out for any number"
        raise InputError(message)
    url = public_url(args)
    start(args, change=False)
    campaign = the_campaign(args.campaign)
    sys.stdout.write(
        link_line(
            campaign,
            args.role,
            url,
            most=args.most,
            days=args.days,
            group=args.group[:60],
        )
    )
    return 0


# ----------------------------------------------------------------------- status


def _status(argv: Sequence[str]) -> int:
    text = "Show how far campaigns are: items, judgements, people, time an item.\n"
    examples = (
        "  tertium campaign status\n"
        "  tertium campaign status news -f json\n\n"
        'The JSON is {"tertium": VERSION, "campaigns": [{"campaign": NAME, '
        '"title": TEXT,\n"task": TASK, "phase": PHASE, "items": N, "judged": N, '
        '"wanted": N, "first": N,\n"under_way": N, "judgements": N, "annotators": N, '
        '"judges": N, "seconds": X or null}]};\nseconds is the median of an item, '
        "wanted and first are first judgements.\n"
    )
    parser = flags.parser("campaign status", text, examples)
    parser.add_argument(
        "campaign", metavar="NAME", nargs="*", help="campaigns (default: all)"
    )
    flags.add_output(parser)
    add_database(parser)
    args = parser.parse_args(argv)
    start(args, change=False)
    from tertium.campaigns.dashboard.progress import progress
    from tertium.campaigns.models import Campaign
    from tertium.cli.campaign.tables import show_status

    chosen = [the_campaign(name) for name in args.campaign]
    found = [progress(one) for one in chosen or Campaign.objects.order_by("name")]
    if not found:
        message = "the database has no campaign yet; `tertium campaign load` one"
        raise InputError(message)
    show_status(found, args)
    return 0
