# SPDX-License-Identifier: Apache-2.0
"""What is kept of another tool's campaign."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tertium.campaigns.tasks.screens import Screen, ScreenParagraph
from tertium.judgements.formats.marks import marks
from tertium.notes import Note

__all__ = ["ForeignCampaign", "Lesson", "Losses", "distinct", "plain", "spans_of"]

_MISSING = "missing"
_TAG = re.compile(r"<[^<>]*>")
_HIDDEN = re.compile(r"<(script|style)\b.*?</\1>", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<\s*(?:br|/p|/h\d|/li)\b[^<>]*>", re.IGNORECASE)


@dataclass(frozen=True)
class Lesson:
    """A tutorial item: a document, what is expected of it, and why.

    Parameters
    ----------
    marks : dict of (str, int) to list of dict
        Expected errors by system and paragraph.
    scores : dict of (str, int) to int
        Expected scores; any score is right where there is none.
    note : str
        What the annotator reads.
    """

    name: str
    paragraphs: Sequence[ScreenParagraph]
    marks: Mapping[tuple[str, int], Sequence[Mapping[str, object]]]
    scores: Mapping[tuple[str, int], int]
    note: str = ""


@dataclass(frozen=True)
class ForeignCampaign:
    """A campaign of another tool.

    Parameters
    ----------
    tool : str
        Whose campaign it is.
    title, source, target : str
    task : str
        The task that asks what it asked.
    screens : list of Screen
        Work, and after it attention checks.
    lessons : list of Lesson
    instructions : str
        Empty where it has none of its own.
    plan, options : dict
        Settings that differ from the defaults.
    categories : dict of str to list of str
        Its own error categories; empty: the usual ones.
    notes : list of Note
        What could not be kept.
    images : dict of str to path or bytes
        What screens and lessons show, by its path in the new campaign.
    """

    tool: str
    title: str
    source: str
    target: str
    task: str
    screens: Sequence[Screen]
    lessons: Sequence[Lesson] = ()
    instructions: str = ""
    plan: Mapping[str, object] = field(default_factory=dict)
    options: Mapping[str, bool | int | float | str] = field(default_factory=dict)
    categories: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: Sequence[Note] = ()
    images: Mapping[str, Path | bytes] = field(default_factory=dict)

    @property
    def work(self) -> list[Screen]:
        """The screens to judge."""
        return [screen for screen in self.screens if not screen.check]

    @property
    def checks(self) -> list[Screen]:
        """The attention checks."""
        return [screen for screen in self.screens if screen.check]


class Losses:
    """Counts what cannot be kept, by the code of its note."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._names: dict[str, list[str]] = {}

    def count(self, code: str, number: int = 1) -> None:
        """Add to the count of a note."""
        self._counts[code] += number

    def name(self, code: str, *names: str) -> None:
        """Add to the names that a note lists."""
        self._names.setdefault(code, []).extend(names)

    def notes(self) -> list[Note]:
        """Return the notes, in the order in which things were found."""
        notes = [Note(code, {"count": n}) for code, n in self._counts.items() if n]
        for code, names in self._names.items():
            notes.append(Note(code, {"names": list(dict.fromkeys(names))}))
        return notes


def plain(text: object) -> str:
    r"""Return what a browser shows of HTML, as text.

    Examples
    --------
    >>> plain("Mark <u>&quot;walked&quot;</u>.<br>Then score.")
    'Mark "walked".\nThen score.'
    """
    if not isinstance(text, str):
        return ""
    shown = _HIDDEN.sub("", text)
    lines = _TAG.sub("", _BREAK.sub("\n", shown)).split("\n")
    return html.unescape("\n".join(" ".join(line.split()) for line in lines)).strip()


def spans_of(
    spans: object,
    text: str,
    losses: Losses,
    *,
    category: str = "error_type",
    fields: Sequence[str] = (_MISSING,),
) -> list[dict[str, object]]:
    """Return error spans as a screen has them; those without a place are counted.

    Both tools count UTF-16 units, the last character included; see
    :mod:`tertium.judgements.formats.marks`.

    Parameters
    ----------
    fields : sequence of str
        What can be clicked after the text, in order. A mark there has the name as its
        category, except for ``missing``.
    """
    kept: list[dict[str, object]] = []
    for one in spans if isinstance(spans, list) else ():
        try:
            (mark,) = marks([one], text=text, category=category)
            (nameless,) = marks([one], text=text, category="", fields=fields)
        except ValueError:
            losses.count("foreign-spans")
            continue
        severity = mark.severity.lower()
        span: dict[str, object] = {"start": mark.start, "end": mark.end}
        span["severity"] = "minor" if severity == "undecided" else severity
        span["category"] = "" if mark.category == _MISSING else mark.category
        if mark.start is None and nameless.category != _MISSING:
            if span["category"]:
                losses.count("foreign-token-categories")
            span["category"] = nameless.category
        if span not in kept:
            kept.append(span)
    return kept


def distinct(
    screens: Sequence[Screen],
) -> tuple[list[Screen], dict[str, str], Counter[str]]:
    """Return screens once, though several people were to see them.

    Returns
    -------
    list of Screen
    dict of str to str
        The name that is kept for every name.
    Counter of str
        How many people were to see every kept one.
    """
    kept: dict[tuple[object, ...], Screen] = {}
    names: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for screen in screens:
        texts = tuple(
            (one.segment, one.source, one.image, tuple(sorted(one.outputs.items())))
            for one in screen.paragraphs
        )
        first = kept.setdefault((screen.document, screen.of, texts), screen)
        names[screen.name] = first.name
        seen[first.name] += 1
    return list(kept.values()), names, seen
