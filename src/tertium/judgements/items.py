# SPDX-License-Identifier: Apache-2.0
"""What judges are shown, and metrics are asked about: files that hold no judgements.

Appraise batches, Pearmut campaigns, the evaluation items of WMT 2026, test sets and
outputs of WMT 2025 and 2026, automatic scores of WMT 2025. ``tertium judgements
import`` puts them into a store, beside the tables: a line of ``items.jsonl`` in a
folder, a row of the table ``items`` in SQLite has ``format``, ``file`` and ``content``,
one for every batch, campaign, item or document. A line that Python's JSON would write
in another way is kept as ``text``. ``tertium judgements export`` writes them again:
lines as they were, batches byte for byte as Appraise's tools do (two spaces, ASCII),
campaigns with two spaces and equal as JSON.

Logs of Pearmut hold judgements, and more than a table has a place for: their text is
kept beside the judgements, and written byte for byte.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tertium._files import replace_file
from tertium.data.lines import display, open_bytes, open_lines
from tertium.errors import FormatError, InputError, OutputError
from tertium.judgements.formats.cells import from_json
from tertium.judgements.store import is_sqlite, is_store
from tertium.notes import Note

__all__ = [
    "ITEM_FORMATS",
    "ItemFormat",
    "Items",
    "add_items",
    "export_items",
    "item_format",
    "kept_texts",
    "read_items",
    "split_items",
    "stored_items",
]

_FILE = "items.jsonl"
_LONGEST = 1 << 29  # characters of a file that is one JSON value


@dataclass(frozen=True)
class ItemFormat:
    """A format of files that hold what is judged.

    Parameters
    ----------
    name : str
    fits : callable
        Whether a JSON value, the file or its first line, is of this format.
    is_lines : bool
        Whether every line of a file is a value.
    is_list : bool
        Whether the file is a list of values; they are written with ASCII only.
    is_text : bool
        Whether judgements are read from the file, of which the text is the one value.
    """

    name: str
    fits: Callable[[object], bool]
    is_lines: bool = False
    is_list: bool = False
    is_text: bool = False

    @property
    def about(self) -> Note:
        """What the format is, in one line."""
        return Note(f"format-{self.name}")

    def text(self, contents: Sequence[object]) -> str:
        """Return a file with these values."""
        if self.is_lines:
            return "".join(f"{_text(value)}\n" for value in contents)
        if self.is_list:
            return json.dumps(list(contents), indent=2)
        if self.is_text and (len(contents) == 1 or all(map(_is_log, contents))):
            return "".join(map(str, contents))
        if len(contents) != 1:
            message = (
                f"a file of {self.name} holds one campaign, and there are "
                f"{len(contents)}; export stores one by one"
            )
            raise InputError(message)
        return json.dumps(contents[0], indent=2, ensure_ascii=False)


@dataclass(frozen=True)
class Items:
    """The content of one file: values as JSON has them, and its lines if it has any."""

    format: str
    file: str
    contents: tuple[object, ...]
    lines: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Return every value as text: its line, or what JSON makes of it."""
        return self.lines or tuple(map(_text, self.contents))


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _is_log(text: object) -> bool:
    """Return whether a text has complete lines, one answer each, of Pearmut."""
    first = _parsed(str(text).partition("\n")[0])
    return _has("annotation")(first) and str(text).endswith("\n")


def _has(*keys: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, dict) and value.keys() >= set(keys)


def _is_batches(value: object) -> bool:
    batches = value if isinstance(value, list) else [value]
    return bool(batches) and all(
        isinstance(batch, dict) and isinstance(batch.get("items"), list)
        for batch in batches
    )


def _is_document(value: object) -> bool:
    return _has("doc_id", "hypothesis")(value) or _has("doc_id", "src_text")(value)


