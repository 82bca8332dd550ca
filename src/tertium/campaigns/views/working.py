# SPDX-License-Identifier: Apache-2.0
"""Pages of work: get an item, keep drafts, submit, skip."""

from __future__ import annotations

from random import Random
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tertium.campaigns import work
from tertium.campaigns.markdown import to_html
from tertium.campaigns.models import Assignment, Membership, Role, State
from tertium.campaigns.payloads import PayloadError, read_json
from tertium.campaigns.tasks import AnswerError, get_task
from tertium.campaigns.views.access import assignment_of, member_of

__all__ = ["draft", "json_of", "page", "skip", "start", "submit"]


@login_required
@require_POST
def start(request: HttpRequest, name: str) -> HttpResponseBase:
    """Lease the next item and go there, or say that there is none."""
    member = member_of(request, name, Role.ANNOTATOR, Role.MANAGER)
    gate = get_task(member.campaign.task).gate(request, member)
    return gate or redirect(_next_page(member))


def _next_page(member: Membership) -> str:
    found = work.next_assignment(member)
    if found is None:
        return reverse("finished", args=[member.campaign.name])
    return reverse("work", args=[found.pk])


@login_required
@require_safe
def finished(request: HttpRequest, name: str) -> HttpResponseBase:
    """Say why there is no work: all done, or paused."""
    member = member_of(request, name)
    page = get_task(member.campaign.task).finished(request, member)
    if page is not None:
        return page
    context = {
        "member": member,
        "campaign": member.campaign,
        "done": member.assignments.filter(state=State.DONE).count(),
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
    work.look(assignment)
    task = get_task(campaign.task)
    content = assignment.item.content
    context = {
        "assignment": assignment,
        "campaign": campaign,
        "task": task,
        "content": content,
        "options": campaign.options,
        "draft": {"version": assignment.version, "answer": assignment.draft},
        "instructions": to_html(campaign.instructions),
        "number": assignment.member.assignments.filter(state=State.DONE).count() + 1,
        **task.page(content, campaign.options, Random(assignment.seed)),
    }
    return render(request, task.template, context)


def json_of(request: HttpRequest) -> dict[str, object] | None:
    """Return the object that a request holds as JSON; None if it is none."""
    try:
        found = read_json(request.body)
    except PayloadError:
        return None
    return found if isinstance(found, dict) else None


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
        return JsonResponse({"error": _("This is no draft.")}, status=400)
    try:
        kept = work.save_draft(assignment, answer, version)
    except work.NotLeasedError as error:
        return JsonResponse(
            {"error": str(error), "next": _campaign(assignment)}, status=409
        )
    except work.DraftError as error:
        status = 413 if isinstance(error, work.LongDraftError) else 400
        return JsonResponse({"error": str(error)}, status=status)
    # In two tabs versions run apart: whoever moved last must hear what is kept.
    assignment.refresh_from_db(fields=["draft"])
    return JsonResponse({"version": kept, "kept": assignment.draft == answer})


def _campaign(assignment: Assignment) -> str:
    return reverse("campaign", args=[assignment.item.campaign.name])


@login_required
@require_POST
def submit(request: HttpRequest, key: UUID) -> HttpResponse:
    """Store an answer, ``{"answer": {...}}``, and say where the next item is."""
    assignment = assignment_of(request, key)
    body = json_of(request)
    if body is None or "answer" not in body:
        return JsonResponse({"error": _("This is no answer.")}, status=400)
    try:
        work.submit(assignment, body["answer"])
    except AnswerError as error:
        return JsonResponse({"error": str(error)}, status=422)
    except work.NotLeasedError as error:
        return JsonResponse(
            {"error": str(error), "next": _campaign(assignment)}, status=409
        )
    return JsonResponse({"next": _next_page(assignment.member)})


@login_required
@require_POST
def skip(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """Hand an item back, with a reason."""
    assignment = assignment_of(request, key)
    work.skip(assignment, request.POST.get("reason", ""))
    return redirect(_next_page(assignment.member))
