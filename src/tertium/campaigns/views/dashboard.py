# SPDX-License-Identifier: Apache-2.0
"""The overview of a campaign: progress, agreement, speed, systems, open work."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tertium.campaigns import activity, charts, statistics, wording
from tertium.campaigns.models import Membership, Role
from tertium.campaigns.progress import members, progress
from tertium.campaigns.views.access import member_of

__all__ = ["SEERS", "dashboard", "show"]

#: Who may read the dashboard.
SEERS = (Role.MANAGER, Role.OBSERVER)
_LISTED = 50  # leases and skips on the overview


def show(
    request: HttpRequest,
    member: Membership,
    tab: str,
    context: dict[str, object],
    *,
    status: int = 200,
) -> HttpResponse:
    """Return a page of the dashboard under one of its tabs."""
    shared = {
        "campaign": member.campaign,
        "member": member,
        "manages": member.role == Role.MANAGER,
        "tab": tab,
    }
    page = f"campaigns/manage/{tab}.html"
    return render(request, page, {**context, **shared}, status=status)


@login_required
@require_safe
def dashboard(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show how far a campaign is and what it says so far."""
    member = member_of(request, name, *SEERS)
    campaign = member.campaign
    found = statistics.findings(campaign)
    far = progress(campaign)
    happened = activity.activity(campaign)
    leases, skips = activity.leases(campaign), activity.skips(campaign)
    agreement = [wording.figure(one) for one in found.agreement]
    people = members(campaign)
    context: dict[str, object] = {
        "progress": far,
        "under_way": leases.filter(why="first").count(),
        "share": round(100 * far.first / far.wanted) if far.wanted else 0,
        "left": wording.left(activity.left(campaign, far, happened)),
        "findings": found,
        "resamples": statistics.RESAMPLES,
        "newer": max(0, far.judgements - found.answers),
        "agreement": agreement,
        "kappa_chart": charts.agreement(
            [one.name for one in agreement], found.agreement
        ),
        "days_chart": charts.days(happened.days),
        "times_chart": charts.times(happened.seconds),
        "seconds": wording.seconds(far.seconds),
        "long": happened.long,
        "people_chart": charts.people(
            [
                (one.code, one.seconds, _flagged(found, one.code))
                for one in people
                if one.seconds is not None
            ]
        ),
        "flags": [
            (judge, flag) for judge, own in found.judges.items() for flag in own.flags
        ],
        "systems": [
            (one, wording.systems(one), one.ranking and charts.systems(one.ranking))
            for one in found.systems
        ],
        "composition": [wording.composition(one) for one in found.composition],
        "sections": statistics.sections(campaign),
        "leases": leases[:_LISTED],
        "leases_left": max(0, far.under_way - _LISTED),
        "skips": skips[:_LISTED],
        "skips_left": max(0, skips.count() - _LISTED),
    }
    return show(request, member, "overview", context)


def _flagged(found: statistics.Findings, code: str) -> bool:
    return code in found.judges and bool(found.judges[code].flags)
