# SPDX-License-Identifier: Apache-2.0
"""Campaigns of Pearmut (Zouhar and Kocmi 2026).

An object with ``campaign_id``, ``data`` and mostly ``info``: documents, or lists of
documents by user where ``assignment`` is ``task-based``. Campaigns that were downloaded
stand in a list, and name the users. A document is a list of items with
``src``, ``ref``, ``tgt`` (translations by model), ``item_id``, ``error_spans`` to start
from and ``validation`` rules by model. Documents become screens:

- those of ``data_welcome``, and those whose every item can be skipped, are training, if
  they have rules;
- those of ``data_random``, and others whose every item has rules, are attention checks;
- all others are work.

Documents that end a campaign (``data_goodbye``) are left out. Compared with version
1.1.6 (commit 13e7a1f of zouharvi/pearmut).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tertium.campaigns.foreign.campaign import (
    ForeignCampaign,
    Lesson,
    Losses,
    distinct,
    plain,
    spans_of,
)
from tertium.campaigns.foreign.media import Media
from tertium.campaigns.tasks.screens import Damage, Screen, ScreenParagraph
from tertium.campaigns.tasks.testsets import digest
from tertium.errors import FormatError
from tertium.judgements.formats.names import file_langpair, language

__all__ = ["is_pearmut", "read_pearmut"]

_MISSING = "[missing]"
_SEPARATORS = re.compile(r"[\s_#/]+")
#: Languages with their scripts, as in eng_Latn---deu_Latn.
_SCRIPTED = re.compile(r"\b([a-z]{2,3})_[A-Z][a-z]{3}-+([a-z]{2,3})_[A-Z][a-z]{3}")
_MARKING = ("esa", "mqm", "cesa")
_PROTOCOLS = {"DA": "direct", "ESA": "esa", "CESA": "cesa", "MQM": "mqm"}
#: Settings of ``info`` without a counterpart.
_LOST = (
    "sliders", "textfield", "show_model_names", "show_alignment", "slider_colors",
    "instructions_goodbye", "docs_per_user", "users", "validation_threshold",
    "show_progress", "template", "dynamic_coldstart_pool", "dynamic_top",
    "dynamic_backoff",
)  # fmt: skip


class _Document(NamedTuple):
    where: str  # for messages and names
    kind: str  # work, check, training
    items: list[dict[str, object]]


def is_pearmut(content: object) -> bool:
    """Return whether JSON holds a campaign of Pearmut, or several."""
    every = content if isinstance(content, list) else [content]
    return bool(every) and all(
        isinstance(one, dict) and {"campaign_id", "data"} <= set(one) for one in every
    )


def read_pearmut(
    content: object, path: str | Path, *, task: str | None = None
) -> ForeignCampaign:
    """Return a campaign of Pearmut.

    Raises
    ------
    FormatError
        When it is not in the form of version 1, with the place, or holds several
        campaigns.
    """
    data = _only(content, path)
    info = _object(data, "info")
    losses = Losses()
    media = Media(path, losses, _served(info))
    fields = _fields(info)
    documents = list(_documents(data, info, path, losses))
    work, _, seen = distinct(
        [_screen(one, fields, losses, media) for one in documents if one.kind == "work"]
    )
    if not work:
        what = "it has no document to judge but tutorials, checks and forms; add some"
        raise FormatError(what, path=str(path))
    checks, _, _ = distinct(
        [_check(one, fields, losses, media) for one in documents if one.kind == "check"]
    )
    lessons = [
        _lesson(one, fields, losses, media)
        for one in documents
        if one.kind == "training"
    ]
    uniform = len(set(seen.values())) == 1
    kind = task or _task(info, work)
    _count_settings(data, info, kind, losses)
    if not uniform:
        losses.count("foreign-shared", sum(n > 1 for n in seen.values()))
    source, target = _langpair(str(data["campaign_id"]))
    random = info.get("data_random_prob")
    share = round(min(len(checks) / len(work), 0.5), 2)
    return ForeignCampaign(
        "Pearmut",
        str(data["campaign_id"]),
        source,
        target,
        kind,
        [*work, *checks],
        _once(lessons),
        plain(info.get("instructions")),
        {
            "judgements": next(iter(seen.values())) if uniform else 1,
            "checks": random if isinstance(random, float) and random < 1 else share,
            **_dynamic(info),
        },
        _options(info, kind),
        _categories(info) if kind == "mqm" else {},
        losses.notes(),
        media.files,
    )


def _only(content: object, path: str | Path) -> dict[str, object]:
    """Return the campaign of a file."""
    every = content if isinstance(content, list) else [content]
    if len(every) == 1 and isinstance(every[0], dict):
        return every[0]
    names = ", ".join(
        str(one["campaign_id"]) for one in every[:3] if isinstance(one, dict)
    )
    what = f"the file holds {len(every)} campaigns ({names} ...)"
    raise FormatError(f"{what}; write each to a file of its own", path=str(path))


def _served(info: Mapping[str, object]) -> dict[str, str]:
    """Return the folder that Pearmut serves, by its address."""
    assets = _object(info, "assets")
    source, destination = assets.get("source"), assets.get("destination")
    if isinstance(source, str) and isinstance(destination, str):
        return {destination: source}
    return {}


def _langpair(name: str) -> tuple[str, str]:
    """Return the languages in the name of a campaign; empty where it has none.

    Examples
    --------
    >>> _langpair("eng_Latn---deu_Latn v3"), _langpair("wmt25 en-cs"), _langpair("mine")
    (('en', 'de'), ('en', 'cs'), ('', ''))
    """
    if scripted := _SCRIPTED.search(name):
        return language(scripted[1]), language(scripted[2])
    pair = file_langpair(_SEPARATORS.sub(".", name)) or ""
    source, _, target = pair.partition("-")
    return source, target


def _tokens(info: Mapping[str, object]) -> list[str]:
    """Return what can be marked beside the text and missing content."""
    tokens = [str(one) for one in _list(info.get("special_tokens"))]
    return [one for one in tokens if one != _MISSING]


def _token_names(tokens: Sequence[str]) -> list[str]:
    """Return tokens as names of marks; a comma would make two of one."""
    return [one.strip("[] ").replace(",", " ") for one in tokens]


def _fields(info: Mapping[str, object]) -> list[str]:
    """Return what can be clicked after the text, in order."""
    tokens = [str(one) for one in _list(info.get("special_tokens"))]
    return _token_names(tokens or [_MISSING])


def _count_settings(
    data: Mapping[str, object],
    info: Mapping[str, object],
    kind: str,
    losses: Losses,
) -> None:
    """Note the settings that are not kept."""
    if lost := [name for name in _LOST if info.get(name)]:
        losses.name("foreign-settings", *lost)
    if (tokens := _tokens(info)) and kind not in _MARKING:
        losses.name("foreign-tokens", *tokens)
    if _is_by_user(data, info) and len(_tasks(data)) > 1:
        losses.count("foreign-batches", len(_tasks(data)))


def _is_by_user(data: Mapping[str, object], info: Mapping[str, object]) -> bool:
    """Return whether every user has documents; the form tells if nothing says it."""
    if "assignment" in info:
        return info["assignment"] == "task-based"
    return all(
        isinstance(document, list)
        for task in _tasks(data)
        for document in (task if isinstance(task, list) else ())
    )


def _tasks(data: Mapping[str, object]) -> list[object]:
    """Return the data of a campaign, by user where users are named."""
    return list(_object(data, "data").values()) or _list(data["data"])


def _documents(
    data: Mapping[str, object],
    info: Mapping[str, object],
    path: str | Path,
    losses: Losses,
) -> Iterator[_Document]:
    """Yield documents with items; forms are counted."""
    for place, items in enumerate(_list(data.get("data_welcome"))):
        yield from _document(f"welcome-{place}", items, "training", path, losses)
    if _is_by_user(data, info):
        for user, task in enumerate(_tasks(data)):
            for place, items in enumerate(_list(task)):
                yield from _document(f"{user}-{place}", items, "", path, losses)
    else:
        for place, items in enumerate(_list(data["data"])):
            yield from _document(str(place), items, "", path, losses)
    for place, items in enumerate(_list(data.get("data_random"))):
        yield from _document(f"random-{place}", items, "check", path, losses)
    losses.count("foreign-goodbye", len(_list(data.get("data_goodbye"))))


def _document(
    where: str, items: object, kind: str, path: str | Path, losses: Losses
) -> Iterator[_Document]:
    if not isinstance(items, list) or not items:
        what = f"document {where} is not a list of items; write it in brackets"
        raise FormatError(what, path=str(path))
    for item in items:
        if isinstance(item, dict) and "form" in item:
            losses.count("foreign-forms")
            return
        outputs = item.get("tgt") if isinstance(item, dict) else None
        if (
            not isinstance(outputs, dict)
            or not outputs
            or not all(isinstance(text, str) for text in outputs.values())
        ):
            what = f"an item of document {where} has no tgt with translations by model"
            raise FormatError(f"{what}, as in Pearmut 1; add it", path=str(path))
    rules = [bool(item.get("validation")) for item in items]
    if not kind and all(_can_be_skipped(item) for item in items):
        kind = "training"
    if kind == "training" and not any(rules):
        losses.count("foreign-unruled")
        return
    if not kind:
        kind = "check" if all(rules) else "work"
        if kind == "work":
            losses.count("foreign-rules", sum(rules))
    for part in _same_models(items):
        yield _Document(where, kind, part)


def _same_models(
    items: Sequence[dict[str, object]],
) -> Iterator[list[dict[str, object]]]:
    """Yield parts of a document whose items have the same models."""
    part: list[dict[str, object]] = []
    for item in items:
        if part and set(_object(part[0], "tgt")) != set(_object(item, "tgt")):
            yield part
            part = []
        part.append(item)
    yield part


def _can_be_skipped(item: Mapping[str, object]) -> bool:
    # Until version 1.1, every rule said it; now the item does.
    rules = _object(item, "validation").values()
    return item.get("skippable") is True or any(
        one.get("allow_skip") is True for rule in rules for one in _rules(rule)
    )


def _screen(
    document: _Document, fields: Sequence[str], losses: Losses, media: Media
) -> Screen:
    first = document.items[0]
    sources = [str(item.get("src") or "") for item in document.items]
    # The same for every user who was to see it.
    unnamed = first.get("item_id") or f"document-{digest(*sources)}"
    name = str(first.get("doc_id") or first.get("document_id") or unnamed)
    paragraphs = []
    for place, item in enumerate(document.items, start=1):
        source, image = media.split(sources[place - 1])
        paragraphs.append(
            ScreenParagraph(
                str(item.get("item_id") or f"{name}:{place}"),
                source,
                {name: str(text) for name, text in _object(item, "tgt").items()},
                str(item.get("ref") or ""),
                _prefilled(item, fields, losses),
                image,
            )
        )
    models = "+".join(sorted(paragraphs[0].outputs))
    # One part of a document may stand beside another with other models.
    return Screen(
        f"{document.where}:{paragraphs[0].segment}:{models}", name, paragraphs
    )


def _prefilled(
    item: Mapping[str, object], fields: Sequence[str], losses: Losses
) -> dict[str, list[dict[str, object]]]:
    outputs = _object(item, "tgt")
    return {
        name: spans_of(
            spans, str(outputs[name]), losses, category="category", fields=fields
        )
        for name, spans in _object(item, "error_spans").items()
        if name in outputs and spans
    }


def _check(
    document: _Document, fields: Sequence[str], losses: Losses, media: Media
) -> Screen:
    screen = _screen(document, fields, losses, media)
    damage, scores = [], []
    for place, item in enumerate(document.items):
        for system, rule in _all_rules(item):
            text = screen.paragraphs[place].outputs[system]
            for mark in _expected_marks(rule, text, fields, losses):
                if isinstance(mark["start"], int) and isinstance(mark["end"], int):
                    where = (mark["start"], mark["end"])
                    damage.append(Damage(system, place, *where))
            if (limits := _limits(rule)) is not None:
                scores.append((system, place, *limits))
    return Screen(
        screen.name,
        screen.document,
        screen.paragraphs,
        check=True,
        damage=damage,
        scores=scores,
    )


def _lesson(
    document: _Document, fields: Sequence[str], losses: Losses, media: Media
) -> Lesson:
    screen = _screen(document, fields, losses, media)
    marks: dict[tuple[str, int], list[dict[str, object]]] = {}
    scores, notes = {}, []
    for place, item in enumerate(document.items):
        notes.append(plain(item.get("instructions")))
        for system, rule in _all_rules(item):
            text = screen.paragraphs[place].outputs[system]
            wanted = marks.setdefault((system, place), [])
            wanted += _expected_marks(rule, text, fields, losses)
            if (limits := _limits(rule)) is not None:
                scores[system, place] = round(sum(limits) / 2)
            notes.append(plain(rule.get("warning")))
    note = "\n".join(one for one in dict.fromkeys(notes) if one)
    name = str(document.items[0].get("item_id") or document.where)
    return Lesson(name, screen.paragraphs, marks, scores, note)


def _once(lessons: Sequence[Lesson]) -> list[Lesson]:
    """Return lessons that several users were to see once, under different names."""
    kept: dict[tuple[object, ...], Lesson] = {}
    names: set[str] = set()
    for lesson in lessons:
        texts = tuple(
            (one.source, tuple(one.outputs.items())) for one in lesson.paragraphs
        )
        if (texts, lesson.note) in kept:
            continue
        name, number = lesson.name, 2
        while name in names:
            name, number = f"{lesson.name}-{number}", number + 1
        names.add(name)
        kept[texts, lesson.note] = replace(lesson, name=name)
    return list(kept.values())


def _all_rules(
    item: Mapping[str, object],
) -> Iterator[tuple[str, Mapping[str, object]]]:
    outputs = _object(item, "tgt")
    for system, rules in _object(item, "validation").items():
        for rule in _rules(rules) if system in outputs else ():
            yield system, rule


def _rules(rule: object) -> list[dict[str, object]]:
    rules = rule if isinstance(rule, list) else [rule]
    return [one for one in rules if isinstance(one, dict)]


def _limits(rule: Mapping[str, object]) -> tuple[float, float] | None:
    """Return the least and the highest score that a rule wants."""
    values = _list(rule.get("score"))
    numbers = [float(one) for one in values if isinstance(one, int | float)]
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def _expected_marks(
    rule: Mapping[str, object], text: str, fields: Sequence[str], losses: Losses
) -> list[dict[str, object]]:
    """Return errors that a rule wants; of a range of places, the middle."""
    spans = []
    for one in _list(rule.get("error_spans")):
        if isinstance(one, dict):
            places = {name: _middle(one.get(name)) for name in ("start_i", "end_i")}
            spans.append({**one, **places})
    return spans_of(spans, text, losses, category="category", fields=fields)


def _middle(place: object) -> object:
    if isinstance(place, list) and all(type(one) is int for one in place) and place:
        return sum(place) // len(place)
    return place


def _task(info: Mapping[str, object], work: Sequence[Screen]) -> str:
    """Return the task of a protocol; several models side by side are contrastive."""
    protocol = str(info.get("protocol") or "ESA").upper()
    task = _PROTOCOLS.get(protocol, "direct")  # others mark no spans
    if info.get("assignment") == "dynamic":
        several = _shown_models(info, 1) != 1
    else:
        several = any(len(screen.systems) > 1 for screen in work)
    return "cesa" if task == "esa" and several else task


def _shown_models(info: Mapping[str, object], default: int) -> object:
    """Return how many models dynamic assignment shows; the older name is longer."""
    older = info.get("dynamic_contrastive_models", default)
    return info.get("dynamic_models", older)


def _dynamic(info: Mapping[str, object]) -> dict[str, object]:
    """Return the plan of dynamic assignment; its first phase has had three names."""
    if info.get("assignment") != "dynamic":
        return {}
    names = ("dynamic_coldstart", "dynamic_warmup", "dynamic_first")
    first = next((info[name] for name in names if name in info), 5)
    return {"order": "active", "floor": max(first, 2) if type(first) is int else 5}


def _options(
    info: Mapping[str, object], task: str
) -> dict[str, bool | int | float | str]:
    options: dict[str, bool | int | float | str] = {
        "document_score": False,
        "spans": "words" if info.get("word_level") else "characters",
        "missing": _MISSING in _list(info.get("special_tokens", [_MISSING])),
    }
    if tokens := _tokens(info):
        options["special"] = ", ".join(_token_names(tokens))
    severities = [str(one).lower() for one in _list(info.get("mqm_severities"))]
    if severities:
        options["severities"] = ", ".join(severities)
    if task == "cesa":
        models = _shown_models(info, 0)
        options["systems"] = models if type(models) is int else 0
    return options


def _categories(info: Mapping[str, object]) -> dict[str, list[str]]:
    return {
        name: [str(one) for one in _list(parts) if one]
        for name, parts in _object(info, "mqm_categories").items()
        if name
    }


def _object(data: Mapping[str, object], name: str) -> dict[str, object]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
