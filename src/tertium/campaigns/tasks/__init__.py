# SPDX-License-Identifier: Apache-2.0
"""The kinds of questions, one folder each.

A task is a folder with a class that has the methods of `Task`, a template and a
script. To add one, write the folder and name it in ``names.py``; Django finds its
templates and static files by itself.
"""

from __future__ import annotations

from importlib import import_module

from tertium.campaigns.tasks.base import (
    AnswerError,
    ItemDraft,
    ItemJudgement,
    Section,
    Task,
    TaskOption,
)
from tertium.campaigns.tasks.names import PLACES, TASKS
from tertium.errors import UnknownNameError

__all__ = [
    "APPS",
    "TASKS",
    "AnswerError",
    "ItemDraft",
    "ItemJudgement",
    "Section",
    "Task",
    "TaskOption",
    "get_task",
]

#: The folders, as Django wants them.
APPS = list(dict.fromkeys(place.partition(":")[0] for place in PLACES.values()))


def get_task(name: str) -> Task:
    """Return a task by name.

    Raises
    ------
    UnknownNameError
        When there is none.
    """
    if name not in TASKS:
        raise UnknownNameError("task", name, TASKS)
    module, _, attribute = PLACES[name].partition(":")
    task: Task = getattr(import_module(module), attribute)()
    return task
