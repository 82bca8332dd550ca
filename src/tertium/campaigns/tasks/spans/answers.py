# SPDX-License-Identifier: Apache-2.0
"""Answers of span tasks: what is valid, and the form in which it is stored.

::

    {"outputs": {"a": [{"marks": [{"start": 4, "end": 9, "severity": "minor"}],
                        "score": 70}]},
     "document": {"a": 65}}

There is an entry for every paragraph of every candidate. Positions are code points of
the output. A mark without ``start`` and ``end`` is missing content. Marks may overlap;
``prefilled`` is the number of the mark in the file that a mark comes from. Two marks
of the same place differ in category or severity. Without scores, ``clean`` says whether
the text is free of errors; with scores, it is set if the annotator confirmed that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict, cast

from django.utils.translation import gettext as _

from tertium.campaigns.tasks.base import AnswerError
from tertium.campaigns.tasks.spans.positions import widened

__all__ = [
    "LOW",
    "MISSING",
    "Mark",
    "Paragraph",
    "check_answer",
    "check_confirmed",
    "known_severity",
    "paragraphs",
    "severities",
    "special_marks",
]

#: The category of missing content where there are no categories.
MISSING = "missing"
#: A lower score without a mark is confirmed, as in Pearmut.
LOW = 80
_MOST = 100
_MANY = 200  # marks of a paragraph, whatever the settings say


class _Image(TypedDict, total=False):
    image: dict[str, object]


class Paragraph(_Image):
    """A paragraph of an item: the source, and every candidate's translation."""

    segment: str
    source: str
    reference: str
    outputs: dict[str, str]
    prefilled: dict[str, list[dict[str, object]]]


class Mark(TypedDict, total=False):
    """An error; missing content has no start and no end."""

    start: int | None
    end: int | None
    severity: str
    category: str
    prefilled: int


def paragraphs(content: Mapping[str, object]) -> list[Paragraph]:
    """Return the paragraphs of an item."""
    return cast("list[Paragraph]", content["paragraphs"])


def severities(options: Mapping[str, object]) -> list[str]:
    """Return the severities of a campaign, the mildest first."""
    return _listed(options["severities"])


def known_severity(name: str, known: Sequence[str]) -> str:
    """Return the severity of a campaign that a file means, in whichever case.

    Raises
    ------
    ValueError
        When the campaign does not have it; the message says so, and the cure.
    """
    for one in known:
        if one.lower() == name.lower():
            return one
    message = (
        f"the severity {name!r} is not one of {', '.join(known)}; add it to severities "
        "in [task], or change it in the file"
    )
    raise ValueError(message)


def special_marks(options: Mapping[str, object]) -> list[str]:
    """Return the names of other marks without a place, such as a fault in the task."""
    return _listed(options.get("special", ""))


def _listed(names: object) -> list[str]:
    return [name for one in str(names).split(",") if (name := one.strip())]


def check_answer(
    content: Mapping[str, object],
    answer: object,
    options: Mapping[str, object],
    *,
    expected: bool = False,
) -> dict[str, object]:
    """Return a complete answer as it is stored.

    Parameters
    ----------
    expected : bool
        Whether it is what a training item expects, where scores may be missing.

    Raises
    ------
    AnswerError
        When something is missing, or not an answer to this item.
    """
    texts = paragraphs(content)
    outputs = answer.get("outputs") if isinstance(answer, dict) else None
    keys = list(texts[0]["outputs"])
    if not isinstance(outputs, dict) or set(outputs) != set(keys):
        raise AnswerError(_("This is not a valid answer."))
    kept: dict[str, object] = {}
    for key in keys:
        entries = outputs[key]
        if not isinstance(entries, list) or len(entries) != len(texts):
            raise AnswerError(_("This is not a valid answer."))
        kept[key] = [
            _entry(one, text, key, options, expected=expected)
            for one, text in zip(entries, texts, strict=True)
        ]
    result: dict[str, object] = {"outputs": kept}
    if options["document_score"] and len(texts) > 1:
        scores = cast("dict[str, object]", answer).get("document")
        if expected and scores is None:
            return result
        if not isinstance(scores, dict) or set(scores) != set(keys):
            raise AnswerError(_("Score the whole text, too."))
        result["document"] = {key: _score(scores[key]) for key in keys}
    return result


