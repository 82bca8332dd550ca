# SPDX-License-Identifier: Apache-2.0
"""What a metric predicts in the evaluation task of WMT 2026: error spans and scores.

One JSON object per item: ``item_id``, ``task1_pred`` and ``task2_pred``. The former
has for every system ``errors`` (``start``, ``end``, ``severity``, perhaps
``category``; code points, the end exclusive), ``omission`` and ``instruction_fault``
(a severity or null); the latter has a score from 0 to 100. Either may be missing.

A prediction becomes a :class:`~tertium.judgements.judgement.Rating` on the scale
``ESA`` and :class:`~tertium.judgements.judgement.Span` records. Their judge is the
metric: the file name without ``pred_`` and extensions. An omission is a span of the
category ``missing`` without a place; an instruction fault has the category
``instruction-fault``. The segment is the ``item_id``, whose parts
(``KIND_###_SOURCE_###_TARGET_###_DOMAIN_###_DOCUMENT_###_NUMBER``) tell language pair
and document.

The first judgement of an item keeps what is none, so that the file can be written
again: which predictions are null, and lines before it that hold nothing else. Ratings
and spans are apart in a store; where some items have only spans, it also keeps the
item's position.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tertium.data.lines import open_lines, write_lines
from tertium.errors import InputError
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
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.formats.set_aside import PLACES, SetAside, keep, lines_around
from tertium.judgements.formats.values import bad
from tertium.judgements.judgement import NO_ERROR, Bad, Judgement, Rating, Span
from tertium.judgements.tables import Judgements

__all__ = ["WMT26_PREDICTIONS", "item_lines"]

_SEPARATOR = "_###_"
_SUFFIX = re.compile(r"(\.jsonl?|\.ndjson)?(\.(gz|xz|bz2|zst))?$")
_FAULTS = {"omission": "missing", "instruction_fault": "instruction-fault"}
_TASKS = ("task1_pred", "task2_pred")
_PLACES = ("start", "end", "severity", "category")
_LARGEST = 2**32
#: Metadata of spans that are not the file's.
_OWN = frozenset({"length", "words", "nulls", "position", *PLACES})

Object = Mapping[str, object]


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    metric = _SUFFIX.sub("", os.path.basename(path)).removeprefix("pred_")
    from_name = file_langpair(path)
    aside = SetAside()
    position, rated = 0, None
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        try:
            row = from_json(line, "this is")
            if not isinstance(row, dict) or not isinstance(row.get("item_id"), str):
                message = "no JSON object with an item_id"
                raise ValueError(message)
            base = _base(row["item_id"], metric, options, from_name)
            line_judgements = [
                (number, one) for one in _judgements(number, line, row, base)
            ]
            values = _nulls(row)
        except ValueError as error:
            yield number, bad(number, error, line)
            continue
        if not line_judgements:
            aside.put(row)
            yield number, Bad(number, "no predictions", line, skipped=True)
            continue
        if all(isinstance(one, Bad) for _, one in line_judgements):
            yield from line_judgements  # not an item: it is not written again
            continue
        was_rated, rated = (
            rated,
            any(isinstance(one, Rating) for _, one in line_judgements),
        )
        if was_rated not in (None, rated):
            values["position"] = position
        position += 1
        if values:
            line_judgements = keep(line_judgements, values)
        yield from aside.follow(line_judgements)
    yield from aside.finish()


def _nulls(row: Object) -> dict[str, object]:
    """Return metadata that tell which predictions are null, if any is.

    By task: which systems are, in order; or what there is in place of systems.
    """
    nulls: dict[str, object] = {}
    for name in _TASKS:
        systems = _by_system(row, name)
        if name in row and not systems:
            nulls[name] = row[name]
        elif None in systems.values():
            nulls[name] = {system: value is None for system, value in systems.items()}
    return {"nulls": nulls} if nulls else {}


def _base(
    item: str, metric: str, options: ImportOptions, from_name: str | None
) -> Rating:
    """Return a rating with what all predictions of an item share."""
    parts = item.split(_SEPARATOR)
    pair = None
    if len(parts) > 3:
        codes = [part.partition("_")[0] for part in parts[1:3]]
        pair = langpair(dict(zip(("source", "target"), codes, strict=True)))
    return Rating(
        "",
        0.0,
        options.scale or "ESA",
        item,
        metric or None,
        _SEPARATOR.join(parts[:-1]) or None,
        options.langpair or pair or from_name,
        options.campaign,
    )


def _judgements(
    number: int, line: str, row: Object, base: Rating
) -> Iterator[Judgement | Bad]:
    """Yield the ratings of an item, then its spans; or raise a ValueError.

    What cannot be read of an output leaves the other outputs, and its score, as they
    are: it is a bad row of its own.
    """
    for name, read in (("task2_pred", _scored), ("task1_pred", _marked)):
        for system, value in _by_system(row, name).items():
            if value is None:
                continue
            try:
                size = _size(row, system)
                yield from read(value, base._replace(system=system), size)
            except ValueError as error:
                yield bad(number, error, line)


def _scored(value: object, base: Rating, size: dict[str, object]) -> list[Judgement]:
    """Return the rating of an output."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        message = f"the score of {base.system} is {value!r}, which is not a number"
        raise ValueError(message)
    meta = {"score": value, **size}
    if isinstance(value, float):
        del meta["score"]  # An integer is to be written as one.
    return [base._replace(score=score(repr(value)), meta=to_meta(meta))]


