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


def text(said: Line, name: str, most: int, *, empty: bool = False) -> str:
    """Return a text that is not too long, and empty only if it may be."""
    found = said.get(name, "" if empty else None)
    if not isinstance(found, str) or len(found) > most or not (found or empty):
        raise LineError(f"{name} must be a text of {most} characters or less")
    return found


def choice(said: Line, name: str, choices: Iterable[str]) -> str:
    """Return one of some words."""
    found = said.get(name)
    names = list(choices)
    if not isinstance(found, str) or found not in names:
        raise LineError(f"{name} must be one of {', '.join(names)}")
    return found


def why(said: Line, kind: str) -> str:
    """Return why an item of a kind was handed out."""
    found = choice(said, "why", Why.values)
    if not fits(found, kind):
        raise LineError(f"why is {found!r}, and the item is {kind!r}; correct one")
    return found


def fits(why: str, kind: str) -> bool:
    """Return whether an item of a kind can be handed out for a reason.

    Examples
    --------
    >>> fits("check", "check"), fits("intra", "work"), fits("first", "check")
    (True, True, False)
    """
    special = (Item.Kind.CHECK, Item.Kind.TRAINING)
    return why == kind if kind in special else why not in special


def code(said: Line) -> str:
    """Return the pseudonym of a judge."""
    found = said.get("judge")
    if not isinstance(found, str) or not _CODE.fullmatch(found):
        message = "judge must be a pseudonym: up to 12 letters, digits, dots, hyphens"
        raise LineError(message)
    return found


def time(said: Line) -> datetime:
    """Return when a judgement was submitted."""
    try:
        found = datetime.fromisoformat(str(said.get("time")))
    except ValueError:
        message = "time must be as 2026-01-31T12:00:00+00:00"
        raise LineError(message) from None
    return sensible(found)


def sensible(found: datetime) -> datetime:
    """Return a time in UTC, which it is if it does not say otherwise."""
    if found.tzinfo is None:
        found = found.replace(tzinfo=timezone.utc)
    if not 1970 < found.year < 2200:
        raise LineError(f"time {found.isoformat()} is of another age; correct it")
    return found.astimezone(timezone.utc)


def seconds(said: Line) -> float | None:
    """Return how long a judgement took; None if unknown."""
    return duration(said.get("seconds", ""))


def duration(found: object) -> float | None:
    """Return a number of seconds that somebody can have spent on an item."""
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise LineError("seconds must be a number")
    if not math.isfinite(found) or not 0 <= found <= _LONGEST_TIME:
        raise LineError("seconds must be 0 or more, and less than ten years")
    return float(found)


def origins(said: Line) -> dict[str, tuple[str, ...]]:
    """Return systems by candidate."""
    found = said.get("systems", {})
    if not isinstance(found, dict):
        raise LineError("systems must be an object; export them again")
    kept = {}
    for candidate, systems in found.items():
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
