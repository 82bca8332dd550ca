# SPDX-License-Identifier: Apache-2.0
"""What a campaign is: a TOML file, checked before anything is loaded.

::

    [campaign]
    name = "news-en-cs"               # in addresses and exports
    title = "News, English to Czech"  # what people read
    task = "segranks"
    source = "en"
    target = "cs"
    items = "candidates.jsonl"        # what `tertium parts project` wrote
    instructions = "instructions.md"

    [plan]
    judgements = 1       # wanted of every item
    intra = 0.05         # share given again to the same person
    inter = 0.05         # share given again to somebody else
    checks = 0.0         # share of attention checks
    lease = 30           # minutes without a sign of life until others get the item
    order = "random"     # or "file", or "active"
    floor = 10           # judgements per system before "active" looks at scores

    [training]
    items = "training.jsonl"   # answers that are known; they come before the work

    [task]
    reference = true     # settings of the task, as its own page explains
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from tertium._seed import SEED
from tertium.data.containment import is_inside
from tertium.errors import FormatError, UnknownNameError, UntrustedError

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["NAME", "CampaignConfig", "Plan", "parse_config", "read_config", "read_toml"]

#: What a campaign may be called in addresses.
NAME = r"[a-z0-9][a-z0-9-]{0,48}"


@dataclass(frozen=True)
class Plan:
    """How work is handed out.

    Parameters
    ----------
    judgements : int
        First judgements wanted of every item.
    intra, inter : float
        Shares of a person's items that they, or somebody else, judge again.
    extra : int
        Further judgements of every item, each by somebody else, that are offered to
        people for whom no first judgement is left.
    checks : float
        Share of attention checks.
    lease : float
        Minutes without a sign of life until others get the item.
    order : {"random", "file", "active"}
        In which order items are handed out; ``active``: what tells systems apart best.
    floor : int
        Judgements of every system before ``active`` looks at scores.
    """

    judgements: int = 1
    intra: float = 0.05
    inter: float = 0.05
    extra: int = 1
    checks: float = 0.0
    lease: float = 30.0
    order: str = "random"
    floor: int = 10

    def problems(self) -> list[str]:
        """Return what is wrong with the values, each with its cure."""
        wrong = []
        if not 1 <= self.judgements <= 1000:
            wrong.append(
                f"judgements = {self.judgements} cannot be had; give 1 to 1000"
            )
        for name in ("intra", "inter", "checks"):
            share = getattr(self, name)
            if not 0 <= share < 1:
                wrong.append(
                    f"{name} = {share} is not a share; give 0 or more, below 1"
                )
        if not 0 <= self.extra <= 1000:
            wrong.append(f"extra = {self.extra} is out of range; give 0 to 1000")
        if not 1 <= self.lease <= 24 * 60:
            wrong.append(f"lease = {self.lease} minutes; give 1 to 1440")
        if self.order not in ("random", "file", "active"):
            wrong.append(f"order = {self.order!r}; give 'random', 'file' or 'active'")
        if not 2 <= self.floor <= 100_000:
            wrong.append(f"floor = {self.floor} is out of range; give 2 to 100000")
        return wrong

    def as_json(self) -> dict[str, object]:
        """Return the values by name."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, object]) -> Self:
        """Return a plan from values by name; unknown names are ignored."""
        known = {entry.name for entry in fields(cls)}
        return cls(**{k: v for k, v in values.items() if k in known})  # type: ignore[arg-type]


@dataclass(frozen=True)
class CampaignConfig:
    """A campaign as its file describes it; paths are relative to that file.

    Files outside its folder are read only if `allow_outside` says so: people see what
    is in them, and the campaign may come from someone else.
    """

    path: Path
    name: str
    title: str
    task: str
    items: str
    source: str = ""
    target: str = ""
    instructions: str = ""
    systems: str = ""
    training: str = ""
    seed: int = SEED
    plan: Plan = field(default_factory=Plan)
    options: Mapping[str, object] = field(default_factory=dict)
    allow_outside: bool = False

    def file(self, name: str) -> Path:
        """Return a file beside the configuration, or below it.

        Raises
        ------
        UntrustedError
            When it lies elsewhere, links followed, and that is not allowed.
        """
        return self.checked(self.path.parent / name)

    def checked(self, path: Path) -> Path:
        """Return the path of a file that may be read; see :meth:`file`."""
        if self.allow_outside or is_inside(path, self.path.parent):
            return path
        what = (
            f"{path} lies outside the campaign's folder; copy it there, or allow it "
            "with --allow-outside (allow_outside=True)"
        )
        raise UntrustedError(what, path=str(self.path))


_Kinds: TypeAlias = "Mapping[str, type | tuple[type, ...]]"
_WANTED: _Kinds = {"name": str, "title": str, "task": str, "items": str}
_OTHER: _Kinds = {
    "source": str,
    "target": str,
    "instructions": str,
    "systems": str,
    "seed": int,
}
_PLAN: _Kinds = {
    "judgements": int,
    "intra": (int, float),
    "inter": (int, float),
    "extra": int,
    "checks": (int, float),
    "lease": (int, float),
    "order": str,
    "floor": int,
}