#: By name, in the order in which files are told apart.
ITEM_FORMATS: dict[str, ItemFormat] = {
    kind.name: kind
    for kind in (
        ItemFormat("appraise-batches", _is_batches, is_list=True),
        ItemFormat("pearmut-campaign", _has("campaign_id", "data")),
        ItemFormat("wmt26-items", _has("item_id", "src", "hyps"), is_lines=True),
        ItemFormat("wmt-documents", _is_document, is_lines=True),
        ItemFormat("wmt25-scores", _has("document_id", "metric_scores"), is_lines=True),
        ItemFormat("pearmut", lambda value: isinstance(value, str), is_text=True),
    )
}


def item_format(path: str | os.PathLike[str]) -> ItemFormat | None:
    """Return the format of a file of items, None if it is something else."""
    name = os.fspath(path)
    if not os.path.isfile(name) or is_store(name):
        return None
    try:
        first = next((line for line in open_lines(name) if line.strip()), "")
    except (FormatError, InputError):
        return None
    if not first.lstrip().startswith(("{", "[")):
        return None
    value = _parsed(first)
    if value is None:
        # A file that is one value in several lines, if it is one at all.
        value = _parsed("\n".join(open_lines(name)))
        known = [kind for kind in ITEM_FORMATS.values() if not kind.is_lines]
    else:
        known = list(ITEM_FORMATS.values())
    return next((kind for kind in known if kind.fits(value)), None)


def split_items(
    paths: Sequence[str | os.PathLike[str]], name: str | None
) -> tuple[list[str | os.PathLike[str]], dict[str, ItemFormat]]:
    """Return files of judgements, and those of items with their format.

    Parameters
    ----------
    paths : sequence of paths
    name : str, optional
        The format of all files; found by content if it is None.
    """
    from tertium.judgements.sources import recognise

    if name is not None:
        known = None if name in _texts() else ITEM_FORMATS.get(name)
        items = {os.fspath(path): known for path in paths} if known else {}
        return ([] if known else list(paths)), {k: v for k, v in items.items() if v}
    judged: list[str | os.PathLike[str]] = []
    shown: dict[str, ItemFormat] = {}
    for path in paths:
        kind = item_format(path)
        if kind is None or recognise(os.fspath(path))[0] is not None:
            judged.append(path)
        else:
            shown[os.fspath(path)] = kind
    return judged, shown


def _texts() -> list[str]:
    """Return the formats of judgements of which the text is kept."""
    return [name for name, kind in ITEM_FORMATS.items() if kind.is_text]


def kept_texts(formats: Mapping[str, str]) -> list[Items]:
    """Return the texts of files that are kept beside their judgements.

    Parameters
    ----------
    formats : mapping of str to str
        The format of every file.
    """
    return [
        read_items(path, ITEM_FORMATS[name])
        for path, name in formats.items()
        if name in _texts()
    ]


def _parsed(text: str) -> object:
    if len(text) > _LONGEST:
        return None
    try:
        return from_json(text, "this is")
    except ValueError:
        return None


def read_items(path: str | os.PathLike[str], kind: ItemFormat) -> Items:
    """Return the content of a file.

    Raises
    ------
    FormatError
        When a line is not of the format, or the file is not.
    """
    name = os.fspath(path)
    contents: list[object] = []
    lines: list[str] = []
    if kind.is_text:
        with open_bytes(name) as file:
            contents.append(file.read().decode())
    elif kind.is_lines:
        for number, line in enumerate(open_lines(name), start=1):
            if not line.strip():
                continue
            value = _parsed(line)
            if not kind.fits(value):
                what = f"not a line of {kind.name}; correct it, or leave it out"
                raise FormatError(what, path=display(name), line=number)
            contents.append(value)
            lines.append(line)
    else:
        value = _parsed("\n".join(open_lines(name)))
        if not kind.fits(value):
            what = f"not {kind.name}; check the format"
            raise FormatError(what, path=display(name))
        contents += value if kind.is_list and isinstance(value, list) else [value]
    return Items(kind.name, os.path.basename(name), tuple(contents), tuple(lines))


