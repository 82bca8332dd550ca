# SPDX-License-Identifier: Apache-2.0
"""Build the package and try it in empty environments.

    make package                                   # everything
    python tools/package_check --short             # what CI runs
    python tools/package_check --extras meta web

An sdist and a wheel are built twice, in different folders, and must be equal byte for
byte. Their contents are checked, the stable ABI is audited, and for every Python and
extra an empty environment gets the wheel and tries it, with the extra and without.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import builds
import contents
import environments
from builds import FailedError, Interpreter
from extras import RECIPES

Result = TypeVar("Result")


def main(argv: list[str] | None = None) -> int:
    options = _parser().parse_args(argv)
    try:
        if options.keep:
            Path(options.keep).mkdir(parents=True, exist_ok=True)
            return _check(options, Path(options.keep).resolve())
        with tempfile.TemporaryDirectory() as folder:
            return _check(options, Path(folder))
    except FailedError as error:
        print(f"package_check: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tools/package_check",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--short",
        action="store_true",
        help="one Python (3.12 or newer, if there is one), and no extra",
    )
    parser.add_argument(
        "--pythons",
        nargs="+",
        metavar="PYTHON",
        help="versions, commands or paths (default: 3.10 and the newest)",
    )
    parser.add_argument(
        "--extras",
        nargs="*",
        choices=[*RECIPES, []],
        metavar="EXTRA",
        help="(default: each)",
    )
    parser.add_argument(
        "--dist", metavar="FOLDER", help="take the sdist and wheels of a folder instead"
    )
    parser.add_argument(
        "--keep", metavar="FOLDER", help="work there, and leave what was built"
    )
    return parser


def _check(options: argparse.Namespace, folder: Path) -> int:
    pythons = _pythons(options)
    names = ", ".join(map(str, pythons))
    print(f"checking the package with {names}")
    wheels = _wheels(options, folder, pythons)
    chosen = list(RECIPES) if options.extras is None else options.extras
    failures, skipped = [], []
    for python in pythons:
        trial = environments.Trial(python, wheels[python], folder)
        _step(f"{python}: no extra", trial.core)
        for extra in [] if options.short else chosen:
            try:
                reason = _step(f"{python}: [{extra}]", partial(trial.extra, extra))
            except FailedError as error:
                print(f"  FAILED: {error}", flush=True)
                failures.append(f"{python}: [{extra}]")
                continue
            if reason:
                skipped.append(f"{python}: [{extra}] {reason}")
    for line in skipped:
        print(f"could not be tried: {line}")
    for line in failures:
        print(f"failed: {line}")
    return bool(failures)


def _pythons(options: argparse.Namespace) -> list[Interpreter]:
    if options.pythons:
        return [builds.interpreter(name) for name in options.pythons]
    every = builds.interpreters()
    if not every:
        raise FailedError("no Python 3.10 or newer is on the path")
    return every[-1:] if options.short else list(dict.fromkeys([every[0], every[-1]]))


def _wheels(
    options: argparse.Namespace, folder: Path, pythons: list[Interpreter]
) -> dict[Interpreter, Path]:
    """Return a checked wheel for every Python."""
    if options.dist:
        return {each: _fitting(Path(options.dist), each) for each in pythons}
    # The oldest Python with a stable ABI builds for all later ones.
    stable = [each for each in builds.interpreters() if each.stable]
    builder = stable[0] if stable and any(p.stable for p in pythons) else pythons[0]
    first = builds.copy_of_project(folder / "first" / "tertium")
    other = builds.copy_of_project(folder / "second" / "another-name")
    one = _step(
        f"sdist and wheel with {builder}",
        lambda: builds.build(first, folder / "dist", python=builder),
    )
    two = _step(
        "the same in another folder",
        lambda: builds.build(other, folder / "again", python=builder),
    )
    _step("equal byte for byte", lambda: builds.compare(one, two))
    sdist = next(path for path in one if path.name.endswith(".tar.gz"))
    _step("contents of the sdist", lambda: contents.check_sdist(sdist))
    for python in pythons:
        if not python.stable and python != builder:
            _step(
                f"wheel with {python}",
                lambda p=python: builds.build(
                    first, folder / "dist", python=p, kinds=("--wheel",)
                ),
            )
    wheels = {each: _fitting(folder / "dist", each) for each in pythons}
    for python, wheel in wheels.items():
        _step(
            f"contents of {wheel.name}",
            lambda p=python, w=wheel: contents.check_wheel(w, p),
        )
        if python.stable:
            _step("stable ABI", lambda w=wheel: contents.check_stable_abi(w))
    return wheels


def _fitting(folder: Path, python: Interpreter) -> Path:
    tag = "cp312-abi3" if python.stable else f"cp3{python.minor}-cp3{python.minor}"
    wheels = sorted(folder.glob(f"tertium-*-{tag}-*.whl"))
    if not wheels:
        raise FailedError(f"{folder} has no wheel {tag} for {python}")
    return wheels[-1]


def _step(name: str, function: Callable[[], Result]) -> Result:
    start = time.monotonic()
    print(name, end=" ... ", flush=True)
    result = function()
    print(f"{time.monotonic() - start:.0f} s", flush=True)
    return result


if __name__ == "__main__":
    sys.exit(main())
