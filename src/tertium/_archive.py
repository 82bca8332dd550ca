# SPDX-License-Identifier: Apache-2.0
"""Model files: a ZIP archive of a JSON header and NumPy arrays.

``unzip -p MODEL header.json`` shows the header, and `numpy.load` reads the arrays.
Equal models make equal files, as the archive holds no dates. Nothing is pickled.
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

__all__ = ["FORMAT", "read_archive", "write_archive"]

#: The version of the format; a reader rejects others.
FORMAT = 1

_HEADER = "header.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_archive(
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
        The kind of model, by which its reader is chosen.
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


def read_archive(
    path: str | os.PathLike[str], *, what: str, cure: str, arrays: bool = True
) -> tuple[dict[str, object], dict[str, NDArray[np.generic]]]:
    """Return the header and the arrays of a model file.

    Parameters
    ----------
    path : str or path
    what : str
        What the file should be, such as "a preordering model"; for messages.
    cure : str
        What to do about another file; for messages.
    arrays : bool
        Whether arrays are read.

    Raises
    ------
    FormatError
        If the file is missing, or is not a model that this version can read.
    """
    import numpy as np

    name = os.fspath(path)
    if not os.path.isfile(name):
        state = "is a folder" if os.path.isdir(name) else "does not exist"
        raise FormatError(f"this {state}; {cure}", path=name)
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
        raise FormatError(f"this is not {what} ({error}); {cure}", path=name) from None
    if not isinstance(header, dict) or "kind" not in header:
        message = f"this is not {what} (its header names no kind); {cure}"
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
