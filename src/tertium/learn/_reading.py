# SPDX-License-Identifier: Apache-2.0
"""Values from a model file, each checked where it is read.

Whoever edits a model by hand, or gets one that was, is told which value is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from tertium.errors import FormatError

#: Weights and ranges beyond this, or its inverse, would overflow in sums and products.
LARGEST = 1e100

__all__ = [
    "LARGEST",
    "mapping",
    "named_numbers",
    "named_vectors",
    "number",
    "numbers",
    "only_keys",
    "problem",
    "text",
    "whole",
]


def problem(what: str, path: str) -> FormatError:
    """Return the error for a wrong value of a model file."""
    return FormatError(what, path=path)


def mapping(value: object, where: str, path: str) -> dict[str, object]:
    """Return a value that must be an object."""
    if not isinstance(value, dict):
        raise problem(f"{where} is {_shown(value)}; it must be an object", path)
    return value


def only_keys(
    data: Mapping[str, object], keys: Sequence[str], where: str, path: str
) -> None:
    """Check that an object has these keys and no others."""
    _same_names(list(data), keys, where, "key", path)


def text(value: object, where: str, path: str) -> str:
    """Return a value that must be a string."""
    if not isinstance(value, str):
        raise problem(f"{where} is {_shown(value)}; it must be a text", path)
    return value


def whole(value: object, where: str, path: str) -> int:
    """Return a value that must be a whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise problem(f"{where} is {_shown(value)}; it must be a whole number", path)
    return value


def number(value: object, where: str, path: str) -> float:
    """Return a value that must be a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise problem(f"{where} is {_shown(value)}; it must be a number", path)
    try:
        finite = float(value)
    except OverflowError:
        finite = math.inf
    if not math.isfinite(finite):
        raise problem(f"{where} is not finite; it must be a number", path)
    if abs(finite) > LARGEST:
        raise problem(
            f"{where} is {finite:g}; no number may be beyond {LARGEST:g}, since scores "
            f"would overflow",
            path,
        )
    return finite


def numbers(
    value: object, size: int | None, where: str, path: str
) -> tuple[float, ...]:
    """Return a value that must be a list of finite numbers, of a given length."""
    if not isinstance(value, list):
        raise problem(f"{where} is {_shown(value)}; it must be a list", path)
    if size is not None and len(value) != size:
        raise problem(f"{where} has {len(value)} numbers; it must have {size}", path)
    return tuple(number(v, f"{where}[{i}]", path) for i, v in enumerate(value))


def named_numbers(
    value: object, names: Sequence[str], where: str, path: str
) -> tuple[float, ...]:
    """Return numbers by name, in the order of the names: none missing, none more."""
    table = mapping(value, where, path)
    _same_names(list(table), names, where, "feature", path)
    return tuple(number(table[name], f"{where}[{name!r}]", path) for name in names)


def named_vectors(
    value: object, names: Sequence[str], size: int, where: str, path: str
) -> tuple[tuple[float, ...], ...]:
    """Return lists of numbers by name, in the order of the names."""
    table = mapping(value, where, path)
    _same_names(list(table), names, where, "feature", path)
    return tuple(
        numbers(table[name], size, f"{where}[{name!r}]", path) for name in names
    )


def _same_names(
    present: Sequence[str], names: Sequence[str], where: str, what: str, path: str
) -> None:
    """Check that two lists have the same names, in any order."""
    missing = [name for name in names if name not in set(present)]
    if missing:
        raise problem(
            f"{where} lacks {_listed(what, missing)}; the file is not complete", path
        )
    extra = [name for name in present if name not in set(names)]
    if extra:
        raise problem(
            f"{where} has {_listed(what, extra)} nobody asked for; remove it, or use "
            f"the profile it was trained with",
            path,
        )


def _listed(what: str, names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:3])
    if len(names) == 1:
        return f"{what} {shown}"
    return f"{len(names)} {what}s ({shown}{', ...' if len(names) > 3 else ''})"


def _shown(value: object) -> str:
    """Return a value as a message shows it, cut short."""
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."
