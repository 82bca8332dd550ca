# SPDX-License-Identifier: Apache-2.0
"""Files of preordering models: archives of a JSON header and NumPy arrays."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium._archive import read_archive
from tertium._archive import write_archive as write_model
from tertium.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "number_members",
    "read_header",
    "read_model",
    "training_log",
    "write_model",
]

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
    """Return the figures of every iteration that a model keeps; none if it has none.

    If a model has several members, "member" is the number of each, from 1, and "kind"
    its kind; those of an ensemble in a combination are members themselves.
    """
    header = read_header(path)
    members = header.get("grammars")
    if isinstance(members, list):
        logs = [(_rows(member), "grammar") for member in members]
        return [row for rows in number_members(logs) for row in rows]
    return _rows(header)


def _rows(header: Mapping[str, object]) -> list[dict[str, object]]:
    settings = header.get("settings")
    rows = settings.get("log") if isinstance(settings, dict) else None
    return rows if isinstance(rows, list) else []


def number_members(
    logs: Sequence[tuple[Sequence[Mapping[str, object]], str]],
) -> list[list[dict[str, object]]]:
    """Return the logs of members with their numbers and kinds.

    Examples
    --------
    >>> number_members([([{"number": 1}], "btg")])
    [[{'member': 1, 'kind': 'btg', 'number': 1}]]
    """
    return [
        [{"member": member, "kind": kind, **row} for row in rows]
        for member, (rows, kind) in enumerate(logs, start=1)
    ]


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
