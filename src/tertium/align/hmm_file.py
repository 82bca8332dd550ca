# SPDX-License-Identifier: Apache-2.0
"""Files of the built-in bilingual aligner: a ZIP archive of a JSON header and arrays.

``unzip -p MODEL header.json`` shows the header, and `numpy.load` reads the arrays.
Equal models are equal files: there are no dates in the archive. Nothing is pickled.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from typing import TYPE_CHECKING

from tertium._files import replace_file
from tertium._version import __version__
from tertium.align.hmm import HmmModel
from tertium.align.vocabulary import Vocabulary
from tertium.data.lines import StrPath
from tertium.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["read_hmm", "write_hmm"]

_KIND, _FORMAT = "aligner", 1
_HEADER = "header.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_SIDES = ("source", "target")

#: The type of each array; others are not accepted.
_TYPES = {
    "rows": "<i8",
    "table": "<i4",
    **dict.fromkeys(("counts0", "counts1"), "<f4"),
    **dict.fromkeys(("null0", "null1", "jumps0", "jumps1"), "<f8"),
}


def write_hmm(
    path: StrPath, model: HmmModel, arrays: dict[str, NDArray[np.generic]]
) -> None:
    """Write a model; the file appears when it is complete."""
    import numpy as np

    header = {
        "tertium": __version__,
        "format": _FORMAT,
        "kind": _KIND,
        "stem_length": model.words[0].stem_length,
        "null_probability": model.null_probability,
        "words": {s: len(w.words) for s, w in zip(_SIDES, model.words, strict=True)},
        "likelihoods": [list(pair) for pair in model.likelihoods],
    }
    members = {name: arrays[name].astype(kind) for name, kind in _TYPES.items()}
    for side, words in zip(_SIDES, model.words, strict=True):
        text = "\n".join(words.words).encode("utf-8", "surrogatepass")
        members[f"{side}_words"] = np.frombuffer(text, np.uint8)
        members[f"{side}_counts"] = words.counts.astype("<i8")
    with (
        replace_file(path) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        archive.writestr(_member(_HEADER), json.dumps(header, indent=1))
        for name, array in members.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, array, allow_pickle=False)
            archive.writestr(_member(f"{name}.npy"), buffer.getbuffer())


def read_hmm(path: StrPath) -> HmmModel:
    """Return a model.

    Raises
    ------
    FormatError
        When the file is missing, or is not a model that this version can read.
    """
    name = os.fspath(path)
    cure = "give a file that `tertium align --save-model` wrote"
    if not os.path.isfile(name):
        what = "is a folder" if os.path.isdir(name) else "does not exist"
        raise FormatError(f"this {what}; {cure}", path=name)
    try:
        with zipfile.ZipFile(name) as archive:
            header = json.loads(archive.read(_HEADER))
            if header["kind"] != _KIND:
                raise ValueError(f"it is of kind {header['kind']!r}")
            if header["format"] != _FORMAT:
                raise ValueError(f"it has format {header['format']!r}, not {_FORMAT}")
            return _model(header, archive)
    except (zipfile.BadZipFile, LookupError, TypeError, ValueError, EOFError) as error:
        raise FormatError(
            f"this is not a model of the built-in aligner ({error}); {cure}", path=name
        ) from None


def _model(header: dict[str, object], archive: zipfile.ZipFile) -> HmmModel:
    import numpy as np

    arrays = {name: _array(archive, name, kind) for name, kind in _TYPES.items()}
    length, null = header["stem_length"], header["null_probability"]
    if not isinstance(length, int) or not isinstance(null, (int, float)):
        raise ValueError("a setting is not a number")
    sides = []
    for side in _SIDES:
        text = _array(archive, f"{side}_words", "|u1").tobytes()
        words = text.decode("utf-8", "surrogatepass").split("\n") if text else []
        counts = _array(archive, f"{side}_counts", "<i8").astype(np.int64)
        if len(words) != len(counts):
            raise ValueError(f"{len(words)} words with {len(counts)} counts")
        sides.append(Vocabulary(words, counts, length))
    likelihoods = header["likelihoods"]
    if not isinstance(likelihoods, list):
        raise ValueError("likelihoods are not a list")
    pairs = tuple((float(one), float(other)) for one, other in likelihoods)
    return HmmModel((sides[0], sides[1]), arrays, null, likelihoods=pairs)


def _array(archive: zipfile.ZipFile, name: str, kind: str) -> NDArray[np.generic]:
    import numpy as np

    stream = io.BytesIO(archive.read(f"{name}.npy"))
    array = np.lib.format.read_array(stream, allow_pickle=False)
    if array.dtype.str != kind or array.ndim != 1:
        raise ValueError(f"the array {name} has another type")
    native: NDArray[np.generic] = array.astype(array.dtype.newbyteorder("="))
    return native


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info
