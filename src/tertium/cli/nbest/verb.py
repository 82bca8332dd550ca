# SPDX-License-Identifier: Apache-2.0
"""``tertium nbest``: describe, merge and convert n-best lists; find their oracles."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.cli.nbest.files import FORMATS_HELP
from tertium.cli.shared.actions import Action, run_action

__all__ = ["command"]

_ACTIONS = {
    "stats": Action(
        "count and describe: sizes, lengths, diversity, features", "stats:stats"
    ),
    "merge": Action(
        "put the lists of several files together, without duplicates", "writing:merge"
    ),
    "convert": Action("write lists in another format", "writing:convert"),
    "oracle": Action(
        "find the best and the worst selection by a metric", "oracle:oracle"
    ),
}

_HELP = f"""\
usage: tertium nbest ACTION ...

Work with n-best lists: several translations per segment, with features and scores.

actions:
{{actions}}
{FORMATS_HELP}
examples:
  tertium nbest stats -n list.nbest.gz -r ref.txt -m bleu
  tertium nbest oracle -n list.nbest.gz -r ref.txt -m chrf -f json
  tertium nbest ACTION --help         every action has examples
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    return run_action("nbest", _ACTIONS, argv, _HELP)
