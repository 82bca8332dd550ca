# SPDX-License-Identifier: Apache-2.0
"""``tertium tune``: weights of a decoder, from n-best lists or with it in the loop."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from tertium.cli.tune.batch import batch
from tertium.cli.tune.serve import serve
from tertium.errors import UnknownNameError

__all__ = ["command"]

_ACTIONS: dict[str, tuple[Callable[[Sequence[str]], int], str]] = {
    "batch": (batch, "tune weights on n-best lists: mert, pro, mira"),
    "serve": (serve, "answer a tuner line by line: scores, raw values, statistics"),
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
        raise UnknownNameError("action of tertium tune", argv[0], _ACTIONS)
    action, _ = _ACTIONS[argv[0]]
    return action(argv[1:])


def _help() -> str:
    width = max(map(len, _ACTIONS))
    actions = [f"  {name:<{width}}  {what}\n" for name, (_, what) in _ACTIONS.items()]
    return (
        "usage: tertium tune ACTION ...\n\n"
        f"Tune the weights of a decoder.\n\nactions:\n{''.join(actions)}\n"
        "examples:\n"
        "  tertium tune batch -n list.nbest.gz -r ref.txt -m bleu\n"
        "  tertium tune serve -m beer\n"
        "  tertium tune ACTION --help         every action has examples\n"
    )
