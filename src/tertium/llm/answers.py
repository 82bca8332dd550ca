# SPDX-License-Identifier: Apache-2.0
"""Answers of models read as scores and errors.

Around the JSON object that was asked for, models write code fences, remarks, or the
reasoning that led to it; the last object with the right keys counts. Nothing is guessed
beyond that: an answer without a valid score, or with an error of unknown severity, has
no value, and the reason is counted.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from tertium.llm.places import locate
from tertium.llm.prompts import Prompt

__all__ = ["REASONS", "Assessment", "MarkedError", "UnparsableError", "parse_answer"]

#: Why an answer has no value, by code.
REASONS = {
    "empty": "the answer is empty",
    "truncated": "the answer was cut off at the largest number of tokens",
    "declined": "the model or its filter declined to answer",
    "no-json": "there is no JSON object with the keys that were asked for",
    "score": "the score is not a number from 0 to 100",
    "errors": "the errors are not a list of objects",
    "severity": "an error has none of the severities that were asked for",
    "text": "an error does not quote any text",
}

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)
_NUMBER = r"(\d{1,3}(?:\.\d{1,6})?)(?:\s*/\s*100)?"
_SCORE = re.compile(_NUMBER)
_SCORE_ALONE = re.compile(rf"\W*(?:score\W*)?{_NUMBER}\W*", re.IGNORECASE)
_BEST = 100.0
_LONGEST = 200_000  # characters of an answer that are looked at
_MISSING = ("omission", "missing")


class MarkedError(NamedTuple):
    """An error in an output, or something that is missing from it.

    Parameters
    ----------
    text : str
        What the model quoted.
    severity, category : str
    side : {"target", "source"}
        Where the text is; on the source side it is missing from the output.
    start, end : int, optional
        Code points of the side; None if the quotation is not there.
    """

    text: str
    severity: str
    category: str
    side: str = "target"
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Assessment:
    """What a model found: a score, errors, or both."""

    score: float | None = None
    errors: tuple[MarkedError, ...] = ()

    @property
    def unlocated(self) -> int:
        """How many quotations are not in the text."""
        return sum(error.start is None and bool(error.text) for error in self.errors)


class UnparsableError(ValueError):
    """An answer has no value.

    Parameters
    ----------
    reason : str
        A key of :data:`REASONS`.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(REASONS[reason])


def parse_answer(
    answer: str,
    prompt: Prompt,
    *,
    hypothesis: str,
    source: str = "",
    finish: str = "stop",
) -> Assessment:
    """Return what an answer says.

    Parameters
    ----------
    answer : str
        What the model wrote.
    prompt : Prompt
    hypothesis, source : str
        The texts that it quotes.
    finish : str
        Why the model stopped: ``length`` if the answer is cut off, ``content_filter``
        or ``refusal`` if it was not allowed to answer.

    Raises
    ------
    UnparsableError
        When it holds no valid score, or no valid list of errors.

    Examples
    --------
    >>> from tertium.llm.prompts import read_prompt
    >>> parse_answer('Sure! {"score": 71}', read_prompt("da"), hypothesis="a").score
    71.0
    """
    wants_score = "score" in prompt.answer
    wants_errors = "errors" in prompt.answer
    text = _THOUGHT.sub("", answer[-_LONGEST:])
    keys = {"score"} if wants_score else set()
    content = _last_object(text, keys | ({"errors"} if wants_errors else set()))
    if content is None and not wants_errors:
        alone = _SCORE_ALONE.fullmatch(text)
        content = {"score": alone[1]} if alone else None
    if content is None:
        raise UnparsableError(_why(text, finish))
    score = _score(content["score"]) if wants_score else None
    errors = _errors(content, prompt, hypothesis, source) if wants_errors else ()
    return Assessment(score, errors)


def _why(text: str, finish: str) -> str:
    """Return why there is no object."""
    if finish in ("content_filter", "refusal"):
        return "declined"
    if finish == "length":
        return "truncated"
    return "no-json" if text.strip() else "empty"


def _last_object(text: str, keys: set[str]) -> dict[str, object] | None:
    objects = [content for content in _objects(text) if keys <= set(content)]
    return objects[-1] if objects else None


def _objects(text: str) -> Iterator[dict[str, object]]:
    """Yield the outermost JSON objects of a text."""
    decoder = json.JSONDecoder(parse_constant=_no_constant, strict=False)
    at = text.find("{")
    tried = 0
    while at >= 0 and tried < 1000:  # Each try may read to the end.
        tried += 1
        try:
            content, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(content, dict):
                yield content
        at = text.find("{", end)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)  # NaN and Infinity are not JSON.


def _score(value: object) -> float:
    if isinstance(value, str):
        match = _SCORE.fullmatch(value.strip())
        value = float(match[1]) if match else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise UnparsableError("score")
    # An integer may be too large to be a float.
    if not 0 <= value <= _BEST or not math.isfinite(value):
        raise UnparsableError("score")
    return float(value)


def _errors(
    content: dict[str, object], prompt: Prompt, hypothesis: str, source: str
) -> tuple[MarkedError, ...]:
    listed = content["errors"]
    if not isinstance(listed, list) or not all(isinstance(x, dict) for x in listed):
        raise UnparsableError("errors")
    return tuple(_error(each, prompt, hypothesis, source) for each in listed)


def _error(
    content: dict[str, object], prompt: Prompt, hypothesis: str, source: str
) -> MarkedError:
    severity = content.get("severity")
    if not isinstance(severity, str) or severity.lower() not in prompt.severities:
        raise UnparsableError("severity")
    text = content.get("text")
    category = _category(content.get("category"), prompt)
    is_missing = any(word in category.lower() for word in _MISSING)
    if text is None and is_missing:
        text = ""
    if not isinstance(text, str) or not (text.strip() or is_missing):
        raise UnparsableError("text")
    number = content.get("occurrence")
    occurrence = number if type(number) is int and number > 0 else 1
    on_source = content.get("side") == "source"
    place = locate(text, source if on_source else hypothesis, occurrence)
    if place is None and not on_source and is_missing:
        # What is missing can only have been quoted from the source.
        on_source = (place := locate(text, source, occurrence)) is not None
    if on_source and not category:
        category = "missing"
    start, end = place or (None, None)
    side = "source" if on_source else "target"
    return MarkedError(text, severity.lower(), category, side, start, end)


def _category(value: object, prompt: Prompt) -> str:
    """Return a category as the prompt spells it; another one as it is."""
    name = value.strip() if isinstance(value, str) else ""
    known = {each.lower(): each for each in prompt.categories}
    return known.get(name.lower(), name)
