# SPDX-License-Identifier: Apache-2.0
"""The pages of a survey, in the order in which a participant meets them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tertium.campaigns.markdown import to_html
from tertium.campaigns.models import (
    Background,
    Campaign,
    Invitation,
    Membership,
    Person,
    Questionnaire,
    Role,
    State,
)
from tertium.campaigns.people.accounts import delete_member
from tertium.campaigns.people.limits import Attempts
from tertium.campaigns.tasks.survey import participants
from tertium.campaigns.tasks.survey.forms import BackgroundForm
from tertium.campaigns.tasks.survey.task import boxes, language_name
from tertium.campaigns.views.access import member_of
from tertium.campaigns.views.signing import enter
from tertium.campaigns.work.leases import next_assignment

__all__ = ["finished", "gate", "invited", "urls"]


def urls() -> list[URLPattern]:
    """Return the addresses, below that of the campaign."""
    return [
        path("survey/information", information, name="survey-information"),
        path("survey/keep", keep, name="survey-keep"),
        path("survey/about-you", background, name="survey-background"),
        path("survey/sample", sample, name="survey-sample"),
        path("survey/reward", reward, name="survey-reward"),
        path("survey/withdraw", withdraw, name="survey-withdraw"),
        path("survey/print/<int:number>", paper, name="survey-print"),
    ]


# -------------------------------------------------------- information and consent


def invited(request: HttpRequest, invitation: Invitation) -> HttpResponseBase:
    """Show the information sheet, then ask for consent; join on a yes."""
    campaign = invitation.campaign
    if isinstance(request.user, Person) and request.user.memberships.filter(
        campaign=campaign
    ):
        return redirect("campaign", campaign.name)
    full = request.method != "POST" and participants.is_full(campaign)
    if full or campaign.phase == Campaign.Phase.CLOSED:
        return render(request, "survey/full.html", {"campaign": campaign})
    texts = campaign.options["texts"]
    statements = _statements(request, texts)
    context: dict[str, object] = {
        "campaign": campaign,
        "statements": statements,
        "once": secrets.token_urlsafe(24),
    }
    if request.method == "POST":
        answers = {str(one["id"]): one["answer"] for one in statements}
        if "" in answers.values():
            context["problem"] = True
            return render(request, "survey/consent.html", context, status=422)
        consent = {name: answer == "yes" for name, answer in answers.items()}
        if not all(consent[one["id"]] for one in texts["statements"] if one["needed"]):
            return render(request, "survey/declined.html", context)
        once = request.POST.get("once", "")[:100]
        joined = participants.take_part(invitation, consent, once=once)
        enter(request, joined)
        return redirect("survey-keep", campaign.name)
    if request.GET.get("step") == "consent":
        return render(request, "survey/consent.html", context)
    context["information"] = to_html(str(texts["information"]))
    return render(request, "survey/information.html", context)


def _statements(
    request: HttpRequest, texts: Mapping[str, object]
) -> list[dict[str, object]]:
    """Return the statements with what was answered; "" where nothing was."""
    statements = texts["statements"]
    if not isinstance(statements, list):
        raise TypeError
    return [{**one, "answer": _answer(request, str(one["id"]))} for one in statements]


def _answer(request: HttpRequest, name: str) -> str:
    value = request.POST.get(f"consent-{name}", "")
    return value if value in ("yes", "no") else ""


@login_required
def information(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show the information sheet again."""
    campaign = member_of(request, name).campaign
    texts = campaign.options.get("texts")
    if texts is None:
        raise Http404
    shown = to_html(str(texts["information"]))
    context = {"campaign": campaign, "information": shown, "again": True}
    return render(request, "survey/information.html", context)


