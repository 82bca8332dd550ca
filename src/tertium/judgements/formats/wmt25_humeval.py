# SPDX-License-Identifier: Apache-2.0
"""Human judgements of WMT 2025 with texts (``humeval`` JSON lines).

One JSON object per paragraph: ``doc_id``, ``src_text``, ``tgt_text`` by system, and
``scores``: for every system ``human1``, ``errors1``, ``annotator1``, then the same with
2 and so on (early files have a single judgement without a number). Errors have
``start_i``, ``end_i`` (included) or ``missing``, and ``severity``.

Appraise shows ``<br>`` as a line break, which counts as one character; the texts of the
file have it replaced. Positions are therefore UTF-16 units of these texts, line breaks
included; spans get code points and an exclusive end.

Segments are the document and the position among its lines, ``DOCUMENT:1``. The first
rating of a line keeps the rest of the line as metadata, so that the file can be written
again; of ``scores`` it keeps what holds no judgement, such as systems that nobody
judged. Lines that nobody judged are set aside; the first rating after them, or else the
last of the file, keeps them, too.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tertium.data.lines import open_lines, write_lines
from tertium.errors import InputError
from tertium.judgements.formats.appraise import error_spans
from tertium.judgements.formats.appraise_rows import langpair
from tertium.judgements.formats.cells import (
    from_json,
    meta_of,
    score,
    sizes,
    to_meta,
)
from tertium.judgements.formats.format import (
    Format,
    ImportOptions,
    Numbered,
    unnumbered,
)
from tertium.judgements.formats.marks import Mark
from tertium.judgements.formats.set_aside import SetAside, lines_around
from tertium.judgements.formats.values import NothingRanked, bad
from tertium.judgements.judgement import NO_ERROR, Judgement, Rating, Span
from tertium.judgements.spans.positions import convert_span, offsets
from tertium.judgements.tables import Judgements

__all__ = ["WMT25_HUMEVAL", "document_langpair"]

_HUMAN = re.compile(r"^human(\d*)$")
_NUMBER = re.compile(r"\d*$")
_SEPARATOR = "_#_"

Object = Mapping[str, object]


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    lines: dict[str, int] = defaultdict(int)
    aside = SetAside()
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        try:
            row = from_json(line, "this is")
            if not isinstance(row, dict) or not isinstance(row.get("scores"), dict):
                message = "no JSON object with scores"
                raise ValueError(message)
            document = str(row.get("doc_id") or "")
            if not document:
                message = "no doc_id"
                raise ValueError(message)
            lines[document] += 1
            base = Rating(
                "",
                0.0,
                options.scale or "ESA",
                f"{document}:{lines[document]}",
                document=document,
                langpair=options.langpair or document_langpair(document),
                campaign=options.campaign,
            )
            judgements = list(_judgements(row, base))
            if not judgements:
                aside.put(row)
                message = "nobody judged the paragraph"
                raise NothingRanked(message)
        except ValueError as error:
            yield number, bad(number, error, line)
            continue
        yield from aside.follow([(number, one) for one in judgements])
    yield from aside.finish()


def document_langpair(document: str) -> str | None:
    """Return the language pair of ``en-cs_CZ_#_news_#_NAME``."""
    pair, separator, _ = document.partition(_SEPARATOR)
    source, dash, target = pair.partition("-")
    if not separator or not dash:
        return None
    codes = [source.partition("_")[0], target.partition("_")[0]]
    return langpair(dict(zip(("source", "target"), codes, strict=True)))


def _judgements(row: Object, base: Rating) -> Iterator[Judgement]:
    """Yield ratings and their spans; or raise a ValueError."""
    texts, scores = row.get("tgt_text"), row["scores"]
    # Without the judgements, but with the scores' place in the line.
    rest: object = {
        name: _unjudged(scores) if name == "scores" else value
        for name, value in row.items()
    }
    for system, value in scores.items() if isinstance(scores, dict) else ():
        if value is None:
            continue
        if not isinstance(value, dict):
            message = f"the scores of {system} are not a JSON object"
            raise ValueError(message)
        text = texts.get(system) if isinstance(texts, dict) else None
        known = text if isinstance(text, str) else None
        size = sizes(known)
        for key, points in value.items():
            name = _HUMAN.match(key)
            if name is None or points is None:
                continue
            judge = value.get(f"annotator{name[1]}")
            rating = base._replace(
                system=system,
                score=score(str(points)),
                judge=str(judge) if judge else None,
                meta=to_meta({**_spelt(name[1], points), **size, "line": rest}),
            )
            rest = None  # The first rating of a line keeps it.
            yield rating
            errors = value.get(f"errors{name[1]}")
            if errors is None:
                continue
            if not isinstance(errors, list):
                message = f"the errors of {system} are not a list"
                raise ValueError(message)
            pairs = [_mark(error, known) for error in errors]
            number = {"human": name[1], "unnumbered": None if name[1] else True, **size}
            spans = list(error_spans(rating, [mark for mark, _ in pairs], none=True))
            kept = [more for _, more in pairs] or [{}]
            for span, more in zip(spans, kept, strict=True):
                yield span._replace(meta=to_meta({**number, **more}))


