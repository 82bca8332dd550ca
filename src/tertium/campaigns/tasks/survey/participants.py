# SPDX-License-Identifier: Apache-2.0
"""Participants: how they join, what they work on, how they leave.

Consent is stored apart: it has a day and a random number, and nothing that leads to
a participant. Of the withdrawal code only a hash is kept; the code itself can be
computed again for whoever is signed in.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tertium.campaigns.models import (
    Background,
    Campaign,
    Consent,
    Invitation,
    Item,
    Membership,
    Questionnaire,
    QuestionnaireItem,
    Reward,
    Role,
    State,
)
from tertium.campaigns.people.accounts import InvitationError, Joined, join, new_link
from tertium.campaigns.tasks.survey.sampled import in_order
from tertium.campaigns.tasks.survey.texts import ARCHIVE

__all__ = [
    "by_withdrawal_code",
    "complete",
    "finish",
    "give_questionnaire",
    "give_reward",
    "is_full",
    "next_item",
    "place_items",
    "reward_of",
    "take_part",
    "withdrawal_code",
]

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
_LENGTH = 12
_LONG = 20  # signs of a text that cannot be guessed

#: How long a second click of the same form is that of the same person.
_TWICE = timedelta(minutes=5)


def take_part(
    invitation: Invitation, consent: Mapping[str, bool], *, once: str = ""
) -> Joined:
    """Let somebody into a survey who agreed to it.

    Parameters
    ----------
    consent : mapping of str to bool
        Every statement: agreed or not.
    once : str, optional
        A random text of the form that was sent. Sent again, by a second click, it
        brings back the same participant.

    Raises
    ------
    InvitationError
        When the invitation is used up, or all questionnaires are taken.
    """
    name = f"guest-{_hash(once)[:24]}" if len(once) >= _LONG else ""
    try:
        known = _by_name(invitation.campaign, name)
        return known or _take_part(invitation, consent, name)
    except (InvitationError, IntegrityError):
        # The other click was quicker, and has the name.
        known = _by_name(invitation.campaign, name)
        if known is None:
            raise
        return known


def _by_name(campaign: Campaign, name: str) -> Joined | None:
    member = campaign.members.filter(
        person__name=name,
        role=Role.ANNOTATOR,
        joined__gte=timezone.now() - _TWICE,  # later it is somebody else at the machine
    ).first()
    if member is None or not name:
        return None
    return Joined(member, new_link(member.person))


def _take_part(
    invitation: Invitation, consent: Mapping[str, bool], name: str
) -> Joined:
    campaign = invitation.campaign
    with transaction.atomic():
        joined = join(invitation, name=name)
        start(joined.member, consent)
        _note_consent(campaign, consent)
    return joined


def _note_consent(campaign: Campaign, consent: Mapping[str, bool]) -> None:
    """Keep that somebody agreed, and nothing that tells who.

    Databases number rows in the order of their coming, which is that of participants.
    So all consents of the day are written anew, in random order.
    """
    # One at a time: two who rewrite the same rows would double them.
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    day = timezone.now().date()
    old = list(Consent.objects.filter(campaign=campaign, day=day))
    kept = [(one.version, one.answers) for one in old]
    kept.append((campaign.options["texts"]["version"], dict(consent)))
    secrets.SystemRandom().shuffle(kept)
    Consent.objects.filter(pk__in=[one.pk for one in old]).delete()
    Consent.objects.bulk_create(
        Consent(campaign=campaign, version=version, answers=answers, day=day)
        for version, answers in kept
    )


def start(member: Membership, consent: Mapping[str, bool]) -> Background:
    """Give somebody who agreed a questionnaire and a withdrawal code."""
    background, _new = Background.objects.get_or_create(
        member=member,
        defaults={
            "archive": consent.get(ARCHIVE, False),
            "withdrawal": _hash(withdrawal_code(member)),
        },
    )
    if give_questionnaire(member) is None:
        raise InvitationError(
            _("Everybody we needed has taken part. Thank you for your interest.")
        )
    return background


# ---------------------------------------------------------------- questionnaires


def is_full(campaign: Campaign) -> bool:
    """Return whether no questionnaire is left, and none may be handed out again."""
    if campaign.options.get("reuse"):
        return False
    return not campaign.questionnaires.filter(member=None).exists()


def give_questionnaire(member: Membership) -> Questionnaire | None:
    """Return the questionnaire of somebody: theirs, else the next that is free.

    With ``reuse``, they are handed out again in turn, in a new order, when all are
    taken. None when there is none.
    """
    questionnaire = Questionnaire.objects.filter(member=member).first()
    while questionnaire is None:
        free = member.campaign.questionnaires.filter(member=None)
        first = free.order_by("number").first()
        if first is None:
            break
        # Somebody may be quicker: the one whose update changes a row has it.
        if free.filter(pk=first.pk).update(member=member):
            questionnaire = Questionnaire.objects.get(pk=first.pk)
    if questionnaire is None and member.campaign.options.get("reuse"):
        return _again(member)
    return questionnaire


def _again(member: Membership) -> Questionnaire | None:
    campaign = member.campaign
    originals = int(str(campaign.options["questionnaires"]))
    while True:
        last = campaign.questionnaires.order_by("-number").first()
        if last is None:
            return None
        number = last.number + 1
        pattern = campaign.questionnaires.get(number=(number - 1) % originals + 1)
        try:
            with transaction.atomic():
                made = Questionnaire.objects.create(
                    campaign=campaign, number=number, member=member
                )
                place_items(made, list(pattern.items.order_by("pk")))
        except IntegrityError:
            continue  # somebody else took the number
        return made


def place_items(sheet: Questionnaire, items: list[Item]) -> None:
    """Put items into a questionnaire, in the random order of its number."""
    ordered = in_order(
        items, lambda item: item.segment, seed=sheet.campaign.seed, number=sheet.number
    )
    QuestionnaireItem.objects.bulk_create(
        QuestionnaireItem(questionnaire=sheet, item=item, position=place)
        for place, item in enumerate(ordered, 1)
    )


def next_item(member: Membership) -> Item | None:
    """Return the first item of somebody's questionnaire that they have not seen."""
    seen = member.assignments.exclude(state=State.EXPIRED).values("item")
    entry = (
        QuestionnaireItem.objects.filter(questionnaire__member=member)
        .exclude(item__in=seen)
        .select_related("item__campaign")
        .order_by("position")
        .first()
    )
    return entry.item if entry else None


