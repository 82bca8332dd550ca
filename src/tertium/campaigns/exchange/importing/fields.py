# SPDX-License-Identifier: Apache-2.0
"""What a line of raw judgements may hold, field by field."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone

from tertium.campaigns.exchange.importing.keeping import LineError
from tertium.campaigns.models import Item, Why

__all__ = [
    "choice",
    "code",
    "duration",
    "fits",
    "origins",
    "seconds",
    "sensible",
    "text",
    "time",
    "why",
]

_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,11}")
_LONGEST_TIME = 10 * 365 * 86400.0  # seconds at one item

Line = Mapping[str, object]


def text(line: Line, name: str, most: int, *, empty: bool = False) -> str:
    """Return a text that is not too long, and empty only if it may be."""
    value = line.get(name, "" if empty else None)
    if not isinstance(value, str) or len(value) > most or not (value or empty):
        raise LineError(f"{name} must be a text of {most} characters or less")
    return value


def choice(line: Line, name: str, choices: Iterable[str]) -> str:
    """Return one of some words."""
    value = line.get(name)
    names = list(choices)
    if not isinstance(value, str) or value not in names:
        raise LineError(f"{name} must be one of {', '.join(names)}")
    return value


def why(line: Line, kind: str) -> str:
    """Return why an item of a kind was handed out."""
    value = choice(line, "why", Why.values)
    if not fits(value, kind):
        raise LineError(f"why is {value!r}, and the item is {kind!r}; correct one")
    return value


def fits(why: str, kind: str) -> bool:
    """Return whether an item of a kind can be handed out for a reason.

    Examples
    --------
    >>> fits("check", "check"), fits("intra", "work"), fits("first", "check")
    (True, True, False)
    """
    special = (Item.Kind.CHECK, Item.Kind.TRAINING)
    return why == kind if kind in special else why not in special


def code(line: Line) -> str:
    """Return the pseudonym of a judge."""
    value = line.get("judge")
    if not isinstance(value, str) or not _CODE.fullmatch(value):
        message = "judge must be a pseudonym: up to 12 letters, digits, dots, hyphens"
        raise LineError(message)
    return value


def time(line: Line) -> datetime:
    """Return when a judgement was submitted."""
    try:
        value = datetime.fromisoformat(str(line.get("time")))
    except ValueError:
        message = "time must be as 2026-01-31T12:00:00+00:00"
        raise LineError(message) from None
    return sensible(value)


def sensible(value: datetime) -> datetime:
    """Return a time in UTC, which it is if it does not say otherwise."""
    if value.tzinfo is None:
        value = value.replace(tzinfo=timezone.utc)
    if not 1970 < value.year < 2200:
        raise LineError(f"time {value.isoformat()} is of another age; correct it")
    return value.astimezone(timezone.utc)


def seconds(line: Line) -> float | None:
    """Return how long a judgement took; None if unknown."""
    return duration(line.get("seconds", ""))


def duration(value: object) -> float | None:
    """Return a number of seconds that somebody can have spent on an item."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LineError("seconds must be a number")
    if not math.isfinite(value) or not 0 <= value <= _LONGEST_TIME:
        raise LineError("seconds must be 0 or more, and less than ten years")
    return float(value)


def origins(line: Line) -> dict[str, tuple[str, ...]]:
    """Return systems by candidate."""
    by_candidate = line.get("systems", {})
    if not isinstance(by_candidate, dict):
        raise LineError("systems must be an object; export them again")
    kept = {}
    for candidate, systems in by_candidate.items():
        if (
            len(candidate) > 40
            or not isinstance(systems, list)
            or not all(isinstance(s, str) and 0 < len(s) <= 200 for s in systems)
        ):
            message = (
                "systems must be lists of names of 200 characters or less, by "
                "candidate; export them again"
            )
            raise LineError(message)
        kept[candidate] = tuple(dict.fromkeys(systems))
    return kept
