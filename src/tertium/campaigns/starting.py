# SPDX-License-Identifier: Apache-2.0
"""Files to start a campaign from: a configuration with comments, and texts.

The configuration is made of the settings that a task has anyway. What is here needs no
Django.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from tertium.campaigns.config import NAME, CampaignConfig
from tertium.campaigns.judges import DEMO, judge_named, judge_setting
from tertium.data.containment import is_inside
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.campaigns.tasks.base import Task

__all__ = [
    "Overrides",
    "Starter",
    "Value",
    "campaign_text",
    "clone",
    "from_here",
    "load_command",
    "moved_setting",
    "reaches_out",
    "slug",
    "starter_files",
]

Value: TypeAlias = "bool | int | float | str"

_PLAN: Mapping[str, tuple[Value, str]] = {
    "judgements": (1, "wanted per item"),
    "intra": (0.05, "share given again to the same person"),
    "inter": (0.05, "share given again to somebody else"),
    "extra": (1, "more judgements per item, offered once all first ones are taken"),
    "checks": (0.1, "share of attention checks"),
    "lease": (30, "minutes until others may get an item that nobody touches"),
    "order": ("random", 'in which items are handed out; or "file", "active"'),
}
_WIDE = 88  # characters of a line
_SHORT = 40  # of a setting, to have its comment in the column of all


@dataclass(frozen=True)
class Starter:
    """What the example of a task is made of.

    Parameters
    ----------
    name, title, source, target, items, systems : str
        As in ``[campaign]``.
    instructions : str
        The text of ``instructions.md``.
    options : dict of str to value
        Settings of the task that differ from its defaults.
    checks : bool
        Whether the task has attention checks.
    plan : bool
        Whether work is handed out by a plan.
    reads, chooses : str
        Comments on ``items`` and ``systems``.
    texts : dict of str to str
        Other files that people read, by name.
    examples : dict of str to str
        Files with the items of the example: whoever has items does not need them.
    example_options : dict of str to value
        Settings that go with these files.
    """

    name: str
    title: str
    instructions: str
    source: str = "en"
    target: str = "de"
    items: str = "demo"
    systems: str = ""
    options: Mapping[str, Value] = field(default_factory=dict)
    checks: bool = False
    plan: bool = True
    reads: str = "any test set that `tertium score` reads"
    chooses: str = "names, separated by commas; all by default"
    texts: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)
    example_options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Overrides:
    """How a new campaign differs from the example; None means as there.

    Parameters
    ----------
    title : str, optional
        What people read; the name is made of it.
    items, systems, prefilled : str, optional
        Paths are relative to the configuration.
    """

    title: str | None = None
    items: str | None = None
    systems: str | None = None
    source: str | None = None
    target: str | None = None
    seed: int | None = None
    prefilled: str | None = None


def starter_files(task: Task, overrides: Overrides) -> dict[str, str]:
    """Return files by name; one is ``campaign.toml``."""
    starter = task.starter()
    options = {name: setting.default for name, setting in task.declared_options.items()}
    options |= starter.options
    files = {"instructions.md": starter.instructions, **starter.texts}
    if overrides.items is None:
        options |= starter.example_options
        files |= starter.examples
    else:
        starter = replace(
            starter, items=overrides.items, systems="", source="", target=""
        )
    if overrides.prefilled is not None:
        options["prefilled"] = overrides.prefilled
    plan = {
        name: value
        for name, (value, _) in _PLAN.items()
        if starter.checks or name != "checks"
    }
    values: dict[str, Value | None] = {
        "name": slug(overrides.title) if overrides.title else starter.name,
        "title": overrides.title or starter.title,
        "task": task.name,
        "source": overrides.source or starter.source,
        "target": overrides.target or starter.target,
        "items": starter.items,
        "systems": overrides.systems or starter.systems,
        "instructions": "instructions.md",
        "seed": overrides.seed,
    }
    text = campaign_text(task, starter, values, plan, options)
    return {"campaign.toml": text, **files}


def clone(config: CampaignConfig, task: Task, place: Path, overrides: Overrides) -> str:
    """Return the text of a configuration for a campaign like another one.

    Its texts and items are the files of the other one, whose people and judgements are
    in the database and stay there. Codes of rewards are for one person each, so the
    clone has none.

    Parameters
    ----------
    place : Path
        Where it will be.
    overrides : Overrides
        What is to differ.

    Raises
    ------
    InputError
        When it would have the same name.
    """
    name = slug(overrides.title) if overrides.title else f"{config.name[:47]}-2"
    if name == config.name:
        message = f"{config.path} has the name {name} too; give the clone another one"
        raise InputError(message)
    old, new = config.path.parent, place.parent
    paths = {key: one.default for key, one in task.declared_options.items() if one.file}
    options = {**paths, **config.options}
    options |= {key: moved_setting(str(options[key]), old, new) for key in paths}
    if overrides.prefilled is not None:
        options["prefilled"] = overrides.prefilled
    if "rewards" in options:
        options["rewards"] = ""
    systems = config.systems
    if task.systems_file:
        systems = _moved(systems, old, new)
    values: dict[str, Value | None] = {
        "name": name,
        "title": overrides.title or config.title,
        "task": config.task,
        "source": overrides.source or config.source,
        "target": overrides.target or config.target,
        "items": overrides.items or _moved(config.items, old, new),
        "systems": overrides.systems or systems,
        "instructions": _moved(config.instructions, old, new),
        "seed": config.seed if overrides.seed is None else overrides.seed,
    }
    return campaign_text(
        task,
        task.starter(),
        values,
        config.plan.as_json(),
        options,
        training=_moved(config.training, old, new),
    )


def campaign_text(
    task: Task,
    starter: Starter,
    campaign: Mapping[str, Value | None],
    plan: Mapping[str, object],
    options: Mapping[str, object],
    *,
    training: str = "",
) -> str:
    """Return the text of a configuration, with a comment on every setting.

    Parameters
    ----------
    campaign, plan, options : dict
        Values of ``[campaign]``, ``[plan]`` and ``[task]``; other settings of the plan
        are those of a new campaign.
    training : str
        The file of training items; empty: none.
    """
    abouts = {
        "items": starter.reads,
        "systems": starter.chooses,
        "seed": "for everything that is sampled",
    }
    sections = {"campaign": _lines(campaign, abouts)}
    if starter.plan:
        usual = {name: value for name, (value, _) in _PLAN.items()}
        if not starter.checks:
            del usual["checks"]
        abouts = {name: about for name, (_, about) in _PLAN.items()}
        abouts["floor"] = 'judgements per system before "active" looks at scores'
        sections["plan"] = _lines({**usual, **plan}, abouts)
    if training:
        about = {"items": "known answers; they come before the work"}
        sections["training"] = _lines({"items": training}, about)
    abouts = {name: setting.about for name, setting in task.declared_options.items()}
    sections["task"] = _lines(options, abouts)
    return "\n".join(
        "".join(f"{line}\n" for line in (f"[{name}]", *lines))
        for name, lines in sections.items()
    )


def _lines(values: Mapping[str, object], abouts: Mapping[str, str]) -> Iterator[str]:
    """Yield settings with comments behind them, or above them where they are long."""
    lines = {
        # JSON's texts, numbers, true and false are TOML's.
        name: f"{name} = {json.dumps(value, ensure_ascii=False)}"
        for name, value in values.items()
        if value is not None
    }
    sizes = [len(line) for name, line in lines.items() if abouts.get(name)]
    column = max((size for size in sizes if size <= _SHORT), default=0)
    for name, line in lines.items():
        about = abouts.get(name, "")
        behind = f"{line:<{column}}  # {about}"
        if about and len(behind) > _WIDE:
            yield f"# {about}"
        yield behind if about and len(behind) <= _WIDE else line


def slug(title: str) -> str:
    """Return a name that fits an address.

    Raises
    ------
    InputError
        When nothing is left of it.

    Examples
    --------
    >>> slug("Zprávy, English to Czech!")
    'zpravy-english-to-czech'
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:49].strip("-")
    if not re.fullmatch(NAME, name):
        message = f"no name for addresses can be made of {title!r}; use a-z or digits"
        raise InputError(message)
    return name


