# SPDX-License-Identifier: Apache-2.0
"""What a recorded run needs that is not here, or is not what it was."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tertium.records.files import find_resource, hash_file
from tertium.records.run import File, Run

__all__ = ["Located", "Missing", "changed_versions", "find_missing", "locate"]


@dataclass(frozen=True)
class Missing:
    """Something that a run cannot be repeated without.

    Attributes
    ----------
    what : str
        The file, distribution or stream.
    why : str
    cure : str
    """

    what: str
    why: str
    cure: str


@dataclass(frozen=True)
class Located:
    """An input, and where it is now.

    Attributes
    ----------
    file : File
        As it was then.
    path : str
    now : str, optional
        The hash of its content if that has changed.
    """

    file: File
    path: str
    now: str | None = None


def locate(
    run: Run, folder: str, search: Sequence[str] = ()
) -> tuple[list[Located], list[Missing]]:
    """Return where all inputs of a run are, and what is missing.

    An input that has changed is not missing, unless its old content is found.

    Parameters
    ----------
    run : Run
    folder : str
        Where the run is to be repeated, which relative paths start from.
    search : sequence of str
        Folders that are searched for the content of files that are not at their place,
        whatever they are called there.
    """
    located, lost = [], []
    missing = []
    for file in run.inputs:
        place = _place(file.path, folder)
        if file.sha256 is None:
            why = "it was a pipe, or the run changed it itself"
            cure = "make it a file, and record the run again"
            missing.append(Missing(place, why, cure))
            continue
        now = hash_file(place) if os.path.isfile(place) else None
        if now == file.sha256:
            located.append(Located(file, place))
        else:
            lost.append(Located(file, place, now))
    elsewhere = _search([each.file for each in lost], search)
    for each in lost:
        if each.file.sha256 in elsewhere:
            located.append(Located(each.file, elsewhere[each.file.sha256]))
        elif each.now is not None:
            located.append(each)
        else:
            why = f"there is no such file (sha256 {each.file.sha256})"
            cure = "bring it back, or name a folder to search for it"
            missing.append(Missing(each.path, why, cure))
    return located, missing


def find_missing(run: Run) -> list[Missing]:
    """Return the resources and distributions of a run that are not installed here."""
    return [*_resources(run), *_distributions(run)]


def changed_versions(run: Run, now: Run) -> dict[str, tuple[str, str]]:
    """Return the versions that differ, then and now, of what both runs imported."""
    return {
        name: (version, now.versions[name])
        for name, version in sorted(run.versions.items())
        if now.versions.get(name, version) != version
    }


def _resources(run: Run) -> Iterator[Missing]:
    for file in run.resources:
        path = find_resource(file.path)
        place = file.path.partition(":")[0]
        cure = (
            f"install tertium {run.versions.get('tertium', '')}"
            if place == "tertium"
            else f"install what {file.path} belongs to, or set the variable that names "
            "its folder"
        )
        known = f" (sha256 {file.sha256})"
        if path is None:
            yield Missing(file.path, f"there is no such resource{known}", cure)
        elif file.sha256 is not None and hash_file(path) != file.sha256:
            yield Missing(file.path, f"another version of it is installed{known}", cure)


def _distributions(run: Run) -> Iterator[Missing]:
    from importlib import metadata

    for name, version in run.versions.items():
        if name in ("tertium", "python"):
            continue
        try:
            metadata.version(name)
        except (metadata.PackageNotFoundError, ValueError):
            cure = f"pip install '{name}=={version}'"
            yield Missing(name, "it is not installed", cure)


def _place(path: str, folder: str) -> str:
    return (
        os.path.normpath(os.path.join(folder, *path.split("/")))
        if not (os.path.isabs(path))
        else path
    )


def _search(files: Sequence[File], folders: Sequence[str]) -> dict[str, str]:
    """Return paths by hash; files of another size are not read."""
    wanted = {file.sha256: file.size for file in files if file.sha256}
    places: dict[str, str] = {}
    for folder in folders:
        for root, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(root, name)
                if not os.path.isfile(path) or len(places) == len(wanted):
                    continue
                if os.path.getsize(path) in wanted.values():
                    digest = hash_file(path)
                    if digest in wanted:
                        places.setdefault(digest, path)
    return places
