# SPDX-License-Identifier: Apache-2.0
"""Model files: a ZIP archive of a JSON header and NumPy arrays.

``unzip -p MODEL header.json`` shows the header, and `numpy.load` reads the arrays.
Equal models are equal files: there are no dates in the archive. Nothing is pickled.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tertium._files import replace_file
from tertium._version import __version__
from tertium.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FORMAT", "read_header", "read_model", "training_log", "write_model"]

#: The version of the format; a reader rejects later ones.
FORMAT = 1

_HEADER = "header.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_model(
    path: str | os.PathLike[str],
    kind: str,
    header: Mapping[str, object],
    arrays: Mapping[str, NDArray[np.generic]],
) -> None:
    """Write a model; the file appears when it is complete.

    Parameters
    ----------
    path : str or path
    kind : str
        The kind of model, by which :func:`tertium.preorder.load` finds its reader.
    header : mapping
        Settings and everything else that is not an array, as JSON values.
    arrays : mapping of str to ndarray
        No arrays of objects.
    """
    import numpy as np

    full = {"tertium": __version__, "format": FORMAT, "kind": kind, **header}
    with (
        replace_file(path) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        text = json.dumps(full, ensure_ascii=False, indent=1)
        archive.writestr(_member(_HEADER), text)
        for name, array in arrays.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, np.asarray(array), allow_pickle=False)
            archive.writestr(_member(f"{name}.npy"), buffer.getbuffer())


def read_header(path: str | os.PathLike[str]) -> dict[str, object]:
    """Return the header of a model file.

    Raises
    ------
    FormatError
        If the file is missing, or is not a model that this version can read.
    """
    header, _ = _read(path, arrays=False)
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
    header, arrays = _read(path, arrays=True)
    if header["kind"] != kind:
        raise FormatError(
            f"this is a preordering model of kind {header['kind']!r}, not {kind!r}; "
            "give another file, or use tertium.preorder.load",
            path=os.fspath(path),
        )
    return header, arrays


def _read(
    path: str | os.PathLike[str], *, arrays: bool
) -> tuple[dict[str, object], dict[str, NDArray[np.generic]]]:
    import numpy as np

    name = os.fspath(path)
    if not os.path.isfile(name):
        what = "is a folder" if os.path.isdir(name) else "does not exist"
        message = f"this {what}; give a model that `tertium preorder train` wrote"
        raise FormatError(message, path=name)
    members: dict[str, NDArray[np.generic]] = {}
    try:
        with zipfile.ZipFile(name) as archive:
            header = json.loads(archive.read(_HEADER))
            for member in archive.namelist() if arrays else ():
                if member.endswith(".npy"):
                    stream = io.BytesIO(archive.read(member))
                    members[member[:-4]] = np.lib.format.read_array(
                        stream, allow_pickle=False
                    )
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, OSError) as error:
        raise FormatError(
            f"this is not a preordering model ({error}); give a file that `tertium "
            "preorder train` wrote",
            path=name,
        ) from None
    if not isinstance(header, dict) or "kind" not in header:
        message = "this is not a preordering model; its header names no kind"
        raise FormatError(message, path=name)
    if header.get("format") != FORMAT:
        raise FormatError(
            f"this model has format {header.get('format')!r}, this version reads "
            f"{FORMAT}; update Tertium or train again",
            path=name,
        )
    return header, members


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info