def add_items(store: str | os.PathLike[str], items: Iterable[Items]) -> None:
    """Put items into a store that exists, after those that it has; equal files once.

    Raises
    ------
    OutputError
        When writing fails.
    """
    every = stored_items(store)
    for new in items:
        if new not in every:
            every.append(new)
    rows = [(each.format, each.file, text) for each in every for text in each.texts]
    if not rows:
        return
    if is_sqlite(store):
        try:
            with closing(sqlite3.connect(store)) as base:
                base.execute("DROP TABLE IF EXISTS items")
                base.execute(
                    "CREATE TABLE items (format TEXT, file TEXT, content TEXT)"
                )
                base.executemany("INSERT INTO items VALUES (?, ?, ?)", rows)
                base.commit()
        except sqlite3.Error as error:
            message = f"cannot write {store}: {error}; check the path and free space"
            raise OutputError(message) from None
        return
    with replace_file(Path(store) / _FILE) as file:
        for format_, name, text in rows:
            value = json.loads(text)
            key, kept = ("content", value) if _text(value) == text else ("text", text)
            row = {"format": format_, "file": name, key: kept}
            file.write(f"{_text(row)}\n".encode())


def stored_items(store: str | os.PathLike[str]) -> list[Items]:
    """Return the items of a store, file by file.

    Raises
    ------
    FormatError
        When they are damaged.
    """
    files: dict[tuple[str, str], list[str]] = {}
    where = os.fspath(store)
    try:
        for format_, name, text in _rows(where):
            files.setdefault((format_, name), []).append(text)
        return [_stored(*key, texts) for key, texts in files.items()]
    except (ValueError, KeyError, TypeError, sqlite3.Error):
        what = "the items of the store are damaged; import them again"
        raise FormatError(what, path=where) from None


def _stored(name: str, file: str, texts: Sequence[str]) -> Items:
    kind = ITEM_FORMATS.get(name)
    lines = tuple(texts) if kind is not None and kind.is_lines else ()
    return Items(name, file, tuple(map(json.loads, texts)), lines)


def _rows(store: str) -> list[tuple[str, str, str]]:
    if is_sqlite(store):
        known = "SELECT 1 FROM sqlite_master WHERE name = 'items' AND type = 'table'"
        with closing(sqlite3.connect(store)) as base:
            if base.execute(known).fetchone() is None:
                return []
            return base.execute("SELECT format, file, content FROM items").fetchall()
    path = Path(store) / _FILE
    if not path.is_file():
        return []
    lines = [json.loads(line) for line in open_lines(path)]
    return [
        (
            row["format"],
            row["file"],
            row["text"] if "text" in row else _text(row["content"]),
        )
        for row in lines
    ]


def export_items(
    paths: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str], *, name: str
) -> int:
    """Write the items of stores, or of files, in their format; return their number.

    Parameters
    ----------
    paths : sequence of paths
    out : path
        ``-`` is standard output.
    name : str
        A key of :data:`ITEM_FORMATS`.

    Raises
    ------
    InputError
        When there are none.
    """
    kind = ITEM_FORMATS[name]
    from tertium.judgements.sources import recognise

    every: list[Items] = []
    for path in paths:
        file_format = item_format(path)
        if file_format is not None:
            every.append(read_items(path, file_format))
        elif is_store(path):
            every += stored_items(path)
        elif kind.is_text and (judged := recognise(os.fspath(path))[0]) is not None:
            every += kept_texts({os.fspath(path): judged.name})
    chosen = [each for each in every if each.format == name]
    contents = [value for each in chosen for value in each.contents]
    if not contents:
        known = ", ".join(sorted({each.format for each in every})) or "no items at all"
        message = f"nothing to write: there are {known}, not {name}; choose another"
        raise InputError(message, options=("format",))
    with replace_file(out) as file:
        if kind.is_lines:
            file.writelines(f"{x}\n".encode() for each in chosen for x in each.texts)
        else:
            file.write(kind.text(contents).encode())
    return len(contents)