@never_cache
@login_required
def keep(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show the personal link, once, and the withdrawal code."""
    member = _participant(request, name)
    if member is None:
        return redirect("campaign", name)
    context = {
        "campaign": member.campaign,
        "link": request.session.pop("personal_link", None),
        "code": participants.withdrawal_code(member),
    }
    return render(request, "survey/keep.html", context)


# ---------------------------------------------------------------- before the items


def gate(request: HttpRequest, member: Membership) -> HttpResponseBase | None:
    """Return the page that comes next, or None where items do."""
    campaign = member.campaign
    if member.role != Role.ANNOTATOR:
        return redirect("dashboard", campaign.name)
    answers = Background.objects.filter(member=member).first()
    if answers is None or not Questionnaire.objects.filter(member=member).exists():
        return render(request, "survey/full.html", {"campaign": campaign})
    # Who was done has work again when a manager gives or offers something.
    if participants.complete(member):
        return redirect("finished", campaign.name)
    if answers.step == Background.Step.BACKGROUND:
        return redirect("survey-background", campaign.name)
    if answers.step == Background.Step.SAMPLE:
        return redirect("survey-sample", campaign.name)
    if request.method == "POST":
        return None
    done = member.assignments.filter(state=State.DONE).count()
    context = {
        "campaign": campaign,
        "member": member,
        "done": done,
        "total": _total(member),
        "code": participants.withdrawal_code(member),
    }
    return render(request, "survey/resume.html", context)


def _total(member: Membership) -> int:
    return Questionnaire.objects.get(member=member).items.count()


def _participant(request: HttpRequest, name: str) -> Membership | None:
    """Return who is asking, if they take part in the survey."""
    member = member_of(request, name)
    known = Background.objects.filter(member=member).exists()
    return member if known else None


@login_required
def background(request: HttpRequest, name: str) -> HttpResponseBase:
    """Ask who the participant is; everything may be left out."""
    member = _participant(request, name)
    if member is None:
        return redirect("campaign", name)
    answers = member.background
    if answers.step in (Background.Step.ITEMS, Background.Step.DONE):
        return redirect("campaign", name)
    language = language_name(member.campaign.target)
    form = BackgroundForm(request.POST or None, language=language)
    if request.method == "POST" and form.is_valid():
        answers.answers = form.answers()
        answers.step = Background.Step.SAMPLE
        answers.save(update_fields=["answers", "step"])
        return redirect("survey-sample", name)
    context = {"campaign": member.campaign, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "survey/background.html", context, status=status)


@login_required
def sample(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show a worked item; what is answered here is not even sent."""
    member = _participant(request, name)
    if member is None or member.background.step == Background.Step.DONE:
        return redirect("campaign", name)
    campaign = member.campaign
    if request.method == "POST":
        member.background.step = Background.Step.ITEMS
        member.background.save(update_fields=["step"])
        assignment = next_assignment(member)
        return (
            redirect("work", assignment.pk)
            if assignment
            else redirect("finished", name)
        )
    context = {
        "campaign": campaign,
        "content": {
            "hypothesis": campaign.options["sample_hypothesis"],
            "reference": campaign.options["sample_reference"],
        },
        "language": language_name(campaign.source),
        "instructions": to_html(campaign.instructions),
        "total": _total(member),
        "sample": True,
        **boxes(),
    }
    return render(request, "survey/sample.html", context)


# ------------------------------------------------------------------------- the end


def finished(request: HttpRequest, member: Membership) -> HttpResponseBase | None:
    """Thank somebody who is through; their reward waits for a click."""
    if member.role != Role.ANNOTATOR or not participants.complete(member):
        return None
    campaign = member.campaign
    participants.finish(member)
    code = participants.reward_of(member)
    free = not code and campaign.rewards.filter(given=False).exists()
    context = {
        "campaign": campaign,
        "debrief": to_html(str(campaign.options["texts"]["debrief"])),
        "code": participants.withdrawal_code(member),
        "reward": code,
        "free": free,
        "spent": not code and not free and campaign.rewards.exists(),
    }
    page = render(request, "survey/debrief.html", context)
    page["Cache-Control"] = "no-store"
    return page


@login_required
@require_POST
def reward(request: HttpRequest, name: str) -> HttpResponseBase:
    """Give a reward to somebody who is through, and show it."""
    member = _participant(request, name)
    if member is not None and participants.complete(member):
        participants.give_reward(member)
    return redirect("finished", name)


@never_cache
def withdraw(request: HttpRequest, name: str) -> HttpResponseBase:
    """Delete somebody's data by their code, after they confirmed it."""
    campaign = get_object_or_404(Campaign, name=name, task="survey")
    context: dict[str, object] = {"campaign": campaign}
    if request.method != "POST":
        return render(request, "survey/withdraw.html", context)
    attempts = Attempts(request)
    if attempts.too_many():
        context["problem"] = _("Too many attempts. Try again in 15 minutes.")
        return render(request, "survey/withdraw.html", context, status=429)
    code = request.POST.get("code", "")[:100]
    member = participants.by_withdrawal_code(campaign, code)
    if member is None:
        attempts.note()
        context["problem"] = _(
            "There are no answers with this code. Check every character."
        )
        return render(request, "survey/withdraw.html", context, status=404)
    context["code"] = code
    context["done"] = member.assignments.filter(state=State.DONE).count()
    if request.POST.get("confirm") != "yes":
        return render(request, "survey/withdraw_confirm.html", context)
    mine = request.user.pk == member.person_id
    delete_member(member)
    if mine:
        logout(request)
    return render(request, "survey/withdrawn.html", context)


# --------------------------------------------------------------------------- paper


@login_required
def paper(request: HttpRequest, name: str, number: int) -> HttpResponseBase:
    """Show a questionnaire for printing, to managers."""
    member = member_of(request, name, Role.MANAGER)
    campaign = member.campaign
    sheet = get_object_or_404(Questionnaire, campaign=campaign, number=number)
    texts = campaign.options["texts"]
    places = sheet.questionnaireitem_set.select_related("item").order_by("position")
    items = [
        {
            "number": place.position,
            "content": place.item.content,
            "language": language_name(str(place.item.content["language"])),
        }
        for place in places
    ]
    context = {
        "campaign": campaign,
        "number": number,
        "items": items,
        "last": campaign.questionnaires.count(),
        "information": to_html(str(texts["information"])),
        "statements": texts["statements"],
        "debrief": to_html(str(texts["debrief"])),
        "form": BackgroundForm(language=language_name(campaign.target)),
        "instructions": to_html(campaign.instructions),
        **boxes(),
    }
    return render(request, "survey/paper.html", context)
