# SPDX-License-Identifier: Apache-2.0
"""Word lists as files: a line of JSON, then bytes.

The bytes are the number of words in every bucket (one byte each), all fingerprints (two
bytes, the lower first) and all bands (one byte: ten times the Zipf value, which is the
decimal logarithm of the frequency per billion words).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from tertium import _core
from tertium.errors import FormatError, InputError

__all__ = ["WordList", "find_word_list", "read_word_list", "shipped_word_lists"]

FOLDER = Path(__file__).parent / "lists"
FORMAT = "tertium-word-list"
VERSION = 1
EXTENSION = ".words"


@dataclass(frozen=True)
class WordList:
    """The frequencies of a language's words.

    Parameters
    ----------
    language : str
        Its code, such as ``en``.
    words : int
    source, licence : str
        What the frequencies were counted in, and under which terms they may be used.
    payload : bytes
        Buckets, fingerprints and bands.
    """

    language: str
    words: int
    source: str
    licence: str
    payload: bytes

    def __getstate__(self) -> dict[str, object]:
        # The kernel is made again where it is needed.
        return {name: value for name, value in vars(self).items() if name != "kernel"}

    @cached_property
    def fingerprint(self) -> str:
        """Twelve characters that distinguish lists with different content."""
        return hashlib.sha256(self.payload).hexdigest()[:12]

    @cached_property
    def kernel(self) -> _core.WordList:
        """The list as the core reads it."""
        import numpy as np

        buckets = len(self.payload) - 3 * self.words
        data = np.frombuffer(self.payload, np.uint8)
        marks = np.frombuffer(self.payload, "<u2", self.words, buckets)
        bands = data[buckets + 2 * self.words :]
        return _core.WordList(data[:buckets], marks.astype(np.uint16), bands)

    def zipf(self, word: str) -> float:
        """Return the Zipf value of a lower-cased word; 0 if it is not in the list.

        Examples
        --------
        >>> english = find_word_list("en")
        >>> english.zipf("the") > english.zipf("translation") > 0
        True
        >>> english.zipf("übersetzung")
        0.0
        """
        return self.kernel.band(word) / 10

    def to_bytes(self) -> bytes:
        """Return the content of the file."""
        header = {
            "format": FORMAT,
            "version": VERSION,
            "language": self.language,
            "words": self.words,
            "source": self.source,
            "licence": self.licence,
            "fingerprint": self.fingerprint,
        }
        return json.dumps(header, ensure_ascii=False).encode() + b"\n" + self.payload

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the list to a file, which appears when it is complete."""
        from tertium._files import replace_file

        with replace_file(path) as stream:
            stream.write(self.to_bytes())


def shipped_word_lists() -> list[str]:
    """Return the languages whose lists come with Tertium, sorted."""
    return sorted(path.stem for path in FOLDER.glob(f"*{EXTENSION}"))


def find_word_list(language: str) -> WordList:
    """Return the list of a language, or one from a file.

    Parameters
    ----------
    language : str
        A code such as ``en``, or the path of a file.

    Raises
    ------
    InputError
        If there is no such list.
    """
    path = FOLDER / f"{language.lower()}{EXTENSION}"
    if "/" not in language and os.sep not in language and path.is_file():
        return _read(str(path), path.stat().st_mtime_ns)
    if os.path.isfile(language):
        return read_word_list(language)
    raise InputError(
        f"there is no word list for {language!r}, only for "
        f"{', '.join(shipped_word_lists())}; make one with 'tertium wordlist' and name "
        "its file"
    )


def read_word_list(path: str | os.PathLike[str]) -> WordList:
    """Return the word list of a file.

    Raises
    ------
    FormatError
        If the file cannot be read, is not a word list, or was cut or changed.
    """
    name = os.fspath(path)
    try:
        stamp = os.stat(name).st_mtime_ns
    except OSError as error:
        message = f"cannot be read ({error.strerror}); check the path"
        raise FormatError(message, path=name) from None
    return _read(name, stamp)


@lru_cache(maxsize=8)
def _read(path: str, stamp: int) -> WordList:  # noqa: ARG001
    content = Path(path).read_bytes()
    first, _, payload = content.partition(b"\n")
    header = _header(first, path)
    words = header["words"]
    text = {key: header.get(key) for key in ("language", "source", "licence")}
    good = isinstance(words, int) and all(isinstance(v, str) for v in text.values())
    result = None
    if good and 0 < words < len(payload):  # type: ignore[operator]
        result = WordList(words=words, payload=payload, **text)  # type: ignore[arg-type]
    if result is None or result.fingerprint != header.get("fingerprint"):
        message = "is damaged: its content does not fit its first line; get it again"
        raise FormatError(message, path=path)
    try:
        result.kernel  # noqa: B018
    except ValueError as error:
        raise FormatError(f"is damaged: {error}; get it again", path=path) from None
    return result


def _header(line: bytes, path: str) -> Mapping[str, object]:
    try:
        header = json.loads(line)
    except (UnicodeDecodeError, json.JSONDecodeError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        message = "is not a word list; make one with 'tertium wordlist'"
        raise FormatError(message, path=path)
    if header.get("version") != VERSION:
        message = (
            f"has version {header.get('version')!r} of the format, only {VERSION} is "
            "known; make it again"
        )
        raise FormatError(message, path=path)
    return header
