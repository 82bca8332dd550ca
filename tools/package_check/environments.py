# SPDX-License-Identifier: Apache-2.0
"""Empty environments in which a wheel is installed and tried."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from builds import FailedError, Interpreter, executable
from extras import RECIPES, Recipe

_SMOKE = Path(__file__).with_name("smoke.py")
_MISSING = 2  # the exit code of the command line for a missing extra


class Trial:
    """A wheel and a Python; every extra gets an environment of its own."""

    def __init__(self, python: Interpreter, wheel: Path, folder: Path) -> None:
        self._python, self._wheel = python, wheel
        self._folder = folder / f"trial-3.{python.minor}"

    def core(self) -> None:
        """Install the wheel as people do, with venv and pip, and try the core."""
        place = self._folder / "core"
        _run([self._python.path, "-m", "venv", "--clear", str(place)])
        python = str(executable(place))
        _run([python, "-m", "pip", "install", "-q", str(self._wheel)])
        _run([python, str(_SMOKE)])

    def extra(self, name: str) -> str:
        """Try an extra; return why it could not be, or an empty text."""
        for recipe in RECIPES[name]:
            self._without(name, recipe)
        outside = RECIPES[name][0].outside
        needs = RECIPES[name][0].needs
        try:
            place = self._environment((name, *needs))
        except FailedError as error:
            if not outside:
                raise
            reason = str(error).splitlines()
            return f"needs {outside}: {reason[-1][:200]}"
        try:
            for recipe in RECIPES[name]:
                for package in recipe.packages:
                    install = [*_uv(), "pip", "install", "-q", "--no-deps"]
                    _run([*install, "--python", str(executable(place)), package])
                self._try(recipe, place)
        except FailedError as error:
            if not outside:
                raise
            return f"needs {outside}: {str(error).splitlines()[-1][:200]}"
        finally:
            shutil.rmtree(place)
        return ""

    def _without(self, name: str, recipe: Recipe) -> None:
        """Check that the command names the cure where the extra is missing."""
        if name in ("parse", "all"):
            return  # Their parts were tried one by one.
        place = self._environment(recipe.needs, keep="-".join(["none", *recipe.needs]))
        done = self._do(recipe, place)
        cure = f"tertium[{recipe.cure or name}]"
        lines = [line for line in done.stdout.splitlines() if cure in line]
        if done.returncode != _MISSING or len(lines) != 1:
            raise FailedError(
                f"without [{name}]: code {done.returncode}, not {_MISSING}, and "
                f"one line with pip install '{cure}', but:\n{done.stdout[-1500:]}"
            )

    def _try(self, recipe: Recipe, place: Path) -> None:
        done = self._do(recipe, place)
        if (
            done.returncode != recipe.code
            or recipe.contains not in done.stdout
            or "pip install" in done.stdout
        ):
            command = " ".join(recipe.command)[:200]
            raise FailedError(
                f"{command}: code {done.returncode}, not {recipe.code} and "
                f"{recipe.contains!r}:\n{done.stdout[-1500:]}"
            )

    def _do(self, recipe: Recipe, place: Path) -> subprocess.CompletedProcess[str]:
        folder = self._folder / "work"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        python = executable(place)
        variables = {
            key: str(folder / value) if "/" not in value else value
            for key, value in recipe.variables
        }
        environment = {**os.environ, **variables, "PYTHONNOUSERSITE": "1"}
        environment.pop("PYTHONPATH", None)
        if recipe.setup:
            subprocess.run(
                [python, "-c", recipe.setup],
                cwd=folder,
                env=environment,
                capture_output=True,
                check=False,  # It may need the extra, too.
            )
        if recipe.command[0] == "python":
            command = [str(python), "-c", recipe.command[1]]
        else:
            command = [str(python.with_name("tertium")), *recipe.command]
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )

    def _environment(self, extras: tuple[str, ...], *, keep: str = "") -> Path:
        place = self._folder / (keep or "with")
        if keep and place.exists():
            return place
        _run(
            [*_uv(), "venv", "-q", "--clear", "--python", self._python.path, str(place)]
        )
        names = f"[{','.join(extras)}]" if extras else ""
        requirement = f"tertium{names} @ {self._wheel.as_uri()}"
        install = [*_uv(), "pip", "install", "-q", "--python", str(executable(place))]
        _run([*install, *_links(), requirement])
        return place


@cache
def _uv() -> tuple[str, ...]:
    beside = shutil.which("uv", path=str(Path(sys.executable).parent))
    return (beside or "uv",)


@cache
def _links() -> tuple[str, ...]:
    """Return pip's folders of wheels, which uv does not read by itself."""
    folders = os.environ.get("PIP_FIND_LINKS", "").split()
    return tuple(word for folder in folders for word in ("--find-links", folder))


def _run(command: list[str]) -> None:
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise FailedError(f"{' '.join(command)[:300]}:\n{done.stdout[-2000:]}")
