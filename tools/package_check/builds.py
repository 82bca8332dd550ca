# SPDX-License-Identifier: Apache-2.0
"""Interpreters, and sdists and wheels built with them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
_NEWEST = 30  # no Python 3.30 yet
_STABLE = 12  # the first with a stable ABI that nanobind can use


class FailedError(Exception):
    """A check that failed; the message says what and how to look closer."""


@dataclass(frozen=True)
class Interpreter:
    """A Python: where it is, and the minor number of its version."""

    path: str
    minor: int

    @property
    def stable(self) -> bool:
        """Whether its wheels serve later Pythons, too."""
        return self.minor >= _STABLE

    def __str__(self) -> str:
        return f"Python 3.{self.minor}"


def interpreters() -> list[Interpreter]:
    """Return the Pythons from 3.10 on that are on the path, oldest first."""
    candidates = (_interpreter(f"python3.{minor}") for minor in range(10, _NEWEST))
    every = {each.minor: each for each in candidates if each}
    here = _interpreter(sys.executable)
    if here:
        every.setdefault(here.minor, here)
    return [every[minor] for minor in sorted(every)]


def interpreter(name: str) -> Interpreter:
    """Return the Python that is named by a path, a command or a version."""
    chosen = _interpreter(f"python{name}" if name[:1].isdigit() else name)
    if chosen is None:
        raise FailedError(f"there is no Python {name} that starts; install it")
    return chosen


def _interpreter(command: str) -> Interpreter | None:
    path = shutil.which(command)
    if path is None:
        return None
    code = "import sys; print(sys.version_info[1], sys._base_executable)"
    # pyenv's commands start only if their version is chosen.
    version = command.rpartition("python")[2]
    for extra in ({}, {"PYENV_VERSION": version}):
        done = subprocess.run(
            [path, "-c", code],
            env={**os.environ, **extra},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode == 0:
            minor, place = done.stdout.strip().split(" ", 1)
            return Interpreter(place, int(minor))
    return None


def copy_of_project(target: Path) -> Path:
    """Copy the files that Git knows, as they are now."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout.split("\0")
    for name in filter(None, names):
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target / name)
    return target


def commit_time() -> str:
    """Return the seconds of the last commit, for SOURCE_DATE_EPOCH."""
    command = ["git", "log", "-1", "--format=%ct"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout.strip()


def build(
    project: Path, out: Path, *, python: Interpreter, kinds: tuple[str, ...] = ()
) -> list[Path]:
    """Run ``python -m build``, and return what it made.

    Parameters
    ----------
    kinds : tuple of str
        ``--wheel`` or ``--sdist``; by default an sdist, and a wheel from it.
    """
    out.mkdir(parents=True, exist_ok=True)
    before = set(out.iterdir())
    environment = {**os.environ, "SOURCE_DATE_EPOCH": commit_time()}
    environment.pop("PYTHONPATH", None)
    log = out.parent / f"{project.name}-{out.name}.log"
    with log.open("wb") as file:
        done = subprocess.run(
            [*_builder(python, out.parent), "-o", str(out), *kinds, str(project)],
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        lines = log.read_text("utf-8", "replace").splitlines()[-15:]
        raise FailedError("\n".join([f"{python} cannot build {project}:", *lines]))
    return sorted(set(out.iterdir()) - before)


def _builder(python: Interpreter, folder: Path) -> list[str]:
    """Return the command that runs ``build`` under a Python."""
    place = folder / f"builder-3.{python.minor}"
    if not place.exists():
        uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
        make = [uv, "venv", "-q", "--python", python.path, str(place)]
        subprocess.run(make, check=True)
        install = [uv, "pip", "install", "-q", "--python", str(executable(place))]
        subprocess.run([*install, "build[uv]"], check=True)
    return [str(executable(place)), "-m", "build", "--installer", "uv"]


def executable(environment: Path) -> Path:
    """Return the Python of an environment."""
    windows = os.name == "nt"
    return environment / ("Scripts/python.exe" if windows else "bin/python")


def compare(first: list[Path], second: list[Path]) -> None:
    """Raise an error unless two builds gave the same bytes."""
    names = [path.name for path in first]
    if names != [path.name for path in second]:
        raise FailedError(f"two builds gave {names} and {[p.name for p in second]}")
    for one, other in zip(first, second, strict=True):
        if one.read_bytes() != other.read_bytes():
            raise FailedError(
                f"two builds of {one.name} differ ({one}, {other}); "
                "`pip install diffoscope` shows where"
            )
