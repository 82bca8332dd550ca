# SPDX-License-Identifier: Apache-2.0
"""Files of judgements: which ones are named, and their formats."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from tertium.data.lines import display, open_lines
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.judgements.formats import FORMATS, Format, ImportOptions
from tertium.judgements.formats.appraise_batches import refuse_batches
from tertium.judgements.formats.campaign_table import is_workbook
from tertium.judgements.formats.format import Numbered
from tertium.judgements.formats.mtme import mtme_folder
from tertium.judgements.items import item_format
from tertium.judgements.store import is_store, read_store

__all__ = [
    "check_distinct",
    "demo_files",
    "expanded",
    "format_of",
    "numbered_judgements",
    "recognise",
    "shards_of",
    "with_demo",
]


def check_distinct(paths: Sequence[str | os.PathLike[str]]) -> None:
    """Raise an error if a file is named twice: its judgements would count double.

    Raises
    ------
    InputError
    """
    seen = set()
    for path in [os.fspath(path) for path in paths]:
        place = os.path.realpath(path)
        if place in seen:
            message = f"{path} is named twice, so its judgements would count double"
            raise InputError(f"{message}; name it once")
        seen.add(place)


def with_demo(paths: Sequence[str | os.PathLike[str]]) -> list[str]:
    """Return paths with the bundled files for ``demo``, unless there is such a file."""
    named: list[str] = []
    for path in [os.fspath(path) for path in paths]:
        bundled = path == "demo" and not os.path.exists(path)
        named += demo_files() if bundled else [path]
    return named


def shards_of(path: str) -> list[str] | None:
    """Return the files of a partitioned folder of judgements, None for anything else.

    Raises
    ------
    FormatError
        When a shard is missing, or differs from the manifest.
    InputError
        When the folder holds something else.
    """
    if not os.path.isdir(path) or is_store(path):
        return None
    from tertium.data.partitions import is_partitioned, open_partitions

    if not is_partitioned(path):
        return None
    shards = open_partitions(path, "judgements")
    return shards.paths if shards.format == "jsonl" else None


def expanded(paths: Sequence[str | os.PathLike[str]]) -> list[str]:
    """Return paths with the shards of partitioned folders in their place."""
    named = [os.fspath(path) for path in paths]
    return [file for path in named for file in shards_of(path) or [path]]


def demo_files() -> list[str]:
    """Return the bundled judgements: rankings and ratings by simulated judges."""
    import tertium

    folder = os.path.join(os.path.dirname(tertium.__file__), "demo")
    return [os.path.join(folder, name) for name in ("rankings.tsv", "ratings.jsonl")]


def numbered_judgements(
    path: str, kind: Format | None, options: ImportOptions | None = None
) -> Iterator[Numbered]:
    """Yield the judgements of a file with their lines, bad rows included.

    Without lines, as in a store, judgements are counted from 1.

    Parameters
    ----------
    kind : Format, optional
        None for a store.
    """
    if kind is None:
        yield from enumerate(read_store(path).iterate(), start=1)
    elif kind.numbered is None:
        yield from enumerate(kind.read(path, options or ImportOptions()), start=1)
    else:
        yield from kind.numbered(path, options or ImportOptions())


def recognise(path: str) -> tuple[Format | None, list[str]]:
    """Return the format of a file or folder, if it is known, and the first lines.

    Raises
    ------
    FormatError
        When the file cannot be read or is empty.
    """
    without_lines = os.path.isdir(path) or is_workbook(path)
    head = [] if without_lines else list(islice(open_lines(path), 5))
    if not head and not without_lines:
        raise FormatError("the file is empty; leave it out", path=path)
    return next((one for one in FORMATS.values() if one.fits(path, head)), None), head


def format_of(path: str, name: str | None = None) -> Format:
    """Return the format of a file, by its name or detected from its first lines.

    Raises
    ------
    FormatError
        When the format is not known.
    """
    if name is not None:
        if name not in FORMATS:
            raise UnknownNameError("format of judgements", name, FORMATS)
        return FORMATS[name]
    if path == "-":
        what = f"cannot detect the format; name it: {'|'.join(FORMATS)}"
        raise FormatError(what, path=display(path))
    kind, head = recognise(path)
    if kind is not None:
        return kind
    if is_store(path):
        what = "judgements that are imported already; use `tertium judgements merge`"
        raise FormatError(what, path=path)
    refuse_batches(path, head)
    if head and re.fullmatch(r"(?:[^\t]+\t){5}\d+(?: \d+)*", head[0]):
        what = (
            "candidates of SegRanks, which nobody has ranked yet; "
            "tertium.judgements.read_candidates reads them"
        )
        raise FormatError(what, path=path)
    if head and head[0].startswith("{") and '"hypothesis"' in head[0]:
        what = (
            "the output of a system (WMT 2025 or 2026), not judgements; give files of "
            "judgements"
        )
        raise FormatError(what, path=path)
    folder = mtme_folder(path)
    if folder is not None:
        what = (
            "this file is a part of a folder of mt-metrics-eval, and holds no human "
            f"scores of segments; give the folder, {folder}"
        )
        raise FormatError(what, path=path)
    items = item_format(path)
    if items is not None:
        what = (
            f"{items.name}: {items.about}; not judgements, so there is nothing to use"
        )
        raise FormatError(f"{what}; give files of judgements", path=path)
    what = (
        f"no known format of judgements; name one of {', '.join(FORMATS)} "
        "(see `tertium judgements import --help`)"
    )
    raise FormatError(what, path=path)
