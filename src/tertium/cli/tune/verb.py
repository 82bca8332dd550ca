# SPDX-License-Identifier: Apache-2.0
"""``tertium tune``: weights of a decoder, from n-best lists or with it in the loop."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.cli.shared.actions import Action, run_action

__all__ = ["command"]

_ACTIONS = {
    "batch": Action("tune weights on n-best lists: mert, pro, mira", "batch:batch"),
    "run": Action("tune a decoder that is run again and again", "run:run"),
    "serve": Action(
        "answer a tuner line by line: scores, raw values, statistics", "serve:serve"
    ),
}

_HELP = """\
usage: tertium tune ACTION ...

Tune the weights of a decoder.

actions:
{actions}
examples:
  tertium tune batch -n list.nbest.gz -r ref.txt -m bleu
  tertium tune run --decoder 'decode {weights} {nbest}' -r dev.en \\
      --start weights.json --folder run
  tertium tune serve -m beer
  tertium tune ACTION --help         every action has examples
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    return run_action("tune", _ACTIONS, argv, _HELP)
