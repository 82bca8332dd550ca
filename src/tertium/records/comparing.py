# SPDX-License-Identifier: Apache-2.0
"""Where the results of two runs differ: the value, the line, the file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import cast

from tertium._messages import quote
from tertium._version import __version__
from tertium.errors import InputError
from tertium.records.run import Json, Results
from tertium.records.streams import without_version

__all__ = ["Difference", "differences", "file_differences"]

_NOTHING = "(nothing)"
_VERSION = re.compile(r'(version:tertium-|"tertium": ?")[\w.+]+')
_LONGEST = 50_000_000  # bytes of a file that is compared line by line


@dataclass(frozen=True)
class Difference:
    """A place where two results differ.

    Attributes
    ----------
    where : str
        Such as ``systems / A / bleu / score``, ``standard output, line 3`` or
        ``scores.tsv``.
    then, now : str
        What the record says, and what came out now.
    """

    where: str
    then: str
    now: str


def differences(
    then: Results, now: Results, *, tolerance: float = 0.0
) -> list[Difference]:
    """Return all differences between two results; none if they are equal.

    The version of Tertium, which JSON and signatures name, is not compared, nor are
    times. If the results are there as data and are equal, tables that are laid out
    differently are a difference still, unless there is a tolerance.

    Parameters
    ----------
    then, now : Results
    tolerance : float
        How far numbers may differ, relative to the larger one.
    """
    result: list[Difference] = []
    if then.exit != now.exit:
        result.append(Difference("exit code", str(then.exit), str(now.exit)))
    result += _data(then.data, now.data, (), tolerance)
    known = then.data is not None and now.data is not None
    if not (known and tolerance):
        result += _texts(then, now)
    result += _files(then, now, skip=bool(known and tolerance))
    return result


def _data(
    then: Json, now: Json, place: tuple[str, ...], tolerance: float
) -> Iterator[Difference]:
    """Yield the differences of two results as data."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in {**then, **now}:
            if key in _UNIMPORTANT:
                continue
            if key not in then or key not in now:
                where = " / ".join((*place, key))
                there, here = then.get(key, _NOTHING), now.get(key, _NOTHING)
                yield Difference(where, _shown(there), _shown(here))
            else:
                yield from _data(then[key], now[key], (*place, key), tolerance)
    elif isinstance(then, list) and isinstance(now, list):
        pairs = zip_longest(then, now, fillvalue=_NOTHING)
        for number, (there, here) in enumerate(pairs, start=1):
            yield from _data(there, here, (*place, _item(here, number)), tolerance)
    elif not _equal(then, now, tolerance):
        yield Difference(" / ".join(place) or "result", _shown(then), _shown(now))


#: Keys of JSON that are not results: the version, and how long something took.
_UNIMPORTANT = {"tertium", "seconds", "elapsed", "time", "date", "created"}


def _equal(then: Json, now: Json, tolerance: float) -> bool:
    if isinstance(then, str) and isinstance(now, str):
        return _no_version(then) == _no_version(now)
    numbers = (int, float)
    if isinstance(then, numbers) and isinstance(now, numbers):
        if isinstance(then, bool) != isinstance(now, bool):
            return False
        try:
            return then == now or math.isclose(then, now, rel_tol=tolerance)
        except OverflowError:
            return False
    return type(then) is type(now) and then == now


def _no_version(text: str) -> str:
    """Return a signature without the version.

    Examples
    --------
    >>> _no_version("tok:13a|version:tertium-0.1.0")
    'tok:13a|version:tertium-'
    """
    return _VERSION.sub(r"\1", text)


def _item(item: Json, number: int) -> str:
    """Return the name of an item of a list: what identifies it, or its number."""
    if isinstance(item, dict):
        names = [item[key] for key in ("metric", "system", "a", "b") if key in item]
        if names and all(isinstance(name, str) for name in names):
            return ", ".join(cast("list[str]", names))
    return f"#{number}"


def _shown(value: Json) -> str:
    if isinstance(value, str):
        return value if value == _NOTHING or len(value) <= 60 else quote(value)
    if isinstance(value, (dict, list)):
        return f"{len(value)} items"
    return repr(value)


def _texts(then: Results, now: Results) -> Iterator[Difference]:
    if then.output.text is None or now.output.text is None:
        if then.output.sha256 == now.output.sha256:
            return
        sizes = [f"{each.output.size:,} bytes" for each in (then, now)]
        yield Difference("standard output", *sizes)
        return
    yield from _lines("standard output", then.output.text, now.output.text)


def file_differences(
    name: str, then: str, now: str, *, version: str
) -> list[Difference] | None:
    """Return the lines in which two files differ; None if they are not text.

    Parameters
    ----------
    name : str
        What the file is called in the result.
    then, now : str
        Where the two are.
    version : str
        Of Tertium, which wrote the first file.
    """
    from tertium.data.lines import open_bytes

    texts = []
    for path, wrote in ((then, version), (now, __version__)):
        try:
            with open_bytes(path) as stream:
                raw = stream.read(_LONGEST + 1)
            if len(raw) > _LONGEST or b"\0" in raw:
                return None
            texts.append(without_version(raw, wrote.encode()).decode())
        except (InputError, OSError, UnicodeDecodeError):
            return None
    return list(_lines(name, *texts))


def _lines(where: str, then: str, now: str) -> Iterator[Difference]:
    pairs = zip_longest(then.splitlines(), now.splitlines(), fillvalue=_NOTHING)
    for number, (there, here) in enumerate(pairs, start=1):
        if there != here and _no_version(there) != _no_version(here):
            yield Difference(f"{where}, line {number}", _shown(there), _shown(here))


def _files(then: Results, now: Results, *, skip: bool) -> Iterator[Difference]:
    before = {file.path: file for file in then.files}
    after = {file.path: file for file in now.files}
    for path in {**before, **after}:
        if path not in after:
            yield Difference(path, f"{before[path].size or 0:,} bytes", _NOTHING)
        elif path not in before:
            yield Difference(path, _NOTHING, f"{after[path].size or 0:,} bytes")
        elif before[path].sha256 != after[path].sha256 and not skip:
            yield Difference(
                path,
                *(
                    f"sha256 {(each[path].sha256 or '?')[:12]}..."
                    for each in (before, after)
                ),
            )
