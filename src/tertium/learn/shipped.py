# SPDX-License-Identifier: Apache-2.0
"""Models by name: those of the package, model files, folders of BEER 2.0."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.learn.model import Model

__all__ = ["find_model", "shipped_languages", "shipped_path"]

FOLDER = Path(__file__).parent / "models"


def shipped_path(profile: str, language: str = "") -> Path | None:
    """Return the file of a profile's model, or None if the package has none.

    Parameters
    ----------
    profile : str
    language : str
        The target language; without a model of its own, the pooled one is taken.
    """
    names = [f"{profile}.{language.lower()}.json"] if language else []
    for name in (*names, f"{profile}.json"):
        # A name is not a path: only this folder is searched.
        if "/" not in name and "\\" not in name and (FOLDER / name).is_file():
            return FOLDER / name
    return None


def shipped_languages(profile: str) -> list[str]:
    """Return the languages for which a profile has a model of its own, sorted."""
    files = [path.name for path in FOLDER.glob(f"{profile}.*.json")]
    return sorted(name[len(profile) + 1 : -len(".json")] for name in files)


def find_model(path: str, profile: str, language: str) -> tuple[Model, str]:
    """Return a model and the name it goes by in a signature.

    Parameters
    ----------
    path : str
        A model file or a folder of BEER 2.0; or "" for one of the package.
    profile, language : str
        Which one of the package.

    Raises
    ------
    InputError
        If there is none, or if it cannot be read.
    """
    file = Path(path) if path else shipped_path(profile, language)
    if file is None:
        raise InputError(_no_model(profile))
    return _load(str(file), _stamp(file)), file.name if path else file.stem


def _no_model(profile: str) -> str:
    """Return the advice where the package has no model."""
    from tertium.learn.profile import profile_names
    from tertium.learn.released import PROFILE

    what = f"no model for profile {profile!r} comes with Tertium"
    if profile == PROFILE:
        return f"{what}; name the model folder of BEER 2.0 with model=DIR"
    if profile in profile_names() and (languages := shipped_languages(profile)):
        return (
            f"{what} for all languages, only for {', '.join(languages)}; add "
            f"language={languages[0]}, or train one and name it with model=PATH"
        )
    known = sorted(name for name in profile_names() if shipped_path(name))
    return (
        f"{what}; choose from {', '.join(known)}, or train one with 'tertium train' "
        "and name it with model=PATH"
    )


def _stamp(path: Path) -> tuple[int, int]:
    """Return what changes when a file does."""
    try:
        status = path.stat()
    except OSError as error:
        message = f"{path}: {error.strerror}; name a model file with model=PATH"
        raise InputError(message) from None
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=16)
def _load(path: str, stamp: tuple[int, int]) -> Model:  # noqa: ARG001
    if Path(path).is_dir():
        from tertium.learn.released import check_folder, read_released

        check_folder(path)
        return read_released(path)
    from tertium.learn.model import load_model

    return load_model(path)
