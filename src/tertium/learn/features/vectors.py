# SPDX-License-Identifier: Apache-2.0
"""Word vectors from a text file (``.vec``: word2vec, GloVe, fastText).

A file may be larger than memory. It is read once for the places of its words, 16 bytes
each; a vector is read when a text has its word.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO

from tertium.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.metrics.base import Rows

__all__ = ["Vectors", "read_vectors"]


class Vectors:
    """The vectors of a file: a word and its numbers a line, separated by spaces.

    A first line of two whole numbers, words and dimensions, is passed over. Of a word
    that stands there twice the first vector counts.

    Parameters
    ----------
    path : str

    Raises
    ------
    FormatError
        If the file cannot be read, or a line has another number of numbers.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.dimensions = 0
        self._known: dict[str, NDArray[np.float64] | None] = {}
        self._keys, self._places = self._index()

    def _index(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return hash and place of every word, by hash and then by place."""
        import numpy as np

        keys, places = [], []
        try:
            with open(self.path, "rb") as file:
                for word, place in self._words(file):
                    keys.append(hash(word))
                    places.append(place)
        except OSError as error:
            raise FormatError(
                f"cannot be read ({error.strerror}); check the path", path=self.path
            ) from None
        if not keys:
            what = "holds no vectors; give a word and its numbers a line"
            raise FormatError(what, path=self.path)
        hashes = np.array(keys, dtype=np.int64)
        order = np.argsort(hashes, kind="stable")
        return hashes[order], np.array(places, dtype=np.int64)[order]

    def _words(self, file: BinaryIO) -> Iterator[tuple[bytes, int]]:
        place = 0
        for number, line in enumerate(file, start=1):
            word, _, rest = line.rstrip(b"\r\n").rstrip(b" ").partition(b" ")
            count = rest.count(b" ") + 1 if rest else 0
            header = number == 1 and count == 1 and word.isdigit() and rest.isdigit()
            if (word or rest) and not header:
                self._check(count, number)
                yield word, place
            place += len(line)

    def _check(self, count: int, line: int) -> None:
        self.dimensions = self.dimensions or count
        if count == 0 or count != self.dimensions:
            what = (
                f"has {count} numbers after its word, not {self.dimensions or 'some'}; "
                "give a word and its numbers, separated by single spaces"
            )
            raise FormatError(what, path=self.path, line=line)

    def matrix(self, words: Sequence[str]) -> Rows:
        """Return one row per word; zeros for a word without a vector."""
        import numpy as np

        missing = [word for word in words if word not in self._known]
        if missing:
            with open(self.path, "rb") as file:
                for word in missing:
                    self._known[word] = self._find(word, file)
        out = np.zeros((len(words), self.dimensions))
        for row, word in zip(out, words, strict=True):
            vector = self._known[word]
            if vector is not None:
                row[:] = vector
        return out

    def _find(self, word: str, file: BinaryIO) -> NDArray[np.float64] | None:
        import numpy as np

        wanted = word.encode("utf-8", "surrogatepass")
        key = hash(wanted)
        place = int(np.searchsorted(self._keys, key))
        while place < len(self._keys) and self._keys[place] == key:
            file.seek(int(self._places[place]))
            first, _, rest = file.readline().partition(b" ")
            if first == wanted:
                return self._numbers(rest, word)
            place += 1
        return None

    def _numbers(self, text: bytes, word: str) -> NDArray[np.float64]:
        import numpy as np

        try:
            numbers = np.array(text.split(), dtype=np.float64)
        except ValueError:
            numbers = np.array([np.nan])
        if len(numbers) != self.dimensions or not np.isfinite(numbers).all():
            what = (
                f"the vector of {word!r} is not a list of finite numbers; fix the file"
            )
            raise FormatError(what, path=self.path)
        return numbers


def read_vectors(path: str) -> Vectors:
    """Return the vectors of a file, which is looked through once while it is the same.

    Raises
    ------
    FormatError
        If the file cannot be read.
    """
    try:
        status = os.stat(path)
    except OSError:
        return Vectors(path)  # says what is wrong
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=2)
def _read(path: str, changed: int, size: int) -> Vectors:  # noqa: ARG001
    return Vectors(path)
