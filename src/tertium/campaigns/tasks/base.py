# SPDX-License-Identifier: Apache-2.0
"""What a kind of question must be able to do."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import TYPE_CHECKING, ClassVar, TypeAlias, TypedDict

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.starting import Overrides, Starter, starter_files
from tertium.errors import FormatError, InputError, TertiumError, UnknownNameError
from tertium.judgements.judgement import Judgement
from tertium.notes import Note

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase
    from django.urls import URLPattern
    from django_stubs_ext import StrPromise as _StrPromise

    from tertium.campaigns.models import Campaign, Invitation, Item, Membership, Why

__all__ = [
    "AnswerError",
    "ItemDraft",
    "ItemJudgement",
    "Origins",
    "Section",
    "Task",
    "TaskOption",
    "by_judge",
    "meta_of",
]

#: Systems by candidate.
Origins: TypeAlias = "Mapping[str, tuple[str, ...]]"


class AnswerError(TertiumError, ValueError):
    """An answer that cannot be stored: incomplete, or not of this item."""


@dataclass(frozen=True)
class TaskOption:
    """An option of a task, from ``[task]`` in the configuration.

    Parameters
    ----------
    file : bool
        Whether it is a path, relative to the configuration.
    """

    default: bool | int | float | str
    about: str
    choices: Sequence[str] = ()
    least: float | None = None
    most: float | None = None
    file: bool = False


@dataclass(frozen=True)
class ItemDraft:
    """An item as a task reads it from files.

    Parameters
    ----------
    key : str
        Its name, one of its kind in the campaign: loading twice adds nothing.
    segment : str
        The segment in exports.
    content : dict
        What the page shows, as JSON. It must not name or betray a system.
    origins : dict of str to sequence of str
        Which systems wrote a candidate, by the candidate's key in the content.
    kind : {"work", "check", "training"}
    base : str, optional
        Of a check: the key of the item that it is a twin of.
    """

    key: str
    segment: str
    content: Mapping[str, object]
    origins: Mapping[str, Sequence[str]] = field(default_factory=dict)
    document: str = ""
    meta: Mapping[str, object] = field(default_factory=dict)
    kind: str = "work"
    base: str | None = None


class Common(TypedDict):
    """What every record of a judgement carries."""

    judge: str | None
    document: str | None
    langpair: str | None
    campaign: str | None
    time: datetime | None
    duration: float | None
    meta: str | None


@dataclass(frozen=True)
class ItemJudgement:
    """A judgement with its item, its judge and its campaign, as exports need it.

    What the annotator submitted is the ``answer``, in the form of the task.
    """

    item: str
    segment: str
    document: str
    content: Mapping[str, object]
    origins: Mapping[str, tuple[str, ...]]
    answer: Mapping[str, object]
    judge: str
    campaign: str
    langpair: str | None
    time: datetime
    seconds: float | None  # None where an imported file does not say it
    why: str
    kind: str
    meta: Mapping[str, object] = field(default_factory=dict)
    id: str = ""
    base: str | None = None
    words: int | None = None  # shown on the page

    def common(self, **more: object) -> Common:
        """Return what every record of the judgement carries.

        Parameters
        ----------
        more
            What else the record's metadata should hold.
        """
        meta = {"item": self.item, "why": self.why, **self.meta}
        if self.words is not None:
            meta["words"] = self.words
        meta |= more
        return Common(
            judge=self.judge,
            document=self.document or None,
            langpair=self.langpair,
            campaign=self.campaign,
            time=self.time.replace(tzinfo=None),  # UTC, as tables keep it
            duration=self.seconds,
            meta=json.dumps(meta, ensure_ascii=False, sort_keys=True),
        )


def by_judge(judgements: Iterable[ItemJudgement]) -> dict[str, list[ItemJudgement]]:
    """Return judgements by judge, in the order of pseudonyms."""
    groups: dict[str, list[ItemJudgement]] = {}
    for judgement in judgements:
        groups.setdefault(judgement.judge, []).append(judgement)
    return dict(sorted(groups.items()))


@dataclass(frozen=True)
class Section:
    """A part of the manager's dashboard that a task adds.

    Parameters
    ----------
    title : str
        Its heading.
    text : str
        A sentence or two in plain words: what the table says, and what to do about it.
    head : sequence of str
        The heads of columns; without them there is no table.
    rows : sequence of sequence
        Cells; numbers are shown on the right, None as n/a.
    """

    title: str
    text: str = ""
    head: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()


class Task(ABC):
    """A kind of question: its items, page, validation and export.

    Attributes
    ----------
    name : str
        The name in configurations, and of its folder.
    title, summary : str
        For people; a heading, and one sentence.
    template : str
        The part of the page that asks; it gets the context of `page`, and
        ``content`` and ``options`` beside it.
    script : str
        A module of JavaScript that hands a `task` to ``work.js``.
    declared_options : dict of str to TaskOption
        What ``[task]`` may hold.
    systems_file : bool
        Whether ``systems`` of the configuration names a file, not systems.
    private : bool
        Whether items are chosen for a person, so that leases need not run out.
    fixed : bool
        Whether items cannot be added to a campaign that is there.
    sides : sequence of str
        What `write_side` can write.
    asks_archiving : bool
        Whether people say if their answers may be archived.
    takes : type, optional
        The records that `records` yields, if `answer_of` can read them again.
    many : bool
        Whether a judgement may have several records of the same part.
    measured : sequence of str
        Fields of an answer that the page measures, such as a time.
    scored : bool
        Whether `value` gives scores, by which ``order = "active"`` chooses items.
    """

    name: ClassVar[str]
    title: ClassVar[str | _StrPromise]
    summary: ClassVar[str | _StrPromise]
    template: ClassVar[str]
    script: ClassVar[str]
    declared_options: ClassVar[Mapping[str, TaskOption]] = {}
    private: ClassVar[bool] = False
    systems_file: ClassVar[bool] = False
    fixed: ClassVar[bool] = False
    sides: ClassVar[Sequence[str]] = ()
    asks_archiving: ClassVar[bool] = False
    takes: ClassVar[type[Judgement] | None] = None
    many: ClassVar[bool] = False
    measured: ClassVar[Sequence[str]] = ()
    scored: ClassVar[bool] = False

    def options(self, config: CampaignConfig) -> dict[str, object]:
        """Return the settings of a campaign, checked, with defaults.

        Raises
        ------
        UnknownNameError, FormatError
            When a setting is unknown or of the wrong kind.
        """
        values = {
            name: setting.default for name, setting in self.declared_options.items()
        }
        for name, value in config.options.items():
            if name not in self.declared_options:
                what = f"setting of [task] of {config.path}"
                raise UnknownNameError(what, name, self.declared_options)
            values[name] = _fitting(
                name, value, self.declared_options[name], str(config.path)
            )
        return dict(values)

    @abstractmethod
    def items(self, config: CampaignConfig) -> Iterator[ItemDraft]:
        """Yield the items of a campaign from the files it names."""

    @abstractmethod
    def page(
        self, content: Mapping[str, object], options: Mapping[str, object], rng: Random
    ) -> dict[str, object]:
        """Return what the template needs; ``rng`` is the same at every visit."""

    @abstractmethod
    def check(
        self,
        content: Mapping[str, object],
        answer: object,
        options: Mapping[str, object],
    ) -> dict[str, object]:
        """Return a complete answer in the form that is stored.

        Raises
        ------
        AnswerError
            When it is incomplete or not an answer to this item.
        """

    def check_submitted(
        self,
        content: Mapping[str, object],
        answer: object,
        options: Mapping[str, object],
    ) -> dict[str, object]:
        """Return an answer of the page, as `check` does.

        It must also be one that the page sends. Answers from elsewhere need not be:
        those of other tools, or of an earlier version.

        Raises
        ------
        AnswerError
            As `check` does.
        """
        return self.check(content, answer, options)

    def check_expected(
        self,
        content: Mapping[str, object],
        answer: object,
        options: Mapping[str, object],
    ) -> dict[str, object]:
        """Return what a training item expects; an answer that `check` takes.

        Raises
        ------
        AnswerError
            When it is incomplete or not an answer to this item.
        """
        return self.check(content, answer, options)

    @abstractmethod
    def records(self, judgement: ItemJudgement) -> Iterator[Judgement]:
        """Yield a judgement as rankings, ratings or spans."""

    @abstractmethod
    def starter(self) -> Starter:
        """Return what an example of a campaign is made of."""

    # What most tasks leave as it is.

    def lessons(self) -> str:
        """Return training items for the demonstration, as their file; none: empty."""
        return ""

    def lesson_images(self) -> dict[str, bytes]:
        """Return the images that these training items show, by name."""
        return {}

    def starter_files(self, overrides: Overrides | None = None) -> dict[str, str]:
        """Return files to start a campaign from, by name; one is ``campaign.toml``.

        Parameters
        ----------
        overrides : Overrides, optional
            What is to differ from the example.
        """
        return starter_files(self, overrides or Overrides())

    def parts(self, content: Mapping[str, object]) -> int:
        """Return the number of segments in an item, which share its time."""
        return 1

    def words(
        self, content: Mapping[str, object], options: Mapping[str, object]
    ) -> int:
        """Return how many words the page shows; its context was read before."""
        hidden = {name for name in ("source", "reference") if not options.get(name, 1)}
        shown = {"source", "reference", "candidates", "output", "hypothesis"} - hidden
        return sum(count_words(one) for name, one in content.items() if name in shown)

    def choose(self, member: Membership, rng: Random) -> tuple[Item, Why] | None:
        """Return the next item for somebody, and why; None when there is none."""
        from tertium.campaigns.work.leases import choose

        return choose(member, rng)

    def seed(self, member: Membership, item: Item, rng: Random) -> int:
        """Return the seed of what the page shuffles, for one showing of an item."""
        return rng.getrandbits(62)

    def agrees(
        self,
        content: Mapping[str, object],
        expected: Mapping[str, object],
        answer: Mapping[str, object],
    ) -> bool:
        """Return whether an answer to a training item is the expected one."""
        return expected == answer

    def marks_only(self, options: Mapping[str, object]) -> bool:
        """Return whether answers have marks only, whose agreement `report` shows."""
        return False

    def value(
        self, answer: Mapping[str, object], options: Mapping[str, object]
    ) -> dict[str, float]:
        """Return one score per candidate of an answer; the higher, the better."""
        raise NotImplementedError

    def gate(self, request: HttpRequest, member: Membership) -> HttpResponseBase | None:
        """Return a page that comes before work, such as consent, or None."""
        return None

    def prepare(self, campaign: Campaign, drafts: Sequence[ItemDraft]) -> None:
        """Do what must be done after items were loaded, in the same transaction."""
        return

    def report(self, campaign: Campaign) -> list[Section]:
        """Return what the dashboard shows beside its own figures; nothing by default.

        It is called when the overview is shown and the judgements have changed, in the
        language of whoever is looking: texts come from gettext. It must work with no
        judgement at all. Judges are named by their codes; observers read it too. An
        error of Tertium (`TertiumError`) is shown in its place.
        """
        return []

    def check_model(self, config: CampaignConfig) -> None:
        """Raise an error if a model that settings name could not be used.

        The configuration may be unwritten.
        """
        return

    def ask_model(
        self,
        config: CampaignConfig,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> Sequence[Note]:
        """Have a language model write the files that settings want from it.

        It costs time and money, so only commands call it, when they are told to.
        """
        return ()

    def describe(self, config: CampaignConfig) -> str:
        """Return a report for those who load the files, such as what was left out.

        It is called after `items`.
        """
        return ""

    def notes(
        self, config: CampaignConfig, drafts: Sequence[ItemDraft]
    ) -> Sequence[Note]:
        """Return the notes of the test set's reader, and on items; none by default."""
        return ()

    def invited(
        self, request: HttpRequest, invitation: Invitation
    ) -> HttpResponseBase | None:
        """Return the page by which an annotator joins; None asks for a name."""
        return None

    def finished(
        self, request: HttpRequest, member: Membership
    ) -> HttpResponseBase | None:
        """Return the page for somebody who has nothing left to do; None: the usual."""
        return None

    def part_of(
        self, content: Mapping[str, object], origins: Origins, record: Judgement
    ) -> Hashable | None:
        """Return what part of an answer to an item a record gives; None: no part.

        Raises
        ------
        AnswerError
            When it cannot be part of an answer to any item; the message says why.
        """
        return None

    def answer_of(
        self,
        content: Mapping[str, object],
        origins: Origins,
        parts: Sequence[tuple[Hashable, Judgement]],
        options: Mapping[str, object],
    ) -> object:
        """Return the answer that gave these records: what `records` does, undone.

        Raises
        ------
        AnswerError
            When they contradict each other, or are not an answer.
        """
        raise NotImplementedError

    def seconds_of(self, records: Sequence[Judgement]) -> float | None:
        """Return how long the answer took that gave these records."""
        return records[0].duration

    def judges_to_archive(self, campaign: Campaign) -> set[str] | None:
        """Return who agreed to archiving, by pseudonym; None: nobody was asked."""
        return None

    def write_side(self, campaign: Campaign, what: str, path: str, **how: bool) -> None:
        """Write something beside judgements, such as ``participants``.

        Raises
        ------
        InputError
            When the task has no such thing.
        """
        message = f"campaigns of the task {self.name} have no {what}; omit it"
        raise InputError(message)

    @classmethod
    def urls(cls) -> list[URLPattern]:
        """Return pages of its own; they lie under ``c/NAME/``."""
        return []