def complete(member: Membership) -> bool:
    """Return whether somebody has been through all of their questionnaire."""
    if not Questionnaire.objects.filter(member=member).exists():
        return False
    waiting = member.assignments.filter(state=State.LEASED).exists()
    return not waiting and next_item(member) is None


def finish(member: Membership) -> None:
    """Record that somebody is done, at the first time."""
    Background.objects.filter(member=member).exclude(step=Background.Step.DONE).update(
        step=Background.Step.DONE, finished=timezone.now()
    )


def reward_of(member: Membership) -> str:
    """Return the reward that somebody got; "" if they have none."""
    reward = Reward.objects.filter(member=member).first()
    return reward.code if reward else ""


def give_reward(member: Membership) -> str:
    """Return somebody's reward, sampled at the first call; "" if none is left.

    Asking again, or twice at once, gives the same.
    """
    free = Reward.objects.filter(campaign=member.campaign_id, given=False)
    while not (reward := reward_of(member)):
        numbers = list(free.values_list("pk", flat=True))
        if not numbers:
            return ""
        # Another click may be quicker, and somebody else: look again.
        with suppress(IntegrityError), transaction.atomic():
            free.filter(pk=secrets.choice(numbers)).update(given=True, member=member)
    return reward


# -------------------------------------------------------------------- withdrawal


def withdrawal_code(member: Membership) -> str:
    """Return the code by which somebody can have their data deleted."""
    text = f"withdrawal:{member.pk}:{member.code}"
    digest = hmac.new(settings.SECRET_KEY.encode(), text.encode(), hashlib.sha256)
    number = int.from_bytes(digest.digest(), "big")
    letters = []
    for _place in range(_LENGTH):
        number, place = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[place])
    code = "".join(letters)
    return "-".join(code[i : i + 4] for i in range(0, _LENGTH, 4))


def by_withdrawal_code(campaign: Campaign, code: str) -> Membership | None:
    """Return whose withdrawal code it is."""
    background = (
        Background.objects.filter(member__campaign=campaign, withdrawal=_hash(code))
        .select_related("member__campaign", "member__person")
        .first()
    )
    return background.member if background else None


def _hash(code: str) -> str:
    plain = "".join(sign for sign in code.lower() if sign.isalnum())
    return hashlib.sha256(plain.encode()).hexdigest()