def from_here(names: str, folder: Path) -> str:
    """Return paths, with commas, as they are called from a folder.

    Raises
    ------
    InputError
        When there is no such file.
    """
    for name in filter(None, map(str.strip, names.split(","))):
        path = Path(name)
        if name != DEMO and not any(path.parent.glob(path.name)):
            raise InputError(f"there is no file {name}; check the path")
    return _moved(names, Path(), folder)


def reaches_out(config: CampaignConfig, task: Task) -> bool:
    """Return whether a configuration names files outside its folder."""
    names = [config.items, config.instructions, config.training]
    for key, one in task.declared_options.items():
        if one.file:
            name = str(config.options.get(key, one.default))
            names.append(judge_named(name) or name)
    if task.systems_file:
        names.append(config.systems)
    folder = config.path.parent
    return any(
        not is_inside(folder / name.strip(), folder)
        for some in names
        for name in some.split(",")
    )


def load_command(config: CampaignConfig, *, ask: bool = True) -> str:
    """Return the command that loads a campaign, for a shell.

    Parameters
    ----------
    ask : bool
        Whether it asks the language model that the configuration names.
    """
    from tertium.campaigns.tasks import get_task  # tasks import this file

    words = ["tertium", "campaign", "load", os.fspath(config.path)]
    if reaches_out(config, get_task(config.task)):
        words.append("--allow-outside")
    return shlex.join([*words, *(["--ask-model"] if ask else [])])


def moved_setting(value: str, old: Path, new: Path) -> str:
    """Return paths as `_moved`, or a language model by the path of its settings."""
    judge = judge_named(value)
    if judge is None:
        return _moved(value, old, new)
    stays = judge == DEMO and not (old / judge).exists()
    return value if stays else judge_setting(_moved(judge, old, new))


def _moved(names: str, old: Path, new: Path) -> str:
    """Return paths, with commas, of one folder as they are called from another."""
    paths = []
    for name in filter(None, map(str.strip, names.split(","))):
        bundled = name == "demo" and not (old / name).exists()
        stays = bundled or Path(name).is_absolute()
        moved = Path(os.path.relpath(old / name, new)).as_posix()
        paths.append(name if stays else moved)
    return ", ".join(paths)
