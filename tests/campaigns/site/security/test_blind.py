# SPDX-License-Identifier: Apache-2.0
"""Annotators never learn which system wrote what, whatever they open or send.

Every task is walked through by its starter files: all links are followed, all forms
are sent, answers good and bad are posted, and everything that comes back is searched
for the names of systems.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from django.test import Client

from support.campaign_world import write_starter
from tertium.campaigns.config import read_config
from tertium.campaigns.loading import load
from tertium.campaigns.models import Assignment, Item, Origin, Role, State
from tertium.campaigns.people.accounts import invite, join, token_of
from tertium.campaigns.tasks import TASKS

pytestmark = pytest.mark.django_db
MOST = 80  # pages of a walk
#: Replaces a system's name in the starter files: nothing else says this.
MARK = "zqxsystem"


class Page(HTMLParser):
    """Links and forms of a page, and the addresses that its script posts to."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[dict] = []
        self.posts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        has = dict(attrs)
        if tag == "a" and has.get("href"):
            self.links.append(has["href"])
        if tag in ("script", "link", "img"):
            self.links.append(has.get("src") or has.get("href") or "#")
        for name in ("data-draft", "data-submit"):
            if has.get(name):
                self.posts.append(has[name])
        if tag == "form":
            self.forms.append({"to": has.get("action", ""), "values": {}, **has})
        elif tag in ("input", "select", "textarea", "button") and self.forms:
            name, kind = has.get("name"), has.get("type", "text")
            values = self.forms[-1]["values"]
            if name and kind in ("checkbox", "radio"):
                values.setdefault(name, has.get("value", "on"))
            elif name:
                empty = "" if kind == "password" else "1"
                values[name] = has.get("value") or empty
            self._select = name if tag == "select" else None
        elif tag == "option" and has.get("value") and getattr(self, "_select", None):
            self.forms[-1]["values"].update({self._select: has["value"]})


