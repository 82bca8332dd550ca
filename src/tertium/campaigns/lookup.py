# SPDX-License-Identifier: Apache-2.0
"""Campaigns by name."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.campaigns.models import Campaign
from tertium.errors import InputError, UnknownNameError

__all__ = ["find_campaign", "find_campaigns"]


def find_campaign(name: str) -> Campaign:
    """Return a campaign by name.

    Raises
    ------
    UnknownNameError, InputError
        When there is no such campaign, or none at all.
    """
    campaign = Campaign.objects.filter(name=name).first()
    if campaign is None:
        raise UnknownNameError("campaign", name, [one.name for one in find_campaigns()])
    return campaign


def find_campaigns(names: Sequence[str] = ()) -> list[Campaign]:
    """Return campaigns by name; by default all of them, sorted by name.

    Raises
    ------
    UnknownNameError, InputError
        When one of them does not exist, or there is no campaign at all.
    """
    if names:
        return [find_campaign(name) for name in names]
    campaigns = list(Campaign.objects.order_by("name"))
    if not campaigns:
        raise InputError("the database has no campaign yet; load one first")
    return campaigns
