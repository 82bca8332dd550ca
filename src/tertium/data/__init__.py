# SPDX-License-Identifier: Apache-2.0
"""Test sets and the files that hold them.

``read``, ``stream`` and ``write`` are the doors; ``Testset`` is what comes through.
Names are imported on first use, so that ``import tertium.data`` costs nothing.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.data.columns import system_name
    from tertium.data.formats import format_names
    from tertium.data.io import read, stream, write
    from tertium.data.lines import open_lines
    from tertium.data.testset import Testset, Twins

__all__ = [
    "Testset",
    "Twins",
    "format_names",
    "open_lines",
    "read",
    "stream",
    "system_name",
    "write",
]

_HOMES = {
    "Testset": "testset",
    "Twins": "testset",
    "format_names": "formats",
    "open_lines": "lines",
    "read": "io",
    "stream": "io",
    "system_name": "columns",
    "write": "io",
}


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted({*globals(), *__all__})