def check_confirmed(
    answer: object, stored: Mapping[str, object], options: Mapping[str, object]
) -> None:
    """Complain about scores of paragraphs that the page would not have sent.

    A paragraph without a mark is confirmed to have no errors before it is scored, with
    ``spans_first``, or else if its score is low. When somebody scored is not known:
    marks may change after the score, on the page, too.

    Parameters
    ----------
    answer : object
        What was sent.
    stored : mapping
        What :func:`check_answer` made of it.

    Raises
    ------
    AnswerError
    """
    if not options["score"]:
        return
    sent = cast("Mapping[str, Mapping[str, list[Mapping[str, object]]]]", answer)
    outputs = cast("Mapping[str, list[Mapping[str, object]]]", stored["outputs"])
    for key, entries in outputs.items():
        for entry, one in zip(entries, sent["outputs"][key], strict=True):
            if entry["marks"]:
                if one.get("clean"):
                    raise AnswerError(_("Mark the errors, or say that there are none."))
            elif "clean" in entry:
                continue
            elif options.get("spans_first"):
                what = _("Mark the errors, or choose “No errors”. Then score.")
                raise AnswerError(what)
            elif cast("int", entry["score"]) < LOW:
                what = _(
                    "A score below %(low)s, but no error is marked. Mark the errors, "
                    "or choose “No errors”."
                )
                raise AnswerError(what % {"low": LOW})


def _entry(
    entry: object,
    text: Paragraph,
    key: str,
    options: Mapping[str, object],
    *,
    expected: bool,
) -> dict[str, object]:
    marks = entry.get("marks") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(marks, list):
        raise AnswerError(_("This is not a valid answer."))
    kept: list[Mark] = []
    for one in marks:
        if (mark := _mark(one, text["outputs"][key], options)) not in kept:
            kept.append(mark)
    # A mark comes from one of the file, and from one that this paragraph has.
    origins = [mark["prefilled"] for mark in kept if "prefilled" in mark]
    known = len(text["prefilled"].get(key, []))
    if len(set(origins)) < len(origins) or any(one >= known for one in origins):
        raise AnswerError(_("This is not a valid answer."))
    most = int(str(options["most"])) or _MANY
    if len(kept) > most:
        what = _("A paragraph has more than %(most)d marks; keep the worst ones.")
        raise AnswerError(what % {"most": most})
    kept.sort(key=_order)
    result: dict[str, object] = {"marks": kept}
    clean = entry.get("clean")
    if options["score"]:
        if clean is True and not kept:
            result["clean"] = True
        if expected and entry.get("score") is None:
            return {**result, "score": None}
        return {**result, "score": _score(entry.get("score"))}
    if type(clean) is not bool or clean == bool(kept):
        raise AnswerError(_("Mark the errors, or say that there are none."))
    return {**result, "clean": clean}


def _order(mark: Mark) -> tuple[object, ...]:
    start, end = mark["start"], mark["end"]
    place = (1, 0, 0) if start is None or end is None else (0, start, end)
    return (*place, mark["severity"], mark.get("category", ""))


def _mark(value: object, text: str, options: Mapping[str, object]) -> Mark:
    if not isinstance(value, dict):
        raise AnswerError(_("This is not a valid answer."))
    severity = value.get("severity")
    if severity not in severities(options):
        raise AnswerError(_("Choose how severe every error is."))
    start, end = _place(value.get("start"), value.get("end"), text)
    category = value.get("category")
    special = start is None and category in special_marks(options)
    if start is None and not options["missing"] and not special:
        raise AnswerError(_("Missing content is not marked in this campaign."))
    mark = Mark(start=start, end=end, severity=str(severity))
    if special:
        mark["category"] = str(category)
    tree = cast("Sequence[str]", options.get("tree", ()))
    if tree and not special:
        if category not in tree:
            raise AnswerError(_("Choose a category for every error."))
        mark["category"] = str(category)
    origin = value.get("prefilled")
    if origin is not None:
        if type(origin) is not int or origin < 0:
            raise AnswerError(_("This is not a valid answer."))
        mark["prefilled"] = origin
    return mark


def _place(
    start: object, end: object, text: str
) -> tuple[int, int] | tuple[None, None]:
    """Return a place within the text; missing content has none."""
    if start is None and end is None:
        return None, None
    if type(start) is not int or type(end) is not int:
        raise AnswerError(_("The place of a mark must be two integers."))
    if not 0 <= start <= len(text) or not 0 <= end <= len(text):
        raise AnswerError(_("A mark lies outside the translation."))
    if start >= end:
        raise AnswerError(_("A mark ends before it starts."))
    whole = widened(text, start, end)
    if whole is None:
        raise AnswerError(_("A mark holds only white space."))
    return whole


def _score(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _MOST:
        raise AnswerError(_("Give every paragraph a score from 0 to 100."))
    return value
