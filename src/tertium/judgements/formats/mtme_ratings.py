# SPDX-License-Identifier: Apache-2.0
"""Error spans in files of mt-metrics-eval, ``LP.NAME.seg.rating`` and standalone.

System and ``{"errors": [...]}``, perhaps the rater, the segments of a system in the
order of the test set and ``None`` where nobody judged. Every error has ``start`` and
``end``, ``category``, ``severity``, its cost as ``score``, and ``is_source_error``;
only the places have to be there (``ratings.py`` of mt-metrics-eval, commit 25fc1fe).
An output becomes its spans and a rating: 0, less the costs, which are those of
``tertium rank`` where the file has none. NAME without ``merged`` becomes the scale.

*Standalone* ratings are JSON lines with the same errors and ``system_id``,
``segment_id`` (from 0), ``rater_id``, ``document_id``, languages, and the texts
``source`` and ``hypothesis`` (``standalone_ratings.py``, same commit). They are read,
and written as ``.seg.rating``.

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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from tertium.data.lines import open_lines, write_lines
from tertium.errors import InputError
from tertium.judgements.formats.cells import NO_SCORE, from_json, meta_of, to_meta
from tertium.judgements.formats.format import (
    Format,
    ImportOptions,
    Numbered,
    unnumbered,
)
from tertium.judgements.formats.names import file_langpair, language
from tertium.judgements.formats.values import bad
from tertium.judgements.judgement import NO_ERROR, Bad, Judgement, Rating, Span
from tertium.judgements.tables import Judgements

__all__ = ["MTME_RATINGS"]

_NAME = re.compile(r"-[A-Za-z_]+\.(.+?)(?:\.merged)?\.seg\.rating")
_ROW = re.compile(r'^[^\t]+\t\{"errors": ?\[')
_LARGEST = 2**32
_KEYS = ("start", "end", "category", "severity", "score", "is_source_error")
_NULL = "null"  # the fields of an error that were empty
_STANDALONE = ("hypothesis", "errors", "segment_id", "system_id")
_TEXTS = ("source", "target")  # of standalone ratings


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    lines = open_lines(path)
    first = next(lines, "")
    lines = chain([first], lines)
    if first.lstrip().startswith("{"):
        yield from _read_standalone(path, lines, options)
    else:
        yield from _read_ratings(path, lines, options)


def _read_standalone(
    path: str, lines: Iterable[str], options: ImportOptions
) -> Iterator[Numbered]:
    pair = options.langpair or file_langpair(path)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = from_json(line, "the rating is")
            if not isinstance(row, dict):
                message = "no JSON object"
                raise ValueError(message)
            base = _standalone(row, options._replace(langpair=pair))
            for judgement in list(_judgements(base, row, options.scale or "mqm")):
                yield number, judgement
        except ValueError as error:
            yield number, bad(number, error, line)


def _standalone(row: Mapping[str, object], options: ImportOptions) -> Span:
    """Return what all judgements of a standalone rating have."""
    system, place = row.get("system_id"), row.get("segment_id")
    if not system or not isinstance(place, int) or place < 0:
        message = "no system_id, or no segment_id that counts from 0"
        raise ValueError(message)
    languages = [row.get(f"{side}_lang") for side in ("src", "tgt")]
    pair = "-".join(language(str(one)) for one in languages) if all(languages) else None
    texts = {"source": row.get("source"), "target": row.get("hypothesis")}
    return Span(
        str(system),
        "no-error",
        "no-error",
        str(place + 1),
        judge=str(row["rater_id"]) if row.get("rater_id") else None,
        document=str(row["document_id"]) if row.get("document_id") else None,
        langpair=options.langpair or pair,
        campaign=options.campaign,
        meta=to_meta(texts),
    )


def _read_ratings(
    path: str, rows: Iterable[str], options: ImportOptions
) -> Iterator[Numbered]:
    name = _NAME.search(os.path.basename(path))
    scale = options.scale or (name[1] if name else "mqm")
    options = options._replace(
        langpair=options.langpair or file_langpair(path), scale=scale
    )
    seen: dict[str, int] = defaultdict(int)
    number, held = 0, list[Numbered]()  # the last rating waits for the number of lines
    for number, line in enumerate(rows, start=1):
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
            content = from_json(text, "the rating is")
            judgements = list(_judgements(base, content, scale))
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


def _judgements(base: Span, content: object, scale: str) -> Iterator[Judgement]:
    """Yield the rating of an output, then its errors; or raise a ValueError."""
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
        base.document,
        base.langpair,
        base.campaign,
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
    side = "source" if error.get("is_source_error") else "target"
    texts = meta_of(base.meta)
    meta = {"score": cost} | ({_NULL: empty} if empty else {}) | _rest(error)
    shown = texts.get(side)
    is_placed = isinstance(shown, str) and start is not None and end is not None
    return cost, base._replace(
        category=category,
        severity=severity,
        start=start,
        end=end,
        side=side,
        text=str(shown)[start:end] if is_placed else None,
        meta=to_meta(texts | meta),
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
        is_ours = cost is not None  # read from such a file
        rest = {k: v for k, v in rest.items() if k not in _TEXTS} if is_ours else {}
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
    if head and head[0].lstrip().startswith("{"):
        return all(f'"{name}"' in head[0] for name in _STANDALONE)
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
