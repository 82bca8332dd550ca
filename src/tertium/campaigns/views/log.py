# SPDX-License-Identifier: Apache-2.0
"""The log of what was done in a campaign."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from tertium.campaigns.dashboard.labels import label
from tertium.campaigns.models import Event, Role
from tertium.campaigns.views.access import member_of
from tertium.campaigns.views.dashboard import SEERS, show

__all__ = ["log"]

_PAGE = 100


@login_required
@require_safe
def log(request: HttpRequest, name: str) -> HttpResponseBase:
    """List events, the newest first."""
    member = member_of(request, name, *SEERS)
    events = Event.objects.filter(campaign=member.campaign).order_by("-time", "-pk")
    if member.role != Role.MANAGER:  # invitations are the managers' business
        events = events.exclude(action__in=["invite", "revoke"])
    page = Paginator(events, _PAGE).get_page(request.GET.get("page"))
    rows = [
        (
            event,
            ", ".join(
                f"{label(key)}: {label(value)}"
                for key, value in sorted(event.detail.items())
                if value not in (None, "")
            ),
        )
        for event in page.object_list
    ]
    return show(request, member, "log", {"page": page, "rows": rows})
