# SPDX-License-Identifier: Apache-2.0
"""Items of a campaign: the list, one item, and how annotators see it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from urllib.parse import quote
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
)
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from tertium.campaigns.config import Plan
from tertium.campaigns.models import (
    Assignment,
    Campaign,
    Item,
    Membership,
    Role,
    State,
    Why,
)
from tertium.campaigns.tasks import AnswerError, get_task
from tertium.campaigns.views.access import member_of
from tertium.campaigns.views.dashboard import SEERS, show
from tertium.campaigns.views.working import json_of, screen

__all__ = ["FILTERS", "item", "items", "preview", "preview_submit"]

_PAGE = 50
#: States by which items are listed.
FILTERS = {
    "all": gettext_lazy("All"),
    "free": gettext_lazy("Waiting"),
    "open": gettext_lazy("Under way"),
    "judged": gettext_lazy("Judged"),
    "skipped": gettext_lazy("Skipped by somebody"),
    "check": gettext_lazy("Checks and training"),
}


def item_of(campaign: Campaign, number: int) -> Item:
    """Return an item of a campaign; others' are not there."""
    item = campaign.items.select_related("campaign", "base").filter(pk=number).first()
    if item is None:
        raise Http404
    return item


def _held(state: State) -> Exists:
    return Exists(Assignment.objects.filter(item=OuterRef("pk"), state=state))


def _filtered(campaign: Campaign, state: str) -> QuerySet[Item]:
    matching = campaign.items.all()
    wanted = Plan.from_json(campaign.plan).judgements
    if state == "check":
        return matching.exclude(kind=Item.Kind.WORK)
    if state == "free":
        return matching.filter(kind=Item.Kind.WORK, taken__lt=wanted)
    if state == "open":
        return matching.filter(_held(State.LEASED))
    if state == "judged":
        # What is taken and on nobody's screen is done.
        whole = matching.filter(kind=Item.Kind.WORK, taken__gte=wanted)
        first = Assignment.objects.filter(
            item=OuterRef("pk"), state=State.LEASED, why=Why.FIRST
        )
        return whole.exclude(Exists(first))
    if state == "skipped":
        return matching.filter(_held(State.SKIPPED))
    return matching


@login_required
@require_safe
def items(request: HttpRequest, name: str) -> HttpResponseBase:
    """List items, by state and by what their name holds."""
    member = member_of(request, name, *SEERS)
    state = request.GET.get("state", "all")
    state = state if state in FILTERS else "all"
    wanted = request.GET.get("q", "").replace("\x00", "")[:200]
    matching = _filtered(member.campaign, state)
    if wanted:
        matching = matching.filter(
            Q(key__icontains=wanted)
            | Q(segment__icontains=wanted)
            | Q(document__icontains=wanted)
        )
    # Numbers alone are sorted and passed over, not what items hold.
    numbers = matching.order_by("position", "pk").values_list("pk", flat=True)
    page = Paginator(numbers, _PAGE).get_page(request.GET.get("page"))
    counted = Item.objects.filter(pk__in=list(page.object_list)).annotate(
        done=Count("assignments", filter=Q(assignments__state=State.DONE)),
        leased=Count("assignments", filter=Q(assignments__state=State.LEASED)),
        skipped=Count("assignments", filter=Q(assignments__state=State.SKIPPED)),
    )
    context: dict[str, object] = {
        "page": page,
        "rows": counted.defer("content", "meta").order_by("position", "pk"),
        "state": state,
        "q": wanted,
        "q_url": quote(wanted),
        "filters": FILTERS,
    }
    return show(request, member, "items", context)


@login_required
@require_safe
def item(request: HttpRequest, name: str, number: int) -> HttpResponseBase:
    """Show an item; to managers also who wrote it, and its judgements."""
    member = member_of(request, name, *SEERS)
    shown = item_of(member.campaign, number)
    manages = member.role == Role.MANAGER
    origins = shown.systems() if manages else {}
    held = shown.assignments.select_related("member", "judgement").order_by("created")
    rows = [{"one": one, "answer": _answer(one) if manages else ""} for one in held]
    workers = member.campaign.members.exclude(role=Role.OBSERVER).order_by("code")
    context: dict[str, object] = {
        "item": shown,
        "texts": list(_texts(shown.content, origins)),
        "meta": list(_texts(shown.meta, {})) if manages else [],
        "rows": rows,
        "workers": workers.filter(paused=False) if manages else [],
    }
    return show(request, member, "item", context)


def _answer(assignment: Assignment) -> str:
    if assignment.state != State.DONE:
        return ""
    return json.dumps(assignment.judgement.answer, ensure_ascii=False, sort_keys=True)


def _texts(
    content: object, origins: Mapping[str, list[str]], path: str = ""
) -> Iterator[tuple[str, str, str]]:
    """Yield what content holds, a line each: where, what, and whose it is."""
    if isinstance(content, Mapping):
        for key, value in content.items():
            yield from _texts(value, origins, f"{path}.{key}" if path else str(key))
        return
    if isinstance(content, list) and any(isinstance(x, dict | list) for x in content):
        for place, value in enumerate(content, start=1):
            yield from _texts(value, origins, f"{path}.{place}" if path else str(place))
        return
    if content in ("", None, []):
        return
    text = (
        content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    )
    yield path, text, ", ".join(origins.get(path.rpartition(".")[2], ()))


@login_required
@require_safe
def preview(request: HttpRequest, name: str, number: int) -> HttpResponseBase:
    """Show an item exactly as annotators see it; nothing is leased or stored.

    With ``?as=KEY`` of an assignment, in the order and with the answer it had.
    """
    member = member_of(request, name, *SEERS)
    previewed = item_of(member.campaign, number)
    judged = _judged(member, previewed, request.GET.get("as"))
    shown = Assignment(
        item=previewed,
        member=member,
        why=Why.FIRST,
        seed=judged.seed if judged else previewed.pk,
    )
    return screen(
        request,
        shown,
        judged and judged.judgement.answer,
        judged=judged,
        number=previewed.position + 1,
        preview=True,
    )


def _judged(member: Membership, item: Item, key: str | None) -> Assignment | None:
    """Return the assignment whose answer is to be shown; for managers only."""
    if key is None:
        return None
    try:
        number = UUID(key)
    except ValueError:
        raise Http404 from None
    assignment = (
        item.assignments.select_related("judgement", "member")
        .filter(pk=number, state=State.DONE)
        .first()
    )
    if assignment is None or member.role != Role.MANAGER:
        raise Http404
    return assignment


@login_required
@require_POST
def preview_submit(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Check an answer as if it was stored, and go back to the item."""
    member = member_of(request, name, *SEERS)
    shown = item_of(member.campaign, number)
    body = json_of(request)
    if body is None or "answer" not in body:
        return JsonResponse({"error": _("This is not a valid answer.")}, status=400)
    task = get_task(member.campaign.task)
    try:
        task.check_submitted(shown.content, body["answer"], member.campaign.options)
    except AnswerError as error:
        return JsonResponse({"error": str(error)}, status=422)
    return JsonResponse({"next": reverse("item", args=[name, number])})