def count_words(shown: object) -> int:
    """Return how many words a text has, or all texts of a dictionary.

    Examples
    --------
    >>> count_words({"a": "two words", "b": "and three more"})
    5
    """
    if isinstance(shown, Mapping):
        return sum(map(count_words, shown.values()))
    return len(shown.split()) if isinstance(shown, str) else 0


def meta_of(record: Judgement) -> dict[str, object]:
    """Return the metadata of a record; nothing unless it is a JSON object."""
    try:
        meta = json.loads(record.meta or "{}")
    except (ValueError, RecursionError):
        return {}
    return meta if isinstance(meta, dict) else {}


def _fitting(
    name: str, value: object, setting: TaskOption, path: str
) -> bool | int | float | str:
    kind = type(setting.default)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not kind or not isinstance(value, bool | int | float | str):
        what = {bool: "true or false", str: "a text in quotes"}.get(kind, "a number")
        raise FormatError(f"[task] {name} = {value!r}; give {what}", path=path)
    if setting.choices and value not in setting.choices:
        choices = ", ".join(map(repr, setting.choices))
        raise FormatError(
            f"[task] {name} = {value!r}; give one of {choices}", path=path
        )
    if isinstance(value, int | float) and not isinstance(value, bool):
        if setting.least is not None and value < setting.least:
            what = f"[task] {name} = {value}; give {setting.least} or more"
            raise FormatError(what, path=path)
        if setting.most is not None and value > setting.most:
            what = f"[task] {name} = {value}; give {setting.most} or less"
            raise FormatError(what, path=path)
    return value
