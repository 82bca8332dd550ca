# SPDX-License-Identifier: Apache-2.0
"""What managers do, each with a line in the log.

Details of the log name people by their codes and items by their keys: never accounts,
links or answers.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from tertium.campaigns.models import (
    Assignment,
    Campaign,
    Event,
    Invitation,
    Item,
    Membership,
    Role,
    State,
)
from tertium.campaigns.people import accounts
from tertium.campaigns.work import leases as work
from tertium.errors import TertiumError

__all__ = [
    "KEEP",
    "RejectedError",
    "delete_member",
    "give",
    "invite",
    "log",
    "may_link",
    "new_link",
    "offer_again",
    "pause_member",
    "release",
    "release_all",
    "revoke",
    "set_phase",
]

#: How long an item that was given to somebody waits for them.
KEEP = timedelta(days=7)

_PHASES = {
    Campaign.Phase.OPEN: "resume",
    Campaign.Phase.PAUSED: "pause",
    Campaign.Phase.CLOSED: "close",
}


class RejectedError(TertiumError):
    """Something that cannot be done now; the message says why."""


def log(actor: Membership, action: str, **detail: object) -> None:
    """Add a line to the log of a campaign."""
    Event.objects.create(
        campaign=actor.campaign, actor=actor.code, action=action, detail=detail
    )


def set_phase(actor: Membership, phase: Campaign.Phase) -> bool:
    """Open, pause or close a campaign; return whether that changed anything."""
    with transaction.atomic():
        others = Campaign.objects.filter(pk=actor.campaign_id).exclude(phase=phase)
        changed = bool(others.update(phase=phase))
        if changed:
            log(actor, _PHASES[phase])
    return changed


def pause_member(actor: Membership, member: Membership, *, paused: bool) -> bool:
    """Pause or resume somebody's work; return whether that changed anything."""
    with transaction.atomic():
        rows = Membership.objects.filter(pk=member.pk, paused=not paused)
        changed = bool(rows.update(paused=paused))
        if changed:
            action = "pause-member" if paused else "resume-member"
            log(actor, action, member=member.code)
    return changed


def release(actor: Membership, assignment: Assignment) -> bool:
    """Take work back from somebody; return whether it was still theirs."""
    with transaction.atomic():
        held = Assignment.objects.select_for_update().filter(
            pk=assignment.pk, state=State.LEASED
        )
        if not held.exists():
            return False
        work.release(assignment)
        log(
            actor,
            "release",
            member=assignment.member.code,
            item=assignment.item.key,
        )
    return True


def release_all(actor: Membership, member: Membership) -> int:
    """Take all open work back from somebody, and return how many items it was."""
    held = member.assignments.filter(state=State.LEASED).select_related(
        "item", "member"
    )
    return sum(release(actor, assignment) for assignment in list(held))


def offer_again(actor: Membership, assignment: Assignment) -> bool:
    """Offer somebody an item again that they skipped."""
    with transaction.atomic():
        if not work.offer_again(assignment):
            return False
        log(
            actor,
            "offer-again",
            member=assignment.member.code,
            item=assignment.item.key,
        )
    return True


def give(actor: Membership, member: Membership, item: Item) -> Assignment:
    """Assign an item to somebody as their next one.

    Raises
    ------
    RejectedError
        When they cannot work now, or have an open item.
    """
    if member.role == Role.OBSERVER:
        raise RejectedError(_("Observers do not judge."))
    if member.paused:
        raise RejectedError(_("This person is paused. Resume their work first."))
    if member.campaign.phase != Campaign.Phase.OPEN:
        raise RejectedError(_("The campaign is not open. Resume it first."))
    with transaction.atomic():
        assignment = work.assign(member, item, keep=KEEP)
        if assignment is not None:
            log(actor, "give", member=member.code, item=item.key)
    if assignment is None:
        raise RejectedError(_("This person has an open item. Take it back first."))
    return assignment


def invite(
    actor: Membership, role: Role, *, days: float, most: int | None, group: str
) -> Invitation:
    """Return a new invitation."""
    return accounts.invite(
        actor.campaign, role, days=days, most=most, group=group, actor=actor.code
    )


def revoke(actor: Membership, invitation: Invitation) -> bool:
    """Withdraw an invitation; return whether it was there to withdraw."""
    with transaction.atomic():
        rows = Invitation.objects.filter(pk=invitation.pk, revoked=False)
        changed = bool(rows.update(revoked=True))
        if changed:
            log(actor, "revoke", invitation=invitation.pk)
    return changed


def may_link(actor: Membership, member: Membership) -> bool:
    """Return whether a manager may give somebody a new personal link.

    Whoever has the link is that person in all their campaigns: a manager must not
    get into campaigns of others that way.
    """
    managed = actor.person.memberships.filter(role=Role.MANAGER).values("campaign")
    return not member.person.memberships.exclude(campaign__in=managed).exists()


def new_link(actor: Membership, member: Membership) -> str:
    """Return the key of a new personal link of somebody; the old one is void.

    Raises
    ------
    RejectedError
        When the person is in a campaign that the manager does not manage.
    """
    if not may_link(actor, member):
        raise RejectedError(
            _(
                "This person also takes part in other people’s campaigns. Invite "
                "them again instead."
            )
        )
    with transaction.atomic():
        key = accounts.new_link(member.person)
        log(actor, "new-link", member=member.code)
    return key


def delete_member(actor: Membership, member: Membership) -> int:
    """Delete somebody with all their judgements, and return how many there were.

    Raises
    ------
    RejectedError
        When managers would delete themselves.
    """
    if member.pk == actor.pk:
        raise RejectedError(
            _("You cannot delete yourself. Ask another manager to do it.")
        )
    return accounts.delete_member(member, actor=actor.code)
