# SPDX-License-Identifier: Apache-2.0
"""Addresses of the API, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from tertium.campaigns.api import views
from tertium.campaigns.api.replies import endpoint

__all__ = ["urlpatterns"]

urlpatterns = [
    path("openapi.json", endpoint(GET=views.document), name="api-document"),
    path("campaigns", endpoint(GET=views.campaigns), name="api-campaigns"),
    path("campaigns/<slug:name>", endpoint(GET=views.campaign), name="api-campaign"),
    path(
        "campaigns/<slug:name>/items",
        endpoint(GET=views.items, POST=views.add_items),
        name="api-items",
    ),
    path(
        "campaigns/<slug:name>/images/<slug:digest>",
        endpoint(GET=views.image),
        name="api-image",
    ),
    path("campaigns/<slug:name>/export", endpoint(GET=views.export), name="api-export"),
    path(
        "campaigns/<slug:name>/import",
        endpoint(POST=views.add_judgements),
        name="api-import",
    ),
    path(
        "campaigns/<slug:name>/participants",
        endpoint(GET=views.participants),
        name="api-participants",
    ),
    path(
        "campaigns/<slug:name>/participants/<str:code>",
        endpoint(DELETE=views.delete_participant),
        name="api-participant",
    ),
]
