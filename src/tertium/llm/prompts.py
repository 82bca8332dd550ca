# SPDX-License-Identifier: Apache-2.0
"""Prompts: what a model is shown, and what its answer holds.

A prompt is a TOML file with the messages ``user`` and, optionally, ``system``. In both,
``{{name}}`` stands for a value: source, hypothesis, reference, source_language,
target_language, categories. What is between ``{{#reference}}`` and ``{{/reference}}``
is shown only if there is a reference. Values are inserted once, so a text that looks
like a placeholder stays as it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tertium._toml import read_toml
from tertium.errors import FormatError, UnknownNameError

__all__ = ["ANSWERS", "PROMPTS", "Prompt", "read_prompt"]

#: What answers may hold.
ANSWERS = ("score", "errors", "errors and score")
#: The prompts that come with Tertium.
PROMPTS = ("esa", "mqm", "da")

_FOLDER = Path(__file__).parent / "prompt_files"
_VALUES = (
    "source",
    "hypothesis",
    "reference",
    "source_language",
    "target_language",
    "categories",
)
_SEVERITIES = ("minor", "major", "critical")
_HOLE = re.compile(r"\{\{(\w+)\}\}")
_SECTION = re.compile(r"\{\{#(\w+)\}\}\n?(.*?)\{\{/\1\}\}\n?", re.DOTALL)
_MARK = re.compile(r"\{\{[#/]?(\w*)[^{}]*\}\}")


@dataclass(frozen=True)
class Prompt:
    """What a model is asked.

    Parameters
    ----------
    name : str
    user, system : str
        The messages, with placeholders.
    answer : {"score", "errors", "errors and score"}
    scale : str
        The scale of the ratings.
    tokens : int
        How long an answer is expected to be, for estimates.
    severities : tuple of str
        From the least severe on, in lower case.
    categories : tuple of str
        Known categories of errors; none if answers have no categories.
    about : str
    """

    name: str
    user: str
    answer: str
    scale: str
    system: str = ""
    tokens: int = 100
    severities: tuple[str, ...] = _SEVERITIES
    categories: tuple[str, ...] = ()
    about: str = ""

    @property
    def needs(self) -> frozenset[str]:
        """The values that the messages show in any case."""
        texts = (_SECTION.sub("", text) for text in (self.system, self.user))
        return frozenset(name for text in texts for name in _HOLE.findall(text))

    @property
    def shows_reference(self) -> bool:
        """Whether a reference has a place in it."""
        return any("{{reference}}" in text for text in (self.system, self.user))

    @property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that change with the prompt."""
        parts = [self.system, self.user, self.answer, *self.severities]
        text = json.dumps([*parts, *self.categories])
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    def messages(self, values: Mapping[str, str | None]) -> list[dict[str, str]]:
        """Return the messages for some values, those that are None left out.

        Examples
        --------
        >>> ask = Prompt("mine", "Rate {{hypothesis}}!", "score", "DA")
        >>> ask.messages({"hypothesis": "{{source}}"})
        [{'role': 'user', 'content': 'Rate {{source}}!'}]
        """
        filled = {**values, "categories": ", ".join(self.categories)}
        system, user = (_fill(text, filled) for text in (self.system, self.user))
        first = [{"role": "system", "content": system}] if system else []
        return [*first, {"role": "user", "content": user}]


def _fill(text: str, values: Mapping[str, str | None]) -> str:
    def section(match: re.Match[str]) -> str:
        return match[2] if values.get(match[1]) is not None else ""

    def value(match: re.Match[str]) -> str:
        return values.get(match[1]) or ""

    return _HOLE.sub(value, _SECTION.sub(section, text)).strip()


def read_prompt(name: str) -> Prompt:
    """Return a prompt that comes with Tertium, or that of a TOML file.

    Raises
    ------
    UnknownNameError
        When there is neither.
    FormatError
        When the file is not a prompt.

    Examples
    --------
    >>> read_prompt("esa").answer
    'errors and score'
    """
    if name in PROMPTS:
        return _read(str(_FOLDER / f"{name}.toml"), name)
    if not os.path.isfile(name):
        raise UnknownNameError("prompt", name, [*PROMPTS, "FILE.toml"])
    return _read(name, Path(name).stem)


def _read(path: str, name: str) -> Prompt:
    content = read_toml(path)

    def wrong(what: str) -> FormatError:
        return FormatError(what, path=path)

    texts = {}
    for key in ("user", "system", "answer", "scale", "about"):
        value = content.pop(key, "")
        if not isinstance(value, str):
            raise wrong(f"{key!r} is {value!r} where a text should be")
        texts[key] = value
    lists = {}
    for key in ("severities", "categories"):
        value = content.pop(key, [])
        if not isinstance(value, list) or not all(isinstance(x, str) for x in value):
            raise wrong(f"{key!r} is {value!r} where a list of texts should be")
        lists[key] = tuple(value)
    tokens = content.pop("tokens", 100)
    if type(tokens) is not int or tokens < 1:
        raise wrong(f"'tokens' is {tokens!r} where a positive integer should be")
    if content:
        raise wrong(f"unknown key {next(iter(content))!r}; remove it")
    if texts["answer"] not in ANSWERS:
        choices = ", ".join(ANSWERS)
        raise wrong(f"'answer' is {texts['answer']!r}; give one of: {choices}")
    for text in (texts["user"], texts["system"]):
        for hole in _MARK.findall(text):
            if hole not in _VALUES:
                known = ", ".join(_VALUES)
                raise wrong(f"nothing is called {{{{{hole}}}}}; there are {known}")
    if "{{hypothesis}}" not in texts["user"]:
        raise wrong("'user' does not show {{hypothesis}}, so there is nothing to judge")
    return Prompt(
        name=name,
        user=texts["user"],
        answer=texts["answer"],
        scale=texts["scale"] or ("MQM" if texts["answer"] == "errors" else "DA"),
        system=texts["system"],
        tokens=tokens,
        severities=tuple(map(str.lower, lists["severities"])) or _SEVERITIES,
        categories=lists["categories"],
        about=texts["about"],
    )
