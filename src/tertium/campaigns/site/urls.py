# SPDX-License-Identifier: Apache-2.0
"""Addresses of pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language

from tertium.campaigns.tasks import TASKS, get_task
from tertium.campaigns.views import (
    dashboard,
    exports,
    home,
    images,
    invitations,
    items,
    log,
    managing,
    people,
    signing,
    working,
)

handler403 = "tertium.campaigns.views.errors.denied"
handler404 = "tertium.campaigns.views.errors.missing"
handler500 = "tertium.campaigns.views.errors.failed"

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
    path("c/<slug:name>/images/<slug:digest>", images.image, name="image"),
    path("m/<slug:name>/", dashboard.dashboard, name="dashboard"),
    path("api/v1/", include("tertium.campaigns.api.urls")),
    path("m/<slug:name>/phase", managing.phase, name="phase"),
    path("m/<slug:name>/people/", people.people, name="people"),
    path("m/<slug:name>/people/<slug:code>/", people.person, name="person"),
    path("m/<slug:name>/people/<slug:code>/pause", managing.pause, name="pause"),
    path(
        "m/<slug:name>/people/<slug:code>/take-back",
        managing.take_back,
        name="take-back",
    ),
    path("m/<slug:name>/people/<slug:code>/link", managing.link, name="new-link"),
    path("m/<slug:name>/people/<slug:code>/delete", managing.delete, name="delete"),
    path("m/<slug:name>/leases/<uuid:key>/release", managing.release, name="release"),
    path(
        "m/<slug:name>/skips/<uuid:key>/offer-again",
        managing.offer_again,
        name="offer-again",
    ),
    path("m/<slug:name>/items/", items.items, name="items"),
    path("m/<slug:name>/items/<int:number>/", items.item, name="item"),
    path("m/<slug:name>/items/<int:number>/give", managing.give, name="give"),
    path("m/<slug:name>/items/<int:number>/preview", items.preview, name="preview"),
    path(
        "m/<slug:name>/items/<int:number>/preview/submit",
        items.preview_submit,
        name="preview-submit",
    ),
    path("m/<slug:name>/log", log.log, name="log"),
    path("m/<slug:name>/invitations", invitations.invitations, name="invitations"),
    path(
        "m/<slug:name>/invitations/<int:number>/revoke",
        invitations.revoke,
        name="revoke",
    ),
    path("m/<slug:name>/exports", exports.exports, name="exports"),
    path("m/<slug:name>/exports/download", exports.download, name="download"),
    path("work/<uuid:key>/", working.page, name="work"),
    path("work/<uuid:key>/draft", working.draft, name="draft"),
    path("work/<uuid:key>/submit", working.submit, name="submit"),
    path("work/<uuid:key>/feedback", working.feedback, name="feedback"),
    path("work/<uuid:key>/skip", working.skip, name="skip"),
]
for _name in TASKS:
    if _pages := get_task(_name).urls():
        urlpatterns.append(path("c/<slug:name>/", include(_pages)))
