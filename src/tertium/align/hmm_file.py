# SPDX-License-Identifier: Apache-2.0
"""Files of the built-in bilingual aligner: archives of a JSON header and arrays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tertium._archive import read_archive, write_archive
from tertium.align.hmm import HmmModel
from tertium.align.vocabulary import Vocabulary
from tertium.data.lines import StrPath
from tertium.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["read_hmm", "write_hmm"]

_KIND = "aligner"
_WHAT = "a model of the built-in aligner"
_CURE = "give a file that `tertium align --save-model` wrote"
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
    write_archive(path, _KIND, header, members)


def read_hmm(path: StrPath) -> HmmModel:
    """Return a model.

    Raises
    ------
    FormatError
        When the file is missing, or is not a model that this version can read.
    """
    header, arrays = read_archive(path, what=_WHAT, cure=_CURE)
    try:
        if header["kind"] != _KIND:
            raise ValueError(f"it is of kind {header['kind']!r}")
        return _model(header, arrays)
    except (LookupError, TypeError, ValueError) as error:
        raise FormatError(
            f"this is not {_WHAT} ({error}); {_CURE}", path=os.fspath(path)
        ) from None


def _model(
    header: Mapping[str, object], members: Mapping[str, NDArray[np.generic]]
) -> HmmModel:
    import numpy as np

    arrays = {name: _array(members, name, kind) for name, kind in _TYPES.items()}
    length, null = header["stem_length"], header["null_probability"]
    if not isinstance(length, int) or not isinstance(null, (int, float)):
        raise ValueError("a setting is not a number")
    sides = []
    for side in _SIDES:
        text = _array(members, f"{side}_words", "|u1").tobytes()
        words = text.decode("utf-8", "surrogatepass").split("\n") if text else []
        counts = _array(members, f"{side}_counts", "<i8").astype(np.int64)
        if len(words) != len(counts):
            raise ValueError(f"{len(words)} words with {len(counts)} counts")
        sides.append(Vocabulary(words, counts, length))
    likelihoods = header["likelihoods"]
    if not isinstance(likelihoods, list):
        raise ValueError("likelihoods are not a list")
    pairs = tuple((float(one), float(other)) for one, other in likelihoods)
    return HmmModel((sides[0], sides[1]), arrays, null, likelihoods=pairs)


def _array(
    members: Mapping[str, NDArray[np.generic]], name: str, kind: str
) -> NDArray[np.generic]:
    array = members[name]
    if array.dtype.str != kind or array.ndim != 1:
        raise ValueError(f"the array {name} has another type")
    native: NDArray[np.generic] = array.astype(array.dtype.newbyteorder("="))
    return native