def _unjudged(scores: object) -> dict[str, object] | None:
    """Return what of the scores holds no judgement, if there is anything.

    Systems and keys are those of the line, in order; each has a list, which holds the
    value if that is to be kept, and is empty if it follows from judgements.
    """
    if not isinstance(scores, dict):
        return None
    kept: dict[str, object] = {}
    for system, value in scores.items():
        keys = _unjudged_keys(value) if isinstance(value, dict) and value else {}
        if keys is None:
            kept[system] = []
        else:
            kept[system] = [value] if all(keys.values()) else keys
    return kept if any(kept.values()) else None


def _unjudged_keys(value: Object) -> dict[str, list[object]] | None:
    """Return keys of a system as :func:`_unjudged`; None if all are judgements."""
    made: list[str] = []
    for key, points in value.items():
        name = _HUMAN.match(key)
        if name is not None and isinstance(points, int | float):
            has_judge = isinstance(judge := value.get(f"annotator{name[1]}"), str)
            made += [key, f"errors{name[1]}"]
            made += [f"annotator{name[1]}"] if has_judge and judge else []
    if list(value) == made and None not in value.values():
        return None
    return {
        key: [] if key in made and item is not None else [item]
        for key, item in value.items()
    }


def _whole(kept: object, made: Mapping[str, dict[str, object]]) -> dict[str, object]:
    """Return the scores of a line: judgements, and what else the line had."""
    whole: dict[str, object] = {}
    for system, value in kept.items() if isinstance(kept, dict) else ():
        if isinstance(value, dict):
            keys = _whole_keys(value, made.get(system, {}))
            if keys:
                whole[system] = keys
        elif value:
            whole[system] = value[0]
        elif system in made:
            whole[system] = made[system]
    return whole | {name: value for name, value in made.items() if name not in whole}


def _whole_keys(
    kept: Mapping[str, list[object]], made: Mapping[str, object]
) -> dict[str, object]:
    keys = {}
    for key, value in kept.items():
        number = _NUMBER.search(key)
        human = f"human{number[0] if number else ''}"
        # Judgements that were not chosen leave nothing behind.
        if human in kept and kept[human] == [] and human not in made:
            continue
        if value or key in made:
            keys[key] = value[0] if value else made[key]
    return keys if made or any(kept.values()) else {}


def _spelt(number: str, points: object) -> dict[str, object]:
    """Return how a file writes a score: with a number, and as 80 or 80.0."""
    is_float = isinstance(points, float) and points.is_integer()
    return {
        "human": number,
        "unnumbered": None if number else True,
        "float": True if is_float else None,
    }


def _mark(error: object, text: str | None) -> tuple[Mark, dict[str, object]]:
    """Return an error, and what of it a span has no place for."""
    if not isinstance(error, dict):
        message = f"error {error!r} is not a JSON object"
        raise ValueError(message)
    first, last = error.get("start_i"), error.get("end_i")
    severity = str(error.get("severity") or "undecided")
    rest = {
        key: value
        for key, value in error.items()
        if key not in ("start_i", "end_i", "severity")
    }
    if "missing" in (first, last):
        return Mark("missing", severity, None, None, None), rest
    if type(first) is not int or type(last) is not int or not 0 <= first <= last:
        message = f"error from {first!r} to {last!r} has no place in the text"
        raise ValueError(message)
    if text is None:
        return Mark("", severity, first, last + 1, None), rest
    size = offsets(text, "utf-16")[-1]
    if first >= size:  # the field behind the text, for what is missing
        return Mark("missing", severity, None, None, None), rest | {
            "start_i": first,
            "end_i": last,
        }
    start, end = convert_span(
        text, first, min(last + 1, size), source="utf-16", target="code-point"
    )
    if _units(text, start, end) != (first, last):
        rest |= {"start_i": first, "end_i": last}
    return Mark("", severity, start, end, text[start:end]), rest


