# SPDX-License-Identifier: Apache-2.0
"""Versions and machine of a run: nothing that names a person, a host or a place."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from functools import cache

from tertium._version import __version__

__all__ = ["VALUES", "environment", "imported_versions", "machine"]

#: Variables that verbs heed, and whose values are figures and names.
VALUES = (
    "SACREBLEU_FORMAT",
    "SACREBLEU_SEED",
    "NO_COLOR",
    "OMP_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "PYTHONHASHSEED",
)
#: Others are paths, of which a record keeps only that they were set.
_PATHS = (
    "TERTIUM_CACHE",
    "TERTIUM_DATA",
    "TERTIUM_MODELS",
    "TERTIUM_RESOURCES",
    "WNSEARCHDIR",
)
_SET = "(set)"
#: Modules of no distribution, and those that installers load into every process.
_KNOWN = {
    *sys.stdlib_module_names,
    *("__main__", "__mp_main__", "_distutils_hack", "_virtualenv", "tertium"),
    *("sitecustomize", "usercustomize"),
}


def imported_versions() -> dict[str, str]:
    """Return the versions of Tertium, Python and all distributions in use, by name."""
    from importlib import metadata

    versions: dict[str, str] = {}
    unknown = set()
    for name in {name.partition(".")[0] for name in sys.modules} - _KNOWN:
        try:
            versions[name.lower()] = metadata.version(name)
        except (metadata.PackageNotFoundError, ValueError):
            unknown.add(name)
    if any(getattr(sys.modules.get(name), "__file__", None) for name in unknown):
        owners = _owners()
        for owner in {owner for name in unknown for owner in owners.get(name, ())}:
            versions[owner.lower()] = metadata.version(owner)
    versions.pop("tertium", None)
    python = platform.python_version()
    return {"tertium": __version__, "python": python, **dict(sorted(versions.items()))}


@cache
def _owners() -> Mapping[str, Sequence[str]]:
    """Return distributions by module; this reads about all that are installed."""
    from importlib import metadata

    return metadata.packages_distributions()


def machine() -> dict[str, str | int]:
    """Return operating system, processor and number of cores."""
    return {
        "system": f"{platform.system()} {platform.release()}".strip(),
        "architecture": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
    }


def environment() -> dict[str, str]:
    """Return the variables that a verb may heed, if they are set."""
    values = {name: os.environ[name] for name in VALUES if os.environ.get(name)}
    return values | {name: _SET for name in _PATHS if os.environ.get(name)}


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                name, colon, value = line.partition(":")
                if colon and name.strip() == "model name":
                    return value.strip()
    except OSError:
        pass
    return platform.processor() or "unknown"