class Walk:
    """Somebody who tries everything."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.seen: list[tuple[str, str]] = []  # where, and what came
        self.done: set[str] = set()

    def take(self, where: str, reply) -> str:
        for one, _status in getattr(reply, "redirect_chain", []):
            self.seen.append((where, one))
        body = (
            b"".join(reply.streaming_content) if reply.streaming else reply.content
        ).decode()
        self.seen.append((where, body + str(reply.headers) + str(reply.cookies)))
        assert reply.status_code < 500, where
        return body

    def go(self, start: str) -> None:
        waiting = [start]
        while waiting and len(self.done) < MOST:
            path = waiting.pop(0)
            if path in self.done or urlsplit(path).netloc:
                continue
            self.done.add(path)
            reply = self.client.get(path, follow=True)
            body = self.take(path, reply)
            if not reply["Content-Type"].startswith("text/html"):
                continue
            here = reply.request["PATH_INFO"]
            page = Page(body)
            for where in page.posts:
                self.post(urljoin(here, where))
            for form in page.forms:
                to = urljoin(here, form["to"]) or here
                if form.get("method", "get").lower() != "post":
                    waiting.append(f"{to}?{urlencode(form['values'])}")
                    continue
                if (
                    re.search(r"sign-out|language|skip", to)
                    or f"POST {to}" in self.done
                ):
                    continue
                self.done.add(f"POST {to}")
                reply = self.client.post(to, form["values"], follow=True)
                self.take(f"POST {to}", reply)
                waiting.append(reply.request["PATH_INFO"])
            waiting += [urljoin(here, link).partition("#")[0] for link in page.links]

    def post(self, where: str) -> None:
        for body in ({}, {"answer": {}}, {"version": 1, "answer": {"better": "q"}}):
            reply = self.client.post(where, json.dumps(body), "application/json")
            self.take(where, reply)


def rename_systems(folder: Path) -> None:
    """Give the test set of a starter systems whose names cannot appear by chance."""
    import tertium

    config = folder / "campaign.toml"
    text = config.read_text(encoding="utf-8")
    items = re.search(r'^items = "(.*?)"', text, re.M)[1]
    if items == "demo":
        path = Path(tertium.__file__).parent / "demo" / "demo.jsonl"
    else:
        path = folder / items
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    if "tgt" not in lines[0]:
        return  # candidates of segments, whose systems are in a file of their own
    kept = lines[:4] if items == "demo" else lines
    for line in kept:
        for name in line["tgt"]:
            trees = folder / f"{name}.conllu"
            if trees.exists():
                trees.rename(folder / f"{MARK}-{name}.conllu")
        line["tgt"] = {f"{MARK}-{name}": out for name, out in line["tgt"].items()}
    made = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in kept)
    (folder / "marked.jsonl").write_text(made, encoding="utf-8")
    text = text.replace(f'items = "{items}"', 'items = "marked.jsonl"', 1)
    config.write_text(text, "utf-8")


@pytest.mark.parametrize("task", list(TASKS))
def test_no_page_names_a_system(tmp_path, task):
    folder = tmp_path / task
    write_starter(folder, task)
    rename_systems(folder)
    campaign = load(read_config(folder / "campaign.toml")).campaign
    systems = set(
        Origin.objects.filter(item__campaign=campaign).values_list("system", flat=True)
    )
    if task != "survey":  # whose sentences need not come from systems
        assert systems
    client = Client()
    walk = Walk(client)
    invitation = invite(campaign, Role.ANNOTATOR)
    walk.go(f"/join/{token_of(invitation)}")
    member = campaign.members.get()
    walk.go(f"/c/{campaign.name}/")
    # Every item, also those that would come much later.
    for item in Item.objects.filter(campaign=campaign)[:30]:
        Assignment.objects.filter(member=member, state=State.LEASED).update(
            state=State.SKIPPED
        )
        held = Assignment.objects.create(
            item=item, member=member, why="inter", seed=item.pk, **times(campaign)
        )
        walk.take(str(held.pk), client.get(f"/work/{held.pk}/", follow=True))
        walk.post(f"/work/{held.pk}/draft")
        walk.post(f"/work/{held.pk}/submit")
        form = {"reason": "x"}
        walk.take("skip", client.post(f"/work/{held.pk}/skip", form, follow=True))
    name = campaign.name
    for path in (
        f"/m/{name}/",
        f"/api/v1/campaigns/{name}",
        f"/api/v1/campaigns/{name}/items",
        f"/api/v1/campaigns/{name}/export",
        "/api/v1/campaigns",
        "/no-such-page",
        f"/c/{name}/finished",
    ):
        walk.take(path, client.get(path))
    assert any("/work/" in where for where, _ in walk.seen)
    names = "|".join(rf"\b{re.escape(one)}\b" for one in sorted(systems))
    wanted = re.compile(f"{MARK}|{names}" if names else MARK, re.IGNORECASE)
    for where, body in walk.seen:
        if body.lstrip().startswith(("/*", "//", "<svg")):
            continue  # scripts and styles are the same for everybody
        match = wanted.search(body)
        assert match is None, (where, body[max(0, match.start() - 200) :][:400])


def times(campaign) -> dict:
    from datetime import timedelta

    from django.utils import timezone

    now = timezone.now()
    return {"created": now, "expires": now + timedelta(hours=1)}


def test_errors_of_answers_name_no_system(tmp_path):
    """What a task reports about a wrong answer, for keys that could be systems."""
    folder = tmp_path / "pairs"
    write_starter(folder, "pairs")
    rename_systems(folder)
    campaign = load(read_config(folder / "campaign.toml")).campaign
    client = Client()
    client.force_login(join(invite(campaign, Role.ANNOTATOR)).member.person)
    client.post(f"/c/{campaign.name}/start")
    work = Assignment.objects.get()
    for system in Origin.objects.filter(item=work.item).values_list(
        "system", flat=True
    ):
        body = json.dumps({"answer": {"better": system}})
        reply = client.post(f"/work/{work.pk}/submit", body, "application/json")
        assert reply.status_code == 422
        assert MARK not in reply.content.decode()


def test_the_order_of_candidates_betrays_nothing(tmp_path):
    """Keys go by the text, sides by chance: over items, no system is always first."""
    folder = tmp_path / "pairs"
    write_starter(folder, "pairs")
    rename_systems(folder)
    campaign = load(read_config(folder / "campaign.toml")).campaign
    first = {
        min(item.origins.values_list("candidate", "system"))[1]
        for item in campaign.items.all()
    }
    assert len(first) > 1
