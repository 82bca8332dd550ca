# SPDX-License-Identifier: Apache-2.0
"""Error spans in files of mt-metrics-eval, ``LP.NAME.seg.rating``.

System and ``{"errors": [...]}``, the segments of a system in the order of the test set
and ``None`` where nobody judged. Every error has ``start`` and ``end``, ``category``,
``severity``, its cost as ``score``, and ``is_source_error``. An output becomes its
spans and a rating: 0, less the costs. NAME without ``merged`` becomes the scale.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tertium.data.lines import open_lines
from tertium.judgements.formats.cells import NO_SCORE, from_json, to_meta
from tertium.judgements.formats.format import (
    Format,
    ImportOptions,
    Numbered,
    unnumbered,
)
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.formats.values import bad
from tertium.judgements.judgement import Bad, Judgement, Rating, Span

__all__ = ["MTME_RATINGS"]

_NAME = re.compile(r"-[A-Za-z_]+\.(.+?)(?:\.merged)?\.seg\.rating")
_ROW = re.compile(r'^[^\t]+\t\{"errors": ?\[')
_LARGEST = 2**32


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    name = _NAME.search(os.path.basename(path))
    scale = options.scale or (name[1] if name else "mqm")
    options = options._replace(
        langpair=options.langpair or file_langpair(path), scale=scale
    )
    seen: dict[str, int] = defaultdict(int)
    number = 0
    for number, line in enumerate(open_lines(path), start=1):
        system, tab, text = line.partition("\t")
        if not system or not tab:
            yield number, Bad(number, "no system and rating separated by a tab", line)
            continue
        seen[system] += 1
        if text in NO_SCORE:
            continue
        try:
            for judgement in list(
                _judgements(system, str(seen[system]), text, options)
            ):
                yield number, judgement
        except ValueError as error:
            yield number, bad(number, error, line)
    due = max(seen.values(), default=0)
    for system, count in seen.items():
        if count < due:
            reason = f"{system} has {count} lines for {due} segments"
            why = f"{reason}; which are missing is not known"
            yield number, Bad(number, why, system)


def _judgements(
    system: str, segment: str, text: str, options: ImportOptions
) -> Iterator[Judgement]:
    """Yield the rating of an output, then its errors; or raise a ValueError."""
    content = from_json(text, "the rating is")
    errors = content.get("errors") if isinstance(content, dict) else None
    if not isinstance(errors, list) or not all(isinstance(e, dict) for e in errors):
        message = "no JSON object with a list of errors"
        raise ValueError(message)
    base = Span(
        system,
        "no-error",
        "no-error",
        segment,
        langpair=options.langpair,
        campaign=options.campaign,
    )
    spans = [_span(base, error) for error in errors]
    yield Rating(
        system,
        0.0 - sum(cost for cost, _ in spans),
        options.scale or "mqm",
        segment,
        langpair=options.langpair,
        campaign=options.campaign,
    )
    yield from [span for _, span in spans] or [base]


def _span(base: Span, error: Mapping[str, object]) -> tuple[float, Span]:
    cost = error.get("score")
    if isinstance(cost, bool) or not isinstance(cost, (int, float)):
        message = f"an error costs {cost!r}, which is not a number"
        raise ValueError(message)
    start, end = _place(error.get("start")), _place(error.get("end"))
    return cost, base._replace(
        category=str(error.get("category") or ""),
        severity=str(error.get("severity") or "undecided"),
        start=start,
        end=end,
        side="source" if error.get("is_source_error") else "target",
        meta=to_meta({"score": cost}),
    )


def _place(value: object) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or not 0 <= value < _LARGEST:
        message = f"an error begins or ends at {value!r}, which is not a character"
        raise ValueError(message)
    return value


def _fits(path: str, head: Sequence[str]) -> bool:  # noqa: ARG001
    return any(_ROW.match(line) for line in head)


MTME_RATINGS = Format(
    "mtme-ratings",
    _fits,
    unnumbered(_read),
    numbered=_read,
    kinds=("ratings", "spans"),
)
