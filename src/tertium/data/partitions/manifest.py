# SPDX-License-Identifier: Apache-2.0
"""The manifest of a partitioned dataset: its shards, with rows and hashes.

``manifest.json`` lies beside the shards. It is written last, so a folder that has one
is complete. Its shape::

    {"tertium": "partitions", "version": 1, "content": "testset", "format": "jsonl",
     "compression": "zst", "rows": 250000, "columns": ["id", "src", "ref", "tgt:A"],
     "shards": [{"name": "part-00000.jsonl.zst", "rows": 100000,
                 "files": [{"name": "part-00000.jsonl.zst", "bytes": 8123456,
                            "sha256": "..."}]}]}

A shard of plain text is a folder of several files, one per column.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from tertium._messages import count, quote
from tertium.data._codecs import EXTENSIONS
from tertium.errors import FormatError

__all__ = [
    "COMPRESSIONS",
    "CONTENTS",
    "MANIFEST",
    "SHARD_FORMATS",
    "Manifest",
    "Shard",
    "ShardFile",
    "describe_file",
    "read_manifest",
    "write_manifest",
]

MANIFEST = "manifest.json"
"""The name of the file."""

CONTENTS = {
    "testset": "a test set",
    "judgements": "judgements",
    "nbest": "n-best lists",
    "scores": "segment scores",
}
"""What a partitioned dataset can hold."""

SHARD_FORMATS = ("jsonl", "parquet", "plain")
"""The formats of shards; plain text is a folder per shard."""

COMPRESSIONS = tuple(extension[1:] for extension in EXTENSIONS)
"""How shards of text can be compressed."""

_VERSION = 1
_BLOCK = 1 << 20
_HASH = re.compile("[0-9a-f]{64}")
_MOST = 2**63 - 1  # rows or bytes: larger numbers have no rate, nor a time left
_SHOWN = 60  # characters of a wrong value in messages


@dataclass(frozen=True)
class ShardFile:
    """One file: its path inside the dataset, size in bytes, and SHA-256."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Shard:
    """One shard: its file or folder inside the dataset, rows, and files."""

    name: str
    rows: int
    files: tuple[ShardFile, ...]


@dataclass(frozen=True)
class Manifest:
    """What a partitioned dataset consists of.

    Parameters
    ----------
    content : str
        One of ``CONTENTS``.
    format : str
        One of ``SHARD_FORMATS``.
    compression : str or None
        One of ``COMPRESSIONS``.
    columns : tuple of str
        Of a test set: ``id``, ``src``, ``ref``, ``doc``, ``langpair``, ``tgt:SYSTEM``
        and ``layer:NAME``.
    shards : tuple of Shard
        In the order of their rows.
    """

    content: str
    format: str
    compression: str | None
    columns: tuple[str, ...]
    shards: tuple[Shard, ...]

    @property
    def rows(self) -> int:
        """The rows of all shards."""
        return sum(shard.rows for shard in self.shards)

    def check_rows(self, number: int, rows: int, path: str) -> None:
        """Raise an error unless a shard, counted from 0, has so many rows.

        Raises
        ------
        FormatError
            With the path of the shard.
        """
        wanted = self.shards[number].rows
        if rows != wanted:
            what = (
                f"{count(rows, 'row')}, and {MANIFEST} says {wanted:,}; fetch the "
                "shard again, or write the dataset again"
            )
            raise FormatError(what, path=path)

    def to_dict(self) -> dict[str, object]:
        """Return the object that the file holds."""
        return {
            "tertium": "partitions",
            "version": _VERSION,
            "content": self.content,
            "format": self.format,
            "compression": self.compression,
            "rows": self.rows,
            "columns": list(self.columns),
            "shards": [asdict(shard) for shard in self.shards],
        }


