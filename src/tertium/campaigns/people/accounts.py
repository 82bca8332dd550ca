# SPDX-License-Identifier: Apache-2.0
"""People, invitations and personal links.

An invitation is a signed token that expires; whoever follows it joins the campaign.
A personal link signs its owner in again; of the key in it only a hash is kept.
"""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core import signing
from django.db import IntegrityError, transaction
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from tertium.campaigns.dashboard import statistics
from tertium.campaigns.models import (
    Assignment,
    Campaign,
    Event,
    Invitation,
    Item,
    Membership,
    Person,
    Role,
    State,
    Why,
)
from tertium.campaigns.work.pools import lockable
from tertium.errors import InputError, TertiumError

__all__ = [
    "LETTERS",
    "InvitationError",
    "Joined",
    "NameTakenError",
    "clean_name",
    "delete_member",
    "invite",
    "join",
    "new_link",
    "new_ticket",
    "person_of_link",
    "read_invitation",
    "token_of",
]

_SALT = "tertium.invitation"
_TICKET = "tertium.ticket"
_TWICE = timedelta(minutes=5)  # in which a form that is sent again is the same one
#: The letters of pseudonyms.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike


class InvitationError(TertiumError):
    """A link that lets nobody in: altered, expired, revoked or used up."""


class NameTakenError(InvitationError):
    """Somebody else has the name."""


@dataclass(frozen=True)
class Joined:
    """A new member, and the key of their personal link, shown once."""

    member: Membership
    key: str


def invite(
    campaign: Campaign,
    role: Role,
    *,
    days: float = 30,
    most: int | None = None,
    group: str = "",
    actor: str = "cli",
) -> Invitation:
    """Return a new invitation to a campaign, recorded in its log.

    Parameters
    ----------
    most : int, optional
        How many people may use it; any number by default.
    group : str, optional
        Noted with everybody who follows it: how they were recruited.
    actor : str
        Who invites, for the log.

    Raises
    ------
    InputError
        When it could never be used.
    """
    if days <= 0 or (most is not None and most < 1):
        message = "days and most must be above 0; omit most for any number of people"
        raise InputError(message, options=("days", "most"))
    with transaction.atomic():
        made = Invitation.objects.create(
            campaign=campaign,
            role=role,
            group=group,
            most=most,
            expires=timezone.now() + timedelta(days=days),
        )
        detail = {
            "invitation": made.pk,
            "role": str(role),
            "days": days,
            "most": most,
            "group": group,
        }
        Event.objects.create(
            campaign=campaign, actor=actor, action="invite", detail=detail
        )
    return made


def join_url(invitation: Invitation, url: str) -> str:
    """Return the link by which people join, on the server at an address."""
    return f"{url}/join/{token_of(invitation)}"


def token_of(invitation: Invitation) -> str:
    """Return the signed token of an invitation."""
    # With its time: numbers start again in a new database, whose key may be the old.
    made = int(invitation.created.timestamp())
    return signing.dumps({"i": invitation.pk, "t": made}, salt=_SALT)


def read_invitation(
    token: str, *, spent: bool = False, now: datetime | None = None
) -> Invitation:
    """Return the invitation of a token.

    Parameters
    ----------
    spent : bool
        True lets one through that is used up: `join` has the last word.

    Raises
    ------
    InvitationError
        When it was altered, is unknown, over, revoked or used up.
    """
    try:
        payload = signing.loads(token, salt=_SALT)
        number, made = int(payload["i"]), int(payload["t"])
    except (signing.BadSignature, KeyError, TypeError, ValueError):
        raise InvitationError(_("This link is incomplete. Copy all of it.")) from None
    invitation = Invitation.objects.select_related("campaign").filter(pk=number).first()
    if (
        invitation is None
        or invitation.revoked
        or int(invitation.created.timestamp()) != made
    ):
        raise InvitationError(_("This invitation was withdrawn."))
    if invitation.expires < (now or timezone.now()):
        raise InvitationError(_("This invitation has expired. Ask for a new one."))
    if not spent and invitation.most is not None and invitation.uses >= invitation.most:
        raise InvitationError(_used_up())
    return invitation


def _used_up() -> str:
    return _(
        "This invitation has already been used. If you used it, open your "
        "personal link or sign in; if not, ask for a new one."
    )


def new_ticket() -> str:
    """Return what marks one form of an invitation: sent twice, it is one person."""
    return signing.dumps(secrets.token_urlsafe(18), salt=_TICKET)


