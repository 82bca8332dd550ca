# SPDX-License-Identifier: Apache-2.0
"""Who may see what: every page of a campaign asks here."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.urls import reverse

from tertium.campaigns.models import Assignment, Membership, Person, Role

__all__ = ["assignment_of", "entrance", "member_of"]


def entrance(member: Membership) -> str:
    """Return the address of the page that somebody's work begins with."""
    page = "campaign" if member.role == Role.ANNOTATOR else "dashboard"
    return reverse(page, args=[member.campaign.name])


def member_of(request: HttpRequest, name: str, *roles: Role) -> Membership:
    """Return who is asking, as a member of a campaign.

    A campaign of others looks like one that is not there.

    Raises
    ------
    Http404
        When the person is not a member.
    PermissionDenied
        When they have none of the roles.
    """
    if not isinstance(request.user, Person):
        raise Http404
    member = (
        Membership.objects.select_related("campaign", "person")
        .filter(campaign__name=name, person=request.user)
        .first()
    )
    if member is None:
        raise Http404
    if roles and member.role not in roles:
        raise PermissionDenied
    return member


def assignment_of(request: HttpRequest, key: UUID) -> Assignment:
    """Return an assignment of whoever is asking; others' are not there.

    Observers have none: who became one has no more work.
    """
    if not isinstance(request.user, Person):
        raise Http404
    assignment = (
        Assignment.objects.select_related("item__campaign", "member__campaign")
        .filter(pk=key, member__person=request.user)
        .exclude(member__role=Role.OBSERVER)
        .first()
    )
    if assignment is None:
        raise Http404
    return assignment