#: What the database has room for, in characters.
_LONGEST = {"title": 200, "source": 20, "target": 20}


def read_config(path: str | Path, *, allow_outside: bool = False) -> CampaignConfig:
    """Return the campaign that a TOML file describes.

    Parameters
    ----------
    path : str or Path
        The file.
    allow_outside : bool
        Whether it may name files outside its folder.

    Raises
    ------
    FormatError
        With the file, what is wrong and the cure.
    UnknownNameError
        When it has a setting nobody has heard of.
    """
    place = Path(path)
    return _config(read_toml(place), place, allow_outside)


def parse_config(
    text: str, path: Path, *, allow_outside: bool = False
) -> CampaignConfig:
    """Return the campaign that the text of a file describes, which may be unwritten.

    Raises
    ------
    FormatError, UnknownNameError
        As :func:`read_config`.
    """
    return _config(_parsed(text.encode(), path), path, allow_outside)


def _config(
    data: Mapping[str, object], place: Path, allow_outside: bool
) -> CampaignConfig:
    from tertium.campaigns.tasks.names import TASKS  # tasks import this file

    _known(data, {"campaign", "plan", "task", "training"}, place, "section")
    head = _section(data, "campaign", place)
    _check(head, {**_WANTED, **_OTHER}, place, "campaign")
    for name in _WANTED:
        if not head.get(name):
            what = f"[campaign] has no {name}; add {name} = ..."
            raise FormatError(what, path=str(place))
    if not re.fullmatch(NAME, str(head["name"])):
        what = (
            f"the name {head['name']!r} does not fit an address; use small letters, "
            "digits and hyphens, 49 at most"
        )
        raise FormatError(what, path=str(place))
    if head["task"] not in TASKS:
        raise UnknownNameError(f"task of {place}", str(head["task"]), TASKS)
    for name, most in _LONGEST.items():
        if len(str(head.get(name, ""))) > most:
            what = f"[campaign] {name} is too long; give {most} characters at most"
            raise FormatError(what, path=str(place))
    if not -(2**63) <= int(str(head.get("seed", 0))) < 2**63:
        what = f"[campaign] seed = {head['seed']} is too large; give 64 bits at most"
        raise FormatError(what, path=str(place))
    plan_values = _section(data, "plan", place)
    _check(plan_values, _PLAN, place, "plan")
    plan = Plan.from_json(plan_values)
    if problems := plan.problems():
        raise FormatError(f"[plan] {problems[0]}", path=str(place))
    training = _section(data, "training", place)
    _check(training, {"items": str}, place, "training")
    if "training" in data and not training.get("items"):
        what = "[training] has no items; name their file, or remove the section"
        raise FormatError(what, path=str(place))
    return CampaignConfig(
        path=place,
        plan=plan,
        options=_section(data, "task", place),
        training=str(training.get("items", "")),
        allow_outside=allow_outside,
        **head,  # type: ignore[arg-type]
    )


def read_toml(place: Path) -> dict[str, object]:
    """Return what a TOML file holds.

    Raises
    ------
    FormatError
        When there is none, or it is not TOML.
    """
    try:
        data = place.read_bytes()
    except FileNotFoundError:
        what = "no such file; `tertium campaign new` writes one to start from"
        raise FormatError(what, path=str(place)) from None
    except OSError as error:
        what = f"cannot be read: {error.strerror}; give the path of a TOML file"
        raise FormatError(what, path=str(place)) from None
    return _parsed(data, place)


def _parsed(data: bytes, place: Path) -> dict[str, object]:
    try:
        import tomllib
    except ImportError:  # Python 3.10
        import tomli as tomllib

    try:
        return dict(tomllib.loads(data.decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        what = f"not TOML: {error}; correct it, or begin with `tertium campaign new`"
        raise FormatError(what, path=str(place)) from None


def _section(data: Mapping[str, object], name: str, place: Path) -> dict[str, object]:
    section = data.get(name, {})
    if not isinstance(section, dict):
        what = f"{name} is not a section; write [{name}] on a separate line"
        raise FormatError(what, path=str(place))
    return section


def _known(data: Mapping[str, object], names: set[str], place: Path, what: str) -> None:
    for name in data:
        if name not in names:
            raise UnknownNameError(f"{what} of {place}", name, sorted(names))


def _check(
    values: Mapping[str, object],
    kinds: _Kinds,
    place: Path,
    section: str,
) -> None:
    _known(values, set(kinds), place, f"setting of [{section}]")
    for name, value in values.items():
        # True is an int in Python, but nobody means 1 by it here.
        if isinstance(value, bool) or not isinstance(value, kinds[name]):
            what = f"[{section}] {name} = {value!r} is of the wrong kind"
            cure = "a text in quotes" if kinds[name] is str else "a number"
            raise FormatError(f"{what}; give {cure}", path=str(place))
        if isinstance(value, str) and "\0" in value:
            what = f"[{section}] {name} holds the character 0; remove it"
            raise FormatError(what, path=str(place))