def describe_file(folder: str, name: str) -> ShardFile:
    """Return size and hash of a file, given by its path inside a folder."""
    import hashlib

    digest, size = hashlib.sha256(), 0
    with open(os.path.join(folder, name), "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            size += len(block)
    return ShardFile(name, size, digest.hexdigest())


def write_manifest(manifest: Manifest, folder: str) -> None:
    """Write the manifest into a folder; it appears when it is complete."""
    from tertium._files import replace_file

    text = json.dumps(manifest.to_dict(), ensure_ascii=False, indent=1)
    with replace_file(os.path.join(folder, MANIFEST)) as file:
        file.write(f"{text}\n".encode())


def read_manifest(folder: str) -> Manifest:
    """Return the manifest of a folder.

    Raises
    ------
    FormatError
        When it cannot be read, or is not a manifest; files are not looked at.
    """
    path = os.path.join(folder, MANIFEST)
    try:
        with open(path, "rb") as file:
            whole = json.loads(file.read().decode("utf-8"))
    except OSError as error:
        what = f"cannot be read ({error.strerror}); check its owner and mode"
        raise FormatError(what, path=path) from None
    except (ValueError, RecursionError):
        what = (
            "not JSON; write the dataset again, or remove the file to read the shards"
        )
        raise FormatError(f"{what} without it", path=path) from None
    return _Parser(path).manifest(whole)


class _Parser:
    """Turn JSON into a manifest, or say where it is not one."""

    def __init__(self, path: str) -> None:
        self.path = path

    def manifest(self, whole: object) -> Manifest:
        names = ("tertium", "version", "content", "format", "compression", "rows")
        fields = self.fields(whole, "the file", (*names, "columns", "shards"))
        if fields["tertium"] != "partitions":
            raise self.error("'tertium' is not 'partitions'")
        if fields["version"] != _VERSION or type(fields["version"]) is not int:
            what = f"version {_shown(fields['version'])} is not {_VERSION}"
            raise self.error(what, cure="read it with a newer Tertium")
        shards = tuple(
            self.shard(item, number)
            for number, item in enumerate(self.items(fields["shards"], "shards"))
        )
        compression = fields["compression"]
        if compression is not None:
            compression = self.choice(compression, "compression", COMPRESSIONS)
        manifest = Manifest(
            self.choice(fields["content"], "content", tuple(CONTENTS)),
            self.choice(fields["format"], "format", SHARD_FORMATS),
            compression,
            tuple(
                self.text(item, f"columns[{number}]")
                for number, item in enumerate(self.items(fields["columns"], "columns"))
            ),
            shards,
        )
        self.check_sums(manifest, self.number(fields["rows"], "rows"))
        return manifest

    def check_sums(self, manifest: Manifest, rows: int) -> None:
        if manifest.rows != rows:
            raise self.error(
                f"'rows' is {rows:,}, and the shards have {manifest.rows:,} together"
            )
        if not manifest.shards:
            raise self.error("'shards' is empty")
        seen: set[str] = set()
        names: set[str] = set()
        for shard in manifest.shards:
            if shard.name in names:
                raise self.error(f"{quote(shard.name)} is listed twice")
            names.add(shard.name)
            for file in shard.files:
                if file.name in seen:
                    raise self.error(f"{quote(file.name)} is listed twice")
                seen.add(file.name)
        if len(set(manifest.columns)) < len(manifest.columns):
            raise self.error("'columns' has a name twice")

    def shard(self, item: object, number: int) -> Shard:
        where = f"shards[{number}]"
        fields = self.fields(item, where, ("name", "rows", "files"))
        name = self.place(fields["name"], f"{where}.name")
        files = tuple(
            self.file(one, f"{where}.files[{place}]")
            for place, one in enumerate(self.items(fields["files"], f"{where}.files"))
        )
        if not files:
            raise self.error(f"'{where}.files' is empty")
        for file in files:
            if file.name != name and not file.name.startswith(f"{name}/"):
                raise self.error(f"{quote(file.name)} is not part of {quote(name)}")
        return Shard(name, self.number(fields["rows"], f"{where}.rows"), files)

    def file(self, item: object, where: str) -> ShardFile:
        fields = self.fields(item, where, ("name", "bytes", "sha256"))
        digest = self.text(fields["sha256"], f"{where}.sha256")
        if not _HASH.fullmatch(digest):
            raise self.error(f"'{where}.sha256' is not 64 hexadecimal digits")
        size = self.number(fields["bytes"], f"{where}.bytes")
        return ShardFile(self.place(fields["name"], f"{where}.name"), size, digest)

    def fields(
        self, value: object, where: str, names: tuple[str, ...]
    ) -> Mapping[str, object]:
        if not isinstance(value, dict):
            raise self.error(f"{where} is not an object")
        for name in names:
            if name not in value:
                raise self.error(f"{where} has no {name!r}")
        for name in value:
            if name not in names:
                what = f"{where} has an unknown field {quote(name)}"
                raise self.error(
                    what, cure="remove it, or read it with a newer Tertium"
                )
        return value

    def items(self, value: object, where: str) -> list[object]:
        if not isinstance(value, list):
            raise self.error(f"'{where}' is not a list")
        return value

    def text(self, value: object, where: str) -> str:
        if not isinstance(value, str) or not value:
            raise self.error(f"'{where}' is not a text")
        return value

    def number(self, value: object, where: str) -> int:
        if type(value) is not int or value < 0:
            raise self.error(f"'{where}' is not an integer from 0")
        if value > _MOST:
            raise self.error(f"'{where}' is larger than {_MOST:,}")
        return value

    def choice(self, value: object, where: str, known: tuple[str, ...]) -> str:
        if not isinstance(value, str) or value not in known:
            what = f"'{where}' is {_shown(value)}, not one of {', '.join(known)}"
            raise self.error(what)
        return value

    def place(self, value: object, where: str) -> str:
        """Return a path inside the folder, with forward slashes."""
        name = self.text(value, where)
        parts = name.split("/")
        if any(part in ("", ".", "..") for part in parts) or re.search(
            r"[\\\0-\x1f:\ud800-\udfff]", name
        ):
            raise self.error(f"'{where}' is {quote(name)}, not a path in the folder")
        return name

    def error(
        self, what: str, *, cure: str = "write the dataset again with Tertium"
    ) -> FormatError:
        return FormatError(f"not a manifest: {what}; {cure}", path=self.path)


def _shown(value: object) -> str:
    """Return a value for a message."""
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
