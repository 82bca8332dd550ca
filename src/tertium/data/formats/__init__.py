# SPDX-License-Identifier: Apache-2.0
"""The formats of test sets, recognised by extension or by name.

Every format is a module with ``stream(path, *, size)`` and ``write(testset, path)``,
imported when it is used.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator, Sequence

from tertium.data._codecs import EXTENSIONS as COMPRESSED
from tertium.data.lines import StrPath
from tertium.data.testset import Testset
from tertium.errors import UnknownNameError

TYPE_CHECKING = False  # Not from typing, whose import takes as long as all of this.
if TYPE_CHECKING:
    from typing import Protocol

    class Format(Protocol):
        """What the module of a format offers."""

        def stream(self, path: str, *, size: int) -> Iterator[Testset]:
            """Yield the test set in chunks, at least one."""

        def write(self, testset: Testset, path: str) -> None:
            """Write the test set; reject what would not read back the same."""

    class Streamed(Format, Protocol):
        """What the module of a format offers that is written chunk by chunk."""

        def write_stream(self, chunks: Iterable[Testset], path: str) -> None:
            """Write chunks of one test set, of which no more than one is held."""

    class Table(Format, Protocol):
        """What the module of a table offers."""

        def stream(
            self, path: str, *, size: int, systems: Sequence[str] | None = None
        ) -> Iterator[Testset]:
            """Yield the test set in chunks; ``systems`` are these columns."""


__all__ = [
    "FOLDERS",
    "STREAMED",
    "TABLES",
    "UNREADABLE",
    "WHOLE",
    "extension_of",
    "format_names",
    "format_of",
    "load",
    "load_streamed",
    "load_table",
    "strip_extensions",
]

_MODULES = {
    "plain": "plain",
    "tsv": "tsv",
    "csv": "comma",
    "xlsx": "excel",
    "jsonl": "jsonl",
    "parquet": "parquet",
    "sgml": "sgml",
    "xml": "wmtxml",
}

_EXTENSIONS = {
    ".txt": "plain",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".csv": "csv",
    ".xlsx": "xlsx",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".sgm": "sgml",
    ".sgml": "sgml",
    ".xml": "xml",
}

UNREADABLE = (".xls", ".ods")
"""Extensions of spreadsheets that must be saved as something else."""

FOLDERS = ("plain", "sgml")
"""Formats that keep every column in a separate file."""

TABLES = ("tsv", "csv", "xlsx")
"""Formats where any column may be a system; see ``load_table``."""

STREAMED = ("csv", "jsonl", "parquet", "plain", "tsv")
"""Formats that are written chunk by chunk; see ``load_streamed``."""

WHOLE = ("csv", "jsonl", "parquet", "tsv", "xlsx", "xml")
"""Formats that hold a whole test set in a file, which has the same extension."""


def format_names() -> list[str]:
    """Return the names of the formats.

    Examples
    --------
    >>> format_names()
    ['csv', 'jsonl', 'parquet', 'plain', 'sgml', 'tsv', 'xlsx', 'xml']
    """
    return sorted(_MODULES)


def format_of(path: StrPath, *, chosen: str | None = None) -> str | None:
    """Return the format of a file, or None when its extension is unknown.

    Parameters
    ----------
    path : str or path
        The file; only its name is looked at.
    chosen : str, optional
        A format that overrules the extension.

    Raises
    ------
    UnknownNameError
        When ``chosen`` is not a format.

    Examples
    --------
    >>> format_of("wmt15.tsv.gz"), format_of("news.de"), format_of("-", chosen="tsv")
    ('tsv', None, 'tsv')
    """
    if chosen is None:
        return _EXTENSIONS.get(extension_of(path))
    if chosen not in _MODULES:
        raise UnknownNameError("format", chosen, _MODULES)
    return chosen


def extension_of(path: StrPath) -> str:
    """Return the extension of a file, in lower case and without compression."""
    return os.path.splitext(_uncompressed(os.fspath(path)))[1].lower()


def strip_extensions(name: str) -> str:
    """Return a file name without its compression and its known extension.

    Examples
    --------
    >>> strip_extensions("online-A.0.sgm.gz"), strip_extensions("news.de")
    ('online-A.0', 'news.de')
    """
    name = _uncompressed(name)
    stem, extension = os.path.splitext(name)
    return stem if extension.lower() in _EXTENSIONS else name


def load(name: str) -> Format:
    """Return the module of a format."""
    module: Format = importlib.import_module(f"tertium.data.formats.{_MODULES[name]}")
    return module


def load_streamed(name: str) -> Streamed:
    """Return the module of a format in ``STREAMED``."""
    module: Streamed = importlib.import_module(f"tertium.data.formats.{_MODULES[name]}")
    return module


def load_table(name: str) -> Table:
    """Return the module of a format in ``TABLES``."""
    module: Table = importlib.import_module(f"tertium.data.formats.{_MODULES[name]}")
    return module


def _uncompressed(name: str) -> str:
    stem, extension = os.path.splitext(name)
    return stem if extension.lower() in COMPRESSED else name
