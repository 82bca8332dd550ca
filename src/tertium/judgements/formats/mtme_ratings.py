# SPDX-License-Identifier: Apache-2.0
"""Error spans in files of mt-metrics-eval, ``LP.NAME.seg.rating``.

System and ``{"errors": [...]}``, perhaps the rater, the segments of a system in the
order of the test set and ``None`` where nobody judged. Every error has ``start`` and
``end``, ``category``, ``severity``, its cost as ``score``, and ``is_source_error``;
only the places have to be there (``ratings.py`` of mt-metrics-eval, commit 25fc1fe).
An output becomes its spans and a rating: 0, less the costs, which are those of
``tertium rank`` where the file has none. NAME without ``merged`` becomes the scale.

What was read is written again byte for byte: the last rating of a file keeps its
systems and their numbers of lines as metadata (``lines``), since a system that nobody
judged, and segments at the end that nobody judged, leave no other trace; errors keep
which of their fields were empty (``null``).
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tertium.data.lines import open_lines, write_lines
from tertium.errors import InputError
from tertium.judgements.formats.cells import NO_SCORE, from_json, meta_of, to_meta
from tertium.judgements.formats.format import (
    Format,
    ImportOptions,
    Numbered,
    unnumbered,
)
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.formats.values import bad
from tertium.judgements.judgement import NO_ERROR, Bad, Judgement, Rating, Span
from tertium.judgements.tables import Judgements

__all__ = ["MTME_RATINGS"]

_NAME = re.compile(r"-[A-Za-z_]+\.(.+?)(?:\.merged)?\.seg\.rating")
_ROW = re.compile(r'^[^\t]+\t\{"errors": ?\[')
_LARGEST = 2**32
_KEYS = ("start", "end", "category", "severity", "score", "is_source_error")
_NULL = "null"  # the fields of an error that were empty


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    name = _NAME.search(os.path.basename(path))
    scale = options.scale or (name[1] if name else "mqm")
    options = options._replace(
        langpair=options.langpair or file_langpair(path), scale=scale
    )
    seen: dict[str, int] = defaultdict(int)
    number, held = 0, list[Numbered]()  # the last rating waits for the number of lines
    for number, line in enumerate(open_lines(path), start=1):
        system, tab, text = line.partition("\t")
        if not system or not tab:
            yield number, Bad(number, "no system and rating separated by a tab", line)
            continue
        text, _, rater = text.partition("\t")  # JSON has no tab in it
        seen[system] += 1
        if text in NO_SCORE:
            continue
        try:
            base = Span(
                system,
                "no-error",
                "no-error",
                str(seen[system]),
                judge=rater.strip() or None,
                langpair=options.langpair,
                campaign=options.campaign,
            )
            judgements = list(_judgements(base, text, scale))
            yield from held
            held = [(number, judgement) for judgement in judgements]
        except ValueError as error:
            yield number, bad(number, error, line)
    lines = to_meta({"lines": dict(seen)})
    for at, last in held:
        yield at, last._replace(meta=lines) if isinstance(last, Rating) else last
    due = max(seen.values(), default=0)
    for system, count in seen.items():
        if count < due:
            reason = f"{system} has {count} lines for {due} segments"
            why = f"{reason}; which are missing is not known"
            yield number, Bad(number, why, system)


def _judgements(base: Span, text: str, scale: str) -> Iterator[Judgement]:
    """Yield the rating of an output, then its errors; or raise a ValueError."""
    content = from_json(text, "the rating is")
    errors = content.get("errors") if isinstance(content, dict) else None
    if not isinstance(errors, list) or not all(isinstance(e, dict) for e in errors):
        message = "no JSON object with a list of errors"
        raise ValueError(message)
    spans = [_span(base, error) for error in errors]
    yield Rating(
        base.system,
        0.0 - sum(cost for cost, _ in spans),
        scale,
        base.segment,
        base.judge,
        langpair=base.langpair,
        campaign=base.campaign,
    )
    yield from [span for _, span in spans] or [base]


def _span(base: Span, error: Mapping[str, object]) -> tuple[float, Span]:
    from tertium.judgements.ranking.ratings import MqmWeights

    category = str(error.get("category") or "")
    severity = str(error.get("severity") or "undecided")
    cost = error.get("score")
    if cost is None:
        cost = MqmWeights().cost(category, severity)
    if isinstance(cost, bool) or not isinstance(cost, (int, float)):
        message = f"an error costs {cost!r}, which is not a number"
        raise ValueError(message)
    start, end = _place(error.get("start")), _place(error.get("end"))
    empty = [name for name in _KEYS[:-1] if error.get(name) is None]
    meta = {"score": cost} | ({_NULL: empty} if empty else {}) | _rest(error)
    return cost, base._replace(
        category=category,
        severity=severity,
        start=start,
        end=end,
        side="source" if error.get("is_source_error") else "target",
        meta=to_meta(meta),
    )


def _rest(error: Mapping[str, object]) -> dict[str, object]:
    """Return what an error has beside the usual."""
    return {name: value for name, value in error.items() if name not in _KEYS}


def _place(value: object) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or not 0 <= value < _LARGEST:
        message = f"an error begins or ends at {value!r}, which is not a character"
        raise ValueError(message)
    return value


# --------------------------------------------------------------------- writing


def _write(judgements: Judgements, path: str) -> None:
    write_lines(path, _lines(judgements, path))


def _lines(judgements: Judgements, path: str) -> Iterator[str]:
    """Yield the lines of a file: every system, segments from 1.

    Raises
    ------
    InputError
        When segments are not numbered, or an output was judged more than once.
    """
    judged: dict[tuple[str, str], list[Span]] = {}
    systems: dict[str, int] = {}
    judges: dict[tuple[str, str], str | None] = {}
    for judgement in judgements.iterate("ratings"):
        if isinstance(judgement, Rating):
            key = judgement.system, judgement.segment
            judged.setdefault(key, [])
            lines = meta_of(judgement.meta).get("lines")
            systems |= lines if isinstance(lines, dict) else {}
    for span in judgements.iterate("spans"):
        if not isinstance(span, Span):
            continue
        key = span.system, span.segment
        if judges.setdefault(key, span.judge) != span.judge:
            message = (
                f"cannot write {path}: two judges marked segment {span.segment} of "
                f"{span.system}; write tertium-jsonl, or choose one judge"
            )
            raise InputError(message, options=("only",))
        errors = judged.setdefault(key, [])
        if span.severity.lower() not in NO_ERROR:
            errors.append(span)
    last = max(systems.values(), default=0)
    for system, segment in judged:
        if not segment.isdecimal() or int(segment) < 1:
            message = (
                f"cannot write {path}: segment {segment!r} is not an integer from 1; "
                "import with the batches of the campaign, or write tertium-jsonl"
            )
            raise InputError(message)
        systems.setdefault(system, 0)
        last = max(last, int(segment))
    for system, lines in systems.items():
        for number in range(1, max(lines, last) + 1):
            spans = judged.get((system, str(number)))
            rating = "None" if spans is None else _rating_text(spans)
            rater = judges.get((system, str(number)))
            yield "\t".join([system, rating] + ([rater] if rater else []))


def _rating_text(spans: Sequence[Span]) -> str:
    from tertium.judgements.ranking.ratings import MqmWeights

    weights = MqmWeights()
    errors = []
    for span in spans:
        rest = meta_of(span.meta)
        cost = rest.pop("score", None)
        rest = {} if cost is None else rest  # not of such a file
        empty = rest.pop(_NULL, [])
        if cost is None:
            cost = weights.weight(span.category, span.severity)
        values = (
            span.start,
            span.end,
            span.category,
            span.severity,
            cost,
            span.side == "source",
        )
        error = dict(zip(_KEYS, values, strict=True))
        if isinstance(empty, list):
            error |= dict.fromkeys(map(str, empty))
        errors.append(error | rest)
    return json.dumps({"errors": errors}, ensure_ascii=False)


def _fits(path: str, head: Sequence[str]) -> bool:  # noqa: ARG001
    return any(_ROW.match(line) for line in head)


MTME_RATINGS = Format(
    "mtme-ratings",
    _fits,
    unnumbered(_read),
    _write,
    numbered=_read,
    kinds=("ratings", "spans"),
    loses=("document", "langpair", "campaign", "time", "duration"),
)
