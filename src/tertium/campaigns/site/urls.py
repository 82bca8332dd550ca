# SPDX-License-Identifier: Apache-2.0
"""Addresses of pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language

from tertium.campaigns.tasks import TASKS, get_task
from tertium.campaigns.views import dashboard, home, signing, working

handler403 = "tertium.campaigns.views.errors.denied"
handler404 = "tertium.campaigns.views.errors.missing"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("sign-in", signing.sign_in, name="sign-in"),
    path("sign-out", signing.sign_out, name="sign-out"),
    path("language", set_language, name="language"),
    path("join/<str:token>", signing.invitation, name="join"),
    path("me/<str:key>", signing.personal, name="personal"),
    path("c/<slug:name>/", home.campaign, name="campaign"),
    path("c/<slug:name>/welcome", signing.welcome, name="welcome"),
    path("c/<slug:name>/start", working.start, name="start"),
    path("c/<slug:name>/finished", working.finished, name="finished"),
    path("m/<slug:name>/", dashboard.dashboard, name="dashboard"),
    path("work/<uuid:key>/", working.page, name="work"),
    path("work/<uuid:key>/draft", working.draft, name="draft"),
    path("work/<uuid:key>/submit", working.submit, name="submit"),
    path("work/<uuid:key>/skip", working.skip, name="skip"),
]
for _name in TASKS:
    if _pages := get_task(_name).urls():
        urlpatterns.append(path("c/<slug:name>/", include(_pages)))
