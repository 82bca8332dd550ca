# SPDX-License-Identifier: Apache-2.0
"""Test sets and the files that hold them.

``read``, ``stream`` and ``write`` are the doors; ``Testset`` is what comes through.
Names are imported on first use, so that ``import tertium.data`` costs nothing.
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.data.formats import format_names
    from tertium.data.formats.columns import system_name
    from tertium.data.io import write
    from tertium.data.lines import open_lines
    from tertium.data.reading import TestsetFiles, read, stream
    from tertium.data.testset import Testset, Twins

__all__ = [
    "Testset",
    "TestsetFiles",
    "Twins",
    "format_names",
    "open_lines",
    "read",
    "stream",
    "system_name",
    "write",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".testset": (
            "Testset",
            "Twins",
        ),
        ".formats": ("format_names",),
        ".lines": ("open_lines",),
        ".io": ("write",),
        ".reading": (
            "TestsetFiles",
            "read",
            "stream",
        ),
        ".formats.columns": ("system_name",),
    },
)
