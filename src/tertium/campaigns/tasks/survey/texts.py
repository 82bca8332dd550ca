# SPDX-License-Identifier: Apache-2.0
"""Information, consent and debrief: files of the campaign, under a version.

``consent.toml`` is a list of statements, each answered with yes or no::

    [[statement]]
    id = "read"
    text = "I have read the information sheet."
    needed = true       # without a yes nobody takes part

    [[statement]]
    id = "archive"      # may the anonymous answers be archived?
    text = "My answers may be archived for other researchers."
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

from tertium.campaigns.config import CampaignConfig, read_toml
from tertium.campaigns.tasks.survey.sampled import (
    ALL_KINDS,
    IMPORTANCE,
    NOTES,
    Picked,
)
from tertium.errors import FormatError, InputError

__all__ = ["ARCHIVE", "read_picked", "read_rewards", "read_texts"]

#: The statement about archiving; it is asked apart from taking part.
ARCHIVE = "archive"


def read_texts(
    config: CampaignConfig, options: Mapping[str, object]
) -> dict[str, object]:
    """Return the texts of a campaign and their version.

    Raises
    ------
    InputError
        When a file is missing or consent is not as it should be.
    """
    information = _text(config, str(options["information"]), "information")
    debrief = _text(config, str(options["debrief"]), "debrief")
    statements = _statements(config.file(str(options["consent"])))
    # What somebody agreed to is the sheet and the statements, letter by letter.
    agreed = json.dumps([information, statements], ensure_ascii=False, sort_keys=True)
    return {
        "information": information,
        "debrief": debrief,
        "statements": statements,
        "version": hashlib.sha256(agreed.encode()).hexdigest(),
    }


def _text(config: CampaignConfig, name: str, what: str) -> str:
    place = config.file(name)
    try:
        return place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"cannot read {place}: {error}; write it, or correct {what}"
        raise InputError(message) from None


def _statements(place: Path) -> list[dict[str, object]]:
    rows = read_toml(place).get("statement")
    if not isinstance(rows, list) or not rows:
        what = "no statement to agree to; add [[statement]] with id and text"
        raise FormatError(what, path=str(place))
    statements: list[dict[str, object]] = []
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise FormatError(f"statement {number} is not a table", path=str(place))
        name, text = row.get("id"), row.get("text")
        needed = row.get("needed", False)
        fits = isinstance(name, str) and re.fullmatch(r"[a-z][a-z0-9_-]{0,39}", name)
        if not fits or not isinstance(text, str) or not text.strip():
            what = f"statement {number} needs an id of small letters, and a text"
            raise FormatError(what, path=str(place))
        if not isinstance(needed, bool) or set(row) - {"id", "text", "needed"}:
            what = f"statement {name!r} has more than id, text and needed (true, false)"
            raise FormatError(what, path=str(place))
        if any(name == one["id"] for one in statements):
            raise FormatError(f"two statements are called {name!r}", path=str(place))
        if name == ARCHIVE and needed:
            what = "participants must be free to decline archiving; omit needed"
            raise FormatError(what, path=str(place))
        statements.append({"id": name, "text": text.strip(), "needed": needed})
    if not any(one["needed"] for one in statements):
        what = "no statement is needed to take part; add needed = true to some"
        raise FormatError(what, path=str(place))
    return statements


def read_rewards(config: CampaignConfig, name: str) -> list[str]:
    """Return the codes of a file, one per line; none where no file is named."""
    if not name:
        return []
    lines = [line.strip() for line in _text(config, name, "rewards").splitlines()]
    codes = list(dict.fromkeys(line for line in lines if line))
    for code in codes:
        if len(code) > 200:
            what = "a code is longer than 200 characters; give one per line"
            raise FormatError(what, path=str(config.file(name)))
    return codes


def read_picked(config: CampaignConfig, name: str) -> list[Picked] | None:
    """Return items picked by hand; None where no file is named.

    Lines have a segment and a system with a tab, of a permutation kind and degree too,
    and notes of the curator behind these where there are any: length, quality, and
    the importance of order.
    """
    if not name:
        return None
    picked = []
    place = str(config.file(name))
    lines = _text(config, name, "shared_list").splitlines()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            picked.append(_picked([cell.strip() for cell in line.split("\t")]))
        except ValueError as error:
            raise FormatError(str(error), path=place, line=number) from None
    return picked


def _picked(cells: list[str]) -> Picked:
    if len(cells) not in (2, 4, 2 + 2 + len(NOTES)):
        message = (
            "not SEGMENT and SYSTEM with a tab, nor these with KIND and DEGREE, nor "
            "these with the notes " + ", ".join(NOTES).upper()
        )
        raise ValueError(message)
    segment, system, kind, degree, *noted = (*cells, "", "")[: max(4, len(cells))]
    if (kind or degree) and (kind not in ALL_KINDS or not degree.isdecimal()):
        message = (
            f"{kind!r} {degree!r} is not KIND ({', '.join(ALL_KINDS)}) and DEGREE; "
            "leave both empty for a hypothesis"
        )
        raise ValueError(message)
    notes = {name: note for name, note in zip(NOTES, noted, strict=False) if note}
    if notes.get("order", IMPORTANCE[0]) not in IMPORTANCE:
        message = f"order {notes['order']!r} is none of {', '.join(IMPORTANCE)}"
        raise ValueError(message)
    return Picked(segment, system, kind, int(degree or 0), notes)
