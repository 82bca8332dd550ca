# SPDX-License-Identifier: Apache-2.0
"""The hash of a test set, which signatures carry as ``data:8hex``.

It covers the references, all of every segment, in their order. Whoever scores other
systems on the same test set gets the same hash, from whatever format the references
were read. Without outputs, sources and document ids in it, it does not depend on who is
scored, by which metrics, nor on what else a file holds. Metrics that also read sources,
documents or layers depend on more than it covers; without references there is none.

The definition can be checked with standard tools. Every segment is a line of UTF-8 that
ends in a line feed; several references of a segment are separated by tabs. Texts are in
Unicode's form NFC; tabs and line ends within a text are spaces, and white space at its
ends is cut off. The hash is the start of the SHA-256 of these lines::

    sha256sum ref.txt | cut -c 1-8
    paste ref1.txt ref2.txt | sha256sum | cut -c 1-8
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from unicodedata import normalize

from tertium.errors import InputError

__all__ = ["DataHash", "data_hash", "reference_lines"]

_DIGITS = 8
_BREAKS = str.maketrans(dict.fromkeys("\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", " "))


class DataHash:
    """The hash of references that arrive in chunks; memory does not grow with them."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._is_blank = True

    def add(self, references: Iterable[str | Sequence[str]]) -> None:
        """Add the references of some segments, one or several for each."""
        self.add_lines(reference_lines(references))

    def add_lines(self, lines: bytes) -> None:
        """Add references that :func:`reference_lines` has made into lines."""
        self._hash.update(lines)
        self._is_blank = self._is_blank and not lines.strip()

    def value(self) -> str:
        """Return the hash of all references so far: 8 hexadecimal digits.

        Raises
        ------
        InputError
            If there are none, or all are empty.
        """
        if self._is_blank:
            message = "there are no references to hash; omit the data hash"
            raise InputError(message, options=("data_hash",))
        return self._hash.hexdigest()[:_DIGITS]


def reference_lines(references: Iterable[str | Sequence[str]]) -> bytes:
    """Return the lines that are hashed for the references of some segments."""
    lines = [
        _clean(refs)
        if isinstance(refs, str)
        else "\t".join(_clean(text) for text in refs)
        for refs in references
    ]
    text = "\n".join(lines) + "\n" if lines else ""
    return text.encode("utf-8", "surrogatepass")


def data_hash(references: Iterable[str | Sequence[str]]) -> str:
    r"""Return the hash of the references of a test set.

    Parameters
    ----------
    references : iterable of str or of sequences of str
        One reference, or several, for every segment.

    Examples
    --------
    >>> data_hash(["the cat", "hello"])
    'adf4f403'
    >>> data_hash([("the cat ",), ("hello",)])
    'adf4f403'
    """
    whole = DataHash()
    whole.add(references)
    return whole.value()


def _clean(text: str) -> str:
    text = text.translate(_BREAKS) if not text.isprintable() else text
    return (text if text.isascii() else normalize("NFC", text)).strip()
