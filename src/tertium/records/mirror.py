# SPDX-License-Identifier: Apache-2.0
"""A folder in which a run can be repeated without touching anything else.

It has the run's inputs at their places, as links, so that what the run writes beside
them stays in the folder. A relative path may start with ``..``: the run's own folder
lies as many levels deep as any path climbs.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from tertium.errors import InputError
from tertium.records.missing import Located
from tertium.records.run import Run

__all__ = ["Mirror"]

_DEEPEST = 100


@dataclass(frozen=True)
class Mirror:
    """A folder for a repetition.

    Attributes
    ----------
    root : str
        Everything that is written stays in it.
    folder : str
        The folder to run in.
    words : sequence of str
        The command; absolute paths of moved inputs and of outputs are replaced.
    renamed : mapping of str to str
        What stands for absolute outputs, by the path of the record.
    """

    root: str
    folder: str
    words: Sequence[str]
    renamed: dict[str, str]

    @classmethod
    def make(cls, root: str, run: Run, inputs: Sequence[Located]) -> Mirror:
        """Fill a new, empty folder.

        Parameters
        ----------
        root : str
        run : Run
        inputs : sequence of Located
        """
        root = os.path.realpath(root)
        relative = [each for each in inputs if not os.path.isabs(each.file.path)]
        folders = [path for path in run.results.folders if not os.path.isabs(path)]
        files = [file.path for file in run.results.files]
        climbing = [path for path in files if not os.path.isabs(path)]
        paths = [each.file.path for each in relative] + climbing + folders
        depth = max(map(_climbs, paths), default=0)
        if depth > _DEEPEST:
            raise InputError("a path of the record climbs too many folders; correct it")
        folder = os.path.join(root, "run", *(["up"] * depth), "here")
        os.makedirs(folder)
        for each in relative:
            _link(each.path, _inside(root, folder, each.file.path))
        for path in folders:
            os.makedirs(_inside(root, folder, path), exist_ok=True)
        renamed: dict[str, str] = {}
        for number, file in enumerate(run.results.files):
            if os.path.isabs(file.path):
                place = os.path.join(root, "absolute", str(number))
                os.makedirs(place)
                renamed[file.path] = os.path.join(place, os.path.basename(file.path))
        moved = {
            each.file.path: each.path
            for each in inputs
            if os.path.isabs(each.file.path) and each.path != each.file.path
        }
        words = [_replace(word, {**moved, **renamed}) for word in run.command]
        return cls(root, folder, words, renamed)


def _climbs(path: str) -> int:
    """Return how many folders a relative path climbs.

    Examples
    --------
    >>> _climbs("a/b"), _climbs("../a"), _climbs("a/../../../b")
    (0, 1, 2)
    """
    level = lowest = 0
    for part in path.split("/"):
        if part == "..":
            level -= 1
        elif part not in ("", "."):
            level += 1
        lowest = min(lowest, level)
    return -lowest


def _inside(root: str, folder: str, path: str) -> str:
    """Return the place of a relative path, which must not leave the root."""
    place = os.path.normpath(os.path.join(folder, *path.split("/")))
    if not place.startswith(root + os.sep):
        raise InputError(f"{path} of the record leaves its folder; correct it")
    return place


def _link(source: str, place: str) -> None:
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if os.path.lexists(place):
        return
    try:
        os.symlink(os.path.abspath(source), place)
    except OSError:  # Windows allows links to administrators only.
        shutil.copy2(source, place)


def _replace(word: str, places: dict[str, str]) -> str:
    """Return a word with other paths; longer ones first, as one may begin another."""
    for path in sorted(places, key=len, reverse=True):
        word = word.replace(path, places[path])
    return word
