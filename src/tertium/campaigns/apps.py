# SPDX-License-Identifier: Apache-2.0
"""Tell Django about the room."""

from __future__ import annotations

from django.apps import AppConfig

__all__ = ["CampaignsConfig"]


class CampaignsConfig(AppConfig):
    """The annotation server as a Django application."""

    name = "tertium.campaigns"
    label = "campaigns"
    default_auto_field = "django.db.models.BigAutoField"
