# SPDX-License-Identifier: Apache-2.0
"""Files of weights: a JSON object, or lines as Moses has them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from tertium._messages import quote
from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import FormatError

__all__ = ["read_weights"]


def read_weights(path: StrPath) -> dict[str, float]:
    r"""Return the weights in a file, by feature.

    Parameters
    ----------
    path : path
        ``{"lm": 0.5, "tm_0": 0.2, "tm_1": 0.3}``, also under ``"weights"`` or as
        ``tertium tune -f json`` prints it; or one feature per line, ``lm 0.5``, or as
        in the ``[weight]`` section of ``moses.ini``: ``lm= 0.5`` and ``tm= 0.2 0.3``.
        Other sections are skipped.

    Raises
    ------
    FormatError
        When a file cannot be read, with its name and line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "moses.ini")
    ...     size = file.write_text("[weight]\nlm= 0.5\ntm= 0.2 0.3\n")
    ...     read_weights(file)
    {'lm': 0.5, 'tm_0': 0.2, 'tm_1': 0.3}
    """
    lines = list(open_lines(path))
    text = "\n".join(lines)
    pairs = (
        _object(text, path) if text.lstrip().startswith("{") else _lines(lines, path)
    )
    weights: dict[str, float] = {}
    for line, name, value in pairs:
        if name in weights:
            what = f"{name} has two weights; remove one of the two"
            raise FormatError(what, path=display(path), line=line)
        if not math.isfinite(value):
            what = f"the weight of {name} is {value}; give a finite number"
            raise FormatError(what, path=display(path), line=line)
        weights[name] = value
    if not weights:
        what = "the file has no weights; write one per feature"
        raise FormatError(what, path=display(path))
    return weights


def _object(text: str, path: StrPath) -> Iterator[tuple[int | None, str, float]]:
    try:
        value = json.loads(text)
    except ValueError as error:
        line = getattr(error, "lineno", None)
        what = f"this is not JSON ({error}); write {{FEATURE: WEIGHT, ..}}"
        raise FormatError(what, path=display(path), line=line) from None
    for key in ("final", "weights"):  # of `tertium tune`, of other programs
        if isinstance(value.get(key), dict):
            value = value[key]
    for name, weight in value.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            what = (
                f"the weight of {name} is not a number: this is not a model over "
                "features of lists; write {FEATURE: WEIGHT, ..}. A metric of `tertium "
                "train` needs references: use it in `tertium mbr`"
            )
            raise FormatError(what, path=display(path))
        yield None, name, float(weight)


def _lines(lines: list[str], path: StrPath) -> Iterator[tuple[int | None, str, float]]:
    section = "weight"
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words[0].startswith("[") and words[0].endswith("]"):
            section = words[0][1:-1]
            continue
        if section != "weight":
            continue
        name, values = words[0].rstrip("=:"), words[1:]
        try:
            weights = [float(value) for value in values]
        except ValueError:
            weights = []
        if not weights:
            what = f"{quote(line)} is not a weight; write FEATURE= WEIGHT"
            raise FormatError(what, path=display(path), line=number)
        for i, weight in enumerate(weights):
            yield number, f"{name}_{i}" if len(weights) > 1 else name, weight
