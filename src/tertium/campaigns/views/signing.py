# SPDX-License-Identifier: Apache-2.0
"""Ways in: name and password, an invitation, a personal link."""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from tertium.campaigns.accounts import (
    InvitationError,
    Joined,
    join,
    person_of_link,
    read_invitation,
)
from tertium.campaigns.models import Attempt, Person, Role
from tertium.campaigns.tasks import get_task
from tertium.campaigns.views.errors import refusal

__all__ = [
    "asker_keys",
    "enter",
    "invitation",
    "personal",
    "sign_in",
    "sign_out",
    "too_many",
]

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_WINDOW = timedelta(minutes=15)
_MOST = 10  # failures in the window, by name and by address


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
            "needs 10 characters or more."
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


def asker_keys(request: HttpRequest, name: str) -> list[str]:
    """Return keyed hashes of who is asking: neither name nor address is kept."""
    address = str(request.META.get("REMOTE_ADDR", ""))
    return [
        hmac.new(
            settings.SECRET_KEY.encode(), text.encode(), hashlib.sha256
        ).hexdigest()
        for text in (f"name:{name.lower()}", f"address:{address}")
    ]


def too_many(keys: list[str]) -> bool:
    """Tell whether somebody has failed too often, and must wait."""
    Attempt.objects.filter(time__lt=timezone.now() - _WINDOW).delete()
    return any(Attempt.objects.filter(key=key).count() >= _MOST for key in keys)


def sign_in(request: HttpRequest) -> HttpResponseBase:
    """Ask for name and password; too many failures wait."""
    form = SignIn(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["name"]
        keys = asker_keys(request, name)
        if too_many(keys):
            form.add_error(None, _("Too many attempts. Try again in 15 minutes."))
            status = 429
        else:
            person = authenticate(
                request, username=name, password=form.cleaned_data["password"]
            )
            if person is not None:
                login(request, person)
                return redirect(_where(request))
            Attempt.objects.bulk_create(Attempt(key=key) for key in keys)
            form.add_error(None, _("Name and password do not fit together."))
            status = 403
    context = {"form": form, "next": request.GET.get("next", "")}
    return render(request, "campaigns/sign_in.html", context, status=status)


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


def invitation(request: HttpRequest, token: str) -> HttpResponseBase:
    """Let somebody into a campaign by an invitation."""
    try:
        found = read_invitation(token)
        if found.role == Role.ANNOTATOR:
            page = get_task(found.campaign.task).invited(request, found)
            if page is not None:
                return page
        form = Join(request.POST or None)
        if request.method == "POST" and form.is_valid():
            known = request.user if isinstance(request.user, Person) else None
            joined = join(found, person=known, **form.cleaned_data)
            if known is None:
                enter(request, joined)
            return redirect("welcome", found.campaign.name)
    except InvitationError as error:
        if request.method == "POST" and "form" in locals() and form.is_valid():
            form.add_error(None, str(error))
        else:
            title = _("This link does not let you in")
            return refusal(request, title=title, text=str(error), status=403)
    context = {"form": form, "campaign": found.campaign, "role": found.role}
    return render(request, "campaigns/join.html", context)


def enter(request: HttpRequest, joined: Joined) -> None:
    """Sign a new member in, and keep their personal link until it is shown."""
    login(request, joined.member.person, backend=_BACKEND)
    link = request.build_absolute_uri(reverse("personal", args=[joined.key]))
    request.session["personal_link"] = link


def welcome(request: HttpRequest, name: str) -> HttpResponseBase:
    """Tell a new member their personal link, once."""
    link = request.session.pop("personal_link", None)
    if link is None:
        return redirect("campaign", name)
    return render(request, "campaigns/welcome.html", {"link": link, "name": name})


@require_safe
def personal(request: HttpRequest, key: str) -> HttpResponseBase:
    """Sign somebody in by their personal link."""
    keys = asker_keys(request, "")
    if too_many(keys[1:]):
        text = _("Too many attempts. Try again in 15 minutes.")
        return refusal(request, title=_("Wait a little"), text=text, status=429)
    person = person_of_link(key)
    if person is None:
        Attempt.objects.create(key=keys[1])
        text = _("This personal link is not complete, or a newer one replaced it.")
        title = _("This link does not let you in")
        return refusal(request, title=title, text=text, status=403)
    login(request, person, backend=_BACKEND)
    messages.success(request, _("Welcome back."))
    return redirect("home")
