# SPDX-License-Identifier: Apache-2.0
"""Span tasks after the work: dashboard, checks, pre-filled marks, export, REST."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from support.span_campaign import (
    SYSTEMS,
    load_spans,
    people,
    text,
    work_through,
    write_spans,
)
from tertium.campaigns.api.tokens import new_token
from tertium.campaigns.config import read_config
from tertium.campaigns.dashboard import statistics
from tertium.campaigns.exchange.exporting import (
    item_judgements,
    records,
    write_export,
)
from tertium.campaigns.loading import load
from tertium.campaigns.models import Role
from tertium.campaigns.tasks import get_task
from tertium.campaigns.tasks.spans.report import (
    check_rows,
    error_rows,
    habit_rows,
    prefilled_rows,
    sections,
)
from tertium.cli import main
from tertium.judgements import Judgements, Span, write_store

pytestmark = pytest.mark.django_db
TASKS = ("esa", "mqm", "cesa")
PLAN = "intra = 0.4\ninter = 0.4\nchecks = 0.4"
KNOWN = {text(name, n) for name in SYSTEMS for n in range(8)}


def mark(start, end, severity="minor", **more):
    return {"start": start, "end": end, "severity": severity, **more}


def first_word(output, **more):
    return mark(0, len(output.split()[0]), **more)


def careful(more):
    """Return a judge who marks all of a damaged text, and a word of betasys."""

    def judge(key, paragraph):
        output = paragraph["outputs"][key]
        if output not in KNOWN:
            return [mark(0, len(output), "major", **more)], 10
        if output == text("betasys", int(paragraph["segment"][1:])):
            return [first_word(output, **more), mark(None, None, **more)], 60
        return [], 90

    return judge


def careless(key, paragraph):
    return [], 70


@pytest.fixture(params=TASKS)
def campaign(request, tmp_path):
    made = load_spans(tmp_path, request.param, plan=PLAN, paragraphs=2)
    more = {"category": "Accuracy/Mistranslation"} if request.param == "mqm" else {}
    one, two = people(made, 2)
    work_through(made, one, careful(more), most=9)
    work_through(made, two, careless)
    work_through(made, one, careful(more))
    made.codes = (one.code, two.code)
    return made


def test_checks_say_who_noticed_the_damage(campaign):
    seen = list(item_judgements(campaign))
    rows = {row[0]: row[1:] for row in check_rows(seen)}
    assert not check_rows([one for one in seen if one.kind == "work"])
    one, two = (rows[code] for code in campaign.codes)
    assert one[0] > 0
    assert two[0] > 0
    assert one[1] == f"{one[0]}/{one[0]}"
    assert two[1] == f"0/{two[0]}"
    for seen, passed in ((one, True), (two, False)):
        if campaign.task == "mqm":
            assert seen[2] is None
        elif seen[2] is not None:  # the original may be somebody else's
            right, _, total = seen[2].partition("/")
            assert right == (total if passed else "0")


def test_errors_are_counted_by_system_and_category(campaign):
    systems, kinds = error_rows(item_judgements(campaign))
    by_name = {row[0]: row[1:] for row in systems}
    assert set(by_name) == set(SYSTEMS)
    for name, (texts, clean, errors, rate) in by_name.items():
        assert errors == (2 * (texts - clean) if name == "betasys" else 0)
        # Every text has seven words.
        assert rate == f"{100 * errors / (7 * texts):.1f}"
    assert systems[-1][0] == "betasys"
    category = {"mqm": "Accuracy/Mistranslation"}.get(campaign.task, "error")
    names = {row[0] for row in kinds}
    assert category in names
    assert names - {category} == (set() if campaign.task == "mqm" else {"missing"})


def test_habits_tell_annotators_apart(campaign):
    rows = {row[0]: row[1:] for row in habit_rows(item_judgements(campaign), "major")}
    one, two = (rows[code] for code in campaign.codes)
    assert float(one[1]) > 0
    assert (two[1], two[2]) == ("0.0", None)
    assert one[2] == "0 %"
    assert one[3] is not None


def test_the_dashboard_ranks_by_score_and_by_errors(campaign):
    findings = statistics.compute(campaign)
    ranked = {(one.scale, one.method) for one in findings.systems}
    assert ("", "mqm") in ranked
    assert {scale for scale, _ in ranked} == (
        {""} if campaign.task == "mqm" else {"", "ESA"}
    )
    for one in findings.systems:
        names = [system.system for system in one.ranking.systems]
        assert set(names) == set(SYSTEMS)
        assert names[-1] == "betasys"
    titles = [one.title for one in sections(campaign)]
    assert titles == [
        "Errors by system",
        "Errors by category",
        "Agreement on marks",
        "How annotators mark",
        "Attention checks",
    ]


def overview(campaign):
    """Return the manager's page once its figures are there."""
    from tertium.campaigns.people.accounts import invite, join

    member = join(invite(campaign, Role.MANAGER), name="boss").member
    client = Client()
    client.force_login(member.person)
    statistics.forget(campaign)
    for _ in range(100):
        reply = client.get(f"/m/{campaign.name}/")
        assert reply.status_code == 200
        if "Refresh" not in reply.headers:
            break
    return reply.content.decode()


def test_the_page_of_the_manager_has_all_tables(campaign):
    page = overview(campaign)
    for one in sections(campaign):
        assert one.title in page
        for row in one.rows:
            assert str(row[0]) in page
    assert "Systems so far" in page
    assert "Time per item" in page


def test_the_overview_names_what_it_counts(campaign):
    page = overview(campaign)
    findings = statistics.compute(campaign)
    marks, clean = findings.records["spans"], findings.records["clean"]
    assert 0 < marks < marks + clean == campaign_spans(campaign)
    assert f"{marks} marks, {clean} texts without errors" in page
    assert "Systems so far · MQM" in page
    assert "an edit costs" not in page
    # Where nothing was rated, marks have an agreement of their own.
    assert ("<h2>Agreement</h2>" in page) is (campaign.task != "mqm")
    assert "<h2>Agreement on marks</h2>" in page


