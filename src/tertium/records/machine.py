# SPDX-License-Identifier: Apache-2.0
"""Versions and machine of a run: nothing that names a person, a host or a place."""

from __future__ import annotations

import os
import platform
import sys

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
#: Modules that installers load into every process.
_INSTALLERS = {"_distutils_hack", "_virtualenv", "sitecustomize"}


def imported_versions() -> dict[str, str]:
    """Return the versions of Tertium, Python and all distributions in use, by name."""
    from importlib import metadata

    modules = {name.partition(".")[0] for name in sys.modules} - _INSTALLERS
    owners = metadata.packages_distributions()
    names = {owner for module in modules for owner in owners.get(module, ())}
    versions: dict[str, str] = {}
    for name in sorted(names, key=str.lower):
        try:
            versions[name.lower()] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    versions.pop("tertium", None)
    python = platform.python_version()
    return {"tertium": __version__, "python": python, **versions}


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
