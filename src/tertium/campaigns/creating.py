# SPDX-License-Identifier: Apache-2.0
"""New campaigns as files: from an example, from your own items, like another one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tertium._files import replace_file
from tertium.campaigns.config import read_config
from tertium.campaigns.starting import Overrides, clone, from_here, reaches_out
from tertium.campaigns.tasks import Task, get_task
from tertium.errors import InputError

__all__ = ["USUAL", "NewCampaign", "create_campaign", "create_demo"]

#: The task of a new campaign by default.
USUAL = "segranks"


@dataclass(frozen=True)
class NewCampaign:
    """The files of a new campaign.

    Parameters
    ----------
    config : Path
        The configuration.
    files : tuple of Path
        All files that were written.
    outside : bool
        Whether the configuration names files outside its folder, which must be allowed
        when it is loaded.
    """

    config: Path
    files: tuple[Path, ...]
    outside: bool


def create_campaign(
    config: str | Path,
    *,
    task: str | None = None,
    name: str | None = None,
    items: str | None = None,
    systems: str | None = None,
    source: str | None = None,
    target: str | None = None,
    seed: int | None = None,
    like: str | None = None,
) -> NewCampaign:
    """Write the files of a new campaign, and return where they are.

    Parameters
    ----------
    config : path
        The configuration to write; other files go beside it.
    task : str, optional
        The kind of question; by default segment rankings, or the task of `like`.
    name : str, optional
        The title that people read; the name in addresses is made from it.
    items : str, optional
        The files with what is judged, separated by commas; an example by default.
    systems : str, optional
        The systems wanted, separated by commas, or a file of them.
    source, target : str, optional
        Languages; by default those of the items.
    seed : int, optional
    like : str, optional
        The configuration of another campaign, to copy settings, texts and items from.

    Raises
    ------
    InputError
        When a file exists, cannot be written, or does not fit the task.
    """
    place = Path(config)
    wanted = Overrides(name, items, systems, source, target, seed)
    if like is not None:
        other = read_config(like)
        if task not in (None, other.task):
            message = f"{like} has the task {other.task}; omit task"
            raise InputError(message, options=("task",))
        kind = get_task(other.task)
        kind.options(other)  # rejects a configuration that could not be loaded
        texts = {place: clone(other, kind, place, _placed(wanted, kind, place))}
    else:
        kind = get_task(task or USUAL)
        texts = {
            place if file == "campaign.toml" else place.parent / file: text
            for file, text in kind.starter_files(_placed(wanted, kind, place)).items()
        }
    for path in texts:
        if os.path.exists(path):  # False for a name that is too long, too
            raise InputError(f"{path} already exists; choose another folder")
    _write(texts)
    return NewCampaign(place, tuple(texts), reaches_out(read_config(place), kind))


def create_demo(folder: str | Path, task: str) -> Path:
    """Write the example of a task, and return its configuration.

    Files that exist stay as they are.
    """
    place = Path(folder) / task
    files = get_task(task).starter_files()
    _write({place / n: text for n, text in files.items() if not (place / n).exists()})
    return place / "campaign.toml"


def _write(texts: Mapping[Path, str]) -> None:
    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"cannot create the folder {path.parent}: {error.strerror}"
            raise InputError(f"{message}; choose one you may write to") from None
        with replace_file(path) as file:
            file.write(text.encode())


def _placed(wanted: Overrides, task: Task, place: Path) -> Overrides:
    """Return what is wanted with paths relative to the configuration."""
    source, target = wanted.source, wanted.target
    if wanted.items and not task.systems_file and not (source and target):
        pair = _langpair(wanted.items)
        source, target = source or pair[0], target or pair[2]
    systems = wanted.systems
    if systems and task.systems_file:
        systems = from_here(systems, place.parent)
    items = from_here(wanted.items, place.parent) if wanted.items else None
    return Overrides(wanted.title, items, systems, source, target, wanted.seed)


def _langpair(items: str) -> tuple[str, str, str]:
    """Return the languages of the first test set, as far as it names them."""
    from tertium.data import read

    first = Path(items.partition(",")[0])
    # The root folder has no name to look for.
    matches = sorted(first.parent.glob(first.name)) if first.name else []
    path = matches[0] if matches else first
    return ((path.exists() and read(path).langpair) or "").partition("-")
