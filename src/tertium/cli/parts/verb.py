# SPDX-License-Identifier: Apache-2.0
"""The actions of ``tertium parts``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from tertium.errors import UnknownNameError

__all__ = ["command"]

_ACTIONS = {
    "extract": "cut sentences into short parts by their trees",
    "project": "find the translation of each part in each output",
}


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    if not argv:
        sys.stdout.write(_help())
        return 2
    if argv[0] in ("-h", "--help"):
        sys.stdout.write(_help())
        raise SystemExit(0)
    action, rest = argv[0], argv[1:]
    if action not in _ACTIONS:
        raise UnknownNameError("action of tertium parts", action, _ACTIONS)
    return int(import_module(f"tertium.cli.parts.{action}").command(rest))


def _help() -> str:
    width = max(map(len, _ACTIONS))
    actions = "".join(f"  {name:<{width}}  {what}\n" for name, what in _ACTIONS.items())
    return (
        "usage: tertium parts ACTION ...\n\n"
        "Prepare short parts of sentences for annotators to rank.\n\n"
        f"actions:\n{actions}\nexamples:\n"
        "  tertium parts extract src.trees -s src.txt -o parts.jsonl\n"
        "  tertium parts project parts.jsonl -i A=a.txt -a A=a.links\n"
        "  tertium parts ACTION --help           every action has examples\n"
    )
