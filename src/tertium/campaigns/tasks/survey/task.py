# SPDX-License-Identifier: Apache-2.0
"""The word-order survey: two questions about every item of a questionnaire.

Anonymous: whoever follows an invitation reads the information sheet, agrees, says
something of themself if they like, sees a worked sample, and then judges the items of
one questionnaire. What the pages do is in ``views.py``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, ClassVar, cast

from django.utils.translation import get_language_info, gettext_lazy
from django.utils.translation import gettext as _

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.starting import Starter
from tertium.campaigns.tasks.base import (
    AnswerError,
    ItemDraft,
    ItemJudgement,
    Origins,
    Section,
    Task,
    TaskOption,
    meta_of,
)
from tertium.campaigns.tasks.survey.building import Built, build
from tertium.campaigns.tasks.survey.items import drafts_of
from tertium.campaigns.tasks.survey.pool import read_pool
from tertium.campaigns.tasks.survey.sampled import ALL_KINDS, KINDS
from tertium.campaigns.tasks.survey.starter import SAMPLE, starter
from tertium.campaigns.tasks.survey.texts import (
    read_picked,
    read_rewards,
    read_texts,
)
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.judgements.adjustment.normalise import likert_score
from tertium.judgements.judgement import Judgement, Rating

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase
    from django.urls import URLPattern

    from tertium.campaigns.models import Campaign, Invitation, Item, Membership, Why

__all__ = ["BOXES", "QUESTIONS", "SYSTEM", "Survey"]

#: The questions and their scales in exports; box 1 is the worst of five.
QUESTIONS = {"adequacy": "likert-adequacy", "order": "likert-order"}
BOXES = 5
#: Every item is a segment of its own in exports, by this one "system".
SYSTEM = "survey"


class Survey(Task):
    """Asks how well a translation is understood, and what its word order does."""

    name = "survey"
    title = gettext_lazy("Word-order survey")
    summary = gettext_lazy("Say how well translations can be understood.")
    template = "survey/page.html"
    script = "survey/page.js"
    private = True
    fixed = True
    sides = ("participants", "items", "codebook")
    asks_archiving = True
    takes = Rating
    measured = ("look",)
    declared_options: ClassVar[Mapping[str, TaskOption]] = {
        "questionnaires": TaskOption(30, "how many; one a participant", least=1),
        "items": TaskOption(50, "items of a questionnaire", least=1, most=1000),
        "shared": TaskOption(
            20, "those of them that all questionnaires share", least=0
        ),
        "pairs": TaskOption(
            1, "pairs of two degrees, for every kind", least=0, most=20
        ),
        "per_corpus": TaskOption(450, "sentences sampled of a system; 0: all", least=0),
        "kinds": TaskOption(", ".join(KINDS), "permutations, with commas; also both"),
        "degrees": TaskOption(18, "the largest degree", least=2, most=100),
        "shared_list": TaskOption(
            "",
            "shared items, picked by hand: SEGMENT, SYSTEM, KIND, DEGREE, with tabs",
            file=True,
        ),
        "trees": TaskOption(
            "", "CoNLL-U of the references; {set} is the test set", file=True
        ),
        "system_trees": TaskOption("", "CoNLL-U of a {system}, for choice", file=True),
        "ranks": TaskOption(
            "", "rankings of the systems by others, such as WMT's", file=True
        ),
        "lowest": TaskOption(
            "share",
            "what the last rank gets: share is 1/N, zero is 0",
            choices=("share", "zero"),
        ),
        "aligners": TaskOption("exact", "matchers that align items, with commas"),
        "tags": TaskOption("upos", "the column of tags", choices=("upos", "xpos")),
        "punctuation": TaskOption(
            "thesis",
            "what counts as such: as in the thesis, or more",
            choices=("thesis", "wide"),
        ),
        "reuse": TaskOption(False, "hand questionnaires out again when all are taken"),
        "information": TaskOption("information.md", "the information sheet", file=True),
        "consent": TaskOption("consent.toml", "the statements to agree to", file=True),
        "debrief": TaskOption("debrief.md", "what is said at the end", file=True),
        "rewards": TaskOption(
            "", "a file of codes, one for everybody who finishes", file=True
        ),
        "sample_hypothesis": TaskOption(SAMPLE[0], "of the worked sample"),
        "sample_reference": TaskOption(SAMPLE[1], "of the worked sample"),
    }

    def __init__(self) -> None:
        self._built: Built | None = None
        self._rewards: list[str] = []
        self._sheets: dict[tuple[str, str], tuple[int, dict[str, int]]] = {}

    def options(self, config: CampaignConfig) -> dict[str, object]:
        """Return the settings, with the texts that the files hold."""
        values = super().options(config)
        _kinds(str(values["kinds"]))
        if _number(values["shared"]) > _number(values["items"]):
            what = "[task] shared is more than items; share fewer"
            raise FormatError(what, path=str(config.path))
        return values | {"texts": read_texts(config, values)}

    # ----------------------------------------------------------------- loading

    def items(self, config: CampaignConfig) -> Iterator[ItemDraft]:
        """Yield the items of all questionnaires, each once."""
        options = self.options(config)
        self._rewards = read_rewards(config, str(options["rewards"]))
        built = self._built = build(
            read_pool(config, options),
            questionnaires=_number(options["questionnaires"]),
            items=_number(options["items"]),
            shared=_number(options["shared"]),
            kinds=_kinds(str(options["kinds"])),
            pairs=_number(options["pairs"]),
            degrees=_number(options["degrees"]),
            seed=config.seed,
            picked=read_picked(config, str(options["shared_list"])),
            punctuation=str(options["punctuation"]),
        )
        largest = _number(options["degrees"])
        yield from drafts_of(
            built,
            largest=largest,
            aligners=_names(str(options["aligners"])),
            language=config.target,
        )

    def describe(self, config: CampaignConfig) -> str:
        """Return the composition of the questionnaires, and what is unbalanced."""
        from tertium.campaigns.tasks.survey.balance import report

        if self._built is None:
            return ""
        largest = _number(self.options(config)["degrees"])
        return report(self._built, seed=config.seed, largest=largest)

    def prepare(self, campaign: Campaign, drafts: Sequence[ItemDraft]) -> None:
        """Make the questionnaires, and store rewards.

        Raises
        ------
        InputError
            When questionnaires that are there would become others.
        """
        from tertium.campaigns.models import Questionnaire, Reward
        from tertium.campaigns.tasks.survey.participants import place_items

        built = self._built
        if built is None:
            return
        items = {item.key: item for item in campaign.items.all()}
        known = {one.number: one for one in campaign.questionnaires.all()}
        for number, own_items in enumerate(built.own, 1):
            wanted = [items[item.key] for item in (*built.shared, *own_items)]
            if number in known:
                have = set(known[number].items.values_list("pk", flat=True))
                if have != {item.pk for item in wanted}:
                    message = (
                        f"questionnaire {number} of {campaign.name!r} was loaded with "
                        "other items, and people may have it; load the new files "
                        "under another name"
                    )
                    raise InputError(message)
                continue
            sheet = Questionnaire.objects.create(campaign=campaign, number=number)
            place_items(sheet, wanted)
        there = set(campaign.rewards.values_list("code", flat=True))
        Reward.objects.bulk_create(
            Reward(campaign=campaign, code=code)
            for code in self._rewards
            if code not in there
        )

    # ------------------------------------------------------------------- pages

    def page(
        self, content: Mapping[str, object], options: Mapping[str, object], rng: Random
    ) -> dict[str, object]:
        """Return the name of the source language; the source itself is not shown."""
        return {"language": language_name(str(content["language"])), **boxes()}

    def check(
        self,
        content: Mapping[str, object],
        answer: object,
        options: Mapping[str, object],
    ) -> dict[str, object]:
        """Return the boxes, 1 (worst) to 5, or None where somebody gave no answer."""
        if not isinstance(answer, dict):
            raise AnswerError(_("This is not a valid answer."))
        boxes: dict[str, object] = {}
        for name in QUESTIONS:
            box = answer.get(name, "")
            if box is not None and (type(box) is not int or not 1 <= box <= BOXES):
                raise AnswerError(
                    _("Choose a box for every question, or leave it without an answer.")
                )
            boxes[name] = box
        look = answer.get("look")
        if isinstance(look, int | float) and not isinstance(look, bool):
            boxes["look"] = min(max(round(float(look), 1), 0.0), 86_400.0)
        return boxes

    def choose(self, member: Membership, rng: Random) -> tuple[Item, Why] | None:
        """Return the next item of somebody's questionnaire."""
        from tertium.campaigns.models import Why
        from tertium.campaigns.tasks.survey.participants import next_item

        item = next_item(member)
        return None if item is None else (item, Why.FIRST)

    def invited(
        self, request: HttpRequest, invitation: Invitation
    ) -> HttpResponseBase | None:
        """Show information and consent; nobody is asked for a name."""
        from tertium.campaigns.tasks.survey import views

        return views.invited(request, invitation)

    def gate(self, request: HttpRequest, member: Membership) -> HttpResponseBase | None:
        """Return the page that comes before the items."""
        from tertium.campaigns.tasks.survey import views

        return views.gate(request, member)

    def finished(
        self, request: HttpRequest, member: Membership
    ) -> HttpResponseBase | None:
        """Return the debrief."""
        from tertium.campaigns.tasks.survey import views

        return views.finished(request, member)

    @classmethod
    def urls(cls) -> list[URLPattern]:
        """Return the pages of surveys."""
        from tertium.campaigns.tasks.survey import views

        return views.urls()

    def report(self, campaign: Campaign) -> list[Section]:
        """Return quota, composition and flags for the dashboard."""
        from tertium.campaigns.tasks.survey.report import sections

        return sections(campaign)

    # ----------------------------------------------------------------- exports

    def records(self, judgement: ItemJudgement) -> Iterator[Judgement]:
        """Yield a rating for every question that was answered.

        Items are the segments: they have texts of their own, and slices are made of
        segments.
        """
        number, places = self._sheet(judgement.campaign, judgement.judge)
        missing = [name for name in QUESTIONS if judgement.answer.get(name) is None]
        common = judgement.common(
            hypothesis=judgement.content["hypothesis"],
            reference=judgement.content["reference"],
            questionnaire=number or None,
            position=places.get(judgement.item),
            missing=missing,
            look=judgement.answer.get("look"),
        )
        language = judgement.meta.get("source_language")
        if language and judgement.langpair:
            target = judgement.langpair.partition("-")[2]
            common["langpair"] = f"{language}-{target}"
        for name, scale in QUESTIONS.items():
            box = judgement.answer.get(name)
            if isinstance(box, int):
                score = likert_score(box, boxes=BOXES)
                yield Rating(SYSTEM, score, scale, judgement.item, **common)

    def _sheet(self, campaign: str, judge: str) -> tuple[int, dict[str, int]]:
        """Return the number of a judge's questionnaire, and the positions in it."""
        from tertium.campaigns.models import QuestionnaireItem

        if (campaign, judge) not in self._sheets:
            rows = QuestionnaireItem.objects.filter(
                questionnaire__campaign__name=campaign,
                questionnaire__member__code=judge,
            ).values_list("questionnaire__number", "item__key", "position")
            places = {key: position for _, key, position in rows}
            number = rows[0][0] if places else 0
            self._sheets[campaign, judge] = number, places
        return self._sheets[campaign, judge]

    def part_of(
        self, content: Mapping[str, object], origins: Origins, record: Judgement
    ) -> Hashable | None:
        """Return the question that the record answers."""
        if not isinstance(record, Rating) or record.system != SYSTEM:
            return None
        for name, scale in QUESTIONS.items():
            if record.scale == scale:
                return name
        scales = ", ".join(QUESTIONS.values())
        message = f"the scale {record.scale!r} is none of {scales}; correct it"
        raise AnswerError(message)

    def answer_of(
        self,
        content: Mapping[str, object],
        origins: Origins,
        parts: Sequence[tuple[Hashable, Judgement]],
        options: Mapping[str, object],
    ) -> object:
        """Return the boxes; a question without a rating was left out."""
        boxes: dict[str, object] = dict.fromkeys(QUESTIONS)
        for name, record in parts:
            score = cast("Rating", record).score
            box = score * (BOXES - 1) + 1
            if not box.is_integer():
                message = (
                    f"the score {score} is that of no box; scores are 0, "
                    "0.25, 0.5, 0.75 and 1"
                )
                raise AnswerError(message)
            boxes[str(name)] = int(box)
        look = meta_of(parts[0][1]).get("look")
        return boxes if look is None else boxes | {"look": look}

    def judges_to_archive(self, campaign: Campaign) -> set[str] | None:
        """Return who agreed to archiving."""
        agreed = campaign.members.filter(background__archive=True)
        return set(agreed.values_list("code", flat=True))

    def write_side(self, campaign: Campaign, what: str, path: str, **how: bool) -> None:
        """Write participants, the items as a test set, or the codebook."""
        from tertium.campaigns.tasks.survey import exports

        if what == "participants":
            exports.write_participants(campaign, path, everybody=how.get("all", False))
        elif what == "items":
            exports.write_items(campaign, path)
        elif what == "codebook":
            exports.write_codebook(path)
        else:
            super().write_side(campaign, what, path, **how)

    def starter(self) -> Starter:
        """Return a small survey with sentences, trees and texts of its own."""
        return starter()


def boxes() -> dict[str, object]:
    """Return what the questions need."""
    return {"boxes": range(1, BOXES + 1), "last_box": BOXES}


def language_name(code: str) -> str:
    """Return the name of a language for people, in theirs; "" where there is none."""
    if not code:
        return ""
    try:
        return str(get_language_info(code)["name_translated"])
    except KeyError:
        return code


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def _names(text: str) -> list[str]:
    return [name for name in map(str.strip, text.split(",")) if name]


def _kinds(text: str) -> list[str]:
    names = _names(text)
    for name in names:
        if name not in ALL_KINDS:
            raise UnknownNameError("kind of permutation", name, ALL_KINDS)
    return sorted(set(names), key=ALL_KINDS.index)
