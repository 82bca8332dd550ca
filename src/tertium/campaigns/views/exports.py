# SPDX-License-Identifier: Apache-2.0
"""Downloads of judgements."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from tertium.campaigns import managing
from tertium.campaigns.downloads import make_download
from tertium.campaigns.exporting import RAW, formats
from tertium.campaigns.models import Role
from tertium.campaigns.views.access import member_of
from tertium.campaigns.views.dashboard import show
from tertium.errors import TertiumError

__all__ = ["download", "exports"]


@login_required
@require_safe
def exports(request: HttpRequest, name: str) -> HttpResponseBase:
    """List the formats."""
    member = member_of(request, name, Role.MANAGER)
    return show(request, member, "exports", {"formats": formats(), "raw": RAW})


@login_required
@require_POST
def download(request: HttpRequest, name: str) -> HttpResponseBase:
    """Send the judgements in a format; folders are packed as zip."""
    member = member_of(request, name, Role.MANAGER)
    wanted = request.POST.get("format", "")
    if wanted not in formats():
        raise Http404
    try:
        made = make_download(member.campaign, wanted)
    except TertiumError as error:
        messages.error(request, str(error))
        return redirect("exports", name)
    managing.log(member, "export", format=wanted)
    # A slug, a day and a name of ours: nothing in it needs to be escaped.
    day = timezone.now().strftime("%Y-%m-%d")
    called = f"{member.campaign.name}-{wanted}-{day}{made.ending}"
    return FileResponse(
        made.file,
        as_attachment=True,
        filename=called,
        content_type="application/octet-stream",
    )
