# SPDX-License-Identifier: Apache-2.0
"""The overview of a campaign: progress, agreement, speed, systems, open work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tertium.campaigns.dashboard import activity, charts, statistics, wording
from tertium.campaigns.dashboard.remembering import state_of
from tertium.campaigns.models import Campaign, Membership, Role, Why
from tertium.campaigns.tasks import get_task
from tertium.campaigns.views.access import member_of

if TYPE_CHECKING:
    from tertium.judgements import Flag

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
    state = state_of(campaign)
    counts = statistics.counts(campaign, state)  # the quickest first
    findings = statistics.findings(campaign, state)
    sections = statistics.sections(campaign, state)
    context = {
        "judgements": state[0],
        "newer": max(0, state[0] - findings.judgements),
        "findings": findings,
        "records": wording.records(findings.records) or "0",
        "resamples": statistics.RESAMPLES,
        "none": _none(findings),
        "marks_only": get_task(campaign.task).marks_only(campaign.options),
        "sections": sections,
        **_said(campaign, findings),
        **_happened(campaign, findings, counts),
        **_open(campaign),
    }
    reply = show(request, member, "overview", context)
    if findings.waiting or counts is None or sections is None:
        reply["Refresh"] = "10"
    return reply


def _none(findings: statistics.Findings) -> str:
    """Return why a panel is empty."""
    if findings.waiting:
        return _(
            "The figures are being computed; this page will show them in a moment."
        )
    reason = findings.reason or "there are no judgements yet"
    return f"{_('n/a')}: {_(reason)}"


def _said(campaign: Campaign, findings: statistics.Findings) -> dict[str, object]:
    """Return what judgements say: agreement, flags, systems, composition."""
    agreement = [wording.figure(one) for one in findings.agreement]
    names = [one.short for one in agreement]
    return {
        "agreement": agreement,
        "kappa_chart": charts.agreement(names, findings.agreement),
        "flags": [
            (judge, flag)
            for judge, profile in findings.judges.items()
            for flag in profile.flags
        ],
        "systems": [
            (
                wording.systems(one, task=campaign.task),
                one.ranking and charts.systems(one.ranking),
            )
            for one in findings.systems
        ],
        "composition": [wording.composition(one) for one in findings.composition],
    }


def _happened(
    campaign: Campaign, findings: statistics.Findings, counts: statistics.Counts | None
) -> dict[str, object]:
    """Return progress and speed."""
    if counts is None:
        return {"progress": None}
    far, happened = counts.progress, counts.activity
    return {
        "progress": far,
        "share": round(100 * far.first / far.wanted) if far.wanted else 0,
        "left": wording.remaining(activity.remaining(campaign, far, happened)),
        "days_chart": charts.days(happened.days),
        "people_chart": charts.people(
            [
                (one.code, one.seconds, bool(_flags(findings, one.code)))
                for one in counts.people
                if one.seconds is not None
            ]
        ),
        "times_chart": charts.times(happened.seconds),
        "seconds": wording.seconds(far.seconds),
        "long": happened.long,
    }


def _flags(findings: statistics.Findings, code: str) -> tuple[Flag, ...]:
    profile = findings.judges.get(code)
    return () if profile is None else profile.flags


def _open(campaign: Campaign) -> dict[str, object]:
    """Return the work that is under way or was skipped, as it is now."""
    leases, skips = activity.leases(campaign), activity.skips(campaign)
    return {
        # As `tertium campaign status` counts them: training measures nobody.
        "under_way": leases.exclude(why=Why.TRAINING).count(),
        "leases": leases[:_LISTED],
        "leases_left": max(0, leases.count() - _LISTED),
        "skips": skips[:_LISTED],
        "skips_left": max(0, skips.count() - _LISTED),
    }
