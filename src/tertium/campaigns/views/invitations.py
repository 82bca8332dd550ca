# SPDX-License-Identifier: Apache-2.0
"""Invitations: managers make, list and withdraw them."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from tertium.campaigns.dashboard import managing
from tertium.campaigns.models import Invitation, Role
from tertium.campaigns.people.accounts import token_of
from tertium.campaigns.views.access import member_of
from tertium.campaigns.views.dashboard import show

__all__ = ["invitations", "revoke"]

ROLES = [
    (
        Role.ANNOTATOR.value,
        gettext_lazy("Annotator: judges, does not see system names"),
    ),
    (Role.OBSERVER.value, gettext_lazy("Observer: reads the dashboard")),
    (Role.MANAGER.value, gettext_lazy("Manager: can do everything")),
]


class Invite(forms.Form):
    """A new invitation."""

    role = forms.ChoiceField(choices=ROLES, label=gettext_lazy("Role"))
    days = forms.IntegerField(
        min_value=1,
        max_value=365,
        initial=30,
        label=gettext_lazy("Days until it expires"),
    )
    most = forms.IntegerField(
        min_value=1,
        max_value=100_000,
        required=False,
        label=gettext_lazy("How many people may use it"),
        help_text=gettext_lazy("Leave it empty for any number."),
    )
    group = forms.CharField(
        max_length=60,
        required=False,
        label=gettext_lazy("Group"),
        help_text=gettext_lazy(
            "Recorded for everybody who joins: how you recruited them."
        ),
    )


@login_required
def invitations(request: HttpRequest, name: str) -> HttpResponseBase:
    """List invitations, and make new ones."""
    member = member_of(request, name, Role.MANAGER)
    form = Invite(request.POST or None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        made = managing.invite(
            member,
            Role(values["role"]),
            days=values["days"],
            most=values["most"],
            group=values["group"],
        )
        messages.success(request, _("The invitation is ready: copy its link."))
        place = reverse("invitations", args=[name])
        return redirect(f"{place}#i{made.pk}")
    now = timezone.now()
    rows = []
    for one in member.campaign.invitations.order_by("-created", "-pk"):
        used = one.most is not None and one.uses >= one.most
        usable = not one.revoked and not used and one.expires >= now
        address = reverse("join", args=[token_of(one)]) if usable else ""
        rows.append(
            {
                "one": one,
                "used": used,
                "over": one.expires < now,
                "link": request.build_absolute_uri(address) if usable else "",
            }
        )
    return show(request, member, "invitations", {"form": form, "rows": rows})


@login_required
@require_POST
def revoke(request: HttpRequest, name: str, number: int) -> HttpResponseBase:
    """Withdraw an invitation."""
    member = member_of(request, name, Role.MANAGER)
    invitation = Invitation.objects.filter(campaign=member.campaign, pk=number).first()
    if invitation is None:
        raise Http404
    managing.revoke(member, invitation)
    messages.success(request, _("The invitation was withdrawn."))
    return redirect("invitations", name)
