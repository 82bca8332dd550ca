# SPDX-License-Identifier: Apache-2.0
"""Forms of managers: every one changes something, and says so in the log."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from tertium.campaigns.dashboard import managing
from tertium.campaigns.models import Assignment, Campaign, Membership, Role
from tertium.campaigns.views.access import member_of
from tertium.campaigns.views.items import item_of
from tertium.campaigns.views.people import colleague, keep_link

__all__ = [
    "delete",
    "give",
    "link",
    "offer_again",
    "pause",
    "phase",
    "release",
    "take_back",
]


def _back(request: HttpRequest, page: str, *names: object) -> HttpResponseBase:
    """Go back to the page that the form was on."""
    wanted = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    if wanted.startswith("/") and safe:
        return redirect(wanted)
    return redirect(page, *names)


@login_required
@require_POST
def phase(request: HttpRequest, name: str) -> HttpResponseBase:
    """Open, pause or close the campaign."""
    actor = member_of(request, name, Role.MANAGER)
    messages_by_phase = {
        Campaign.Phase.OPEN: _("The campaign is open: work is handed out."),
        Campaign.Phase.PAUSED: _(
            "The campaign is paused: open items can be finished, no new ones are "
            "handed out."
        ),
        Campaign.Phase.CLOSED: _("The campaign is closed."),
    }
    wanted = request.POST.get("phase", "")
    if wanted not in Campaign.Phase.values:
        raise Http404
    new = Campaign.Phase(wanted)
    managing.set_phase(actor, new)
    messages.success(request, messages_by_phase[new])
    return redirect("dashboard", name)


@login_required
@require_POST
def pause(request: HttpRequest, name: str, code: str) -> HttpResponseBase:
    """Pause somebody, or let them go on."""
    actor = member_of(request, name, Role.MANAGER)
    who = colleague(actor, code)
    paused = request.POST.get("paused") == "yes"
    managing.pause_member(actor, who, paused=paused)
    text = _("%(code)s is paused.") if paused else _("%(code)s can go on.")
    messages.success(request, text % {"code": code})
    return redirect("person", name, code)


@login_required
@require_POST
def take_back(request: HttpRequest, name: str, code: str) -> HttpResponseBase:
    """Take all open work back from somebody."""
    actor = member_of(request, name, Role.MANAGER)
    n = managing.release_all(actor, colleague(actor, code))
    text = ngettext("%(n)d item was taken back.", "%(n)d items were taken back.", n)
    messages.success(request, text % {"n": n})
    return redirect("person", name, code)


def _assignment(actor: Membership, key: UUID) -> Assignment:
    assignment = (
        Assignment.objects.select_related("item__campaign", "member__campaign")
        .filter(pk=key, item__campaign=actor.campaign_id)
        .first()
    )
    if assignment is None:
        raise Http404
    return assignment


@login_required
@require_POST
def release(request: HttpRequest, name: str, key: UUID) -> HttpResponseBase:
    """Take one item back from somebody."""
    actor = member_of(request, name, Role.MANAGER)
    if managing.release(actor, _assignment(actor, key)):
        messages.success(request, _("The item was taken back. Others can get it."))
    else:
        messages.warning(request, _("It was finished in the meantime."))
    return _back(request, "dashboard", name)


@login_required
@require_POST
def offer_again(request: HttpRequest, name: str, key: UUID) -> HttpResponseBase:
    """Offer somebody an item again that they skipped."""
    actor = member_of(request, name, Role.MANAGER)
    if managing.offer_again(actor, _assignment(actor, key)):
        messages.success(request, _("The person can get the item again."))
    else:
        messages.warning(request, _("The item is no longer skipped."))
    return _back(request, "dashboard", name)


@login_required
@require_POST
def give(request: HttpRequest, name: str, number: int) -> HttpResponseBase:
    """Assign an item to somebody as their next one."""
    actor = member_of(request, name, Role.MANAGER)
    item = item_of(actor.campaign, number)
    who = colleague(actor, request.POST.get("code", ""))
    try:
        managing.give(actor, who, item)
    except managing.RejectedError as error:
        messages.error(request, str(error))
    else:
        text = _("%(code)s gets this item next.")
        messages.success(request, text % {"code": who.code})
    return redirect("item", name, number)


@login_required
@require_POST
def link(request: HttpRequest, name: str, code: str) -> HttpResponseBase:
    """Give somebody a new personal link, shown once."""
    actor = member_of(request, name, Role.MANAGER)
    who = colleague(actor, code)
    try:
        keep_link(request, who, managing.new_link(actor, who))
    except managing.RejectedError as error:
        messages.error(request, str(error))
    return redirect("person", name, code)


@login_required
@require_POST
def delete(request: HttpRequest, name: str, code: str) -> HttpResponseBase:
    """Delete somebody with all their judgements, if their code was typed."""
    actor = member_of(request, name, Role.MANAGER)
    who = colleague(actor, code)
    if request.POST.get("typed", "").strip() != who.code:
        messages.error(
            request, _("Nothing was deleted: type the code exactly as it is shown.")
        )
        return redirect("person", name, code)
    try:
        n = managing.delete_member(actor, who)
    except managing.RejectedError as error:
        messages.error(request, str(error))
        return redirect("person", name, code)
    text = ngettext(
        "%(code)s was deleted with %(n)d judgement.",
        "%(code)s was deleted with %(n)d judgements.",
        n,
    )
    messages.success(request, text % {"code": code, "n": n})
    return redirect("people", name)
