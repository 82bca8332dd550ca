# SPDX-License-Identifier: Apache-2.0
"""Pages of work: get an item, keep drafts, submit, skip."""

from __future__ import annotations

import logging
from random import Random
from typing import cast
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tertium.campaigns.dashboard.progress import judged_by, missing_first
from tertium.campaigns.images import images_of
from tertium.campaigns.markdown import to_html
from tertium.campaigns.models import Assignment, Item, Membership, Role, State, Why
from tertium.campaigns.site.logs import unsaved
from tertium.campaigns.tasks import AnswerError, get_task
from tertium.campaigns.views.access import assignment_of, member_of
from tertium.campaigns.views.errors import not_saved
from tertium.campaigns.work import leases as work
from tertium.campaigns.work.payloads import PayloadError, read_json
from tertium.campaigns.work.training import expected_of

__all__ = [
    "draft",
    "feedback",
    "finished",
    "json_of",
    "page",
    "screen",
    "skip",
    "start",
    "submit",
]


_log = logging.getLogger(__name__)


@login_required
@require_POST
def start(request: HttpRequest, name: str) -> HttpResponseBase:
    """Lease the next item and go there, or say that there is none."""
    member = member_of(request, name, Role.ANNOTATOR, Role.MANAGER)
    gate = get_task(member.campaign.task).gate(request, member)
    return gate or redirect(_next_page(member))


def _next_page(member: Membership) -> str:
    assignment = work.next_assignment(member)
    if assignment is None:
        return reverse("finished", args=[member.campaign.name])
    return reverse("work", args=[assignment.pk])


@login_required
@require_safe
def finished(request: HttpRequest, name: str) -> HttpResponseBase:
    """Explain why there is no work: all done, with others, paused or closed."""
    member = member_of(request, name)
    page = get_task(member.campaign.task).finished(request, member)
    if page is not None:
        return page
    context = {
        "member": member,
        "campaign": member.campaign,
        "done": judged_by(member),
        "missing": missing_first(member.campaign),
    }
    return render(request, "campaigns/finished.html", context)


@login_required
@require_safe
def page(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """Show an item."""
    assignment = assignment_of(request, key)
    campaign = assignment.item.campaign
    if assignment.state in (State.DONE, State.SKIPPED):
        return redirect("campaign", campaign.name)
    # On a full disk the page is there all the same, and keeps what is entered.
    trouble = "" if _looked(assignment) else not_saved()
    lesson = assignment.why == Why.TRAINING
    lessons = campaign.items.filter(kind=Item.Kind.TRAINING).count() if lesson else 0
    return screen(
        request,
        assignment,
        assignment.draft,
        version=assignment.version,
        number=judged_by(assignment.member, training=lesson) + 1,
        lessons=lessons,
        trouble=trouble,
    )


def _looked(assignment: Assignment) -> bool:
    """Record that somebody has opened the page; return whether that was saved."""
    try:
        work.look(assignment)
    except OperationalError as error:
        if not unsaved(error):
            raise
        _log.error("cannot save that an item was seen: %s", error)
        return False
    return True


def screen(
    request: HttpRequest,
    assignment: Assignment,
    answer: object,
    *,
    version: int = 0,
    **more: object,
) -> HttpResponse:
    """Return the page of an item with an answer filled in, if there is one.

    Parameters
    ----------
    version : int
        Of the answer, if it is a draft.
    more
        What else the template needs.
    """
    campaign, content = assignment.item.campaign, assignment.item.content
    task = get_task(campaign.task)
    context = {
        "assignment": assignment,
        "campaign": campaign,
        "task": task,
        "content": content,
        "options": campaign.options,
        "draft": {"version": version, "answer": answer},
        "instructions": to_html(campaign.instructions),
        "images": any(images_of(content)),
        **more,
        **task.page(content, campaign.options, Random(assignment.seed)),
    }
    return render(request, task.template, context)


@login_required
@require_safe
def feedback(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """Show what was expected of a training item, or with ``?show=mine`` the answer."""
    assignment = assignment_of(request, key)
    item = assignment.item
    expected, note = expected_of(item.meta)
    if not _is_lesson(assignment) or assignment.state != State.DONE:
        return redirect("campaign", item.campaign.name)
    answer = assignment.judgement.answer
    task = get_task(item.campaign.task)
    mine = request.GET.get("show") == "mine"
    return screen(
        request,
        assignment,
        answer if mine else expected,
        feedback=True,
        mine=mine,
        right=task.agrees(item.content, cast("dict[str, object]", expected), answer),
        note=note,
    )


def _is_lesson(assignment: Assignment) -> bool:
    """Return whether there is something to learn from it."""
    known = expected_of(assignment.item.meta)[0] is not None
    return known and assignment.why == Why.TRAINING


def json_of(request: HttpRequest) -> dict[str, object] | None:
    """Return the object that a request holds as JSON; None if it is none."""
    try:
        body = read_json(request.body)
    except PayloadError:
        return None
    return body if isinstance(body, dict) else None


@login_required
@require_POST
def draft(request: HttpRequest, key: UUID) -> HttpResponse:
    """Keep a draft: ``{"version": N, "answer": {...}}``."""
    assignment = assignment_of(request, key)
    body = json_of(request)
    version = body.get("version") if body else None
    answer = body.get("answer") if body else None
    if (
        type(version) is not int
        or not 0 < version < 2**31
        or not isinstance(answer, dict)
    ):
        return JsonResponse({"error": _("This is not a valid draft.")}, status=400)
    try:
        version, kept = work.save_draft(assignment, answer, version)
    except work.NotLeasedError as error:
        return _conflict(assignment, error)
    except work.DraftError as error:
        status = 413 if isinstance(error, work.LongDraftError) else 400
        return JsonResponse({"error": str(error)}, status=status)
    # In two tabs versions run apart: whoever moved last must hear what is kept.
    return JsonResponse({"version": version, "kept": kept == answer})


def _conflict(assignment: Assignment, error: work.NotLeasedError) -> JsonResponse:
    """Report that the work is over, with the stored answer if there is one."""
    body: dict[str, object] = {
        "error": str(error),
        "next": reverse("campaign", args=[assignment.item.campaign.name]),
    }
    if isinstance(error, work.AlreadyJudgedError):
        body["stands"] = error.answer
    return JsonResponse(body, status=409)


@login_required
@require_POST
def submit(request: HttpRequest, key: UUID) -> HttpResponse:
    """Store an answer, ``{"answer": {...}}``, and say where the next item is.

    The same answer once more is a success. Another one is a conflict (409), whose
    ``stands`` holds the answer that was stored.
    """
    assignment = assignment_of(request, key)
    body = json_of(request)
    if body is None or "answer" not in body:
        return JsonResponse({"error": _("This is not a valid answer.")}, status=400)
    try:
        work.submit(assignment, body["answer"])
    except AnswerError as error:
        return JsonResponse({"error": str(error)}, status=422)
    except work.NotLeasedError as error:
        return _conflict(assignment, error)
    if _is_lesson(assignment):
        return JsonResponse({"next": reverse("feedback", args=[assignment.pk])})
    return JsonResponse({"next": _next_page(assignment.member)})


@login_required
@require_POST
def skip(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """Hand an item back, with a reason."""
    assignment = assignment_of(request, key)
    work.skip(assignment, request.POST.get("reason", ""))
    return redirect(_next_page(assignment.member))
