# SPDX-License-Identifier: Apache-2.0
"""The manager's pages: how far the campaign is, and who did what."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from tertium.campaigns.models import Role
from tertium.campaigns.progress import members, progress
from tertium.campaigns.views.access import member_of

__all__ = ["dashboard"]


@login_required
def dashboard(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show how far a campaign is."""
    member = member_of(request, name, Role.MANAGER, Role.OBSERVER)
    context = {
        "campaign": member.campaign,
        "member": member,
        "progress": progress(member.campaign),
        "people": members(member.campaign),
    }
    return render(request, "campaigns/dashboard.html", context)
