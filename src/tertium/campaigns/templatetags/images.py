# SPDX-License-Identifier: Apache-2.0
"""Images next to the source, as pages of work show them."""

from __future__ import annotations

from django import template

from tertium.campaigns.images import stored_image
from tertium.campaigns.models import Campaign

__all__ = ["image", "register"]

register = template.Library()
_WIDE, _HIGH = 640, 320  # pixels at most, before a click


@register.inclusion_tag("campaigns/image.html")
def image(value: object, campaign: Campaign) -> dict[str, object]:
    """Show an image of a campaign; nothing for what is not one.

    It has the size that it is shown at, so that the page does not move.
    """
    known = stored_image(value)
    if known is None:
        return {}
    width, height = int(str(known["width"])), int(str(known["height"]))
    scale = min(1.0, _WIDE / width, _HIGH / height)
    return {
        "image": known,
        "campaign": campaign,
        "width": max(1, round(width * scale)),
        "height": max(1, round(height * scale)),
    }
