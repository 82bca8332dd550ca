# SPDX-License-Identifier: Apache-2.0
"""The first pages: my campaigns, and one campaign."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render

from tertium.campaigns.config import Plan
from tertium.campaigns.dashboard.progress import judged_by, missing_first
from tertium.campaigns.markdown import to_html
from tertium.campaigns.models import Item, Person, State, Why
from tertium.campaigns.tasks import get_task
from tertium.campaigns.views.access import entrance, member_of
from tertium.campaigns.work import leases as work
from tertium.campaigns.work.pools import offered

__all__ = ["campaign", "home"]


@login_required
def home(request: HttpRequest) -> HttpResponseBase:
    """List the campaigns of whoever is signed in; with one there is no choice."""
    if not isinstance(request.user, Person):
        return redirect("sign-in")
    members = list(
        request.user.memberships.select_related("campaign").order_by("campaign__title")
    )
    if len(members) == 1:
        return redirect(entrance(members[0]))
    return render(request, "campaigns/home.html", {"members": members})


@login_required
def campaign(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show instructions and progress, and the way to work."""
    member = member_of(request, name)
    task = get_task(member.campaign.task)
    gate = task.gate(request, member)
    if gate is not None:
        return gate
    plan = Plan.from_json(member.campaign.plan)
    left = Item.objects.filter(
        campaign=member.campaign, kind=Item.Kind.WORK, taken__lt=plan.judgements
    ).count()
    again = not left and plan.extra and offered(member, plan).exists()
    missing = missing_first(member.campaign)
    why = work.available(member)
    if why == Why.TRAINING and not missing and not again:
        why = None  # nobody practises for a campaign that is complete
    lessons = member.campaign.items.filter(kind=Item.Kind.TRAINING)
    over = member.assignments.filter(state__in=[State.DONE, State.SKIPPED])
    context = {
        "member": member,
        "campaign": member.campaign,
        "task": task,
        "instructions": to_html(member.campaign.instructions),
        "done": judged_by(member),
        "lessons": lessons.exclude(pk__in=over.values("item")).count(),
        "open": member.assignments.filter(state=State.LEASED).exists(),
        "left": left,
        "again": again,
        "missing": missing,
        "nothing": why is None,
    }
    return render(request, "campaigns/campaign.html", context)
