# SPDX-License-Identifier: Apache-2.0
"""New campaigns as files: from an example, from your own items, like another one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tertium._files import replace_file
from tertium.campaigns.config import parse_config, read_config
from tertium.campaigns.foreign import foreign_files, read_foreign
from tertium.campaigns.judges import CURE, DEMO, judge_named, stored_marks
from tertium.campaigns.starting import (
    Overrides,
    clone,
    from_here,
    moved_setting,
    reaches_out,
)
from tertium.campaigns.tasks import Task, get_task
from tertium.errors import InputError
from tertium.notes import Note

__all__ = [
    "USUAL",
    "NewCampaign",
    "config_place",
    "create_campaign",
    "create_demo",
]

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
        All files that were written, images as their folder.
    outside : bool
        Whether the configuration names files outside its folder, which must be allowed
        when it is loaded.
    notes : tuple of Note
        What could not be kept of another tool's campaign, and what a model marked.
    asks : bool
        Whether it starts from the marks of a language model that was not asked yet.
    """

    config: Path
    files: tuple[Path, ...]
    outside: bool
    notes: tuple[Note, ...] = ()
    asks: bool = False


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
    prefilled: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> NewCampaign:
    """Write the files of a new campaign, and return where they are.

    Parameters
    ----------
    config : path
        The configuration to write; other files go beside it. A name that does not end
        with ``.toml`` is a folder, which gets ``campaign.toml``.
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
        The configuration of another campaign, to copy settings, texts and items from;
        or a campaign of another tool, batches of Appraise or a file of Pearmut, to make
        one of ours from.
    prefilled : str, optional
        Error spans from which annotators start: a file of judgements, or
        ``llm:config=FILE``, the settings of a language model, which is asked now.
    progress : callable, optional
        Called with how many outputs the model has judged, of how many.

    Raises
    ------
    InputError
        When a file exists, cannot be written, or does not fit the task; or when a
        model does not answer, with all files but its marks written.
    """
    place = config_place(config)
    wanted = Overrides(name, items, systems, source, target, seed, prefilled)
    notes: list[Note] = []
    images: Mapping[str, Path | bytes] = {}
    if like is not None and (foreign := read_foreign(like, task=task)) is not None:
        if items is not None:
            message = f"{like} has items of its own; omit items"
            raise InputError(message, options=("items",))
        if prefilled is not None:
            message = f"{like} has spans to start from of its own; omit prefilled"
            raise InputError(message, options=("prefilled",))
        kind = get_task(foreign.task)
        files, notes = foreign_files(foreign, kind, wanted)
        images = foreign.images
        texts = _named(files, place)
    elif like is not None:
        other = read_config(like)
        if task not in (None, other.task):
            message = f"{like} has the task {other.task}; omit task"
            raise InputError(message, options=("task",))
        kind = get_task(other.task)
        kind.options(other)  # rejects a configuration that could not be loaded
        texts = {place: clone(other, kind, place, _placed(wanted, kind, place))}
        marks = stored_marks(other.path)
        uses = judge_named(str(other.options.get("prefilled", ""))) is not None
        if uses and items is None and prefilled is None and marks.exists():
            texts[stored_marks(place)] = marks.read_text(encoding="utf-8")
    else:
        kind = get_task(task or USUAL)
        texts = _named(kind.starter_files(_placed(wanted, kind, place)), place)
    for path in texts:
        if os.path.exists(path):  # False for a name that is too long, too
            raise InputError(f"{path} already exists; choose another folder")
    # Outside are files that the user named.
    made = parse_config(texts[place], place, allow_outside=True)
    if prefilled is not None:
        kind.check_model(made)
    folders = _write_images(images, place.parent)
    _write(texts)
    if prefilled is not None:
        notes += kind.ask_model(made, progress=progress)
    marks = stored_marks(place)
    is_judged = judge_named(str(made.options.get("prefilled", ""))) is not None
    return NewCampaign(
        place,
        (*texts, *folders, *([marks] if marks not in texts and marks.exists() else [])),
        reaches_out(made, kind),
        tuple(notes),
        is_judged and not marks.exists(),
    )


def config_place(name: str | Path) -> Path:
    """Return the configuration that a name means: a folder has ``campaign.toml``."""
    place = Path(name)
    return place if place.suffix == ".toml" else place / "campaign.toml"


def _named(files: Mapping[str, str], place: Path) -> dict[Path, str]:
    """Return files by path; the configuration has the name that was asked for."""
    return {
        place if file == "campaign.toml" else place.parent / file: text
        for file, text in files.items()
    }


def create_demo(folder: str | Path, task: str) -> Path:
    """Write the example of a task, and return its configuration.

    Files that exist stay as they are.
    """
    place = Path(folder) / task
    kind = get_task(task)
    files = kind.starter_files()
    if lessons := kind.lessons():
        files["training.jsonl"] = lessons
        files["campaign.toml"] += '\n[training]\nitems = "training.jsonl"\n'
    contents = {name: text.encode() for name, text in files.items()}
    for name, data in {**contents, **kind.lesson_images()}.items():
        if not (place / name).exists():
            _write_file(place / name, data)
    return place / "campaign.toml"


def _write(texts: Mapping[Path, str]) -> None:
    for path, text in texts.items():
        _write_file(path, text.encode())


def _write_images(images: Mapping[str, Path | bytes], folder: Path) -> list[Path]:
    """Copy images into a folder, and return the folders that hold them."""
    for name, image in images.items():
        data = image if isinstance(image, bytes) else image.read_bytes()
        _write_file(folder / name, data)
    return list(dict.fromkeys((folder / name).parent for name in images))


def _write_file(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot create the folder {path.parent}: {error.strerror}"
        raise InputError(f"{message}; choose one you may write to") from None
    with replace_file(path) as file:
        file.write(data)


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
    if wanted.prefilled is None:
        prefilled = None
    elif "prefilled" not in task.declared_options:
        message = f"{task.name} does not start from spans; omit prefilled"
        raise InputError(message, options=("prefilled",))
    else:
        judge = judge_named(wanted.prefilled)
        path = Path(judge or wanted.prefilled)
        if judge != DEMO and not path.exists():
            message = f"{path} is not a file; {CURE}"
            raise InputError(message, options=("prefilled",))
        prefilled = moved_setting(wanted.prefilled, Path(), place.parent)
    return Overrides(
        wanted.title, items, systems, source, target, wanted.seed, prefilled
    )


def _langpair(items: str) -> tuple[str, str, str]:
    """Return the languages of the first test set, as far as it names them."""
    from tertium.data import read

    first = Path(items.partition(",")[0])
    # The root folder has no name to look for.
    matches = sorted(first.parent.glob(first.name)) if first.name else []
    path = matches[0] if matches else first
    return ((path.exists() and read(path).langpair) or "").partition("-")
