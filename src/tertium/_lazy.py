# SPDX-License-Identifier: Apache-2.0
"""Public names of packages, imported on first use: ``import tertium`` costs nothing."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # Not from typing, whose import takes as long as all of this.
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["lazy"]


def lazy(
    package: str, homes: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping of str to sequence of str
        The public names of every module; a module of the package starts with a dot.

    Examples
    --------
    >>> get, names = lazy("tertium", {".errors": ["InputError"]})
    >>> get("InputError").__name__
    'InputError'
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def get(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(home_of[name], package), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *home_of})

    return get, names
