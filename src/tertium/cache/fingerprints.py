# SPDX-License-Identifier: Apache-2.0
"""What identifies files, packages and the code that computes: their content.

A version number does not: it stays while files are edited.
"""

from __future__ import annotations

import os
import platform
import sys
from functools import cache, lru_cache
from hashlib import blake2b

__all__ = ["code_fingerprint", "fingerprint", "package_version"]

_BLOCK = 1 << 20

#: Rooms that no row of statistics depends on.
_ELSEWHERE = (
    "cache",
    "campaigns",
    "cli",
    "cluster",
    "meta",
    "notes",
    "report",
    "reproductions",
)


def fingerprint(path: str) -> str | None:
    """Return what identifies the content of a file or folder, None if there is none.

    Names of files in a folder matter, its own name and place do not. A file is read
    again when its size or time changes.
    """
    expanded = os.path.expanduser(path)
    try:
        if os.path.isdir(expanded):
            return _of_folder(expanded)
        status = os.stat(expanded)
        return _of_file(expanded, status.st_size, status.st_mtime_ns, status.st_ino)
    except OSError:
        return None


def package_version(name: str) -> str:
    """Return the version of a distribution; empty if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return ""


@cache
def code_fingerprint() -> str:
    """Return what identifies the code that computes, down to the last bit of results.

    Tertium's files (kernels, rules, models and word lists), Python and NumPy, and the
    kind of machine, on whose mathematical library the last bit may depend.
    """
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    whole = blake2b(digest_size=16)
    for name in sorted(os.listdir(root)):
        place = os.path.join(root, name)
        if name in _ELSEWHERE or name == "__pycache__":
            continue
        content = _of_folder(place) if os.path.isdir(place) else _of_file(place)
        whole.update(f"{name}\0{content}\0".encode())
    from tertium import _core

    # In an editable installation, the kernels are elsewhere.
    kernels = getattr(_core, "__file__", None)
    facts = (
        "" if kernels is None else _of_file(kernels),
        sys.version,
        platform.machine(),
        platform.system(),
        package_version("numpy"),
        package_version("PyStemmer"),
    )
    whole.update(repr(facts).encode())
    return whole.hexdigest()


@lru_cache(maxsize=4096)
def _of_file(path: str, *_: int) -> str:
    whole = blake2b(digest_size=16)
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            whole.update(block)
    return whole.hexdigest()


def _of_folder(path: str) -> str:
    whole = blake2b(digest_size=16)
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            file = os.path.join(folder, name)
            place = os.path.relpath(file, path).replace(os.sep, "/")
            status = os.stat(file)
            content = _of_file(file, status.st_size, status.st_mtime_ns, status.st_ino)
            whole.update(f"{place}\0{content}\0".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()
