# SPDX-License-Identifier: Apache-2.0
"""Ways in: name and password, an invitation, a personal link."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from tertium.campaigns.models import Invitation, Person, Role
from tertium.campaigns.people.accounts import (
    InvitationError,
    Joined,
    NameTakenError,
    clean_name,
    join,
    new_ticket,
    person_of_link,
    read_invitation,
)
from tertium.campaigns.people.limits import Attempts
from tertium.campaigns.tasks import get_task
from tertium.campaigns.views.access import entrance, member_of
from tertium.campaigns.views.errors import error_page

__all__ = ["enter", "invitation", "personal", "sign_in", "sign_out", "welcome"]

_BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignIn(forms.Form):
    """Name and password."""

    name = forms.CharField(
        max_length=60,
        label=gettext_lazy("Name"),
        widget=forms.TextInput(attrs={"autocomplete": "username"}),
    )
    password = forms.CharField(
        max_length=200,
        label=gettext_lazy("Password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class Join(forms.Form):
    """A name, and a password for those who want one."""

    name = forms.CharField(
        max_length=60,
        required=False,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("Any name. Leave it empty to stay anonymous."),
        widget=forms.TextInput(attrs={"autocomplete": "username"}),
    )
    password = forms.CharField(
        max_length=200,
        required=False,
        label=gettext_lazy("Password"),
        help_text=gettext_lazy(
            "Optional: you get a personal link that brings you back. A password "
            "needs at least 10 characters."
        ),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, object]:
        """Check the password as Django does."""
        values = super().clean() or {}
        if values.get("password"):
            if not values.get("name"):
                self.add_error("name", _("A password needs a name to go with it."))
            try:
                validate_password(
                    str(values["password"]), Person(name=str(values.get("name", "")))
                )
            except forms.ValidationError as error:
                self.add_error("password", error)
        return values


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password")
def sign_in(request: HttpRequest) -> HttpResponseBase:
    """Ask for name and password; too many failures wait."""
    form = SignIn(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        name = clean_name(form.cleaned_data["name"])
        attempts = Attempts(request, name)
        if attempts.too_many():
            form.add_error(None, _too_many())
            status = 429
        else:
            attempts.note()
            person = authenticate(
                request, username=name, password=form.cleaned_data["password"]
            )
            if person is not None:
                attempts.forgive()
                login(request, person)
                return redirect(_where(request))
            form.add_error(None, _("Name and password do not match."))
            status = 403
    wanted = request.POST.get("next") or request.GET.get("next", "")
    context = {"form": form, "next": wanted}
    return render(request, "campaigns/sign_in.html", context, status=status)


def _too_many() -> str:
    return _("Too many attempts. Try again in 15 minutes.")


def _where(request: HttpRequest) -> str:
    wanted = request.POST.get("next") or request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if wanted and safe else reverse("home")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponseBase:
    """End the session."""
    logout(request)
    return redirect("sign-in")


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponseBase:
    """Let somebody into a campaign by an invitation."""
    posted = request.method == "POST"
    try:
        there = _there(request, token)
        if there is not None and not posted:
            return there
        opened = read_invitation(token, spent=posted)
        if posted:
            attempts = Attempts(request, joining=True)
            if attempts.too_many():
                return _wait(request)
            attempts.note()
        if opened.role == Role.ANNOTATOR:
            page = get_task(opened.campaign.task).invited(request, opened)
            if page is not None:
                return page
        form = Join(request.POST if posted else None)
        if posted and form.is_valid():
            return _let_in(request, opened, form)
    except InvitationError as error:
        return _no_entry(request, str(error))
    context = {
        "form": form,
        "campaign": opened.campaign,
        "role": opened.role,
        "ticket": request.POST.get("ticket") or new_ticket(),
    }
    return render(request, "campaigns/join.html", context)


def _there(request: HttpRequest, token: str) -> HttpResponseBase | None:
    """Return where an invitation leads somebody who is a member; None: nobody is.

    A used-up one still leads there: it is the address that people kept. Nobody gets
    another role by a link, so whoever needs one is offered another account.
    """
    opened = read_invitation(token, spent=True)
    known = request.user
    if not isinstance(known, Person):
        return None
    member = known.memberships.filter(campaign=opened.campaign).first()
    if member is None:
        return None
    if opened.role == Role.ANNOTATOR:
        return redirect("campaign", opened.campaign.name)
    if member.role in (opened.role, Role.MANAGER):
        return redirect(entrance(member))
    read_invitation(token)
    context = {
        "campaign": opened.campaign,
        "member": member,
        "role": opened.role,
        "ticket": new_ticket(),
    }
    return render(request, "campaigns/join_again.html", context)


def _let_in(request: HttpRequest, opened: Invitation, form: Join) -> HttpResponseBase:
    known = request.user if isinstance(request.user, Person) else None
    if "another" in request.POST:
        known = None
    ticket = request.POST.get("ticket", "")
    try:
        joined = join(opened, person=known, ticket=ticket, **form.cleaned_data)
    except NameTakenError as error:
        form.add_error("name", str(error))
        context = {"form": form, "campaign": opened.campaign, "ticket": ticket}
        return render(request, "campaigns/join.html", context)
    if known is None:
        enter(request, joined)
    return redirect("welcome", opened.campaign.name)


def enter(request: HttpRequest, joined: Joined) -> None:
    """Sign a new member in, and keep their personal link until it is shown."""
    login(request, joined.member.person, backend=_BACKEND)
    link = reverse("personal", args=[joined.key])
    request.session["personal_link"] = request.build_absolute_uri(link)


def _no_entry(request: HttpRequest, text: str) -> HttpResponseBase:
    title = _("This link does not let you in")
    return error_page(request, title=title, text=text, status=403)


@login_required
@require_safe
def welcome(request: HttpRequest, name: str) -> HttpResponseBase:
    """Tell a new member their personal link, once."""
    link = request.session.pop("personal_link", None)
    member = member_of(request, name)
    if link is None:
        return redirect(entrance(member))
    context = {"link": link, "onward": entrance(member)}
    return render(request, "campaigns/welcome.html", context)


def _wait(request: HttpRequest) -> HttpResponseBase:
    title = _("Wait a little")
    return error_page(request, title=title, text=_too_many(), status=429)


@require_http_methods(["GET", "HEAD", "POST"])
def personal(request: HttpRequest, key: str) -> HttpResponseBase:
    """Sign somebody in by their personal link, after a click.

    Programs that look at links beforehand get a page, and no session.
    """
    person = person_of_link(key)
    if person is None:
        attempts = Attempts(request)
        if attempts.too_many():
            return _wait(request)
        attempts.note()
        text = _("This personal link is incomplete, or a newer one has replaced it.")
        return _no_entry(request, text)
    if request.method != "POST":
        if request.user == person:
            return redirect("home")
        return render(request, "campaigns/personal.html", {"person": person})
    login(request, person, backend=_BACKEND)
    messages.success(request, _("Welcome back."))
    return redirect("home")
