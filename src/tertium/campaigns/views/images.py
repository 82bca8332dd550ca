# SPDX-License-Identifier: Apache-2.0
"""Images of items, for members of the campaign alone."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_safe

from tertium.campaigns.images import TYPES
from tertium.campaigns.models import Campaign, Image
from tertium.campaigns.views.access import member_of

__all__ = ["image", "image_reply"]

#: An address stands for its content, which never changes; sign-in is needed to see it.
_KEEP = "private, max-age=31536000, immutable"


@login_required
@require_safe
def image(request: HttpRequest, name: str, digest: str) -> HttpResponseBase:
    """Send an image of a campaign."""
    reply = image_reply(member_of(request, name).campaign, digest)
    if reply is None:
        raise Http404
    return reply


def image_reply(campaign: Campaign, digest: str) -> HttpResponse | None:
    """Return an image as a response; None if the campaign has no such image."""
    kept = Image.objects.filter(campaign=campaign, name=digest).first()
    if kept is None:
        return None
    disposition = f'inline; filename="{kept.name[:16]}.{kept.kind}"'
    return HttpResponse(
        bytes(kept.content),
        content_type=TYPES[kept.kind],
        headers={"Cache-Control": _KEEP, "Content-Disposition": disposition},
    )
