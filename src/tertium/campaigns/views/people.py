# SPDX-License-Identifier: Apache-2.0
"""Who works in a campaign: the list, and a page a person."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_safe

from tertium.campaigns.dashboard import activity, charts, managing, statistics, wording
from tertium.campaigns.dashboard.progress import LONGEST, members
from tertium.campaigns.models import Judgement, Membership, Role, State, Why
from tertium.campaigns.views.access import member_of
from tertium.campaigns.views.dashboard import SEERS, show

__all__ = ["colleague", "people", "person"]

_TRACKED = 500  # items in the chart of times
_LAST = 25  # judgements a page


def colleague(member: Membership, code: str) -> Membership:
    """Return a member of the same campaign by code."""
    other = (
        member.campaign.members.select_related("person", "campaign")
        .filter(code=code)
        .first()
    )
    if other is None:
        raise Http404
    return other


@login_required
@require_safe
def people(request: HttpRequest, name: str) -> HttpResponseBase:
    """List the members of a campaign with what they did."""
    member = member_of(request, name, *SEERS)
    findings = statistics.findings(member.campaign)
    names: dict[str, tuple[str, str]] = {}
    if member.role == Role.MANAGER:  # observers see pseudonyms only
        known = member.campaign.members.values_list("code", "person__name", "group")
        names = {code: (account, group) for code, account, group in known}
    rows = []
    counts = statistics.counts(member.campaign)
    for one in members(member.campaign) if counts is None else counts.people:
        profile = findings.judges.get(one.code)
        rows.append(
            {
                "one": one,
                "name": names.get(one.code, ("", ""))[0],
                "group": names.get(one.code, ("", ""))[1],
                "seconds": wording.seconds(one.seconds),
                "intra": wording.number(
                    profile.intra.value if profile and profile.intra else None
                ),
                "inter": wording.number(
                    profile.inter.value if profile and profile.inter else None
                ),
                "flags": profile.flags if profile else (),
            }
        )
    ranked = any(figure.name == "kappa" for figure in findings.agreement)
    return show(request, member, "people", {"rows": rows, "ranked": ranked})


@login_required
@require_safe
def person(request: HttpRequest, name: str, code: str) -> HttpResponseBase:
    """Show what somebody did, how fast and how consistently."""
    member = member_of(request, name, *SEERS)
    who = colleague(member, code)
    findings = statistics.findings(member.campaign)
    profile = findings.judges.get(code)
    judged = (
        Judgement.objects.filter(assignment__member=who)
        .select_related("assignment__item")
        .order_by("-created", "-pk")
    )
    real = judged.exclude(assignment__why=Why.TRAINING)
    newest = [
        (seconds, why)
        for seconds, why in real.values_list("seconds", "assignment__why")[:_TRACKED]
        if seconds is not None
    ]
    manages = member.role == Role.MANAGER
    link = request.session.pop(_shelf(who), None) if manages else None
    context: dict[str, object] = {
        "who": who,
        "account": who.person.name if manages else "",
        "done": members(member.campaign, only=who)[0],
        "profile": profile,
        "speed": wording.seconds(profile.speed.median.value if profile else None),
        "rushed": profile.speed.rushed if profile else 0,
        "figures": _figures(profile),
        "longest": int(LONGEST),
        "chart": charts.track(newest[::-1]),
        "tracked": _TRACKED if len(newest) == _TRACKED else 0,
        "page": Paginator(judged, _LAST).get_page(request.GET.get("page")),
        "leases": activity.leases(member.campaign).filter(member=who),
        "skips": activity.skips(member.campaign, who)[:_LAST],
        "link": link,
        "may_link": manages and managing.may_link(member, who),
        "self": who.pk == member.pk,
        "checks": _checks(who),
    }
    return show(request, member, "person", context)


def _shelf(who: Membership) -> str:
    return f"link-{who.pk}"


def keep_link(request: HttpRequest, who: Membership, key: str) -> None:
    """Keep a new personal link until the next page shows it, once."""
    address = request.build_absolute_uri(reverse("personal", args=[key]))
    request.session[_shelf(who)] = address


def _checks(who: Membership) -> int:
    return who.assignments.filter(state=State.DONE, item__kind="check").count()


def _figures(profile: object) -> list[tuple[str, str]]:
    """Return names and values of what is known of a judge's agreement."""
    from django.utils.translation import gettext as _

    from tertium.judgements import JudgeProfile

    if not isinstance(profile, JudgeProfile):
        return []
    rows = []
    if profile.rankings:
        rows = [
            (_("Kappa with themselves"), wording.estimate(profile.intra)),
            (_("Kappa with others"), wording.estimate(profile.inter)),
            (_("Share of ties"), wording.estimate(profile.ties)),
        ]
    for scale, use in profile.usage.items():
        name = f"{scale}: " if scale else ""
        spread = f" ± {wording.number(use.sd)}" if use.sd is not None else ""
        rows += [
            (name + _("mean rating"), wording.number(use.mean) + spread),
            (
                name + _("above others on the same outputs"),
                wording.number(use.lenience),
            ),
            (
                name + _("Pearson’s r with the mean of others"),
                wording.estimate(use.correlation),
            ),
            (
                name + _("mean gap between repeated ratings"),
                wording.number(use.wobble),
            ),
        ]
    return rows
