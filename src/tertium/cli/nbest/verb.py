# SPDX-License-Identifier: Apache-2.0
"""``tertium nbest``: describe, merge and convert n-best lists; find their oracles."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from tertium.cli.nbest.files import FORMATS_HELP
from tertium.cli.nbest.oracle import oracle
from tertium.cli.nbest.stats import stats
from tertium.cli.nbest.writing import convert, merge
from tertium.errors import UnknownNameError

__all__ = ["command"]

_ACTIONS: dict[str, tuple[Callable[[Sequence[str]], int], str]] = {
    "stats": (stats, "count and describe: sizes, lengths, diversity, features"),
    "merge": (merge, "put the lists of several files together, without duplicates"),
    "convert": (convert, "write lists in another format"),
    "oracle": (oracle, "find the best and the worst selection by a metric"),
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
        raise UnknownNameError("action of tertium nbest", argv[0], _ACTIONS)
    action, _ = _ACTIONS[argv[0]]
    return action(argv[1:])


def _help() -> str:
    width = max(map(len, _ACTIONS))
    actions = [f"  {name:<{width}}  {what}\n" for name, (_, what) in _ACTIONS.items()]
    return (
        "usage: tertium nbest ACTION ...\n\n"
        "Work with n-best lists: several translations per segment, with features and "
        "scores.\n\n"
        f"actions:\n{''.join(actions)}\n{FORMATS_HELP}\n"
        "examples:\n"
        "  tertium nbest stats -n list.nbest.gz -r ref.txt -m bleu\n"
        "  tertium nbest oracle -n list.nbest.gz -r ref.txt -m chrf -f json\n"
        "  tertium nbest ACTION --help         every action has examples\n"
    )
