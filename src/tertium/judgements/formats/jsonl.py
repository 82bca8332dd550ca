# SPDX-License-Identifier: Apache-2.0
"""Our own JSONL: one judgement per line, all fields of all kinds, nothing lost.

The first line names the version, ``{"tertium": "judgements", "version": 1}``; such a
line may come again, so files can be joined with ``cat``. The others are like
``{"kind": "rating", "system": "A", "score": 71, "scale": "DA", "segment": "7"}`` with
the fields of :mod:`tertium.judgements.judgement`; fields that are unknown are left out,
a ranking has ``places``, and ``meta`` may be an object of any content.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import cast

from tertium.data.lines import display, open_lines, write_lines
from tertium.errors import FormatError
from tertium.judgements.formats.format import (
    Format,
    ImportOptions,
    Numbered,
    unnumbered,
)
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.formats.values import moment
from tertium.judgements.judgement import Bad, Judgement, Place, Ranking, Rating, Span
from tertium.judgements.tables import Judgements

__all__ = ["TERTIUM_JSONL", "first_line", "judgement_lines", "to_judgement"]

_VERSION = 1
_START = {"tertium": "judgements", "version": _VERSION}
_KINDS: dict[str, type[Judgement]] = {
    "ranking": Ranking,
    "rating": Rating,
    "span": Span,
}
_LARGEST = 2**32 - 1

Object = Mapping[str, object]


def _text(key: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        message = f"{key!r} is {value!r} where a text should be"
        raise ValueError(message)
    return value


def _any_text(key: str, value: object) -> str:
    if not isinstance(value, str):
        message = f"{key!r} is {value!r} where a text should be"
        raise ValueError(message)
    return value


def _number(key: str, value: object) -> float:
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not plain or not math.isfinite(cast("float", value)):
        message = f"{key!r} is {value!r} where a number should be"
        raise ValueError(message)
    return float(cast("float", value))


def _duration(key: str, value: object) -> float:
    seconds = _number(key, value)
    if seconds < 0:
        message = f"{key!r} is {value!r}; a duration is not negative"
        raise ValueError(message)
    return seconds


def _place_in_text(key: str, value: object) -> int:
    if type(value) is not int or not 0 <= value <= _LARGEST:
        message = f"{key!r} is {value!r} where an integer from 0 should be"
        raise ValueError(message)
    return value


def _time(key: str, value: object) -> datetime | None:
    return moment(_text(key, value))


def _meta(key: str, value: object) -> str:  # noqa: ARG001
    return value if isinstance(value, str) else _compact(value)


def _places(key: str, value: object) -> tuple[Place, ...]:
    if not isinstance(value, list) or not value:
        message = f"{key!r} is not a list of candidates"
        raise ValueError(message)
    return tuple(map(_place, value))


def _place(value: object) -> Place:
    known = {"systems", "rank", "garbage", "text"}
    if not isinstance(value, dict) or not set(value) <= known or "rank" not in value:
        message = f"a place is {value!r}; it has a rank and perhaps {sorted(known)}"
        raise ValueError(message)
    systems, garbage = value.get("systems", []), value.get("garbage", False)
    if not isinstance(systems, list) or not isinstance(garbage, bool):
        message = f"a place is {value!r}; systems are a list, garbage is true or false"
        raise ValueError(message)
    rank = value["rank"]
    if type(rank) is not int or not -(2**15) <= rank < 2**15:
        message = f"'rank' is {rank!r} where a small integer should be"
        raise ValueError(message)
    text = None if value.get("text") is None else _any_text("text", value["text"])
    return Place(tuple(_text("systems", s) for s in systems), rank, garbage, text)


_READ: dict[str, Callable[[str, object], object]] = {
    "places": _places,
    "score": _number,
    "start": _place_in_text,
    "end": _place_in_text,
    "time": _time,
    "duration": _duration,
    "meta": _meta,
    "text": _any_text,
    "category": _any_text,
}


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    from_name = file_langpair(path)
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
            if not isinstance(content, dict):
                message = "no JSON object"
                raise ValueError(message)
            if "tertium" in content:
                _check_version(content, path, number)
            else:
                yield number, to_judgement(content, options, from_name)
        except FormatError:
            raise
        except json.JSONDecodeError as error:
            yield number, Bad(number, f"not JSON: {error}", line)
        except (ValueError, RecursionError) as error:
            yield number, Bad(number, str(error), line)


def _check_version(content: Object, path: str, line: int) -> None:
    if content.get("version") != _VERSION or content["tertium"] != "judgements":
        what = (
            f"version {content.get('version')!r} of {content['tertium']!r}, and this "
            f"program reads version {_VERSION} of 'judgements'; use a newer program"
        )
        raise FormatError(what, path=display(path), line=line)


def to_judgement(
    content: Object, options: ImportOptions, from_name: str | None
) -> Judgement:
    """Return the judgement that an object spells, with the options of its file.

    Raises
    ------
    ValueError
        When a field is missing, unknown or has a wrong value.
    """
    kind = _KINDS.get(str(content.get("kind")))
    if kind is None:
        message = f"'kind' is {content.get('kind')!r}, not ranking, rating or span"
        raise ValueError(message)
    unknown = [key for key in content if key != "kind" and key not in kind._fields]
    if unknown:
        message = f"unknown field {unknown[0]!r}; put it into 'meta'"
        raise ValueError(message)
    values = {
        key: _READ.get(key, _text)(key, value)
        for key, value in content.items()
        if key != "kind" and value is not None
    }
    missing = [
        f for f in kind._fields if f not in values and f not in kind._field_defaults
    ]
    if missing == ["scale"] and options.scale:
        values["scale"] = options.scale
    elif missing:
        message = f"no {missing[0]!r}"
        raise ValueError(message)
    pair = options.langpair or values.get("langpair") or from_name
    values |= {"langpair": pair, "campaign": options.campaign or values.get("campaign")}
    judgement: Judgement = kind(**values)  # type: ignore[arg-type]
    if isinstance(judgement, Ranking):
        names = [name for place in judgement.places for name in place.systems]
        if len(names) != len(set(names)):
            message = f"a system is named twice: {', '.join(names)}"
            raise ValueError(message)
    return judgement


def _fits(path: str, head: Sequence[str]) -> bool:  # noqa: ARG001
    try:
        first = json.loads(head[0]) if head else None
    except (ValueError, RecursionError):
        return False
    if not isinstance(first, dict):
        return False
    return first.get("tertium") == "judgements" or first.get("kind") in _KINDS


# --------------------------------------------------------------------- writing


def _write(judgements: Judgements, path: str) -> None:
    write_lines(path, chain([first_line()], judgement_lines(judgements)))


def first_line() -> str:
    """Return the line that names the version."""
    return _compact(_START)


def judgement_lines(judgements: Judgements) -> Iterator[str]:
    """Yield one line per judgement."""
    names = {cls: name for name, cls in _KINDS.items()}
    for judgement in judgements.iterate():
        row: dict[str, object] = {"kind": names[type(judgement)]}
        for key, value in zip(judgement._fields, judgement, strict=True):
            if value is not None:
                row[key] = _shown(key, value)
        yield _compact(row)


def _shown(key: str, value: object) -> object:
    """Return a value as JSON holds it."""
    if key == "places":
        return [_shown_place(place) for place in cast("tuple[Place, ...]", value)]
    if isinstance(value, datetime):
        return value.isoformat()
    if key == "meta" and isinstance(value, str):
        try:
            content = json.loads(value)
        except (ValueError, RecursionError):
            return value
        # Spelt in another way than ours it would come back changed.
        same = isinstance(content, (dict, list)) and _compact(content) == value
        return content if same else value
    return value


def _shown_place(place: Place) -> dict[str, object]:
    row: dict[str, object] = {"systems": list(place.systems), "rank": place.rank}
    if place.garbage:
        row["garbage"] = True
    if place.text is not None:
        row["text"] = place.text
    return row


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


TERTIUM_JSONL = Format(
    "tertium-jsonl",
    _fits,
    unnumbered(_read),
    _write,
    numbered=_read,
)
