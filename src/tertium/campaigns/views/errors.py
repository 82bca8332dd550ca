# SPDX-License-Identifier: Apache-2.0
"""Pages for what went wrong, with the cure."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tertium.campaigns.site.logs import unsaved

__all__ = ["csrf", "denied", "error_page", "failed", "missing", "not_saved"]


def error_page(
    request: HttpRequest, *, title: str, text: str, status: int
) -> HttpResponse:
    """Return a page that says what is wrong and what to do."""
    context = {"title": title, "text": text}
    return render(request, "campaigns/error.html", context, status=status)


def csrf(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Reject a form that did not come from one of our pages."""
    return error_page(
        request,
        title=_("This form has expired"),
        text=_("Go back, reload the page and try again. Your answers were saved."),
        status=403,
    )


def denied(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """Deny a page to a role that may not see it."""
    return error_page(
        request,
        title=_("No access"),
        text=_("Your role in this campaign does not include this page."),
        status=403,
    )


def not_saved() -> str:
    """Return the page for a server that cannot write."""
    return _(
        "The server cannot save anything at the moment; its disk may be full. Nothing "
        "that was saved is lost. Try again in a few minutes, or tell whoever invited "
        "you."
    )


def failed(request: HttpRequest) -> HttpResponse:
    """Report a server error, and that saved answers are not lost."""
    if unsaved(sys.exc_info()[1]):
        title, text, status = _("Not saved"), not_saved(), 503
    else:
        title, status = _("Something went wrong"), 500
        text = _(
            "The server ran into an error and logged it. Saved answers are not "
            "lost. Go back and try again."
        )
    if request.path.startswith("/api/") or request.content_type == "application/json":
        return JsonResponse({"error": text}, status=status)
    # Neither person nor messages are asked for: the database may be the trouble.
    context = {"title": title, "text": text, "user": None, "messages": ()}
    return render(request, "campaigns/error.html", context, status=status)


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """Report that there is no such page, or none that the person may see."""
    if request.path.startswith("/api/"):
        message = "no such address; /api/v1/openapi.json lists them"
        return JsonResponse({"error": message}, status=404)
    return error_page(
        request,
        title=_("Nothing here"),
        text=_("There is no such page, or you have to sign in to see it."),
        status=404,
    )
