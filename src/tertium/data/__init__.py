# SPDX-License-Identifier: Apache-2.0
"""Test sets and the files that hold them.

``read``, ``stream`` and ``write`` are the main functions; ``Testset`` is the result.
Names are imported on first use, so that ``import tertium.data`` costs nothing.
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.data.files import TestsetFiles
    from tertium.data.formats import format_names
    from tertium.data.formats.columns import system_name
    from tertium.data.io import write, write_stream
    from tertium.data.layers import LayerFiles, add_layers
    from tertium.data.lines import open_lines
    from tertium.data.reading import read, stream
    from tertium.data.testset import Testset
    from tertium.data.twins import Twins

__all__ = [
    "LayerFiles",
    "Testset",
    "TestsetFiles",
    "Twins",
    "add_layers",
    "format_names",
    "open_lines",
    "read",
    "stream",
    "system_name",
    "write",
    "write_stream",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".testset": ("Testset",),
        ".twins": ("Twins",),
        ".formats": ("format_names",),
        ".lines": ("open_lines",),
        ".io": ("write", "write_stream"),
        ".files": ("TestsetFiles",),
        ".layers": ("LayerFiles", "add_layers"),
        ".reading": ("read", "stream"),
        ".formats.columns": ("system_name",),
    },
)
