# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign``: collect judgements from people in a web page."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tertium.cli.shared.actions import Action, run_action
from tertium.errors import InputError, TertiumError

__all__ = ["command"]

_ACTIONS = {
    "new": Action(
        "write a configuration to start from, or one like another", "new:new"
    ),
    "plan": Action(
        "how many items and judges a study of correlations needs", "plan:plan"
    ),
    "load": Action(
        "put a campaign and its items into the database; print its links", "load:load"
    ),
    "invite": Action(
        "print one more link for annotators, managers or observers", "links:invite"
    ),
    "serve": Action("run the server", "serve:serve"),
    "status": Action("show the progress of campaigns", "status:status"),
    "export": Action("write the judgements to a file", "export:export"),
    "import": Action(
        "put judgements from elsewhere into a campaign", "exchange:import_"
    ),
    "token": Action("create, list or revoke tokens for the REST API", "exchange:token"),
    "demo": Action("run a ready campaign on bundled data", "serve:demo"),
}

_HELP = """\
usage: tertium campaign ACTION ...

Collect judgements from people in a web page (extra [web]).

actions:
{actions}
examples:
  tertium campaign demo                        try it: one command
  tertium campaign new news/campaign.toml --task segranks
  tertium campaign load news/campaign.toml
  tertium campaign serve --port 8000
  tertium campaign export news -o store --format parquet
  tertium rank store
  tertium campaign ACTION --help               every action has examples
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    try:
        return run_action("campaign", _ACTIONS, argv, _HELP)
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
