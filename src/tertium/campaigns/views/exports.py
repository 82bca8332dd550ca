# SPDX-License-Identifier: Apache-2.0
"""Downloads of judgements."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from tertium.campaigns.exchange.downloads import make_download
from tertium.campaigns.exchange.formats import RAW, SIDES, formats, losses
from tertium.campaigns.models import Membership, Role
from tertium.campaigns.rendering import render_error
from tertium.campaigns.tasks import get_task
from tertium.campaigns.views.access import member_of
from tertium.campaigns.views.dashboard import show
from tertium.errors import TertiumError
from tertium.notes import Note

__all__ = ["download", "exports"]


@login_required
@require_safe
def exports(request: HttpRequest, name: str) -> HttpResponseBase:
    """List the formats."""
    member = member_of(request, name, Role.MANAGER)
    known = [
        {"name": name, "about": about, "losses": losses(name)}
        for name, about in _known(member).items()
    ]
    asked = get_task(member.campaign.task).asks_archiving
    context = {"formats": known, "raw": RAW, "asked": asked}
    return show(request, member, "exports", context)


def _known(member: Membership) -> dict[str, Note]:
    """Return what can be downloaded of a campaign."""
    sides = get_task(member.campaign.task).sides
    return formats() | {name: SIDES[name] for name in sides}


@login_required
@require_POST
def download(request: HttpRequest, name: str) -> HttpResponseBase:
    """Send the judgements in a format, or what is beside them; folders as zip."""
    member = member_of(request, name, Role.MANAGER)
    wanted = request.POST.get("format", "")
    if wanted not in _known(member):
        raise Http404
    try:
        archive = True if "archive" in request.POST else None
        made = make_download(
            member.campaign, wanted, archive=archive, actor=member.code
        )
    except TertiumError as error:
        messages.error(request, render_error(error))
        return redirect("exports", name)
    # A slug, a day and a name of ours: nothing in it needs to be escaped.
    day = timezone.now().strftime("%Y-%m-%d")
    called = f"{member.campaign.name}-{wanted}-{day}{made.ending}"
    return FileResponse(
        made.file,
        as_attachment=True,
        filename=called,
        content_type="application/octet-stream",
    )