def _units(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span as the file has it: UTF-16 units, the end included."""
    first, last = convert_span(text, start, end, source="code-point", target="utf-16")
    return first, last - 1


def _fits(path: str, head: Sequence[str]) -> bool:  # noqa: ARG001
    first = head[0] if head else ""
    return first.startswith("{") and '"scores"' in first and '"tgt_text"' in first


# --------------------------------------------------------------------- writing


def _write(judgements: Judgements, path: str) -> None:
    write_lines(path, _lines(judgements, path))


def _lines(judgements: Judgements, path: str) -> Iterator[str]:
    """Yield one line per paragraph, as it was read if it was.

    Raises
    ------
    InputError
        When errors are marked in a text that is not known.
    """
    rest: dict[str, Object] = {}
    unjudged: dict[tuple[str, str], list[object]] = {}
    scores: dict[str, dict[str, dict[str, object]]] = {}
    numbers: dict[tuple[str, str], list[str | None]] = defaultdict(list)
    for rating in judgements.iterate("ratings"):
        if not isinstance(rating, Rating):
            continue
        meta, key = meta_of(rating.meta), (rating.segment, rating.system)
        line = meta.get("line")
        if isinstance(line, dict):
            rest[rating.segment] = line
        for where, rows in lines_around(meta).items():
            unjudged[rating.segment, where] = rows
        numbers[key].append(rating.judge)
        number = _number(meta, len(numbers[key]))
        row = scores.setdefault(rating.segment, {}).setdefault(rating.system, {})
        points = rating.score
        is_int = points.is_integer() and not meta.get("float")
        row[f"human{number}"] = int(points) if is_int else points
        row[f"errors{number}"] = []
        if rating.judge is not None:
            row[f"annotator{number}"] = rating.judge
        rest.setdefault(rating.segment, {"doc_id": rating.document or rating.segment})
    for span in judgements.iterate("spans"):
        if not isinstance(span, Span) or span.severity.lower() in NO_ERROR:
            continue
        row = scores.get(span.segment, {}).get(span.system, {})
        judges = numbers.get((span.segment, span.system), [])
        place = judges.index(span.judge) + 1 if span.judge in judges else 1
        number = _number(meta_of(span.meta), place)
        errors = row.setdefault(f"errors{number}", [])
        if isinstance(errors, list):
            errors.append(_error(span, rest.get(span.segment, {}), path))
    for segment, systems in scores.items():
        kept, whole = rest[segment], dict[str, object]()
        # Older stores do not know where scores stood.
        if "scores" not in kept:
            whole["scores"] = systems
        whole |= {**kept, "scores": _whole(kept.get("scores"), systems)}
        before, after = (unjudged.get((segment, x), []) for x in ("before", "after"))
        for paragraph in (*before, whole, *after):
            yield json.dumps(paragraph, ensure_ascii=False)


def _number(meta: Object, place: int) -> str:
    """Return the number of a judgement, by default its place; early files have none."""
    return "" if meta.get("unnumbered") else str(meta.get("human", place))


def _error(span: Span, line: Object, path: str) -> dict[str, object]:
    more = meta_of(span.meta)
    for name in ("human", "unnumbered", "length", "words"):
        more.pop(name, None)
    first: object = "missing"
    last: object = "missing"
    if "start_i" in more:
        first, last = more.pop("start_i"), more.pop("end_i", None)
    elif span.start is not None and span.end is not None:
        texts = line.get("tgt_text")
        text = texts.get(span.system) if isinstance(texts, dict) else None
        if not isinstance(text, str):
            message = (
                f"cannot write {path}: the output of {span.system} for segment "
                f"{span.segment} is not known; write tertium-jsonl"
            )
            raise InputError(message)
        first, last = _units(text, span.start, span.end)
    return {"start_i": first, "end_i": last, "severity": span.severity, **more}


WMT25_HUMEVAL = Format(
    "wmt25-humeval",
    _fits,
    unnumbered(_read),
    _write,
    numbered=_read,
    kinds=("ratings", "spans"),
    loses=("langpair", "campaign", "time", "duration"),
)