def _marked(value: object, base: Rating, size: dict[str, object]) -> list[Judgement]:
    """Return the spans of an output, or one that says that there is no error."""
    if not isinstance(value, dict):
        message = f"the prediction for {base.system} is not a JSON object"
        raise ValueError(message)
    plain = Span(
        base.system,
        "no-error",
        "no-error",
        base.segment,
        judge=base.judge,
        document=base.document,
        langpair=base.langpair,
        campaign=base.campaign,
        meta=to_meta(size),
    )
    return list(_spans(value, plain, size)) or [plain]


def _by_system(row: Object, name: str) -> dict[str, object]:
    value = row.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(value):
        message = f"{name} is not a JSON object with systems"
        raise ValueError(message)
    return value


def _size(row: Object, system: str) -> dict[str, object]:
    """Return the size of an output, where the line has the outputs, too."""
    outputs = row.get("hyps")
    text = outputs.get(system) if isinstance(outputs, dict) else None
    return sizes(text if isinstance(text, str) else None)


def _spans(value: Object, plain: Span, size: dict[str, object]) -> Iterator[Span]:
    errors = value.get("errors") or []
    if not isinstance(errors, list) or not all(isinstance(e, dict) for e in errors):
        message = f"the errors of {plain.system} are not a list of JSON objects"
        raise ValueError(message)
    for error in errors:
        start, end = _place(error.get("start")), _place(error.get("end"))
        if end < start:
            message = f"an error of {plain.system} ends at {end}, before {start}"
            raise ValueError(message)
        rest = {key: item for key, item in error.items() if key not in _PLACES}
        yield plain._replace(
            category=str(error.get("category") or ""),
            severity=str(error.get("severity") or "undecided"),
            start=start,
            end=end,
            meta=to_meta({**rest, **size}),
        )
    for name, category in _FAULTS.items():
        if severity := value.get(name):
            yield plain._replace(category=category, severity=str(severity))


def _place(value: object) -> int:
    if type(value) is not int or not 0 <= value < _LARGEST:
        message = f"an error begins or ends at {value!r}, which is not a position"
        raise ValueError(message)
    return value


def _fits(path: str, head: Sequence[str]) -> bool:  # noqa: ARG001
    first = head[0] if head else ""
    has_item = first.startswith("{") and '"item_id"' in first
    return has_item and ('"task1_pred"' in first or '"task2_pred"' in first)


# --------------------------------------------------------------------- writing


def _write(judgements: Judgements, path: str) -> None:
    write_lines(path, _lines(judgements, path))


