# SPDX-License-Identifier: Apache-2.0
"""The tour of the guides: bundled campaigns from invitation to dashboard, a report.

Its pictures, ``guide-*``, are those of the documentation (docs/pictures.py).
"""

from __future__ import annotations

import json
import urllib.request
from datetime import datetime, timedelta, timezone
from random import Random

import pytest

from support.grammar_systems import evaluation
from tertium.report.grammar.page import grammar_page

TASKS = ("segranks", "ranking", "direct", "pairs", "edits", "survey")
#: How bad the systems of the demo are to the judges that are made up here.
BADNESS = {"good": 0, "order": 1, "words": 2, "copy": 2}


@pytest.fixture
def tour(server):
    """Serve a campaign of every task; return invitations by task and role."""
    links = {task: server.load(server.new(task)) for task in TASKS}
    server.start()
    return links


@pytest.fixture
def take(picture):
    """Return a function that keeps a picture of all of a page."""

    def keep(page, name):
        # As high as the page, so that the bar at the bottom covers nothing.
        size = page.viewport_size
        page.evaluate(
            "for (const all of document.querySelectorAll('details.instructions'))"
            " all.open = false"
        )
        height = page.evaluate(
            "document.querySelector('main').getBoundingClientRect().bottom + scrollY"
        )
        page.set_viewport_size({**size, "height": int(height) + 8})
        picture(page, f"guide-{name}", full=False)
        page.set_viewport_size(size)

    return keep


def begin(page, server, link, join):
    join(page, server, link)
    page.get_by_role("button", name="Start").click()
    page.locator("#work[data-ready]").wait_for()


def saved(page):
    page.get_by_text("Saved", exact=True).wait_for()


def test_a_tour_of_all_tasks(server, tour, person, join, take):
    wide = {"viewport": {"width": 900, "height": 700}, "device_scale_factor": 2}
    page = person(**wide)
    page.goto(server.url + tour["segranks"]["annotator"])
    take(page, "join")
    begin(page, server, tour["segranks"]["annotator"], join)
    page.locator(".rank-pick").first.focus()
    for key in "121g":
        page.keyboard.press(key)
    saved(page)
    take(page, "segranks")

    page = person(**wide)
    begin(page, server, tour["ranking"]["annotator"], join)
    page.locator(".rank-pick").first.focus()
    for key in "131":
        page.keyboard.press(key)
    saved(page)
    take(page, "ranking")

    page = person(**wide)
    begin(page, server, tour["direct"]["annotator"], join)
    page.keyboard.type("73")
    saved(page)
    take(page, "direct")

    page = person(**wide)
    begin(page, server, tour["pairs"]["annotator"], join)
    page.locator("label.side").first.click()
    saved(page)
    take(page, "pairs")

    page = person(**wide)
    begin(page, server, tour["edits"]["annotator"], join)
    page.locator("[data-token='1']").click()
    page.locator("[data-token='2']").click()
    page.locator("[data-gap='4']").click()
    saved(page)
    take(page, "edits")

    page = person(**wide)
    page.goto(server.url + tour["survey"]["annotator"])
    page.get_by_role("button", name="Go on to consent").click()
    take(page, "consent")
    for button in page.locator("input[type=radio][value=yes]").all():
        button.check()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("link", name="Go on").click()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Show the reference").click()
    page.get_by_role("button", name="Start").click()
    page.locator("#work[data-ready]").wait_for()
    page.get_by_role("button", name="Show the reference").click()
    page.locator("input[name=adequacy][value='4']").check()
    page.locator("input[name=order][value='3']").check()
    saved(page)
    take(page, "survey")

    phone = person(
        viewport={"width": 360, "height": 740}, has_touch=True, device_scale_factor=2
    )
    begin(phone, server, tour["pairs"]["annotator"], join)
    take(phone, "phone")


def test_a_dashboard_full_of_judgements(server, tour, person, join, take):
    """The judges are made up; their answers come in as those of another server."""
    token = server.tertium("campaign", "token", "sentences", "-q").strip()
    items = request(server, "sentences/items?size=1000", token)["items"]
    place = server.folder / "answers.jsonl"
    place.write_text("".join(f"{json.dumps(line)}\n" for line in answers(items)))
    out = server.tertium("campaign", "import", "sentences", place)
    assert "0 left out" in out

    manager = person(viewport={"width": 1100, "height": 800}, device_scale_factor=1.5)
    join(manager, server, tour["ranking"]["manager"])
    manager.goto(f"{server.url}/m/sentences/")
    manager.get_by_text("Expected wins").wait_for()
    take(manager, "dashboard")


def test_a_report_of_errors(chromium, picture, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(
        grammar_page(evaluation(), title="imitated systems"), encoding="utf-8"
    )
    wide = {"width": 1000, "height": 900}
    context = chromium.new_context(viewport=wide, device_scale_factor=1.5)
    page = context.new_page()
    page.goto(file.as_uri())

    def keep(name):
        picture(page, f"guide-{name}", full=False)

    keep("grammar-report")
    page.select_option("select[name=kind]", label="incorrect noun case")
    page.evaluate("document.querySelector('#outputs').scrollIntoView()")
    keep("grammar-outputs")
    context.close()


def request(server, path, token):
    asked = urllib.request.Request(
        f"{server.url}/api/v1/campaigns/{path}",
        headers={"Authorization": f"Bearer {token}"},
    )
    with urllib.request.urlopen(asked, timeout=30) as reply:
        return json.load(reply)


def answers(items):
    """Yield answers of four judges: a few items twice, and one who is in a hurry."""
    rng = Random(7)
    judges = {"k7m2xa": 20.0, "q3vh8n": 26.0, "t9cd4w": 31.0, "z5pj6r": 3.0}
    now = datetime.now(timezone.utc)
    work = [item for item in items if item["kind"] == "work"][:48]
    for number, judge in enumerate(judges):
        batch_items = [item for place, item in enumerate(work) if place % 4 == number]
        others = [item for place, item in enumerate(work) if place % 4 != number]
        batch = [("first", item) for item in batch_items]
        batch += [("intra", item) for item in batch_items[:4]]
        batch += [("inter", item) for item in others[:5]]
        for place, (why, item) in enumerate(batch):
            noise = 2.0 if judges[judge] < 10 else 0.35
            yield {
                "tertium-answers": 1,
                "task": "ranking",
                "langpair": "en-de",
                "item": item["key"],
                "judge": judge,
                "why": why,
                "time": (now - timedelta(hours=6 * (len(batch) - place))).isoformat(),
                "seconds": round(rng.lognormvariate(0, 0.4) * judges[judge], 1),
                "answer": {"ranks": ranks(item, rng, noise)},
            }


def ranks(item, rng, noise):
    felt = {
        key: round(BADNESS[systems[0]] + rng.gauss(0, noise))
        for key, systems in item["systems"].items()
    }
    order = sorted(set(felt.values()))
    return {key: order.index(value) + 1 for key, value in felt.items()}