def join(
    invitation: Invitation,
    *,
    name: str = "",
    password: str = "",
    person: Person | None = None,
    ticket: str = "",
) -> Joined:
    """Let somebody into a campaign.

    Parameters
    ----------
    name : str, optional
        What they are called; a random name by default.
    password : str, optional
        Without one, their personal link is the only way in.
    person : Person, optional
        Somebody who has an account already.
    ticket : str, optional
        Of the form, from `new_ticket`: a double click joins once.

    Raises
    ------
    NameTakenError
        When the name is taken.
    InvitationError
        When the invitation was used up in the meantime.
    """
    with transaction.atomic():
        # Counted by the database, so that the last place is given away once. Who
        # clicked twice waits here for their first click.
        now = timezone.now()
        free = Q(most__isnull=True) | Q(uses__lt=F("most"))
        left = Invitation.objects.filter(
            free, pk=invitation.pk, revoked=False, expires__gte=now
        )
        counted = left.update(uses=F("uses") + 1)
        key = _key_of(ticket)
        if (before := _before(invitation, person, key, now)) is not None:
            if counted:
                Invitation.objects.filter(pk=invitation.pk).update(uses=F("uses") - 1)
            return before
        if not counted:
            raise InvitationError(_used_up())
        if person is None:
            key = key or secrets.token_urlsafe(24)
            person = _new_person(name, password, key)
        else:
            key = ""
        member = Membership.objects.create(
            campaign=invitation.campaign,
            person=person,
            role=invitation.role,
            group=invitation.group,
            code=_new_code(invitation.campaign),
        )
        Event.objects.create(
            campaign=invitation.campaign,
            actor=member.code,
            action="join",
            detail={"role": member.role},
        )
        return Joined(member, key)


def _key_of(ticket: str) -> str:
    """Return the personal key that a ticket stands for; none for a forged one."""
    try:
        signing.loads(ticket, salt=_TICKET, max_age=timedelta(days=1))
    except signing.BadSignature:
        return ""
    digest = salted_hmac(_TICKET, ticket, algorithm="sha256").digest()
    return urlsafe_b64encode(digest[:24]).decode()


def _before(
    invitation: Invitation, person: Person | None, key: str, now: datetime
) -> Joined | None:
    """Return the member that somebody is already, by account or by the same form."""
    members = Membership.objects.filter(campaign=invitation.campaign_id)
    if person is not None:
        member = members.filter(person=person).first()
        return Joined(member, "") if member else None
    if not key:
        return None
    member = (
        members.select_related("person")
        .filter(person__link=_hash(key), person__is_active=True)
        .filter(joined__gte=now - _TWICE)
        .first()
    )
    return Joined(member, key) if member else None


def clean_name(name: str) -> str:
    """Return a name as it is kept: what looks the same is the same."""
    return unicodedata.normalize("NFKC", name).strip()


def _new_person(name: str, password: str, key: str) -> Person:
    name = clean_name(name) or f"guest-{secrets.token_hex(6)}"
    taken = _("This name is taken. Choose another.")
    if len(name) > 60 or Person.objects.filter(name__iexact=name).exists():
        raise NameTakenError(taken)
    person = Person(name=name, link=_hash(key))
    if password:
        person.set_password(password)
    else:
        person.set_unusable_password()
    try:
        with transaction.atomic():
            person.save()
    except IntegrityError:  # at the same moment
        raise NameTakenError(taken) from None
    return person


def _new_code(campaign: Campaign) -> str:
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(6))
        if not campaign.members.filter(code=code).exists():
            return code


def new_link(person: Person) -> str:
    """Give somebody a new personal link and return its key; the old one is void."""
    key = secrets.token_urlsafe(24)
    person.link = _hash(key)
    person.save(update_fields=["link"])
    return key


def person_of_link(key: str) -> Person | None:
    """Return whose personal link it is."""
    if len(key) < 20:
        return None
    return Person.objects.filter(link=_hash(key), is_active=True).first()


def _hash(key: str) -> str:
    # The key is random and long: a plain hash cannot be guessed backwards.
    return hashlib.sha256(key.encode()).hexdigest()


def delete_member(member: Membership, *, actor: str = "") -> int:
    """Delete somebody with all their judgements, and return how many there were.

    The log keeps that it happened, not who it was. A person who is in no other
    campaign is deleted too. Figures that hold their judgements are forgotten.

    Parameters
    ----------
    actor : str, optional
        The code of who does it, for the log.
    """
    campaign = member.campaign
    with transaction.atomic():
        lost = _delete(member, actor)
    statistics.forget(campaign)  # not before: others could make the same anew
    return lost


def _delete(member: Membership, actor: str) -> int:
    campaign, person = member.campaign, member.person
    # Locked: nothing is leased to them or submitted by them from here on.
    if lockable(Membership.objects.filter(pk=member.pk)).first() is None:
        return 0  # a second click
    held = Assignment.objects.filter(member=member)
    _lock_all(held)
    lost = held.filter(state=State.DONE).count()
    # Items whose first judgement goes are free again.
    first = held.filter(why=Why.FIRST, state__in=[State.LEASED, State.DONE])
    items = Item.objects.filter(pk__in=first.values("item"))
    _lock_all(items)
    here = first.filter(item=OuterRef("pk")).values("item")
    times = Subquery(here.annotate(n=Count("pk")).values("n"))
    items.update(taken=F("taken") - times)
    Event.objects.filter(campaign=campaign, actor=member.code).update(actor="")
    for event in Event.objects.filter(campaign=campaign, detail__member=member.code):
        event.detail = {**event.detail, "member": ""}
        event.save(update_fields=["detail"])
    member.delete()
    if not person.memberships.exists():
        person.delete()
    Event.objects.create(
        campaign=campaign,
        actor=actor,
        action="delete-member",
        detail={"judgements": lost},
    )
    return lost


def _lock_all(rows: QuerySet[Any]) -> None:
    # In one order everywhere, so that two who do this never wait for each other.
    list(lockable(rows.order_by("pk")).values_list("pk", flat=True))
