# SPDX-License-Identifier: Apache-2.0
"""Edit positions: items, validation, export."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timezone
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tertium.campaigns.config import read_config
from tertium.campaigns.tasks import AnswerError, ItemJudgement, get_task
from tertium.campaigns.tasks.edits.checks import mark_checks
from tertium.judgements.agreement.positions import (
    EditPlaces,
    places_of_spans,
    token_spans,
)

EDITS = get_task("edits")
TEXT = "  Der  kleine 🐕 läuft.\tJetzt "
outputs = st.text(alphabet="ab 🐕é\u3000\t.", max_size=40)


def content(text):
    return {"source": "the source", "reference": "", "before": "", "output": text}


def judged(text, answer, systems=("one",)):
    return ItemJudgement(
        item="i",
        segment="s1",
        document="d",
        content=content(text),
        origins={"output": systems},
        answer=answer,
        judge="a1",
        campaign="c",
        langpair="en-de",
        time=datetime(2026, 1, 1, tzinfo=timezone.utc),
        seconds=3.0,
        why="first",
        kind="work",
    )


def test_spans_cut_what_was_marked():
    answer = {"tokens": [1, 2, 4], "gaps": [0, 3, 5], "none": False}
    results = list(EDITS.records(judged(TEXT, answer)))
    assert [(one.category, one.start, one.end, one.text) for one in results] == [
        ("missing", 2, 2, ""),
        ("edit", 7, 15, "kleine 🐕"),
        ("missing", 15, 15, ""),
        ("edit", 23, 28, "Jetzt"),
        ("missing", 28, 28, ""),
    ]
    assert {(one.severity, one.side) for one in results} == {("edit", "target")}
    meta = json.loads(results[0].meta)
    assert (meta["target"], meta["source"]) == (TEXT, "the source")


def test_a_clean_output_says_so_for_every_system():
    answer = {"tokens": [], "gaps": [], "none": True}
    results = list(EDITS.records(judged(TEXT, answer, ("one", "two"))))
    assert [(one.system, one.category, one.severity) for one in results] == [
        ("one", "no-error", "no-error"),
        ("two", "no-error", "no-error"),
    ]
    assert results[0].start is None


@st.composite
def marked(draw):
    text = draw(outputs)
    number = len(token_spans(text))
    tokens = draw(st.sets(st.integers(0, number - 1))) if number else set()
    gaps = draw(st.sets(st.integers(0, number)))
    assume(tokens or gaps)
    return text, tokens, gaps


@given(marked())
def test_answers_come_back_from_the_export(case):
    text, tokens, gaps = case
    answer = {"tokens": [*tokens, *tokens], "gaps": list(gaps), "none": False}
    kept = EDITS.check(content(text), answer, {})
    assert kept == {"tokens": sorted(tokens), "gaps": sorted(gaps), "none": False}
    results = list(EDITS.records(judged(text, kept)))
    assert all(text[one.start : one.end] == one.text for one in results)
    spans = [(one.start, one.end) for one in results]
    assert places_of_spans(text, spans) == EditPlaces(frozenset(tokens), len(gaps))
    stretches = [span for span in spans if span[0] < span[1]]
    # The longest ones: between two of them a token is free.
    for (_, end), (start, _) in pairwise(stretches):
        assert any(end < a and b < start for a, b in token_spans(text))


@given(outputs)
def test_an_empty_answer_is_deliberate(text):
    empty = {"tokens": [], "gaps": [], "none": True}
    assert EDITS.check(content(text), empty, {}) == empty
    for wrong in (empty | {"none": False}, empty | {"gaps": [0]}):
        with pytest.raises(AnswerError, match="nothing to change"):
            EDITS.check(content(text), wrong, {})


anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.text(), st.integers(3)),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=4,
)


@given(anything, st.sampled_from(["tokens", "gaps", "none"]))
def test_nothing_else_is_an_answer(value, name):
    good = {"tokens": [0], "gaps": [], "none": False}
    assume(value != good[name] or type(value) is not type(good[name]))
    assume(not (name == "gaps" and value == []))
    with pytest.raises(AnswerError):
        EDITS.check(content("one word"), good | {name: value}, {})
    if not isinstance(value, dict):
        with pytest.raises(AnswerError):
            EDITS.check(content("one word"), value, {})


def test_marks_outside_are_rejected():
    for wrong in ({"tokens": [2]}, {"gaps": [3]}, {"tokens": [-1]}, {"gaps": [True]}):
        with pytest.raises(AnswerError):
            EDITS.check(
                content("one word"),
                {"tokens": [], "gaps": [], "none": False} | wrong,
                {},
            )


def test_the_page_has_every_token():
    result = EDITS.page(content(TEXT), {}, None)
    assert result == {"tokens": ["Der", "kleine", "🐕", "läuft.", "Jetzt"]}


@pytest.mark.django_db
def test_the_starter_loads(tmp_path):
    from tertium.campaigns import loading

    for name, text in EDITS.starter_files().items():
        (tmp_path / name).write_text(text)
    result = loading.check(read_config(tmp_path / "campaign.toml"))
    assert result.work > 100
    checks = [draft for draft in result.drafts if draft.kind == "check"]
    assert {draft.meta["check"] for draft in checks} == {"bad", "copy"}
    config = tmp_path / "campaign.toml"
    text = config.read_text().replace("bad = true", "bad = false")
    config.write_text(text.replace("copies = true", "copies = false"))
    without = loading.check(read_config(config))
    assert (without.work, without.checks) == (result.work, 0)


# ------------------------------------------------------------------------ checks


def marked(item, tokens, kind="work", text="a b c d", judge="a1", **meta):
    answer = {"tokens": tokens, "gaps": [], "none": not tokens}
    return replace(judged(text, answer), item=item, kind=kind, judge=judge, meta=meta)


def test_foreign_words_should_be_marked():
    seen = [marked(f"i{i}", [0]) for i in range(4)]
    for i in range(5):
        twin = marked(f"b{i}", [1, 2], "check", check="bad", damage=[2, 5])
        seen += [twin, replace(twin, judge="a2", answer=marked("", [3]).answer)]
    seen += [marked(f"i{i}", [3], judge="a2") for i in range(4)]
    reads, clicks = mark_checks(seen)
    assert (reads.judge, reads.items, reads.marked) == ("a1", 4, 0.25)
    assert (reads.found, reads.reads) == ((1.0,) * 5, True)
    assert (clicks.found, clicks.reads) == ((0.0,) * 5, False)


def test_few_checks_say_nothing():
    twin = marked("b", [1], "check", check="bad", damage=[2, 5])
    (result,) = mark_checks([marked("i", []), twin])
    assert (result.found, result.reads) == ((0.5,), None)
    assert mark_checks([]) == []


def test_copies_are_left_alone_and_repeats_marked_alike():
    seen = [
        marked("c1", [], "check", check="copy"),
        marked("c2", [1], "check", check="copy"),
        *(marked("i", tokens) for tokens in ([0, 1], [3], [1, 2])),
        *(marked("j", []) for _ in range(2)),
    ]
    (result,) = mark_checks(seen)
    assert result.alone == (True, False)
    # The first and the last time count: one word of three.
    assert result.repeats == (1 / 3, 1.0)


@pytest.mark.django_db
def test_the_dashboard_shows_the_checks(tmp_path):
    from tertium.campaigns import loading
    from tertium.campaigns.models import Role
    from tertium.campaigns.people.accounts import invite, join
    from tertium.campaigns.work.leases import next_assignment, submit

    for name, text in EDITS.starter_files().items():
        (tmp_path / name).write_text(text.replace("checks = 0.1", "checks = 0.5"))
    campaign = loading.load(read_config(tmp_path / "campaign.toml")).campaign
    assert EDITS.report(campaign)[0].rows == []
    member = join(invite(campaign, Role.ANNOTATOR)).member
    checks = 0
    for _ in range(12):
        assignment = next_assignment(member)
        checks += assignment.item.kind == "check"
        submit(assignment, {"tokens": [0], "gaps": [], "none": False})
    assert checks >= 3
    ((code, items, *_),) = EDITS.report(campaign)[0].rows
    assert (code, items) == (member.code, 12 - checks)
