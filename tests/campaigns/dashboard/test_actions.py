# SPDX-License-Identifier: Apache-2.0
"""What managers do, each with its line in the log; nobody else can."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from support.campaign_work import judge, new_campaign, new_member
from tertium.campaigns.dashboard import managing
from tertium.campaigns.exchange.exporting import formats
from tertium.campaigns.models import (
    Event,
    Invitation,
    Judgement,
    Membership,
    Person,
    Role,
)
from tertium.campaigns.work import leases as work

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(tmp_path):
    return new_campaign(tmp_path)


@pytest.fixture
def manager(campaign):
    return new_member(campaign, Role.MANAGER)


@pytest.fixture
def ann(campaign):
    return new_member(campaign)


def post(member, path, follow=True, **values):
    client = Client()
    client.force_login(member.person)
    return client.post(f"/m/{member.campaign.name}/{path}", values, follow=follow)


def last(campaign) -> tuple[str, str, dict[str, object]]:
    """Return the newest line of the log."""
    event = Event.objects.filter(campaign=campaign).order_by("-time", "-pk").first()
    return event.actor, event.action, event.detail


def test_pause_resume_close_the_campaign(campaign, manager, ann):
    for phase, action in (("paused", "pause"), ("open", "resume"), ("closed", "close")):
        assert post(manager, "phase", phase=phase).status_code == 200
        campaign.refresh_from_db()
        assert campaign.phase == phase
        assert last(campaign) == (manager.code, action, {})
        assert (work.next_assignment(ann) is None) == (phase == "paused")
    before = Event.objects.count()
    post(manager, "phase", phase="closed")  # nothing changes, nothing is logged
    assert Event.objects.count() == before
    assert post(manager, "phase", phase="nonsense").status_code == 404


def test_pause_and_resume_a_person(campaign, manager, ann):
    post(manager, f"people/{ann.code}/pause", paused="yes")
    ann.refresh_from_db()
    assert ann.paused
    assert last(campaign) == (manager.code, "pause-member", {"member": ann.code})
    assert work.next_assignment(ann) is None
    post(manager, f"people/{ann.code}/pause", paused="no")
    ann.refresh_from_db()
    assert not ann.paused
    assert last(campaign)[1] == "resume-member"


def test_release_a_lease(campaign, manager, ann):
    held = work.next_assignment(ann)
    post(manager, f"leases/{held.pk}/release")
    held.refresh_from_db()
    held.item.refresh_from_db()
    assert held.state == "expired"
    assert held.item.taken == 0
    wanted = {"member": ann.code, "item": held.item.key}
    assert last(campaign) == (manager.code, "release", wanted)
    before = Event.objects.count()
    post(manager, f"leases/{held.pk}/release")  # a double click
    assert Event.objects.count() == before


def test_finished_work_is_not_taken_back(campaign, manager, ann):
    held = work.next_assignment(ann)
    work.submit(held, {"better": "a"})
    before = Event.objects.count()
    reply = post(manager, f"leases/{held.pk}/release")
    assert "finished in the meantime" in reply.content.decode()
    assert Event.objects.count() == before
    assert Judgement.objects.count() == 1


def test_take_back_all_work_of_a_person(campaign, manager, ann):
    held = work.next_assignment(ann)
    reply = post(manager, f"people/{ann.code}/take-back")
    assert "1 item was taken back" in reply.content.decode()
    held.refresh_from_db()
    assert held.state == "expired"
    assert last(campaign)[1] == "release"


def test_offer_a_skipped_item_again(tmp_path):
    campaign = new_campaign(
        tmp_path, "tiny", segments=1, systems=("alphasys", "betasys")
    )
    manager, ann = new_member(campaign, Role.MANAGER), new_member(campaign)
    skipped = work.next_assignment(ann)
    work.skip(skipped, "too long")
    assert work.next_assignment(ann) is None
    post(manager, f"skips/{skipped.pk}/offer-again")
    assert last(campaign)[:2] == (manager.code, "offer-again")
    assert work.next_assignment(ann).item == skipped.item
    before = Event.objects.count()
    post(manager, f"skips/{skipped.pk}/offer-again")
    assert Event.objects.count() == before


def test_give_an_item_to_somebody(campaign, manager, ann):
    item = campaign.items.order_by("-position").first()
    post(manager, f"items/{item.pk}/give", code=ann.code)
    wanted = {"member": ann.code, "item": item.key}
    assert last(campaign) == (manager.code, "give", wanted)
    result = ann.assignments.get()
    assert result.expires > timezone.now() + timedelta(days=6)
    item.refresh_from_db()
    assert item.taken == 1
    assert work.next_assignment(ann) == result
    # They have an open item now: the next gift is rejected.
    other = campaign.items.order_by("position").first()
    reply = post(manager, f"items/{other.pk}/give", code=ann.code)
    assert "has an open item" in reply.content.decode()
    other.refresh_from_db()
    assert other.taken == 0
    assert last(campaign)[1] == "give"
    # What they have judged they judge again; what others have, they judge too.
    work.submit(result, {"better": "a"})
    post(manager, f"items/{item.pk}/give", code=ann.code)
    assert ann.assignments.get(state="leased").why == "intra"
    bob = new_member(campaign)
    post(manager, f"items/{item.pk}/give", code=bob.code)
    assert bob.assignments.get().why == "inter"


def test_gifts_need_somebody_who_works(campaign, manager, ann):
    item = campaign.items.first()
    observer = new_member(campaign, Role.OBSERVER)
    managing.pause_member(manager, ann, paused=True)
    for code in (observer.code, ann.code):
        post(manager, f"items/{item.pk}/give", code=code)
    assert post(manager, f"items/{item.pk}/give", code="nobody").status_code == 404
    assert not item.assignments.exists()


def test_invitations(campaign, manager):
    values = {"role": "observer", "days": "7", "most": "2", "group": "class of 1"}
    reply = post(manager, "invitations", **values)
    made = Invitation.objects.filter(campaign=campaign).latest("pk")
    assert (made.role, made.most, made.group) == ("observer", 2, "class of 1")
    assert made.expires - timezone.now() > timedelta(days=6.9)
    actor, action, detail = last(campaign)
    assert (actor, action, detail["invitation"]) == (manager.code, "invite", made.pk)
    text = reply.content.decode()
    link = re.search(rf'id="link{made.pk}">http://testserver(/join/[^<]+)<', text)[1]
    assert Client().get(link).status_code == 200
    assert "join/" not in json.dumps(detail)
    post(manager, f"invitations/{made.pk}/revoke")
    assert last(campaign) == (manager.code, "revoke", {"invitation": made.pk})
    assert Client().get(link).status_code == 403
    for wrong in ({"role": "king"}, {"days": "0"}, {"days": "nan"}, {"most": "-1"}):
        before = Invitation.objects.count()
        assert post(manager, "invitations", **{**values, **wrong}).status_code == 200
        assert Invitation.objects.count() == before


def test_a_new_personal_link_is_shown_once(campaign, manager, ann):
    client = Client()
    client.force_login(manager.person)
    place = f"/m/{campaign.name}/people/{ann.code}/"
    text = client.post(f"{place}link", follow=True).content.decode()
    link = re.search(r"http://testserver(/me/[^<]+)<", text)[1]
    assert last(campaign) == (manager.code, "new-link", {"member": ann.code})
    assert "/me/" not in client.get(place).content.decode()
    other = Client()
    assert other.post(link).status_code == 302
    assert other.get(f"/c/{campaign.name}/").status_code == 200


def test_no_link_into_campaigns_of_others(campaign, manager, ann, tmp_path):
    other = new_campaign(tmp_path, "other", segments=1)
    Membership.objects.create(
        campaign=other, person=ann.person, role=Role.MANAGER, code="elsewhere"
    )
    old = ann.person.link
    reply = post(manager, f"people/{ann.code}/link")
    text = reply.content.decode()
    assert "/me/" not in text
    assert "other people’s campaigns" in text
    ann.person.refresh_from_db()
    assert ann.person.link == old
    assert "New personal link" not in text


def test_delete_a_person(campaign, manager, ann):
    judge(ann, 3)
    managing.pause_member(manager, ann, paused=True)
    for typed in ("", "yes", ann.code.upper() + "x"):
        post(manager, f"people/{ann.code}/delete", typed=typed)
        assert Judgement.objects.count() == 3
    reply = post(manager, f"people/{ann.code}/delete", typed=f" {ann.code} ")
    assert "3 judgements" in reply.content.decode()
    assert Judgement.objects.count() == 0
    assert not Person.objects.filter(pk=ann.person_id).exists()
    assert last(campaign) == (manager.code, "delete-member", {"judgements": 3})
    assert set(campaign.items.values_list("taken", flat=True)) == {0}
    # The log does not know them any more.
    log = json.dumps(list(Event.objects.values("actor", "action", "detail")))
    assert ann.code not in log


def test_managers_do_not_delete_themselves(campaign, manager):
    post(manager, f"people/{manager.code}/delete", typed=manager.code)
    assert campaign.members.filter(pk=manager.pk).exists()


@pytest.mark.parametrize("name", ["answers", "parquet", "sqlite", "tertium-jsonl"])
def test_downloads(campaign, manager, ann, name):
    judge(ann, 3)
    assert name in formats()
    reply = post(manager, "exports/download", follow=False, format=name)
    assert reply.status_code == 200
    message = reply["Content-Disposition"]
    assert re.fullmatch(r'attachment; filename="[a-z0-9-]+\.[a-z]+"', message), message
    data = b"".join(reply.streaming_content)
    assert last(campaign) == (manager.code, "export", {"format": name})
    assert ann.person.name.encode() not in data
    if name == "answers":
        assert len(data.splitlines()) == 3
        assert json.loads(data.splitlines()[0])["judge"] == ann.code
    elif name == "parquet":
        assert message.endswith('.zip"')
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
        assert any(one.endswith(".parquet") for one in names)
    elif name == "sqlite":
        assert data.startswith(b"SQLite format 3")


@pytest.mark.parametrize("name", list(formats()))
def test_every_format_comes_or_is_rejected_with_a_reason(campaign, manager, ann, name):
    judge(ann, 2)
    reply = post(manager, "exports/download", follow=False, format=name)
    if reply.status_code == 302:  # it has no place for rankings
        page = post(manager, "exports/download", format=name).content.decode()
        assert 'class="error"' in page
    else:
        assert b"".join(reply.streaming_content)


def test_unknown_formats_are_not_there(manager):
    for name in ("", "../../etc/passwd", "nonsense"):
        assert post(manager, "exports/download", format=name).status_code == 404


# -------------------------------------------------------------------- who may not


def paths(campaign, ann):
    held = work.next_assignment(ann)
    invitation = Invitation.objects.filter(campaign=campaign).first()
    return {
        "phase": {"phase": "closed"},
        f"people/{ann.code}/pause": {"paused": "yes"},
        f"people/{ann.code}/take-back": {},
        f"people/{ann.code}/link": {},
        f"people/{ann.code}/delete": {"typed": ann.code},
        f"leases/{held.pk}/release": {},
        f"skips/{held.pk}/offer-again": {},
        f"items/{held.item_id}/give": {"code": ann.code},
        "invitations": {"role": "manager", "days": "3"},
        f"invitations/{invitation.pk}/revoke": {},
        "exports/download": {"format": "answers"},
    }


@pytest.mark.parametrize(
    ("who", "status"),
    [("observer", 403), ("annotator", 403), ("stranger", 404), ("nobody", 302)],
)
def test_actions_are_for_managers(campaign, manager, ann, tmp_path, who, status):
    other = new_campaign(tmp_path, "other", segments=1)
    person = {
        "observer": lambda: new_member(campaign, Role.OBSERVER),
        "annotator": lambda: ann,
        "stranger": lambda: new_member(other, Role.MANAGER),
        "nobody": lambda: None,
    }[who]()
    wanted = paths(campaign, ann)
    before = list(Event.objects.values_list("pk"))
    state = list(ann.assignments.values_list("state", "expires"))
    client = Client()
    if person is not None:
        client.force_login(person.person)
    for path, values in wanted.items():
        reply = client.post(f"/m/{campaign.name}/{path}", values)
        assert reply.status_code == status, path
        # Nor through a campaign of one's own.
        if who == "stranger" and path not in (
            "phase",
            "invitations",
            "exports/download",
        ):
            assert client.post(f"/m/other/{path}", values).status_code == 404, path
    campaign.refresh_from_db()
    assert campaign.phase == "open"
    assert list(Event.objects.values_list("pk")) == before
    assert list(ann.assignments.values_list("state", "expires")) == state


def test_actions_need_post_and_a_token(campaign, manager, ann):
    client = Client(enforce_csrf_checks=True)
    client.force_login(manager.person)
    before = Event.objects.count()
    for path, values in paths(campaign, ann).items():
        place = f"/m/{campaign.name}/{path}"
        assert client.post(place, values).status_code == 403, path
        if path != "invitations":
            assert client.get(place).status_code == 405, path
    assert Event.objects.count() == before


def test_forms_lead_back_to_pages_of_ours_only(campaign, manager, ann):
    for wanted, place in (
        (
            f"/m/{campaign.name}/people/{ann.code}/",
            f"/m/{campaign.name}/people/{ann.code}/",
        ),
        ("https://evil.example/", f"/m/{campaign.name}/"),
        ("//evil.example/", f"/m/{campaign.name}/"),
        ("javascript:x()", f"/m/{campaign.name}/"),
    ):
        held = work.next_assignment(ann)
        reply = post(manager, f"leases/{held.pk}/release", follow=False, next=wanted)
        assert reply["Location"] == place


def test_the_log_is_paged(campaign, manager):
    for _ in range(120):
        managing.log(manager, "test-line", item="<b>")
    client = Client()
    client.force_login(manager.person)
    first = client.get(f"/m/{campaign.name}/log").content.decode()
    assert first.count("test-line") == 100
    assert "item: &lt;b&gt;" in first
    second = client.get(f"/m/{campaign.name}/log?page=2").content.decode()
    assert second.count("test-line") == 20