def _lines(judgements: Judgements, path: str) -> Iterator[str]:
    """Yield one line per item.

    Raises
    ------
    InputError
        When several metrics made the predictions.
    """
    judges = judgements.names("judge")
    if len(judges) > 1:
        message = (
            f"cannot write {path}: there are predictions by {', '.join(judges[:3])}, "
            "and a file holds those of one metric; choose one judge"
        )
        raise InputError(message, options=("only",))
    yield from item_lines(judgements.iterate("ratings"), judgements.iterate("spans"))


def item_lines(
    ratings: Iterable[Judgement], spans: Iterable[Judgement]
) -> Iterator[str]:
    """Yield one line per item, in the order in which ratings and spans name them.

    Parameters
    ----------
    ratings, spans : iterable of Judgement
        All predictions for these items; what is neither rating nor span is ignored.
    """
    items: dict[str, dict[str, dict[str, object]]] = {}
    first: dict[str, dict[str, object]] = {}
    for rating in ratings:
        if isinstance(rating, Rating):
            meta = meta_of(rating.meta)
            spelt = meta.get("score", rating.score)
            first.setdefault(rating.segment, meta)
            row = items.setdefault(rating.segment, {})
            row.setdefault("task2_pred", {})[rating.system] = spelt
    rated = len(items)
    for span in spans:
        if not isinstance(span, Span):
            continue
        first.setdefault(span.segment, meta_of(span.meta))
        row = items.setdefault(span.segment, {})
        empty: dict[str, object] = {"errors": [], **dict.fromkeys(_FAULTS)}
        output = row.setdefault("task1_pred", {}).setdefault(span.system, empty)
        _add(span, output)
    for item in _ordered(list(items), first, rated):
        known = _in_order(items[item], first[item].get("nulls"))
        tasks = {name: known[name] for name in sorted(known)}
        around = lines_around(first[item])
        whole = {"item_id": item, **tasks}
        for line in (*around.get("before", ()), whole, *around.get("after", ())):
            yield json.dumps(line, ensure_ascii=False)


def _ordered(
    items: Sequence[str], first: Mapping[str, Mapping[str, object]], rated: int
) -> list[str]:
    """Return items in the order of their file, if positions of any are known.

    Items with ratings come first; either kind has the order of the file already.
    """
    places: dict[str, int] = {}
    for kind in (items[:rated], items[rated:]):
        place = -1
        for item in kind:
            known = first[item].get("position")
            place = known if isinstance(known, int) else place + 1
            places[item] = place
    # Without positions, such as in predictions of our own, kinds are not mixed.
    has_positions = any("position" in each for each in first.values())
    return sorted(items, key=places.__getitem__) if has_positions else list(items)


def _in_order(
    row: dict[str, dict[str, object]], nulls: object
) -> dict[str, dict[str, object] | None]:
    """Return predictions with those that were null, in the order of the systems."""
    whole: dict[str, dict[str, object] | None] = dict(row)
    for name, systems in nulls.items() if isinstance(nulls, dict) else ():
        if not systems:
            whole.setdefault(name, systems)
            continue
        known = row.get(name, {})
        ordered = {
            system: known.get(system)
            for system, is_null in systems.items()
            if is_null or system in known
        }
        whole[name] = ordered | known
    return whole


def _add(span: Span, output: object) -> None:
    """Add a span to the prediction for an output."""
    if not isinstance(output, dict) or span.severity.lower() in NO_ERROR:
        return
    if span.start is None or span.end is None:
        fault = "instruction_fault" if "instruction" in span.category else "omission"
        if output[fault] != "major":  # There is place for the worst one.
            output[fault] = span.severity
        return
    known = meta_of(span.meta)
    rest = {k: v for k, v in known.items() if k not in _OWN}
    error: dict[str, object] = {"start": span.start, "end": span.end}
    error["severity"] = span.severity
    if span.category:
        error["category"] = span.category
    output["errors"].append(error | rest)


WMT26_PREDICTIONS = Format(
    "wmt26-predictions",
    _fits,
    unnumbered(_read),
    _write,
    numbered=_read,
    kinds=("ratings", "spans"),
    loses=("judge", "campaign", "time", "duration"),
)
