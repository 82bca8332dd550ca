# SPDX-License-Identifier: Apache-2.0
"""Verbs with actions, such as ``tertium judgements import``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import NamedTuple

from tertium.errors import UnknownNameError

__all__ = ["Action", "run_action"]


class Action(NamedTuple):
    """What an action does, and its ``module:function`` in the folder of the verb."""

    about: str
    place: str


def run_action(
    verb: str, actions: Mapping[str, Action], argv: Sequence[str], text: str
) -> int:
    """Run the action that a command line names, and return its exit code.

    Parameters
    ----------
    verb : str
    actions : mapping of str to Action
        Their modules are imported when they are needed.
    argv : sequence of str
        The words after the verb.
    text : str
        The help of the verb; ``{actions}`` stands for the list of actions.
    """
    if not argv or argv[0] in ("-h", "--help"):
        width = max(map(len, actions))
        listed = "".join(
            f"  {name:<{width}}  {a.about}\n" for name, a in actions.items()
        )
        sys.stdout.write(text.replace("{actions}", listed))
        if argv:
            raise SystemExit(0)
        return 2
    if argv[0] not in actions:
        raise UnknownNameError(f"action of tertium {verb}", argv[0], actions)
    module, _, name = actions[argv[0]].place.partition(":")
    action = getattr(import_module(f"tertium.cli.{verb}.{module}"), name)
    return int(action(argv[1:]))
