# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign``: collect judgements from people in a web page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from tertium.errors import InputError, TertiumError, UnknownNameError

__all__ = ["command"]

#: What every action does, and the module and function that runs it.
_ACTIONS = {
    "new": ("write a configuration to start from, or one like another", "new:new"),
    "load": (
        "put a campaign and its items into the database; print its links",
        "load:load",
    ),
    "invite": (
        "print one more link for annotators, managers or observers",
        "links:invite",
    ),
    "serve": ("run the server", "serve:serve"),
    "status": ("show the progress of campaigns", "status:status"),
    "export": ("write the judgements to a file", "export:export"),
    "import": ("put judgements from elsewhere into a campaign", "exchange:import_"),
    "token": ("create, list or revoke tokens for the REST API", "exchange:token"),
    "demo": ("run a ready campaign on bundled data", "serve:demo"),
}


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
    module, _, name = _ACTIONS[argv[0]][1].partition(":")
    action = getattr(import_module(f"tertium.cli.campaign.{module}"), name)
    try:
        return int(action(argv[1:]))
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
    actions = "".join(f"  {name:<{width}}  {a}\n" for name, (a, _) in _ACTIONS.items())
    return (
        "usage: tertium campaign ACTION ...\n\n"
        "Collect judgements from people in a web page (extra [web]).\n\n"
        f"actions:\n{actions}\nexamples:\n"
        "  tertium campaign demo                        try it: one command\n"
        "  tertium campaign new news/campaign.toml --task segranks\n"
        "  tertium campaign load news/campaign.toml\n"
        "  tertium campaign serve --port 8000\n"
        "  tertium campaign export news -o store --format parquet\n"
        "  tertium rank store\n"
        "  tertium campaign ACTION --help               every action has examples\n"
    )
