# SPDX-License-Identifier: Apache-2.0
"""Reads the model folder of the released BEER 2.0 program.

The folder has the weights as LIBLINEAR wrote them, the names and ranges of features
and the scaler, each in a text file of its own. The scaler is kept as it is, although
it is not the optimum of its objective.
"""

from __future__ import annotations

import math
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.errors import FormatError, InputError
from tertium.learn.profile import profile

if TYPE_CHECKING:
    from tertium.learn.model import Model

__all__ = ["read_released"]

PROFILE = "beer-2.0-released"
_FILES = {
    "names": "feature_names_mapping",
    "ranges": "feature_values_scaling",
    "weights": "core_model",
    "scaler": "output_scaling",
    "kernel": "kernel.properties",
    "template": "feature_template.yaml",
}
#: The program's names and ours.
_RENAMED = (
    (r"len_disbalance_(word|char)\.d\.1\.0", r"length.\1"),
    (r"ngram(\d+)\.", r"word\1."),
    (r"skip1000000\.", "skip."),
    (r"\.a$", ".min"),
    (r"\.b$", ".max"),
    (r"\.([fg])\.1\.0$", r".\g<1>1"),
)


def read_released(directory: str | os.PathLike[str]) -> Model:
    """Return the model in a folder of the released BEER 2.0.

    Parameters
    ----------
    directory : path

    Returns
    -------
    Model
        Over the profile ``beer-2.0-released``; scores equal the program's.

    Raises
    ------
    InputError
        If a file is missing or is not what the program writes, or if the model has
        other features or a kernel.
    """
    from tertium.learn.model import Model, Ranges
    from tertium.learn.rankers import Linear
    from tertium.learn.scalers import Scaler

    folder = Path(directory)
    released = profile(PROFILE)
    _check_kernel(folder)
    names = _names(folder)
    if sorted(names) != sorted(released.names):
        odd = sorted(set(names) ^ set(released.names))
        what = (
            f"features differ from those of {PROFILE} ({', '.join(odd[:3])}); only "
            "models of the released template can be read, train another with "
            "'tertium train'"
        )
        raise FormatError(what, path=str(folder / _FILES["names"]))
    weights = _liblinear(folder / _FILES["weights"], len(names))
    ranges = _ranges(folder / _FILES["ranges"], len(names))
    intercept, slope = _liblinear(folder / _FILES["scaler"], 2)
    places = [names.index(name) for name in released.names]
    return Model(
        profile=released,
        ranker=Linear(tuple(weights[i] for i in places)),
        scaler=Scaler("linear", slope, intercept),
        ranges=Ranges(
            tuple(ranges[i][0] for i in places), tuple(ranges[i][1] for i in places)
        ),
        training={"program": "BEER 2.0, read from its model folder"},
    )


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        what = "is missing; give the complete model folder of BEER 2.0"
        raise FormatError(what, path=str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{error}; give a text file", path=str(path)) from None


def _check_kernel(folder: Path) -> None:
    """Reject what the profile does not compute."""
    for name, pattern, what in (
        ("kernel", r"polynomialDegree\s*=(?!\s*1\s*$)", "a polynomial kernel"),
        ("template", r"exponential:\s*true", "exponential lengths"),
        ("template", r"symmetry:\s*false", "features without symmetry"),
    ):
        path = folder / _FILES[name]
        for number, line in enumerate(_lines(path), start=1):
            if re.search(pattern, line):
                message = f"the model has {what}; only the released form can be read"
                raise FormatError(message, path=str(path), line=number)


def _names(folder: Path) -> list[str]:
    path = folder / _FILES["names"]
    names = []
    for number, line in enumerate(_lines(path), start=1):
        index, _, name = line.strip().partition(" ")
        if index != str(number - 1) or not name:
            what = f"{line!r} is not '{number - 1} NAME'; number features from 0"
            raise FormatError(what, path=str(path), line=number)
        for old, new in _RENAMED:
            name = re.sub(old, new, name)
        names.append(name)
    return names


def _numbers(text: str, path: Path, line: int, count: int) -> list[float]:
    cells = text.split()
    try:
        values = [float(cell) for cell in cells]
    except ValueError:
        values = []
    if len(values) != count or not all(map(math.isfinite, values)):
        what = f"{text.strip()!r} is not {count} finite number(s); fix the line"
        raise FormatError(what, path=str(path), line=line)
    return values


def _ranges(path: Path, count: int) -> list[tuple[float, float]]:
    ranges = []
    for number, line in enumerate(_lines(path), start=1):
        low, high = _numbers(line, path, number, 2)
        if not low <= 0 <= high:
            what = f"{line.strip()!r} does not hold 0; lowest and highest value must"
            raise FormatError(what, path=str(path), line=number)
        ranges.append((low, high))
    if len(ranges) != count:
        what = f"{len(ranges)} ranges for {count} features; give one each"
        raise FormatError(what, path=str(path))
    return ranges


def _liblinear(path: Path, count: int) -> list[float]:
    """Return the weights of a LIBLINEAR model file, for the label above 0."""
    lines = _lines(path)
    if "w" not in (line.strip() for line in lines):
        what = "has no line 'w'; give a model file as LIBLINEAR writes it"
        raise FormatError(what, path=str(path))
    start = next(i for i, line in enumerate(lines) if line.strip() == "w") + 1
    weights = [
        _numbers(line, path, number, 1)[0]
        for number, line in enumerate(lines[start:], start=start + 1)
        if line.strip()
    ]
    if len(weights) != count:
        what = f"{len(weights)} weights for {count} features; give one each"
        raise FormatError(what, path=str(path))
    # The weights speak for the label that is named first.
    turned = any(re.match(r"label\s+-", line) for line in lines[:start])
    return [-weight for weight in weights] if turned else weights


def check_folder(path: str) -> None:
    """Raise if a folder does not look like a model of BEER 2.0."""
    if not (Path(path) / _FILES["weights"]).is_file():
        message = (
            f"{path} is a folder without {_FILES['weights']}; give a model file, or "
            "the model folder of BEER 2.0"
        )
        raise InputError(message)
