# SPDX-License-Identifier: Apache-2.0
"""A file of static word vectors in eight bits, and where it is looked for.

The file is one of NumPy (``.npz``) with three arrays: ``words``, UTF-8 with a newline
between words, the most frequent first; ``vectors``, one row of int8 per word; and
``about``, JSON about their origin. It is not part of the package: see
:mod:`tertium.learn.vectors_maker`.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import zipfile
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from tertium._files import replace_file
from tertium.errors import FormatError, InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.metrics.base import Rows

__all__ = [
    "MAKE",
    "NAME",
    "StaticVectors",
    "data_folder",
    "find_static",
    "write_static",
]

#: The name of the file with English words.
NAME = "static-en.npz"
#: The command that makes it.
MAKE = "python -m tertium.learn.vectors_maker"


class StaticVectors:
    """Vectors by word.

    Parameters
    ----------
    words : sequence of str
        In lower case, the most frequent first.
    vectors : array of int8
        One row per word.
    about : mapping
        Where they are from; under ``recipe``, a fingerprint of all they were made of.
    """

    def __init__(
        self,
        words: Sequence[str],
        vectors: NDArray[np.int8],
        about: Mapping[str, object],
    ) -> None:
        self.words = list(words)
        self.vectors = vectors
        self.about = dict(about)
        self._places = {word: place for place, word in enumerate(words)}

    @cached_property
    def fingerprint(self) -> str:
        """Twelve characters that distinguish vectors of different origin or content.

        Vectors that name their recipe have the same on every machine, where rounding
        may differ in the last bit; of others the content counts.
        """
        recipe = self.about.get("recipe")
        content = str(recipe).encode() if recipe else self.vectors.tobytes()
        size = repr(self.vectors.shape).encode()
        words = "\n".join(self.words).encode()
        return hashlib.sha256(b"\0".join((size, words, content))).hexdigest()[:12]

    def matrix(self, words: Sequence[str]) -> tuple[Rows, list[float]]:
        """Return one row per word, zeros for an unknown one, and the weights.

        A word has the weight log(2 + the number of words before it); an unknown one
        comes after all.
        """
        import numpy as np

        count = len(self.words)
        places = np.array([self._places.get(w, count) for w in words], np.int64)
        known = places < count
        out = np.zeros((len(words), self.vectors.shape[1]))
        out[known] = self.vectors[places[known]]
        return out, [math.log(2 + place) for place in places.tolist()]


def data_folder() -> str:
    """Return the user's folder of data files."""
    root = os.environ.get("XDG_DATA_HOME", "")
    if not os.path.isabs(root):
        root = os.path.join(os.path.expanduser("~"), ".local", "share")
    return os.path.join(root, "tertium")


def find_static(path: str, *, where: str) -> StaticVectors:
    """Return the vectors of a file, read once while it is the same.

    Parameters
    ----------
    path : str
        Empty to look for :data:`NAME` in the folders of ``TERTIUM_RESOURCES`` and in
        that of the user.
    where : str
        Who asks, for messages.

    Raises
    ------
    InputError
        If there is no file.
    FormatError
        If it is not a file of vectors.
    """
    if not path:
        named = os.environ.get("TERTIUM_RESOURCES", "")
        folders = [*filter(None, named.split(os.pathsep)), data_folder()]
        paths = [os.path.join(folder, NAME) for folder in folders]
        path = next(filter(os.path.exists, paths), "")
        if not path:
            message = (
                f"{where}: there is no {NAME} in {' or '.join(folders)}; make it with "
                f"{MAKE}, or name it with static=PATH"
            )
            raise InputError(message)
    path = os.path.expanduser(path)
    try:
        status = os.stat(path)
    except OSError as error:
        what = f"cannot be read ({error.strerror}); make it with {MAKE}"
        raise FormatError(what, path=path) from None
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=2)
def _read(path: str, *_: int) -> StaticVectors:
    import numpy as np

    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as arrays:
            words = bytes(arrays["words"]).decode("utf-8").split("\n")
            vectors = arrays["vectors"]
            about = json.loads(bytes(arrays["about"]))
    except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile):
        words, vectors, about = [], np.zeros((0, 0)), {}
    fits = vectors.dtype == np.int8 and vectors.ndim == 2 and vectors.shape[1] > 0
    if not fits or len(words) != len(vectors) or not isinstance(about, dict):
        what = f"is not a file of static word vectors; make it again with {MAKE}"
        raise FormatError(what, path=path)
    return StaticVectors(words, vectors, about)


def write_static(path: str, vectors: StaticVectors) -> None:
    """Write a file of vectors; the same vectors give the same bytes."""
    import numpy as np

    def encoded(text: str) -> NDArray[np.uint8]:
        return np.frombuffer(text.encode("utf-8"), np.uint8)

    with replace_file(path) as file:
        np.savez(
            file,
            words=encoded("\n".join(vectors.words)),
            vectors=vectors.vectors,
            about=encoded(json.dumps(vectors.about, sort_keys=True)),
        )
