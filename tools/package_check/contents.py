# SPDX-License-Identifier: Apache-2.0
"""What an sdist and a wheel must contain, and must not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from builds import ROOT, FailedError, Interpreter

_LICENCES = {
    "LICENSE",
    "licences/nanobind.txt",
    "licences/robin-map.txt",
    "licences/unicode.txt",
    "src/tertium/text/wordlists/lists/LICENCE",
}
#: Beside src/ and core/.
_IN_SDIST = {
    "CHANGELOG.md",
    "CITATION.cff",
    "CMakeLists.txt",
    "LICENSE",
    "PKG-INFO",
    "README.md",
    "licences/bundled.toml",
    "pyproject.toml",
    "tools/make_sbom.py",
    *_LICENCES,
}
_STRAY = re.compile(r"__pycache__|\.pyc$|\.orig$|~$|\.swp$|\.DS_Store|\.egg-info|/\.")
# Folders of the machine that built it; what a compiler's library says is not ours.
_PLACES = re.compile(
    rb"(?:/home|/root|/Users|/work|/tmp|/private/tmp|[A-Z]:\\)[\w./\\-]+"
)


def check_sdist(path: Path) -> None:
    """Raise an error unless the sdist has all sources and nothing else."""
    with tarfile.open(path) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    expected = {*_tracked("src"), *_tracked("core"), *_IN_SDIST}
    _differences(path.name, names, expected)


def check_wheel(path: Path, python: Interpreter) -> None:
    """Raise an error unless the wheel has the package, its licences and its SBOM."""
    tag = "cp312-abi3" if python.stable else f"cp3{python.minor}-cp3{python.minor}"
    if tag not in path.name:
        raise FailedError(f"{path.name} should be a wheel {tag}")
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        info = {name for name in names if ".dist-info/" in name}
        core = next(
            name for name in names - info if "/_core." in name and ".pyi" not in name
        )
        package = {f"tertium/{name[12:]}" for name in _tracked("src")}
        _differences(path.name, names - info, package | {core})
        folder = next(iter(info)).split("/")[0]
        needed = {f"{folder}/licenses/{name}" for name in _LICENCES}
        needed |= {
            f"{folder}/{n}"
            for n in (
                "METADATA",
                "RECORD",
                "WHEEL",
                "entry_points.txt",
                "sboms/tertium.cdx.json",
            )
        }
        _differences(path.name, info, needed)
        places = _PLACES.findall(archive.read(core))
        if places:
            raise FailedError(f"{core} names folders of this machine: {places[:3]}")
        _check_sbom(json.loads(archive.read(f"{folder}/sboms/tertium.cdx.json")), names)


def _check_sbom(bill: dict, names: set[str]) -> None:
    """Raise an error unless a bill of materials lists the wheel's data files."""
    files = {
        file["name"]
        for component in bill["components"]
        for file in component.get("components", ())
    }
    data = {
        name
        for name in names
        if name.startswith("tertium/") and not name.endswith((".py", ".so", ".pyd"))
    }
    _differences("the bill of materials", files, data)


def check_stable_abi(path: Path) -> None:
    """Run abi3audit, which looks for functions outside the stable ABI."""
    command = [sys.executable, "-m", "abi3audit", "--strict", str(path)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise FailedError(f"abi3audit: {done.stdout}{done.stderr}")


def _tracked(folder: str) -> Iterator[str]:
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return (
        name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()
    )


def _differences(what: str, names: set[str], expected: set[str]) -> None:
    files = {name for name in names if not name.endswith("/")}
    stray = sorted(name for name in files if _STRAY.search(name))
    more, missing = sorted(files - expected), sorted(expected - files)
    if more or missing or stray:
        raise FailedError(
            f"{what}: unexpected {more[:5]}, missing {missing[:5]}, stray {stray[:5]}"
        )