def campaign_spans(campaign):
    return sum(isinstance(one, Span) for one in records(campaign))


def test_tables_without_rows_say_so(tmp_path):
    made = load_spans(tmp_path, "mqm", plan=PLAN)
    (one,) = people(made)
    work_through(made, one, careless, most=1)
    page = overview(made)
    for title in ("Errors by category", "Attention checks"):
        panel = page.partition(f"<h2>{title}</h2>")[2].partition("</section>")[0]
        assert "Nothing yet." in panel
        assert "<table>" not in panel


def test_a_new_campaign_has_empty_tables(tmp_path):
    made = load_spans(tmp_path, "esa")
    assert [one.rows for one in sections(made)] == [[], [], [], [], []]


def test_repeated_items_give_agreement_with_oneself(campaign, tmp_path, capsys):
    again = sum(one.why == "intra" for one in item_judgements(campaign))
    assert again > 0
    store = tmp_path / "store"
    write_export(campaign, str(store), "parquet")
    assert main(["agree", str(store), "--spans", "-f", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    candidates = 3 if campaign.task == "cesa" else 1
    assert report["intra"]["outputs"] == again * 2 * candidates
    # Both judges do the same whenever they see the same.
    assert report["intra"]["character_f1"]["value"] in (None, 1.0)
    assert report["inter"]["outputs"] > 0
    by_judge = {one["judge"]: one["habits"] for one in report["judges"]}
    assert set(by_judge) == set(campaign.codes)
    row = sections(campaign)[2].rows[1]
    assert row[:2] == ("with themselves", report["intra"]["outputs"])


# ---------------------------------------------------------------- pre-filled spans


def test_what_became_of_prefilled_spans_is_exported(tmp_path):
    output = text("alphasys", 0)
    tmp_path.mkdir(exist_ok=True)
    places = [one.span() for one in re.finditer(r"\S+", output)][:4]
    spans = [Span("alphasys", "x", "minor", "s0", *place) for place in places]
    write_store(Judgements.from_iterable(spans), str(tmp_path / "spans.sqlite"))
    made = load_spans(
        tmp_path, documents=1, length=1, prefilled="spans.sqlite", bad=False
    )

    def judge(key, paragraph):
        if key not in paragraph["prefilled"]:
            return [], 80
        kept, worse, longer, _gone = (
            {**one, "prefilled": n} for n, one in enumerate(paragraph["prefilled"][key])
        )
        new = mark(None, None)
        changed = {**longer, "end": longer["end"] + 3}
        return [kept, {**worse, "severity": "major"}, changed, new], 40

    (member,) = people(made)
    work_through(made, member, judge)
    wanted = {"kept": 1, "changed": 2, "removed": 1, "added": 1}
    metas = [json.loads(one.meta) for one in records(made) if one.system == "alphasys"]
    assert metas
    assert all(meta["prefilled"] == wanted for meta in metas)
    others = [json.loads(one.meta) for one in records(made) if one.system != "alphasys"]
    assert all("prefilled" not in meta for meta in others)
    rows = prefilled_rows(list(item_judgements(made)))
    assert rows == [(member.code, *wanted.values())]
    assert "Pre-filled marks" in [one.title for one in sections(made)]


# ---------------------------------------------------------------------------- REST


def test_items_answers_and_exports_by_rest(campaign, tmp_path):
    head = {"Authorization": f"Bearer {new_token(campaign, Role.MANAGER)[1]}"}
    root = f"/api/v1/campaigns/{campaign.name}"
    listed = Client().get(f"{root}/items", headers=head).json()
    assert listed["items"]
    status = Client().get(root, headers=head).json()
    assert status
    reply = Client().get(f"{root}/export?format=answers", headers=head)
    body = b"".join(reply) if reply.streaming else reply.content
    lines = [json.loads(line) for line in body.splitlines()]
    assert len(lines) == sum(1 for _ in item_judgements(campaign))
    # The same campaign elsewhere takes the answers and exports the same.
    config = write_spans(tmp_path / "copy", campaign.task, plan=PLAN, paragraphs=2)
    config.write_text(config.read_text().replace('name = "spans"', 'name = "copy"'))
    copy = load(read_config(config)).campaign
    token = new_token(copy, Role.MANAGER)[1]
    reply = Client().post(
        "/api/v1/campaigns/copy/import",
        body,
        "application/x-ndjson",
        headers={"Authorization": f"Bearer {token}"},
    )
    assert reply.status_code == 200, reply.content

    def answers(made):
        return sorted(json.dumps([one.item, one.answer], sort_keys=True)
                      for one in item_judgements(made))  # fmt: skip

    assert answers(copy) == answers(campaign)


@pytest.mark.parametrize("task", TASKS)
def test_answers_without_marks_or_scores_are_rejected_by_the_page(task, tmp_path):
    made = load_spans(tmp_path, task)
    (member,) = people(made)
    client = Client()
    client.force_login(member.person)
    reply = client.post(f"/c/{made.name}/start")
    page = client.get(reply.headers["Location"])
    assert page.status_code == 200
    assert not any(name in page.content.decode() for name in SYSTEMS)
    place = reply.headers["Location"]
    for answer in ({}, {"outputs": {}}, {"outputs": {"a": [{"marks": []}]}}):
        sent = client.post(
            f"{place}submit", {"answer": answer}, content_type="application/json"
        )
        assert sent.status_code == 422
        assert sent.json()["error"]
    assert get_task(task).words(page.context["content"], made.options) > 0
