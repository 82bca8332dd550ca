# SPDX-License-Identifier: Apache-2.0
"""Spans to start from that a language model marks, before a campaign is loaded.

Only a command asks a model, and only when told to: it costs money, and a campaign from
somebody else may name any server. Everything else reads the file that this writes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.judges import DEMO, judge_named, stored_marks
from tertium.campaigns.starting import load_command
from tertium.campaigns.tasks.screens import is_screens
from tertium.campaigns.tasks.spans.answers import known_severity, severities
from tertium.campaigns.tasks.spans.prefilled import of_output
from tertium.campaigns.tasks.testsets import read_shown
from tertium.errors import FormatError, InputError
from tertium.judgements.judgement import Span
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.llm import JudgeSettings, Judging

__all__ = ["ask_judge", "check_judge"]


def ask_judge(
    config: CampaignConfig,
    options: Mapping[str, object],
    *,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Note, ...]:
    """Have a model mark the outputs of a campaign, and write the file of marks.

    Answers are kept in the log of the judge, as by ``tertium judge``: what it holds is
    not asked again.

    Parameters
    ----------
    config : CampaignConfig
    options : mapping
        The settings of the task, ``prefilled`` among them.
    progress : callable, optional
        Called with how many requests are done, of how many.

    Returns
    -------
    tuple of Note
        What was asked, and what could not be read; none where no model is named.

    Raises
    ------
    InputError
        When judge and campaign do not fit, or an output has no answer.
    """
    if (checked := check_judge(config, options)) is None:
        return ()
    from tertium.judgements.writing import write_judgements
    from tertium.llm import judge_outputs

    settings, answers = checked
    testset = _testset(config)
    judging = judge_outputs(testset, settings, answers=answers, progress=progress)
    _check_answered(judging, config, answers)
    place = stored_marks(config.path)
    write_judgements(judging.judgements, place)
    return (*judging.notes, *_notes(judging, str(place), answers))


def check_judge(
    config: CampaignConfig, options: Mapping[str, object]
) -> tuple[JudgeSettings, str] | None:
    """Return the settings of a judge, and where its answers are kept; None without one.

    Raises
    ------
    InputError
        When judge and campaign do not fit.
    """
    name = judge_named(str(options["prefilled"]))
    if name is None:
        return None
    items = _file(config, config.items)
    if items.exists() and is_screens(items):
        what = "[task] prefilled does not go with screens, which have their own spans"
        raise FormatError(f"{what}; omit it", path=str(config.path))
    settings, answers = _settings(config, name)
    _check(settings, options, config)
    return settings, answers


def _file(config: CampaignConfig, name: str) -> Path:
    """Return a file of a configuration, whose own folder may not exist yet."""
    path = config.file(name)
    return path if path.exists() else Path(os.path.normpath(path))


def _settings(config: CampaignConfig, name: str) -> tuple[JudgeSettings, str]:
    """Return the settings of the judge, and where its answers are kept."""
    from tertium.llm import JudgeSettings, read_settings

    if name == DEMO and not config.file(name).exists():
        place = config.path.with_name(f"{config.path.stem}.answers.jsonl")
        settings, answers = JudgeSettings(DEMO, DEMO), os.fspath(place)
    else:
        settings, answers = read_settings(os.fspath(_file(config, name)))
    if settings.langpair is None and config.source and config.target:
        settings = replace(settings, langpair=f"{config.source}-{config.target}")
    return settings, answers


def _check(
    settings: JudgeSettings, options: Mapping[str, object], config: CampaignConfig
) -> None:
    """Raise an error if no answer could be used: before anything is paid for."""
    prompt = settings.read_prompt()
    if "errors" not in prompt.answer:
        what = (
            f"[task] prefilled: the prompt {prompt.name} asks for scores alone; set "
            'prompt = "esa", "mqm" or a file whose answer has errors'
        )
        raise FormatError(what, path=str(config.path))
    for severity in prompt.severities:
        try:
            known_severity(severity, severities(options))
        except ValueError:
            what = (
                f"[task] prefilled: the prompt {prompt.name} asks for the severity "
                f"{severity!r}, which is not one of {', '.join(severities(options))}; "
                "add it to severities in [task], or choose another prompt"
            )
            raise FormatError(what, path=str(config.path)) from None


def _testset(config: CampaignConfig) -> Testset:
    """Return the outputs of a campaign, those of unwanted systems left out."""
    from tertium.data import Testset

    shown = list(read_shown(config))
    systems: dict[str, list[str]] = {}
    for one in shown:
        for text, names in one.candidates.items():
            for name in names:
                systems.setdefault(name, []).append(text)
    has_references = all(one.reference for one in shown)
    return Testset.build(
        [one.reference for one in shown] if has_references else None,
        systems,
        sources=[one.source for one in shown],
        ids=[one.segment for one in shown],
        docs=[one.document for one in shown],
    )


def _check_answered(judging: Judging, config: CampaignConfig, answers: str) -> None:
    """Raise an error unless every output has an answer: a few would be a bias."""
    kept = f"answers are kept in {answers}"
    again = f"`{load_command(config)}` goes on from there"
    if judging.left:
        what = f"{count(judging.left, 'output')} left at the limit of costs; {kept}"
        more = "and may spend limit_cost once more; or raise limit_cost first"
        raise InputError(f"{what}: {again}, {more}")
    if judging.failed:
        what = f"{count(len(judging.failed), 'output')} without answer"
        raise InputError(f"{what}: {judging.failed[0][2]}; {kept}: {again}")
    if not judging.judged:
        reasons = ", ".join(f"{name} {n}" for name, n in judging.reasons.items())
        what = f"no answer of {judging.judge} can be read ({reasons})"
        raise InputError(f"{what}; look at {answers}, or choose another model")


def _notes(judging: Judging, place: str, answers: str) -> list[Note]:
    values = {
        "judge": judging.judge,
        "count": judging.judged,
        "path": place,
        "asked": judging.asked,
        "kept": judging.kept,
        "answers": answers,
        "cost": "" if not judging.cost else f"; cost: {judging.cost:.2f}",
    }
    notes = [Note("prefilled-judged", values)]
    if judging.unparsable:
        reasons = ", ".join(f"{name} {n}" for name, n in judging.reasons.items())
        values = {"count": len(judging.unparsable), "reasons": reasons}
        notes.append(Note("prefilled-unparsable", values))
    spans = judging.judgements.iterate("spans")
    unlocated = sum(isinstance(s, Span) and of_output(s) is None for s in spans)
    if unlocated:
        notes.append(Note("prefilled-unlocated", {"count": unlocated}))
    return notes
