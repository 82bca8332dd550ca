# SPDX-License-Identifier: Apache-2.0
"""The dashboard with no, one and many judgements, for every role."""

from __future__ import annotations

import re
from datetime import timedelta
from threading import Event

import pytest
from django.test import Client
from django.utils import timezone

from support.campaign_work import SYSTEMS, judge, new_campaign, new_member
from tertium.campaigns.config import read_config
from tertium.campaigns.dashboard import remembering, statistics
from tertium.campaigns.loading import load
from tertium.campaigns.models import Item, Role
from tertium.campaigns.people.accounts import delete_member
from tertium.campaigns.tasks import TASKS, Section, get_task
from tertium.campaigns.tasks.pairs import Pairs
from tertium.campaigns.work import leases as work

pytestmark = pytest.mark.django_db

TABS = ("", "people/", "items/", "invitations", "exports", "log")


@pytest.fixture
def campaign(tmp_path):
    return new_campaign(tmp_path, plan="intra = 0.1\ninter = 0.1")


def client_of(member) -> Client:
    client = Client()
    client.force_login(member.person)
    return client


def page(member, path="", status=200) -> str:
    reply = client_of(member).get(f"/m/{member.campaign.name}/{path}")
    assert reply.status_code == status, path
    return reply.content.decode()


