# SPDX-License-Identifier: Apache-2.0
"""Error spans: items, validation, export."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.campaigns.config import read_config
from tertium.campaigns.tasks import AnswerError, ItemJudgement, get_task
from tertium.campaigns.tasks.spans.categories import STANDARD, read_categories
from tertium.campaigns.tasks.spans.positions import joins, widened

ESA = get_task("esa")
OPTIONS = {name: one.default for name, one in ESA.declared_options.items()}
TEXT = "Ein 👩\u200d👧 cafe\u0301 hier"


def content(text=TEXT):
    one = {"segment": "s1", "source": "src", "reference": "", "prefilled": {}}
    return {"before": "", "paragraphs": [{**one, "outputs": {"a": text}}]}


def answer(*marks, score=70):
    return {"outputs": {"a": [{"marks": list(marks), "score": score}]}}


def mark(start, end, severity="minor"):
    return {"start": start, "end": end, "severity": severity}


def judged(answer):
    return ItemJudgement(
        "i", "s1", "d", content(), {"a": ("one",)}, answer, "j", "c", "en-de",
        datetime(2026, 1, 1, tzinfo=timezone.utc), 4.0, "first", "work",
    )  # fmt: skip


def checked(*marks):
    kept = ESA.check(content(), answer(*marks), OPTIONS)
    return kept["outputs"]["a"][0]["marks"]


def test_marks_take_in_whole_characters():
    assert checked(mark(5, 6)) == [mark(4, 7)]
    assert checked(mark(8, 12)) == [mark(8, 13)]
    assert checked(mark(3, 8)) == [mark(4, 7)]


def test_marks_may_overlap_and_lack_a_place():
    marks = [mark(0, 7), mark(4, 13, "major"), mark(None, None)]
    assert checked(*reversed(marks)) == marks


MQM = get_task("mqm")
MQM_OPTIONS = {
    **{name: one.default for name, one in MQM.declared_options.items()},
    "tree": read_categories(STANDARD),
}


def test_the_same_words_may_have_errors_of_two_categories():
    names = ["Fluency/Grammar", "Style/Awkward"]
    marks = [{**mark(0, 3), "category": one} for one in names]
    submitted = {"outputs": {"a": [{"marks": [*marks, marks[0]], "clean": False}]}}
    kept = MQM.check(content(), submitted, MQM_OPTIONS)
    assert kept["outputs"]["a"][0]["marks"] == marks  # the same one once
    assert [
        (one.start, one.end, one.category) for one in MQM.records(judged(kept))
    ] == [(0, 3, one) for one in names]


def test_categories_are_shown_by_kind_with_what_they_mean():
    settings = MQM.page(content(), MQM_OPTIONS, Random(1))["settings"]
    kinds = dict(settings["categories"])
    assert list(kinds)[:2] == ["Accuracy", "Fluency"]
    whole, name, meaning = kinds["Accuracy"][0]
    assert (whole, name) == ("Accuracy/Mistranslation", "Mistranslation")
    assert meaning == MQM_OPTIONS["tree"][whole]
    assert kinds["Other"] == [("Other", "", "")]


@pytest.mark.parametrize(("task", "options"), [(ESA, OPTIONS), (MQM, MQM_OPTIONS)])
def test_special_marks_have_no_place_and_a_name(task, options):
    fault = {**mark(None, None), "category": "instructions fault"}

    def check(one, **more):
        entry = {"marks": [one], "score": 70, "clean": False}
        answer = {"outputs": {"a": [entry]}}
        return task.check(content(), answer, {**options, **more})

    special = {"special": "instructions fault, other", "missing": False}
    kept = check(fault, **special)
    assert kept["outputs"]["a"][0]["marks"] == [fault]
    span = next(task.records(judged(kept)))
    assert (span.category, span.start) == ("instructions fault", None)
    for wrong in ({**fault, "category": "unknown"}, {**mark(None, None)}):
        with pytest.raises(AnswerError):
            check(wrong, **special)


def test_a_confirmed_score_without_marks_stays_confirmed():
    def kept(clean, *marks):
        entry = {"marks": list(marks), "score": 40, "clean": clean}
        checked = ESA.check(content(), {"outputs": {"a": [entry]}}, OPTIONS)
        return checked["outputs"]["a"][0].get("clean")

    assert kept(True) is True
    assert kept(False) is None
    assert kept(True, mark(0, 3)) is None


@pytest.mark.parametrize(
    "place", [(-1, 2), (0, 99), (5, 5), (7, 4), (3, 4), (0, None), (True, 3), (0.0, 3)]
)
def test_wrong_places_are_rejected(place):
    with pytest.raises(AnswerError):
        checked(mark(*place))


@given(st.text("ae\u0301 👩\u200d🇩🇪", max_size=12), st.data())
def test_widened_marks_are_stable(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if (whole := widened(text, start, end)) is not None:
        assert widened(text, *whole) == whole
        assert not joins(text, whole[1])


def test_records_have_spans_and_a_score():
    kept = ESA.check(content(), answer(mark(0, 3, "major"), mark(None, None)), OPTIONS)
    first, missing, rating = ESA.records(judged(kept))
    assert (first.start, first.end, first.text, first.severity) == (
        0,
        3,
        "Ein",
        "major",
    )
    assert (missing.start, missing.end, missing.category) == (None, None, "missing")
    assert (rating.scale, rating.score, rating.segment) == ("ESA", 70.0, "s1")


@pytest.mark.parametrize("task", ["esa", "mqm", "cesa"])
@pytest.mark.django_db
def test_the_demonstration_begins_with_training(task, tmp_path):
    from django.test import Client

    from support.campaign_data import make_member
    from tertium.campaigns import loading
    from tertium.campaigns.creating import create_demo
    from tertium.campaigns.work import leases as work

    loaded = loading.load(read_config(create_demo(tmp_path, task)))
    assert loaded.training == 3
    member = make_member(loaded.campaign)
    client = Client()
    client.force_login(member.person)
    kind = get_task(task)
    for right in (True, False, True):
        held = work.next_assignment(member)
        assert held.why == "training"
        expected = held.item.meta["expected"]
        submitted = json.loads(json.dumps(expected))
        if not right:  # the missing content was overlooked
            assert submitted["outputs"]["a"][0]["marks"] == [
                {"start": None, "end": None, "severity": "major"}
                | ({"category": "Accuracy/Omission"} if task == "mqm" else {})
            ]
            submitted["outputs"]["a"][0]["marks"] = []
            submitted["outputs"]["a"][0]["clean"] = True
        assert kind.agrees(held.item.content, expected, submitted) is right
        body = json.dumps({"answer": submitted})
        reply = client.post(f"/work/{held.pk}/submit", body, "application/json")
        page = client.get(reply.json()["next"]).content.decode()
        # What was expected is in sight, below instructions that are closed.
        assert '<details class="instructions">' in page
        assert ("Right. This is what was expected." in page) is right
        assert ("Not quite. This is what was expected." in page) is not right
        assert held.item.meta["note"].split(".")[0] in page
    assert work.next_assignment(member).why == "first"


def test_any_score_is_right_where_training_expects_none():
    wanted = answer(mark(0, 3), score=None)
    with pytest.raises(AnswerError):
        ESA.check(content(), wanted, OPTIONS)
    expected = ESA.check_expected(content(), wanted, OPTIONS)
    for score in (0, 100):
        submitted = ESA.check(content(), answer(mark(0, 3), score=score), OPTIONS)
        assert ESA.agrees(content(), expected, submitted)
    nothing = ESA.check(content(), answer(score=50), OPTIONS)
    assert not ESA.agrees(content(), expected, nothing)


@pytest.mark.parametrize("task", ["esa", "mqm", "cesa"])
@pytest.mark.django_db
def test_the_starter_loads(task, tmp_path):
    from tertium.campaigns import loading

    for name, text in get_task(task).starter_files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    loaded = loading.load(read_config(tmp_path / "campaign.toml"))
    work = {"esa": 6, "mqm": 6, "cesa": 2}[task]
    assert (loaded.added - loaded.checks, loaded.checks) == (work, work)


@pytest.mark.parametrize(
    ("severities", "expected"),
    [("minor, major", -6.0), ("neutral, minor, major", -6.0), ("slight, bad", -6.0)],
)
def test_the_value_of_an_answer_is_its_penalty(severities, expected):
    names = severities.split(", ")
    marks = [{"start": n, "end": n + 1, "severity": s} for n, s in enumerate(names)]
    answer = {"outputs": {"a": [{"marks": marks, "clean": False}]}}
    options = {"severities": severities}
    assert get_task("mqm").value(answer, options) == {"a": expected}


MARK = {"start": 0, "end": 4, "severity": "minor"}
LOW_SCORE = "A score below 80, but no error is marked"
NOT_YET = "Mark the errors, or choose “No errors”. Then score."
CONFIRM = "Mark the errors, or say that there are none"


@pytest.mark.django_db
@pytest.mark.parametrize("task", ["esa", "cesa", "mqm"])
@pytest.mark.parametrize(
    ("first", "entry", "reason"),
    [
        (False, {"marks": [], "score": 79}, LOW_SCORE),
        (False, {"marks": [], "score": 79, "clean": False}, LOW_SCORE),
        (False, {"marks": [], "score": 79, "clean": "yes"}, LOW_SCORE),
        (False, {"marks": [], "score": 79, "clean": True}, None),
        (False, {"marks": [], "score": 80}, None),
        (False, {"marks": [MARK], "score": 10}, None),
        (False, {"marks": [MARK], "score": 10, "clean": True}, CONFIRM),
        (True, {"marks": [], "score": 100}, NOT_YET),
        (True, {"marks": [], "score": 10}, NOT_YET),
        (True, {"marks": [], "score": 100, "clean": True}, None),
        (True, {"marks": [MARK], "score": 10, "clean": False}, None),
        (True, {"marks": [MARK], "score": None}, "Give every paragraph a score"),
    ],
)
def test_the_server_rejects_what_the_page_would_not_send(
    task, first, entry, reason, tmp_path
):
    from django.test import Client

    from support.span_campaign import load_spans, people
    from tertium.campaigns.models import Judgement
    from tertium.campaigns.work.leases import next_assignment

    tree = {"category": "Style/Awkward"} if task == "mqm" else {}
    campaign = load_spans(
        tmp_path, task, documents=1, length=1, spans_first=first, score=True
    )
    member = people(campaign)[0]
    held = next_assignment(member)
    client = Client()
    client.force_login(member.person)
    entry = {**entry, "marks": [{**mark, **tree} for mark in entry["marks"]]}
    keys = held.item.content["paragraphs"][0]["outputs"]
    body = json.dumps({"answer": {"outputs": {key: [entry] for key in keys}}})
    # A draft may be anything: marks change after scores, too.
    draft = json.dumps({"version": 1, "answer": json.loads(body)["answer"]})
    kept = client.post(f"/work/{held.pk}/draft", draft, "application/json")
    assert kept.status_code == 200
    reply = client.post(f"/work/{held.pk}/submit", body, "application/json")
    if reason is None:
        assert reply.status_code == 200, reply.content
        again = client.post(f"/work/{held.pk}/submit", body, "application/json")
        assert again.status_code == 200
    else:
        assert reply.status_code == 422
        assert reason in reply.json()["error"]
    assert Judgement.objects.count() == (reason is None)
