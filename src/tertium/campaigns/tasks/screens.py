# SPDX-License-Identifier: Apache-2.0
"""Screens: items chosen beforehand, such as those of another tool's campaign.

A test set has the outputs of every system for every segment. Campaigns of other tools
often have a few systems per document, damaged copies of their own, and error spans to
start from. Such items are JSONL with one screen per line::

    {"screen": "ferry-heron", "document": "ferry", "before": "",
     "paragraphs": [{"id": "1", "src": "...", "ref": "", "tgt": {"heron": "..."},
                     "prefilled": {"heron": [{"start": 0, "end": 3,
                                              "severity": "minor"}]}}]}

Every paragraph of a screen has the same systems. ``image`` and ``image_alt`` of a
paragraph, or of the screen, name an image and what it shows. ``check`` makes it an
attention check: ``of`` names the screen that it is a damaged copy of, ``damage`` says
where, and ``scores`` which scores are expected. Positions are code points; the end is
exclusive.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.images import image_named
from tertium.data.lines import open_lines
from tertium.errors import FormatError

__all__ = [
    "Damage",
    "Screen",
    "ScreenImage",
    "ScreenParagraph",
    "is_screens",
    "read_screens",
]


@dataclass(frozen=True)
class Damage:
    """Where a copy differs from its original; the end is exclusive."""

    system: str
    paragraph: int
    start: int
    end: int


@dataclass(frozen=True)
class ScreenImage:
    """An image as a screen names it, and where that is.

    Parameters
    ----------
    file : str
        Its path, relative to the file with the screen.
    alt : str
        What it shows; may be empty.
    path, line
        The file with the screen, and where in it.
    """

    file: str
    alt: str = ""
    path: str = ""
    line: int | None = None

    def content(self, config: CampaignConfig) -> dict[str, object]:
        """Return the image as the content of an item has it.

        Raises
        ------
        FormatError
            When it cannot be shown.
        """
        return image_named(self.file, self.alt, config, path=self.path, line=self.line)

    def as_json(self) -> dict[str, object]:
        """Return the fields of a line that name it."""
        named: dict[str, object] = {"image": self.file}
        return named | ({"image_alt": self.alt} if self.alt else {})


@dataclass(frozen=True)
class ScreenParagraph:
    """A paragraph with the translations of some systems.

    Parameters
    ----------
    outputs : dict of str to str
        Translations by system.
    prefilled : dict of str to list of dict
        Error spans by system: ``start``, ``end``, ``severity``, ``category``.
    """

    segment: str
    source: str
    outputs: Mapping[str, str]
    reference: str = ""
    prefilled: Mapping[str, Sequence[Mapping[str, object]]] = field(
        default_factory=dict
    )
    image: ScreenImage | None = None

    def as_json(self) -> dict[str, object]:
        """Return the paragraph as a line of a file has it."""
        line: dict[str, object] = {"id": self.segment, "src": self.source}
        if self.reference:
            line["ref"] = self.reference
        line["tgt"] = dict(self.outputs)
        if self.prefilled:
            line["prefilled"] = {k: list(v) for k, v in self.prefilled.items()}
        return line | (self.image.as_json() if self.image else {})


@dataclass(frozen=True)
class Screen:
    """What is judged together.

    Parameters
    ----------
    name : str
        Unique in the file.
    check : bool
        Whether it is an attention check.
    of : str
        The screen that a check is a copy of; empty if there is none.
    damage : sequence of Damage
    scores : sequence of (str, int, float, float)
        Expected scores of a check: system, paragraph, least, most.
    """

    name: str
    document: str
    paragraphs: Sequence[ScreenParagraph]
    before: str = ""
    check: bool = False
    of: str = ""
    damage: Sequence[Damage] = ()
    scores: Sequence[tuple[str, int, float, float]] = ()
    image: ScreenImage | None = None

    @property
    def systems(self) -> list[str]:
        """The systems of all paragraphs, in the order of the file."""
        return list(self.paragraphs[0].outputs)

    def as_line(self) -> str:
        """Return the screen as a line of a file."""
        line: dict[str, object] = {"screen": self.name, "document": self.document}
        if self.before:
            line["before"] = self.before
        line |= self.image.as_json() if self.image else {}
        line["paragraphs"] = [one.as_json() for one in self.paragraphs]
        if self.check:
            check: dict[str, object] = {"of": self.of} if self.of else {}
            if self.damage:
                check["damage"] = [
                    [one.system, one.paragraph, one.start, one.end]
                    for one in self.damage
                ]
            if self.scores:
                check["scores"] = [list(one) for one in self.scores]
            line["check"] = check
        return json.dumps(line, ensure_ascii=False) + "\n"


def is_screens(path: Path) -> bool:
    """Return whether a file holds screens and not a test set."""
    if not path.is_file():
        return False
    try:
        first = next((line for line in open_lines(path) if line.strip()), "")
        line = json.loads(first)
    except (FormatError, ValueError, RecursionError):
        return False
    return isinstance(line, dict) and "screen" in line


def read_screens(path: Path) -> Iterator[Screen]:
    """Yield the screens of a file.

    Raises
    ------
    FormatError
        With file and line, what is wrong and the cure.
    """
    names: set[str] = set()
    for number, text in enumerate(open_lines(path), start=1):
        if not text.strip():
            continue
        try:
            screen = _screen(json.loads(text), str(path), number)
        except (ValueError, RecursionError) as error:
            problem = "this is not JSON; check quotes and brackets"
            if not isinstance(error, json.JSONDecodeError | RecursionError):
                problem = str(error)
            raise FormatError(problem, path=str(path), line=number) from None
        if screen.name in names:
            what = f"a second screen is called {screen.name!r}; give it another name"
            raise FormatError(what, path=str(path), line=number)
        if screen.of and screen.of not in names:
            what = (
                f"no screen before it is called {screen.of!r}; put the original first"
            )
            raise FormatError(what, path=str(path), line=number)
        names.add(screen.name)
        yield screen


def _screen(line: object, path: str, number: int) -> Screen:
    data = _object(line, "a screen")
    paragraphs = data.get("paragraphs")
    if not isinstance(paragraphs, list) or not paragraphs:
        message = "a screen has no paragraphs; give a list of at least one"
        raise ValueError(message)
    texts = [_paragraph(one, path, number) for one in paragraphs]
    systems = set(texts[0].outputs)
    for place, one in enumerate(texts, start=1):
        if set(one.outputs) != systems or not systems:
            message = (
                f"paragraph {place} has the systems {sorted(one.outputs)}, the first "
                f"{sorted(systems)}; give every paragraph the same ones"
            )
            raise ValueError(message)
    check = data.get("check")
    rules = _object(check, "check") if check is not None else {}
    return Screen(
        _text(data, "screen"),
        _text(data, "document", ""),
        texts,
        _text(data, "before", ""),
        check is not None,
        _text(rules, "of", ""),
        [_damage(one, texts) for one in _list(rules, "damage")],
        [_expected(one, texts) for one in _list(rules, "scores")],
        _image(data, path, number),
    )


def _image(data: Mapping[str, object], path: str, line: int) -> ScreenImage | None:
    file, alt = _text(data, "image", ""), _text(data, "image_alt", "")
    return ScreenImage(file, alt, path, line) if file else None


def _paragraph(line: object, path: str, number: int) -> ScreenParagraph:
    data = _object(line, "a paragraph")
    outputs = _object(data.get("tgt"), "tgt")
    if not all(isinstance(text, str) for text in outputs.values()):
        message = "tgt is not an object of texts by system; give it so"
        raise ValueError(message)
    prefilled = _object(data.get("prefilled", {}), "prefilled")
    marks = {
        name: [_mark(one, str(outputs.get(name, ""))) for one in _list(prefilled, name)]
        for name in prefilled
    }
    return ScreenParagraph(
        _text(data, "id"),
        _text(data, "src", ""),
        {name: str(text) for name, text in outputs.items()},
        _text(data, "ref", ""),
        marks,
        _image(data, path, number),
    )


def _mark(line: object, text: str) -> dict[str, object]:
    data = _object(line, "a span")
    start, end = data.get("start"), data.get("end")
    if (start, end) != (None, None):
        start, end = _place([start, end], text)
    category = data.get("category")
    return {
        "start": start,
        "end": end,
        "severity": _text(data, "severity").lower(),
        "category": category if isinstance(category, str) else "",
    }


def _place(values: Sequence[object], text: str) -> tuple[int, int]:
    start, end = values
    if type(start) is int and type(end) is int and 0 <= start < end <= len(text):
        return start, end
    message = f"{start} to {end} is not a stretch of a text of {len(text)} characters"
    raise ValueError(f"{message}; correct it")


def _damage(line: object, texts: Sequence[ScreenParagraph]) -> Damage:
    system, paragraph, *place = _rule(line, texts)
    return Damage(system, paragraph, *_place(place, texts[paragraph].outputs[system]))


def _expected(
    line: object, texts: Sequence[ScreenParagraph]
) -> tuple[str, int, float, float]:
    system, paragraph, least, most = _rule(line, texts)
    if not isinstance(least, int | float) or not isinstance(most, int | float):
        message = f"{least!r} to {most!r} is not a range of scores; give two numbers"
        raise ValueError(message)
    return system, paragraph, float(least), float(most)


def _rule(
    line: object, texts: Sequence[ScreenParagraph]
) -> tuple[str, int, object, object]:
    """Return system, paragraph and two more values of a line of ``check``."""
    if isinstance(line, list) and len(line) == 4:
        system, paragraph, one, other = line
        known = type(paragraph) is int and 0 <= paragraph < len(texts)
        if known and isinstance(system, str) and system in texts[0].outputs:
            return system, paragraph, one, other
    message = f"{line!r} does not fit; give system, paragraph from 0, and two numbers"
    raise ValueError(message)


def _object(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        message = f"{what} is not a JSON object; write it in braces"
        raise ValueError(message)
    return value


def _list(data: Mapping[str, object], name: str) -> list[object]:
    value = data.get(name, [])
    if not isinstance(value, list):
        message = f"{name} is not a list; write it in brackets"
        raise ValueError(message)
    return value


def _text(data: Mapping[str, object], name: str, default: str | None = None) -> str:
    value = data.get(name, default)
    if not isinstance(value, str) or (default is None and not value):
        message = f"{name} is not a text; give one in quotes"
        raise ValueError(message)
    return value
