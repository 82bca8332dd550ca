# SPDX-License-Identifier: Apache-2.0
"""Batches of Appraise: what judges were shown, with texts.

A JSON list of batches, each with ``items``: ``documentID``, ``itemID``, ``targetID``,
``targetText`` and, where the campaign kept it, ``_item`` with the line of the test set
from 0 (``SYSTEM | LINE | DOCUMENT``). Batches hold no judgements; an export read beside
them gets lines as segments and the texts of its error spans.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from tertium.data.lines import display, open_lines
from tertium.errors import FormatError
from tertium.judgements.formats.cells import from_json

__all__ = ["Batches", "Key", "Shown", "read_batches", "refuse_batches"]

_LINE = re.compile(r"^.* \| (\d{1,9}) \| .*$", re.DOTALL)
_HEAD = re.compile(r'^\s*\[?\s*\{?\s*"(?:items|task)"\s*:')

#: Document, item number and system.
Key: TypeAlias = tuple[str, str, str]


class Shown(NamedTuple):
    """What a judge was shown: the output, its line of the test set, pre-filled spans.

    Lines are counted from 1.
    """

    text: str
    line: int | None
    spans: tuple[Mapping[str, object], ...] = ()


class Batches:
    """The items of batches by document, item number and system, as exports name them.

    Parameters
    ----------
    batches : sequence of mapping
        One mapping per batch.
    has_lines : bool
        Whether the line of every item but those of tutorials is known.
    """

    def __init__(self, batches: Sequence[Mapping[Key, Shown]]) -> None:
        self._batches = batches
        self.has_lines = all(
            shown.line is not None
            for batch in batches
            for (document, *_), shown in batch.items()
            if "-tutorial" not in document
        )

    def shown(self, rows: Sequence[tuple[str, Key]]) -> dict[tuple[str, Key], Shown]:
        """Return what judges were shown, for every row that is in a batch.

        Parts of a document may have one item number in two batches. The batch with
        most of a judge's rows is the one that this judge worked on.

        Parameters
        ----------
        rows : sequence of (str, key)
            Judges and what they judged.
        """
        by_judge: dict[str, list[Key]] = {}
        for judge, key in rows:
            by_judge.setdefault(judge, []).append(key)
        items = {}
        for judge, keys in by_judge.items():
            order = sorted(
                self._batches, key=lambda batch: -sum(key in batch for key in keys)
            )
            for key in keys:
                holder = next((batch for batch in order if key in batch), None)
                if holder is not None:
                    items[judge, key] = holder[key]
        return items


def refuse_batches(path: str, head: Sequence[str]) -> None:
    """Raise an error if a file with these first lines holds batches.

    Raises
    ------
    FormatError
    """
    if _HEAD.match("".join(head)):
        what = (
            "Appraise batches, which accompany an export of the campaign; use `tertium "
            "judgements import EXPORT -o STORE --batches FILE` with it as FILE"
        )
        raise FormatError(what, path=path)


def read_batches(path: str) -> Batches:
    """Return the items of a file of batches.

    Raises
    ------
    FormatError
        When the file holds no batches.
    """
    what = "these are not Appraise batches, a JSON list of objects with items; check it"
    try:
        content = from_json("\n".join(open_lines(path)), "the file is")
    except ValueError:
        raise FormatError(what, path=display(path)) from None
    batches = content if isinstance(content, list) else [content]
    read: list[dict[Key, Shown]] = []
    for batch in batches:
        items = batch.get("items") if isinstance(batch, dict) else None
        if not isinstance(items, list) or not all(
            isinstance(item, dict) for item in items
        ):
            raise FormatError(what, path=display(path))
        read.append(dict(_shown(item, path) for item in items))
    return Batches(read)


def _shown(item: Mapping[str, object], path: str) -> tuple[Key, Shown]:
    names = ("documentID", "itemID", "targetID")
    missing = [name for name in (*names, "targetText") if name not in item]
    if missing:
        what = f"an item has no {missing[0]}; give the batches of a document campaign"
        raise FormatError(what, path=display(path))
    document, number, system = (str(item[name]) for name in names)
    line = _LINE.match(str(item.get("_item", "")))
    spans = item.get("mqm")
    if isinstance(spans, dict):
        spans = spans.get("payload")
    listed = spans if isinstance(spans, list) else []
    shown = Shown(
        str(item["targetText"]),
        int(line[1]) + 1 if line else None,
        tuple(span for span in listed if isinstance(span, dict)),
    )
    return (document, number, system), shown
