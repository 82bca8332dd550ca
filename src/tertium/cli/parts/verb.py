# SPDX-License-Identifier: Apache-2.0
"""``tertium parts``: short parts of sentences, for annotators to rank."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.cli.shared.actions import Action, run_action

__all__ = ["command"]

_ACTIONS = {
    "extract": Action(
        "cut sentences into short parts by their trees", "extract:command"
    ),
    "project": Action(
        "find the translation of each part in each output", "project:command"
    ),
}

_HELP = """\
usage: tertium parts ACTION ...

Prepare short parts of sentences for annotators to rank.

actions:
{actions}
examples:
  tertium parts extract src.trees -s src.txt -o parts.jsonl
  tertium parts project parts.jsonl -i A=a.txt -a A=a.links
  tertium parts ACTION --help           every action has examples
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    return run_action("parts", _ACTIONS, argv, _HELP)