def words(html: str) -> str:
    """Return what people read."""
    html = re.sub(r"<svg.*?</svg>", " ", html, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def sound(html: str) -> None:
    """Check that nothing undefined is shown, and nothing that the policy forbids."""
    message = words(html)
    assert not re.search(r"\b(nan|inf|None)\b", message, re.I), message
    assert "{{" not in message
    assert "{%" not in message
    for tag in re.findall(r"<[^>]*>", html):
        assert not re.search(r"\s(style|on\w+)=", tag), tag
    assert not re.search(r"<style|<script(?! type=\"module\" src=)", html)


def test_without_judgements_figures_say_why(campaign):
    manager = new_member(campaign, Role.MANAGER)
    for tab in TABS:
        sound(page(manager, tab))
    message = words(page(manager))
    assert "0 / 12" in message
    assert "n/a: there are no judgements yet" in message
    assert "nobody has judged anything yet" in message
    sound(page(manager, f"people/{manager.code}/"))


def test_with_one_judgement(campaign):
    manager, ann = new_member(campaign, Role.MANAGER), new_member(campaign)
    judge(ann, 1)
    html = page(manager)
    sound(html)
    message = words(html)
    assert "1 / 12" in message
    assert "no judge ranked two candidates of a segment twice" in message
    assert "no two judges ranked the same two candidates" in message
    assert (
        "there are too few judgements to estimate the pace" in message
        or "seven days" in message
    )
    html = page(manager, f"people/{ann.code}/")
    sound(html)
    assert "ranked no two candidates twice" in words(html)


def test_with_many_judgements(tmp_path):
    campaign = new_campaign(tmp_path, segments=30, plan="intra = 0.2\ninter = 0.3")
    manager = new_member(campaign, Role.MANAGER)
    people = [new_member(campaign) for _ in range(3)]
    recently = timezone.now() - timedelta(hours=20)
    for _ in range(6):
        for ann in people:
            judge(ann, 6, start=recently, noise=0.2)
    html = page(manager)
    sound(html)
    message = words(html)
    result = statistics.findings(campaign)
    assert [figure.kind for figure in result.agreement] == ["intra", "inter"]
    for figure in result.agreement:
        assert figure.estimate.value > 0.3
        low, high = figure.estimate.interval
        assert low <= figure.estimate.value <= high
        assert f"{figure.estimate.value:.2f}" in message
    ranking = result.systems[0].ranking
    assert [one.system for one in ranking.systems] == list(SYSTEMS)
    assert all(system in message for system in SYSTEMS)
    assert html.count("<svg") >= 4
    assert "bootstrap intervals (200 resamples)" in message
    assert re.search(r"about \d+ (hours?|days?)", message)
    html = page(manager, f"people/{people[0].code}/")
    sound(html)
    assert "<svg" in html
    sound(page(manager, "people/"))


def test_figures_are_those_of_an_export(tmp_path):
    from tertium.campaigns.exchange.exporting import tables
    from tertium.judgements import pooled_agreement

    campaign = new_campaign(tmp_path, segments=20, plan="inter = 0.4")
    for ann in (new_member(campaign), new_member(campaign)):
        judge(ann, 20, noise=0.3)
        judge(ann, 20, noise=0.3, seed=2)
    result = statistics.compute(campaign)
    whole = pooled_agreement(tables(campaign))
    assert result.agreement[1].estimate.value == pytest.approx(whole.inter.value)
    assert result.ties == whole.ties


def test_finished_campaigns_have_nothing_left(campaign):
    manager = new_member(campaign, Role.MANAGER)
    judge(new_member(campaign))
    message = words(page(manager))
    assert "12 / 12" in message
    assert "nothing" in message


def test_open_and_skipped_work_is_listed(campaign):
    manager, ann, bob = (
        new_member(campaign, Role.MANAGER),
        new_member(campaign),
        new_member(campaign),
    )
    work.skip(work.next_assignment(ann), "I cannot <read> this")
    open_one = work.next_assignment(bob)
    html = page(manager)
    message = words(html)
    assert "I cannot &lt;read&gt; this" in html
    assert open_one.item.key in message
    assert "1 under way" in message


def test_observers_read_but_see_no_names_and_no_invitations(campaign):
    observer, ann = new_member(campaign, Role.OBSERVER), new_member(campaign)
    judge(ann, 3)
    item = work.next_assignment(ann).item
    for path in ("", "people/", f"people/{ann.code}/", "items/", "log",
                 f"items/{item.pk}/", f"items/{item.pk}/preview"):  # fmt: skip
        html = page(observer, path)
        sound(html) if "preview" not in path else None
        assert ann.person.name not in html
        assert "/join/" not in html
        assert 'action="/m/' not in html, path
    for path in ("invitations", "exports"):
        page(observer, path, 403)


def test_only_managers_see_who_wrote_what_and_metadata(campaign):
    item = campaign.items.first()
    item.meta = {"origin": "metadata-of-it"}
    item.save(update_fields=["meta"])
    for role, sees in ((Role.MANAGER, True), (Role.OBSERVER, False)):
        html = page(new_member(campaign, role), f"items/{item.pk}/")
        assert any(system in html for system in SYSTEMS) == sees
        assert ("metadata-of-it" in html) == sees


def test_whoever_deletes_somebody_the_figures_forget_them(campaign):
    ann = new_member(campaign)
    judge(ann, 3)
    assert ann.code in statistics.findings(campaign).judges
    delete_member(ann)
    assert ann.code not in statistics.findings(campaign).judges


def test_managers_see_accounts_and_answers(campaign):
    manager, ann = new_member(campaign, Role.MANAGER), new_member(campaign)
    judge(ann, 1)
    assert ann.person.name in page(manager, "people/")
    item = ann.assignments.get(state="done").item
    html = page(manager, f"items/{item.pk}/")
    sound(html)
    assert "&quot;better&quot;" in html
    assert "betasys" in html or "alphasys" in html


@pytest.mark.parametrize(
    "path", [*TABS, "people/CODE/", "items/ITEM/", "items/ITEM/preview"]
)
def test_annotators_and_strangers_see_nothing(campaign, tmp_path, path):
    ann = new_member(campaign)
    stranger = new_member(new_campaign(tmp_path, "other", segments=1), Role.MANAGER)
    number = Item.objects.filter(campaign=campaign).first().pk
    path = path.replace("CODE", ann.code).replace("ITEM", str(number))
    assert client_of(ann).get(f"/m/news/{path}").status_code == 403
    assert client_of(stranger).get(f"/m/news/{path}").status_code == 404
    reply = Client().get(f"/m/news/{path}")
    assert reply.status_code == 302
    assert "/sign-in" in reply["Location"]


def test_items_of_another_campaign_are_not_there(campaign, tmp_path):
    manager = new_member(campaign, Role.MANAGER)
    other = new_campaign(tmp_path, "other", segments=1)
    number = other.items.first().pk
    page(manager, f"items/{number}/", 404)
    page(manager, f"items/{number}/preview", 404)
    page(manager, f"people/{new_member(other).code}/", 404)


def test_items_are_filtered_and_paged(tmp_path):
    campaign = new_campaign(tmp_path, segments=20)
    manager, ann = new_member(campaign, Role.MANAGER), new_member(campaign)
    judge(ann, 2)
    work.skip(work.next_assignment(ann), "")
    work.next_assignment(ann)

    def count(query):
        return int(
            re.search(r"(\d+) items?\b", words(page(manager, f"items/?{query}")))[1]
        )

    assert count("") == 60
    assert count("state=judged") == 2
    assert count("state=skipped") == 1
    assert count("state=open") == 1
    assert count("state=free") == 57
    assert count("state=check") == 0
    assert count("q=s19") == 3
    assert client_of(manager).get("/m/news/items/?q=%00s19").status_code == 400
    assert count("state=nonsense&page=zzz") == 60
    assert "Page 2 of 2" in words(page(manager, "items/?page=2&q=s&state=all"))


def test_previews_show_the_page_and_store_nothing(campaign):
    manager = new_member(campaign, Role.MANAGER)
    item = campaign.items.first()
    html = page(manager, f"items/{item.pk}/preview")
    assert "Which translation is better?" in html
    assert not any(system in html for system in SYSTEMS)
    client, place = client_of(manager), f"/m/news/items/{item.pk}/preview"
    kind = "application/json"
    assert "data-draft" not in html  # the script keeps nothing without it
    assert client.post(f"{place}/submit", "{}", kind).status_code == 400
    assert client.post(f"{place}/submit", '{"answer": {}}', kind).status_code == 422
    reply = client.post(f"{place}/submit", '{"answer": {"better": "a"}}', kind)
    assert reply.json() == {"next": f"/m/news/items/{item.pk}/"}
    assert not item.assignments.exists()


def test_a_judgement_is_shown_as_it_was_made(campaign, tmp_path):
    manager, ann = new_member(campaign, Role.MANAGER), new_member(campaign)
    judge(ann, 2)
    one, two = ann.assignments.filter(state="done")
    place = f"items/{one.item_id}/preview?as={one.pk}"
    html = page(manager, place)
    assert f"this is how {ann.code} judged it" in html
    assert f'"answer": {{"better": "{one.judgement.answer["better"]}"}}' in html
    assert page(manager, f"items/{one.item_id}/").count("?as=") == 1
    page(new_member(campaign, Role.OBSERVER), place, 404)
    page(manager, f"items/{one.item_id}/preview?as={two.pk}", 404)
    page(manager, f"items/{one.item_id}/preview?as=x", 404)


def test_observers_read_no_invitations_in_the_log(campaign):
    manager, observer = (
        new_member(campaign, Role.MANAGER),
        new_member(campaign, Role.OBSERVER),
    )
    client_of(manager).post("/m/news/invitations", {"role": "annotator", "days": "3"})
    assert "created an invitation" in words(page(manager, "log"))
    assert "created an invitation" not in words(page(observer, "log"))


def test_reasons_are_those_of_the_judgements():
    """Find reasons that were reworded; their translations would be lost."""
    import inspect

    from tertium.campaigns.dashboard import wording
    from tertium.judgements.agreement import kappa, pooled, ratings, reliability, tally
    from tertium.judgements.annotators import profiles

    modules = (kappa, pooled, profiles, ratings, reliability, tally)
    source = "".join(map(inspect.getsource, modules))
    missing = [one for one in wording.REASONS if one not in source]
    assert missing == ["it is not defined"]


def test_tasks_add_sections(campaign, monkeypatch):
    manager = new_member(campaign, Role.MANAGER)
    rows = [("ann<", 3, None)]
    results = [Section("Extra figures", "Look here.", ["judge", "n", "share"], rows)]
    monkeypatch.setattr(Pairs, "report", lambda self, campaign: results)
    html = page(manager)
    assert "Extra figures" in html
    assert "ann&lt;" in html
    assert '<td class="number">3</td><td class="number">n/a</td>' in html


def test_an_error_of_a_section_is_told(campaign, monkeypatch):
    from tertium.errors import InputError

    def report(self, campaign):
        raise InputError("the checks are of another kind; load them anew")

    monkeypatch.setattr(Pairs, "report", report)
    assert "load them anew" in page(new_member(campaign, Role.MANAGER))


def test_names_of_systems_are_escaped_in_charts(tmp_path, monkeypatch):
    evil = "<script>x()</script>"
    systems = ("alphasys", evil)
    monkeypatch.setattr("support.campaign_work.SYSTEMS", systems)
    campaign = new_campaign(tmp_path, systems=systems)
    judge(new_member(campaign))
    html = page(new_member(campaign, Role.MANAGER))
    assert evil not in html
    assert "&lt;script&gt;x()" in html
    assert "<svg" in html
    sound(html)


# ----------------------------------------------------------------------- all tasks


def any_answer(task, content, n):
    """Return some answer to an item of a task."""
    if task == "direct":
        return {"score": 20 + 13 * n % 80}
    if task == "edits":
        return {"tokens": [0], "gaps": [], "none": False}
    return {"better": "a"}


@pytest.mark.parametrize("task", list(TASKS))
def test_every_task_has_a_dashboard(task, tmp_path):
    for name, text in get_task(task).starter_files().items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    campaign = load(read_config(tmp_path / "campaign.toml")).campaign
    manager, ann = new_member(campaign, Role.MANAGER), new_member(campaign)
    sound(page(manager))
    item = campaign.items.order_by("position").first()
    sound(page(manager, f"items/{item.pk}/"))
    assert 'id="work"' in page(manager, f"items/{item.pk}/preview")
    if task in ("direct", "edits", "pairs"):
        for n in range(12):
            held = work.next_assignment(ann)
            work.submit(held, any_answer(task, held.item.content, n))
        statistics.forget(campaign)
        for path in ("", "people/", f"people/{ann.code}/"):
            sound(page(manager, path))
        page(manager, f"items/{held.item_id}/preview?as={held.pk}")
    if task == "direct":
        assert "Attention checks" in page(manager)


# ------------------------------------------------------------------------- caching


def test_results_are_kept_until_judgements_change(campaign, monkeypatch):
    manager, ann = new_member(campaign, Role.MANAGER), new_member(campaign)
    judge(ann, 2)
    made = []
    compute = statistics.compute
    monkeypatch.setattr(
        statistics, "compute", lambda campaign: made.append(1) or compute(campaign)
    )
    page(manager)
    page(manager)
    page(manager, "people/")
    assert len(made) == 1
    # Newer judgements wait a little ...
    judge(ann, 1)
    message = words(page(manager))
    assert len(made) == 1
    assert "1 newer judgement is counted soon" in message
    # ... and are counted then.
    later = remembering.monotonic() + 3600
    monkeypatch.setattr(remembering, "monotonic", lambda: later)
    assert "newer judgement" not in words(page(manager))
    assert len(made) == 2


def test_others_get_the_old_result_while_a_new_one_is_made(campaign, monkeypatch):
    monkeypatch.setattr(remembering, "_SHARE", 0.0)
    ann = new_member(campaign)
    memory = remembering.Memory(quick=True)
    assert memory.get(campaign, lambda: "old") == "old"
    judge(ann, 1)

    def make():
        assert memory.get(campaign, lambda: "wrong") == "old"
        return "new"

    assert memory.get(campaign, make) == "new"
    assert memory.get(campaign, lambda: "newer") == "new"
    memory.forget(campaign)
    assert memory.get(campaign, lambda: "newest") == "newest"


def test_what_is_forgotten_while_it_is_made_is_not_kept(campaign):
    memory = remembering.Memory()
    assert memory.get(campaign, lambda: memory.forget(campaign) or "old") is None
    assert memory.get(campaign, lambda: "new") == "new"


def test_a_failure_is_not_kept(campaign):
    memory = remembering.Memory()
    with pytest.raises(ZeroDivisionError):
        memory.get(campaign, lambda: 1 // 0)
    assert memory.get(campaign, lambda: 1) == 1


@pytest.mark.django_db(transaction=True)
def test_no_page_waits_for_long(campaign, monkeypatch):
    manager = new_member(campaign, Role.MANAGER)
    judge(new_member(campaign), 3)
    go, compute = Event(), statistics.compute

    def slow(campaign):
        assert go.wait(20)
        return compute(campaign)

    monkeypatch.setattr(statistics, "compute", slow)
    monkeypatch.setattr(remembering, "PATIENCE", 0.05)
    client = client_of(manager)
    reply = client.get("/m/news/")
    assert "being computed" in reply.content.decode()
    assert reply["Refresh"] == "10"
    for path in ("people/", f"people/{manager.code}/"):
        assert client.get(f"/m/news/{path}").status_code == 200
    monkeypatch.setattr(remembering, "PATIENCE", 20.0)
    go.set()
    reply = client.get("/m/news/")
    assert "being computed" not in reply.content.decode()
    assert "Refresh" not in reply
    sound(reply.content.decode())


@pytest.mark.django_db(transaction=True)
def test_figures_of_many_judgements_are_not_waited_for(campaign, monkeypatch):
    judge(new_member(campaign), 3)
    monkeypatch.setattr(remembering, "PATIENCE", 20.0)
    monkeypatch.setattr(remembering, "MANY", 3)
    go = Event()
    assert remembering.Memory().get(campaign, lambda: go.wait(20)) is None
    go.set()
    assert remembering.Memory(quick=True).get(campaign, lambda: 1) == 1


@pytest.mark.django_db(transaction=True)
def test_a_failure_in_a_thread_comes_back(campaign):
    memory = remembering.Memory()
    with pytest.raises(ZeroDivisionError):
        memory.get(campaign, lambda: 1 // 0)
    assert memory.get(campaign, lambda: 1) == 1


def test_the_page_stands_without_figures(campaign, monkeypatch, caplog):
    manager = new_member(campaign, Role.MANAGER)
    judge(new_member(campaign), 3)

    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(statistics, "compute", broken)
    monkeypatch.setattr(Pairs, "report", broken)
    message = words(page(manager))
    assert message.count("the figures could not be computed") > 2
    assert "3 / 12" in message
    assert "ZeroDivisionError" in caplog.text
