# SPDX-License-Identifier: Apache-2.0
"""What only a whole Appraise export tells about its rows.

*Segments.* Campaigns number items in one of two ways. Where an item number always
belongs to the same document, it is a line of the test set. Where it does not, it is a
place in somebody's batch, and the segment is the document and the position in it.
See :mod:`tertium.judgements.formats.appraise_positions`.

*Submissions.* A judge may go back and submit an item again: the last time counts.

*Times.* Pages with a whole document record the first and the last click on an item,
and no time at all where one click was enough. Reading comes before the first click, so
the time of an item is then what passed since the judge finished the item before.

*Scores.* The interface for MQM asks for categories of errors and exports 0 for every
score.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tertium.judgements.formats.appraise_positions import Item, segments_of
from tertium.judgements.formats.appraise_rows import Row, document, system_of
from tertium.judgements.formats.cells import from_json

__all__ = ["Survey", "survey"]

_ONE_CLICK = 0.01  # seconds
_CLICKED = 0.05  # share of items with one click that tells clicks from pages


@dataclass(frozen=True)
class Survey:
    """What a whole export tells about its rows, by line.

    Parameters
    ----------
    segments : dict of int to str
        Lines that are missing keep the item number.
    replaced : dict of int to int
        Earlier submissions, with the line of the last one.
    seconds : dict of int to float, optional
        None unless clicks were recorded; lines without a time are missing.
    is_scored : bool
        Whether there are human scores, and not only errors.
    """

    segments: Mapping[int, str]
    replaced: Mapping[int, int]
    seconds: Mapping[int, float] | None
    is_scored: bool


def survey(rows: Sequence[tuple[int, Row]]) -> Survey:
    """Return what the rows of an export, with their lines, tell together."""
    items = [item for line, row in rows if (item := _item(line, row)) is not None]
    segments: dict[int, str] = {}
    replaced: dict[int, int] = {}
    if _is_by_batch([item for item in items if not item.document.is_tutorial]):
        replaced = _replaced(items)
        segments = segments_of([item for item in items if item.line not in replaced])
    return Survey(
        segments,
        replaced,
        _seconds([item for item in items if item.line not in replaced]),
        _is_scored([row for _, row in rows]),
    )


def _item(line: int, row: Row) -> Item | None:
    raw, number = row.get("document", ""), row["item"]
    if not raw or not (number.isascii() and number.isdigit()) or len(number) > 9:
        return None
    if row.get("whole", "") == "True" or not row["system"]:
        return None
    system = system_of(row["system"])
    return Item(
        line,
        (row["judge"], row.get("batch", "")),
        int(number),
        raw,
        document(raw, system, row["system"]),
        system,
        row["type"],
        (row.get("source", ""), row.get("target", "")),
        _moment(row.get("start", "")),
        _moment(row.get("end", "")),
    )


def _moment(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _is_by_batch(items: Iterable[Item]) -> bool:
    """Return whether item numbers are places in batches, not lines of the test set."""
    documents: dict[tuple[object, ...], set[str]] = defaultdict(set)
    systems: dict[tuple[object, ...], set[str]] = defaultdict(set)
    of_document: dict[tuple[object, ...], set[str]] = defaultdict(set)
    for item in items:
        name = item.document.name
        documents[item.place, item.number].add(name)
        systems[item.place, name, item.number].add(item.system)
        of_document[item.place, name].add(item.system)
    if any(len(names) > 1 for names in documents.values()):
        return True
    # One batch alone: two systems never have an item of a document in common.
    alone = all(len(names) == 1 for names in systems.values())
    return alone and any(len(names) > 1 for names in of_document.values())


def _replaced(items: Iterable[Item]) -> dict[int, int]:
    """Return the lines of items that were submitted again, with the last line."""
    again: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    for item in items:
        again[item.worker, item.number, item.raw, item.system].append(item)
    replaced: dict[int, int] = {}
    for same in again.values():
        # Equal times are the same submission twice; the first row stands for both.
        last = max(same, key=lambda item: (_or_never(item.end), -item.line))
        replaced |= {item.line: last.line for item in same if item is not last}
    return replaced


def _or_never(moment: float) -> float:
    return -math.inf if math.isnan(moment) else moment


# ---------------------------------------------------------------- times and scores


def _seconds(items: Sequence[Item]) -> dict[int, float] | None:
    """Return the time of every item where clicks were recorded, None otherwise."""
    lasted = [item.end - item.start for item in items]
    known = [each for each in lasted if not math.isnan(each)]
    clicked = sum(0 <= each < _ONE_CLICK for each in known)
    if not known or clicked < _CLICKED * len(known):
        return None
    by_worker: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in items:
        if not math.isnan(item.end):
            by_worker[item.worker].append(item)
    seconds = {}
    for rows in by_worker.values():
        rows.sort(key=lambda item: (item.end, item.number))
        before = [rows[0].start, *(item.end for item in rows)]
        for item, previous in zip(rows, before, strict=False):
            if item.end - previous >= _ONE_CLICK:
                seconds[item.line] = item.end - previous
    return seconds


def _is_scored(rows: Sequence[Row]) -> bool:
    """Return whether there are human scores; MQM exports 0 and categories of errors."""
    if any(row["score"] not in ("0", "0.0") for row in rows):
        return True
    return not any(_has_category(row.get("spans", "")) for row in rows)


def _has_category(text: str) -> bool:
    if '"error_type"' not in text:
        return False
    try:
        spans = from_json(text, "the error spans are")
    except ValueError:
        return False
    listed = spans if isinstance(spans, list) else []
    return any(isinstance(span, dict) and span.get("error_type") for span in listed)
