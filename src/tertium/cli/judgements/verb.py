# SPDX-License-Identifier: Apache-2.0
"""``tertium judgements``: import, count, export and merge human judgements."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from tertium.cli.judgements.export import export, merge
from tertium.cli.judgements.importing import import_
from tertium.cli.judgements.stats import stats
from tertium.cli.judgements.texts import STORES
from tertium.errors import UnknownNameError

__all__ = ["command"]

_ACTIONS: dict[str, tuple[Callable[[Sequence[str]], int], str]] = {
    "import": (import_, "read files of other tools into a store"),
    "stats": (stats, "count judges, systems, segments, judgements, ties"),
    "export": (export, "write judgements in a format that other tools read"),
    "merge": (merge, "put several stores into one"),
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
        raise UnknownNameError("action of tertium judgements", argv[0], _ACTIONS)
    action, _ = _ACTIONS[argv[0]]
    return action(argv[1:])


def _help() -> str:
    width = max(map(len, _ACTIONS))
    actions = [f"  {name:<{width}}  {what}\n" for name, (_, what) in _ACTIONS.items()]
    return (
        "usage: tertium judgements ACTION ...\n\n"
        f"Store human judgements of translations.\n\nactions:\n{''.join(actions)}\n"
        f"{STORES}\n"
        "examples:\n"
        "  tertium judgements stats demo\n"
        "  tertium judgements import wmt12.RNK_results.csv.gz -o wmt12\n"
        "  tertium judgements ACTION --help         every action has examples\n"
    )
