# SPDX-License-Identifier: Apache-2.0
"""Files of preordering models: archives of a JSON header and NumPy arrays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tertium._archive import read_archive
from tertium._archive import write_archive as write_model
from tertium.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["read_header", "read_model", "training_log", "write_model"]

_WHAT = "a preordering model"
_CURE = "give a model that `tertium preorder train` wrote"


def read_header(path: str | os.PathLike[str]) -> dict[str, object]:
    """Return the header of a model file.

    Raises
    ------
    FormatError
        If the file is missing, or is not a model that this version can read.
    """
    header, _ = read_archive(path, what=_WHAT, cure=_CURE, arrays=False)
    return header


def training_log(path: str | os.PathLike[str]) -> list[dict[str, object]]:
    """Return the figures of every iteration that a model keeps; none if it has none."""
    settings = read_header(path).get("settings")
    rows = settings.get("log") if isinstance(settings, dict) else None
    return rows if isinstance(rows, list) else []


def read_model(
    path: str | os.PathLike[str], kind: str
) -> tuple[dict[str, object], dict[str, NDArray[np.generic]]]:
    """Return the header and the arrays of a model file.

    Parameters
    ----------
    path : str or path
    kind : str
        The kind that is expected.

    Raises
    ------
    FormatError
        As in :func:`read_header`, or if the model is of another kind.
    """
    header, arrays = read_archive(path, what=_WHAT, cure=_CURE)
    if header["kind"] != kind:
        raise FormatError(
            f"this is a preordering model of kind {header['kind']!r}, not {kind!r}; "
            "give another file, or use tertium.preorder.load",
            path=os.fspath(path),
        )
    return header, arrays
