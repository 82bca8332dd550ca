# SPDX-License-Identifier: Apache-2.0
"""``tertium judgements``: import, count, export and merge human judgements."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.cli.judgements.texts import STORES
from tertium.cli.shared.actions import Action, run_action

__all__ = ["command"]

_ACTIONS = {
    "import": Action("read files of other tools into a store", "importing:import_"),
    "stats": Action("count judges, systems, segments, judgements, ties", "stats:stats"),
    "export": Action(
        "write judgements in a format that other tools read", "export:export"
    ),
    "merge": Action("put several stores into one", "export:merge"),
}

_HELP = f"""\
usage: tertium judgements ACTION ...

Store human judgements of translations.

actions:
{{actions}}
{STORES}
examples:
  tertium judgements stats demo
  tertium judgements import wmt12.RNK_results.csv.gz -o wmt12
  tertium judgements ACTION --help         every action has examples
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    return run_action("judgements", _ACTIONS, argv, _HELP)
