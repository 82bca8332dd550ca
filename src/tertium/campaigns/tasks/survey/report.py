# SPDX-License-Identifier: Apache-2.0
"""The dashboard sections of a survey: quota, composition, flags."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import mean
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from tertium.campaigns.models import Background, Campaign, Judgement
from tertium.campaigns.tasks.base import Section
from tertium.campaigns.tasks.survey.flags import flag_participants
from tertium.campaigns.tasks.survey.sampled import ALL_KINDS, HYPOTHESIS, KINDS
from tertium.campaigns.tasks.survey.task import BOXES, QUESTIONS
from tertium.judgements.adjustment.normalise import likert_score
from tertium.stats.correlation import spearman

__all__ = ["sections"]

_FEWEST = 3  # pairs for a correlation


class _Judgement(NamedTuple):
    """Scores of the questions that somebody answered, and the item."""

    scores: dict[str, float]
    item: int
    meta: dict[str, Any]


def sections(campaign: Campaign) -> list[Section]:
    """Return the parts of the dashboard that only surveys have."""
    answers = [
        _Judgement(
            {
                name: likert_score(box)
                for name in QUESTIONS
                if isinstance(box := answer.get(name), int)
            },
            item,
            meta,
        )
        for answer, item, meta in Judgement.objects.filter(
            assignment__item__campaign=campaign
        ).values_list("answer", "assignment__item_id", "assignment__item__meta")
    ]
    return [
        _quota(campaign),
        _composition(campaign, answers),
        _known(answers),
        _flags(campaign),
    ]


def _kind(name: str) -> str:
    """Return a kind with what it does, which exports call by the first word."""
    return {
        "hypothesis": _("hypothesis"),
        "order": _("order: words are moved"),
        "swap": _("swap: words change places"),
        "phrase": _("phrase: phrases are moved"),
        "choice": _("choice: words are replaced"),
        "both": _("both: words are replaced, then moved"),
    }[name]


def _quota(campaign: Campaign) -> Section:
    sheets = campaign.questionnaires
    people = Background.objects.filter(member__campaign=campaign)
    rows = [
        (_("questionnaires"), sheets.count()),
        (_("taken"), sheets.exclude(member=None).count()),
        (_("finished"), people.exclude(finished=None).count()),
        (_("agreed to archiving"), people.filter(archive=True).count()),
        (_("rewards left"), campaign.rewards.filter(given=False).count()),
    ]
    text = _(
        "When participants withdraw or are deleted, their questionnaires "
        "become free for others."
    )
    return Section(_("Questionnaires"), text, (_("What"), _("Number")), rows)


def _kinds(present: Collection[object]) -> list[str]:
    """Return the usual kinds, and others that some item has."""
    return [kind for kind in ALL_KINDS if kind in KINDS or kind in present]


def _composition(campaign: Campaign, answers: Sequence[_Judgement]) -> Section:
    """Return the scores by kind: they should fall with what was done to the text."""
    scores: dict[str, dict[str, list[float]]] = {}
    for one in answers:
        by_question = scores.setdefault(str(one.meta.get("permutation")), {})
        for name, score in one.scores.items():
            by_question.setdefault(name, []).append(score)
    items = [
        item.get("permutation")
        for item in campaign.items.values_list("meta", flat=True)
    ]
    rows = []
    for kind in (HYPOTHESIS, *_kinds(items)):
        means = [
            f"{mean(values):.2f}"
            if (values := scores.get(kind, {}).get(name))
            else None
            for name in QUESTIONS
        ]
        rows.append((_kind(kind), items.count(kind), *means))
    text = _(
        "Mean scores from 0 to 1. Permutations of kind “choice” do not "
        "change the word order, so their order score should be near 1."
    )
    head = (_("Kind"), _("Items"), _("Adequacy"), _("Word order"))
    return Section(_("Scores by kind"), text, head, rows)


def _known(answers: Sequence[_Judgement]) -> Section:
    """Return how scores correlate with known quality."""
    rows = [
        _related(
            _("ranks by others"),
            [
                (one, float(rank))
                for one in answers
                if (rank := one.meta.get("rank_score")) is not None
            ],
        )
    ]
    present = {one.meta.get("permutation") for one in answers}
    for kind in _kinds(present):
        # The score of the degree: 1 for the least.
        judgements = [one for one in answers if one.meta.get("permutation") == kind]
        rows.append(
            _related(
                _kind(kind), [(one, float(one.meta["quality"])) for one in judgements]
            )
        )
    text = _(
        "Spearman’s rho of single judgements and of item means. Hypotheses "
        "that others, such as WMT judges, ranked higher should be more "
        "adequate. Permutations of a small degree should have a better "
        "order score, except those of kind “choice”."
    )
    head = (
        _("Compared with"),
        _("Items"),
        _("Adequacy"),
        _("Word order"),
        _("Adequacy, means"),
        _("Word order, means"),
    )
    return Section(_("Scores compared with known quality"), text, head, rows)


def _related(
    name: str, pairs: Sequence[tuple[_Judgement, float]]
) -> tuple[object, ...]:
    known = {one.item: value for one, value in pairs}
    plain, means = [], []
    for question in QUESTIONS:
        by_item: dict[int, list[float]] = {}
        for one, _value in pairs:
            if question in one.scores:
                by_item.setdefault(one.item, []).append(one.scores[question])
        every = [(known[item], score) for item in by_item for score in by_item[item]]
        plain.append(_rho(every))
        means.append(
            _rho(
                [
                    (known[item], mean(item_scores))
                    for item, item_scores in by_item.items()
                ]
            )
        )
    return (name, len(known), *plain, *means)


def _rho(pairs: Sequence[tuple[float, float]]) -> str | None:
    if len(pairs) < _FEWEST:
        return None
    rho = spearman([one for one, _ in pairs], [other for _, other in pairs])
    return None if rho is None else f"{rho:.2f}"


def _flags(campaign: Campaign) -> Section:
    rows = [
        (
            one.code,
            one.judged,
            one.missing,
            None if one.seconds is None else f"{one.seconds:.1f}",
            *(_used(one.boxes[name]) for name in QUESTIONS),
            None if one.choice_order is None else f"{one.choice_order:.2f}",
            None if one.damage is None else f"{one.damage:.2f}",
            "; ".join(one.flags) or "–",
        )
        for one in flag_participants(campaign)
    ]
    text = _(
        "Flags are hints to look closer; nobody's judgements are excluded "
        "because of them. Boxes: how often 1, 2, 3, 4 and 5 were chosen. "
        "Choice: the mean word-order score where only words were exchanged; "
        "it should be near 1. Moved: the rho of the word-order score where "
        "words were moved; it should be above 0."
    )
    head = (
        _("Participant"),
        _("Items"),
        _("Missing answers"),
        _("Seconds"),
        _("Boxes, adequacy"),
        _("Boxes, word order"),
        _("Choice"),
        _("Moved"),
        _("What stands out"),
    )
    return Section(_("Attention"), text, head, rows)


def _used(boxes: Mapping[int, int]) -> str:
    return " ".join(str(boxes.get(box, 0)) for box in range(1, BOXES + 1))
