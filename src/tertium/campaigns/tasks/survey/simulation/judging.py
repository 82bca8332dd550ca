# SPDX-License-Identifier: Apache-2.0
"""Simulated judges take part in a survey as people do: consent, background, items.

Every step is the one behind a page of the survey, so the database and its exports are
those of a real survey. Only the clock is simulated.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from random import Random

from django.db import transaction

from tertium.campaigns.models import Background, Campaign, Membership, Role
from tertium.campaigns.people.accounts import invite
from tertium.campaigns.tasks.survey import participants
from tertium.campaigns.tasks.survey.forms import BackgroundForm
from tertium.campaigns.tasks.survey.simulation.known import KnownJudges
from tertium.campaigns.work.leases import look, next_assignment, submit
from tertium.errors import InputError

__all__ = ["judge_all"]

_START = datetime(2024, 1, 8, 9, 0, tzinfo=timezone.utc)
_SECONDS = (14.0, 45.0)  # of an item
_GENDERS = ("female", "male", "other", "not-said")
_EDUCATION = ("school", "college", "undergraduate", "masters", "doctorate")


def judge_all(
    campaign: Campaign,
    judges: KnownJudges,
    number: int,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> list[str]:
    """Let simulated judges answer a survey, and return their pseudonyms.

    Parameters
    ----------
    judges : KnownJudges
    number : int
        How many take part, one after the other.
    progress : callable, optional
        Called with how many are done, and how many there are.

    Raises
    ------
    InputError
        When somebody has answered the survey already.
    """
    if campaign.members.filter(role=Role.ANNOTATOR).exists():
        message = (
            f"the survey {campaign.name!r} has participants already; simulate judges "
            "in another folder"
        )
        raise InputError(message, options=("folder",))
    invitation = invite(campaign, Role.ANNOTATOR, group="simulated")
    statements = [one["id"] for one in campaign.options["texts"]["statements"]]
    codes = []
    for judge in range(number):
        # One transaction per judge: people are slower than the disk, judges are not.
        with transaction.atomic():
            consent = dict.fromkeys(statements, True)
            member = participants.take_part(invitation, consent).member
            _background(member, Random(f"{judges.seed}:background:{judge}"))
            _judge(member, judges, judge)
        codes.append(member.code)
        if progress is not None:
            progress(judge + 1, number)
    return codes


def _background(member: Membership, rng: Random) -> None:
    """Answer the questions about oneself; some are skipped."""
    answers = {
        "first_language": rng.choice(("yes", "yes", "yes", "no")),
        "gender": rng.choice(_GENDERS),
        "education": rng.choice(("", *_EDUCATION)),
        "age": str(rng.randrange(18, 75)),
        "grammar": str(rng.randrange(1, 6)),
    }
    form = BackgroundForm(answers)
    if not form.is_valid():
        raise InputError(f"the background form rejects {answers}: {form.errors}")
    background = member.background
    background.answers = form.answers()
    background.step = Background.Step.ITEMS
    background.save(update_fields=["answers", "step"])


def _judge(member: Membership, judges: KnownJudges, judge: int) -> None:
    rng = Random(f"{judges.seed}:clock:{judge}")
    now = _START + timedelta(hours=judge)
    while (assignment := next_assignment(member, now=now)) is not None:
        look(assignment, now=now)
        now += timedelta(seconds=round(rng.uniform(*_SECONDS), 1))
        submit(assignment, judges.answer(judge, assignment.item.key), now=now)
    participants.finish(member)
