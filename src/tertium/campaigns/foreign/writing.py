# SPDX-License-Identifier: Apache-2.0
"""Files of a campaign that came from another tool."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from tertium.campaigns.foreign.campaign import ForeignCampaign, Lesson
from tertium.campaigns.starting import Overrides, Value, campaign_text, slug
from tertium.campaigns.tasks import AnswerError, Task
from tertium.errors import InputError
from tertium.notes import Note

__all__ = ["TASKS", "foreign_files"]

#: Tasks that can run such a campaign.
TASKS = ("esa", "mqm", "cesa", "direct", "edits", "pairs", "ranking")
_SPANS = ("esa", "mqm", "cesa")
_ITEMS, _TRAINING, _CATEGORIES = "items.jsonl", "training.jsonl", "categories.toml"


def foreign_files(
    campaign: ForeignCampaign, task: Task, overrides: Overrides
) -> tuple[dict[str, str], list[Note]]:
    """Return files by name, one of them ``campaign.toml``, and what was lost.

    Parameters
    ----------
    campaign : ForeignCampaign
    task : Task
        The task of the new campaign.
    overrides : Overrides
        What is to differ; items are those of the campaign.

    Raises
    ------
    InputError
        When the task cannot show its items.
    """
    if task.name not in TASKS:
        message = f"{task.name} has items of its own; choose {', '.join(TASKS)}"
        raise InputError(message, options=("task",))
    starter = task.starter()
    options: dict[str, Value] = {
        name: setting.default for name, setting in task.declared_options.items()
    }
    options |= starter.options
    options |= {k: v for k, v in campaign.options.items() if k in options}
    screens = campaign.screens if task.name in _SPANS else campaign.work
    files = {
        _ITEMS: "".join(screen.as_line() for screen in screens),
        "instructions.md": f"{campaign.instructions}\n"
        if campaign.instructions
        else starter.instructions,
        **starter.texts,
    }
    if campaign.categories and "categories" in options:
        files[_CATEGORIES] = _categories(campaign.categories)
        options["categories"] = _CATEGORIES
    lessons, lost = _training(campaign, task, options)
    if lessons:
        files[_TRAINING] = lessons
    notes = [
        *campaign.notes,
        *([Note("foreign-lessons", {"count": lost})] * bool(lost)),
    ]
    if (checks := len(campaign.screens) - len(screens)) > 0:
        notes.append(Note("foreign-checks", {"count": checks}))
    starter = replace(starter, reads="screens, with one per line; see the guide")
    title = overrides.title or campaign.title
    values: dict[str, Value | None] = {
        "name": slug(title),
        "title": title,
        "task": task.name,
        "source": overrides.source or campaign.source,
        "target": overrides.target or campaign.target,
        "items": _ITEMS,
        "systems": overrides.systems or "",
        "instructions": "instructions.md",
        "seed": overrides.seed,
    }
    training = _TRAINING if lessons else ""
    text = campaign_text(
        task, starter, values, campaign.plan, options, training=training
    )
    return {"campaign.toml": text, **files}, notes


def _categories(tree: Mapping[str, object]) -> str:
    lines = []
    for name, parts in tree.items():
        lines.append(f"[{json.dumps(name, ensure_ascii=False)}]")
        for part in parts if isinstance(parts, list) else ():
            lines.append(f'{json.dumps(part, ensure_ascii=False)} = ""')
    return "".join(f"{line}\n" for line in lines)


def _training(
    campaign: ForeignCampaign, task: Task, options: Mapping[str, object]
) -> tuple[str, int]:
    """Return the training file, and how many tutorials do not fit the task."""
    lines, lost = [], 0
    checking = dict(options)
    if "categories" in options:
        from tertium.campaigns.tasks.spans.categories import STANDARD, read_categories

        names = [
            f"{name}/{part}" if part else name
            for name, parts in campaign.categories.items()
            for part in parts or [""]
        ]
        checking["tree"] = names or read_categories(STANDARD)
    for lesson in campaign.lessons:
        entry = _lesson(lesson, task.name)
        try:
            if entry is None:
                raise AnswerError
            task.check_expected(entry["content"], entry["answer"], checking)  # type: ignore[arg-type]
        except AnswerError:
            lost += 1
            continue
        lines.append(json.dumps(entry, ensure_ascii=False) + "\n")
    return "".join(lines), lost


def _lesson(lesson: Lesson, task: str) -> dict[str, object] | None:
    """Return a line of a training file; None where the task has no such item."""
    systems = list(lesson.paragraphs[0].outputs)
    several = task in _SPANS and (task == "cesa" or len(systems) == 1)
    if several:
        return _span_lesson(lesson, systems, scored=task != "mqm")
    score = lesson.scores.get((systems[0], 0))
    if task != "direct" or len(systems) > 1 or len(lesson.paragraphs) > 1:
        return None
    one = lesson.paragraphs[0]
    content: dict[str, object] = {
        "source": one.source,
        "reference": one.reference,
        "before": "",
        **(one.image.as_json() if one.image else {}),
    }
    return {
        "item": lesson.name,
        "content": {**content, "output": one.outputs[systems[0]]},
        "answer": {"score": score},
        "note": lesson.note,
    }


def _span_lesson(
    lesson: Lesson, systems: list[str], *, scored: bool
) -> dict[str, object]:
    keys = dict(zip(systems, "abcdefghijklmnopqrstuvwxyz", strict=False))
    paragraphs = [
        {
            "segment": one.segment,
            "source": one.source,
            "reference": one.reference,
            "outputs": {key: one.outputs[name] for name, key in keys.items()},
            "prefilled": {
                key: list(one.prefilled[name])
                for name, key in keys.items()
                if name in one.prefilled
            },
            **(one.image.as_json() if one.image else {}),
        }
        for one in lesson.paragraphs
    ]
    outputs: dict[str, object] = {}
    for name, key in keys.items():
        entries = []
        for place in range(len(paragraphs)):
            marks = [
                {k: v for k, v in mark.items() if k != "category" or v}
                for mark in lesson.marks.get((name, place), ())
            ]
            entry: dict[str, object] = {"marks": marks}
            if scored:
                entry["score"] = lesson.scores.get((name, place))
            else:
                entry["clean"] = not marks
            entries.append(entry)
        outputs[key] = entries
    return {
        "item": lesson.name,
        "content": {"before": "", "paragraphs": paragraphs},
        "answer": {"outputs": outputs},
        "note": lesson.note[:2000],
    }
