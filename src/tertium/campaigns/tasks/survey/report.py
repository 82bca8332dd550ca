# SPDX-License-Identifier: Apache-2.0
"""What the dashboard shows of a survey: quota, composition, and flags."""

from __future__ import annotations

from statistics import mean

from django.utils.translation import gettext as _

from tertium.campaigns.models import Background, Campaign, Judgement
from tertium.campaigns.tasks.base import Section
from tertium.campaigns.tasks.survey.drawn import HYPOTHESIS, KINDS
from tertium.campaigns.tasks.survey.flags import flag_participants
from tertium.campaigns.tasks.survey.task import QUESTIONS
from tertium.judgements.normalise import likert_score

__all__ = ["sections"]


def sections(campaign: Campaign) -> list[Section]:
    """Return the parts of the dashboard that only surveys have."""
    return [_quota(campaign), _composition(campaign), _flags(campaign)]


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
    text = _("Who withdraws, or is deleted, leaves a questionnaire for somebody else.")
    return Section(_("Questionnaires"), text, (_("What"), _("Number")), rows)


def _composition(campaign: Campaign) -> Section:
    """Return the scores by kind: they should fall with what was done to the text."""
    scores: dict[str, dict[str, list[float]]] = {}
    for answer, meta in Judgement.objects.filter(
        assignment__item__campaign=campaign
    ).values_list("answer", "assignment__item__meta"):
        own = scores.setdefault(str(meta.get("permutation")), {})
        for name in QUESTIONS:
            if isinstance(box := answer.get(name), int):
                own.setdefault(name, []).append(likert_score(box))
    items = [
        item.get("permutation")
        for item in campaign.items.values_list("meta", flat=True)
    ]
    rows = []
    for kind in (HYPOTHESIS, *KINDS):
        means = [
            f"{mean(given):.2f}" if (given := scores.get(kind, {}).get(name)) else None
            for name in QUESTIONS
        ]
        rows.append((kind, items.count(kind), *means))
    text = _(
        "Mean scores from 0 to 1. Permutations of the kind choice leave the order of "
        "words alone, so their order should be near 1."
    )
    head = (_("Kind"), _("Items"), _("Adequacy"), _("Word order"))
    return Section(_("Scores by kind"), text, head, rows)


def _flags(campaign: Campaign) -> Section:
    rows = [
        (
            one.code,
            one.judged,
            one.missing,
            None if one.seconds is None else round(one.seconds, 1),
            "; ".join(one.flags) or "–",
        )
        for one in flag_participants(campaign)
    ]
    text = _("Flags are hints to look; nobody's answers are left out because of them.")
    head = (
        _("Participant"),
        _("Items"),
        _("Missing answers"),
        _("Seconds"),
        _("What stands out"),
    )
    return Section(_("Attention"), text, head, rows)
