# SPDX-License-Identifier: Apache-2.0
"""What judgements keep of Appraise exports, so that these can be written again.

*Rows.* The first judgement of a row has it as metadata, ``appraise``: ``file``,
``line``, the ``row`` as it was, ``header`` if there is one, ``spans`` (a checksum),
``unscored`` if the score means nothing, and ``before``: lines and rows of earlier
submissions that it replaces. Error spans have the ``line``. Rows of exports with other
columns than those of the judgement are not kept: such columns may be e-mail addresses.

*Pre-filled spans.* A campaign may show spans that a program marked (ESA-AI, Zouhar et
al. 2024). Those that a judge kept have no ``error_type`` in the export; their metadata
say ``"prefilled": "kept"``. Where batches tell what was shown, a span that a judge put
in place of one has ``"changed"``, and the first judgement of a row has numbers:
``"prefilled": {"kept": 2, "changed": 1, "removed": 0}``.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from tertium.judgements.formats.cells import from_json

__all__ = ["Prefilled", "RawRows", "checksum", "prefilled"]

#: Category, severity, start and end.
Place: TypeAlias = "tuple[str, str, int | None, int | None]"


@dataclass(frozen=True)
class RawRows:
    """The rows of an export as they were, by line.

    Parameters
    ----------
    path : str
    rows : dict of int to str
    header : str, optional
    replaced : dict of int to int
        Lines of earlier submissions, with the line of the last one.
    """

    path: str
    rows: Mapping[int, str]
    header: str | None = None
    replaced: Mapping[int, int] = field(default_factory=dict)

    def kept(
        self, line: int, errors: Iterable[Place], *, is_scored: bool
    ) -> dict[str, object]:
        """Return what the first judgement of a row keeps of it."""
        kept: dict[str, object] = {
            "file": os.path.basename(self.path),
            "line": line,
            "row": self.rows[line],
            "spans": checksum(errors),
        }
        if self.header is not None:
            kept["header"] = self.header
        if not is_scored:
            kept["unscored"] = True
        before = [
            [first, self.rows[first]]
            for first, last in self.replaced.items()
            if last == line
        ]
        return kept | ({"before": before} if before else {})


def checksum(errors: Iterable[Place]) -> int:
    """Return a number that tells whether errors are the same."""
    return zlib.crc32(repr([tuple(error) for error in errors]).encode())


class Prefilled(NamedTuple):
    """What became of pre-filled spans.

    Parameters
    ----------
    marks : list of str
        For every span of a row ``kept``, ``changed``, or nothing if it is new.
    numbers : dict of str to int
        Spans that were kept, changed and removed; empty if that is not known.
    """

    marks: list[str]
    numbers: dict[str, int]


def prefilled(text: str, shown: Sequence[Mapping[str, object]] | None) -> Prefilled:
    """Return what became of pre-filled spans.

    Parameters
    ----------
    text : str
        The spans of a row, as JSON.
    shown : sequence of dict, optional
        The pre-filled spans, where batches tell them.

    Examples
    --------
    >>> import json
    >>> kept, new = {"start_i": 1, "end_i": 4}, {"start_i": 7, "end_i": 9}
    >>> text = json.dumps([kept, new | {"error_type": None}])
    >>> prefilled(text, None).marks
    ['kept', '']
    >>> prefilled(text, [kept, {"start_i": 8, "end_i": 12}]).marks
    ['kept', 'changed']
    """
    spans = from_json(text, "the error spans are") if text not in ("", "None") else []
    if not isinstance(spans, list):
        return Prefilled([], {})
    kept = ["error_type" not in span if isinstance(span, dict) else 0 for span in spans]
    marks = ["kept" if one else "" for one in kept]
    if not shown:
        return Prefilled(marks, {})
    still = [_place(span) for span, one in zip(spans, kept, strict=True) if one]
    changed = removed = 0
    for old in map(_place, shown):
        if old in still:
            still.remove(old)
            continue
        new = [
            k
            for k, span in enumerate(spans)
            if not marks[k] and _overlap(old, _place(span))
        ]
        changed += bool(new)
        removed += not new
        if new:
            marks[new[0]] = "changed"
    numbers = {"kept": marks.count("kept"), "changed": changed, "removed": removed}
    return Prefilled(marks, numbers)


def _place(span: object) -> tuple[object, object]:
    known = span if isinstance(span, dict) else {}
    return known.get("start_i"), known.get("end_i")


def _overlap(old: tuple[object, object], new: tuple[object, object]) -> bool:
    """Return whether two spans share a character; missing content is one place."""
    (first, last), (start, end) = old, new
    if (
        isinstance(first, int)
        and isinstance(last, int)
        and isinstance(start, int)
        and isinstance(end, int)
    ):
        return first <= end and start <= last
    return old == new
