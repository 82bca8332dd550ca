# SPDX-License-Identifier: Apache-2.0
"""Outputs of a test set judged through a local server."""

from __future__ import annotations

import json
import tracemalloc

import pytest

import tertium
from support.chat_server import chat_server, first, says, shown, slow, status
from tertium._seed import SEED
from tertium.data import kept, stream
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.judgements import Judgements, Rating, Span
from tertium.llm import JudgeSettings, judge_outputs, plan_judging, read_settings
from tertium.llm.outputs import choose_outputs
from tertium.llm.planning import requests_for

pytest.importorskip("polars")

SOURCES = ["Das Haus ist alt.", "Der dicke Hund schläft.", "Gut."]
TESTSET = Testset.build(
    ["The house is old.", "The fat dog sleeps.", "Good."],
    {
        "A": ["The house is old.", "The Hund sleeps.", "Good."],
        "B": ["The house is old.", "The dog sleeps sleeps.", "Well."],
    },
    sources=SOURCES,
    docs=["d", "d", "e"],
    ids=["1", "2", "1"],
    langpair="de-en",
)


def settings(server, prompt="esa", **more):
    return JudgeSettings(server.url, "toy", prompt, **{"retries": 1, **more})


def answers_by(table):
    """Return a usual answer that looks a translation up."""

    def act(handler, body):
        says(json.dumps(table[shown(body)[1]]))(handler, body)

    return act


ESA = {
    "The house is old.": {"errors": [], "score": 100},
    "The Hund sleeps.": {
        "errors": [
            {"text": "Hund", "severity": "major"},
            {"text": "dicke", "severity": "minor", "side": "source"},
        ],
        "score": 40,
    },
    "The dog sleeps sleeps.": {
        "errors": [
            {"text": "sleeps", "occurrence": 2, "severity": "minor"},
            {"text": "cat", "severity": "minor"},
        ],
        "score": 60,
    },
    "Good.": {"errors": [], "score": 99.5},
    "Well.": {"errors": [{"text": "Well", "severity": "minor"}], "score": 80},
}


def judged(tmp_path, **more):
    with chat_server(usual=answers_by(ESA)) as server:
        place = str(tmp_path / "a.jsonl")
        return judge_outputs(TESTSET, settings(server), answers=place, **more), server


def test_spans_and_scores_have_the_model_as_judge(tmp_path):
    result, server = judged(tmp_path)
    rows = list(result.judgements.iterate())
    ratings = [row for row in rows if isinstance(row, Rating)]
    spans = [row for row in rows if isinstance(row, Span)]
    assert [(r.system, r.document, r.segment, r.score) for r in ratings] == [
        ("A", "d", "1", 100.0),
        ("B", "d", "1", 100.0),
        ("A", "d", "2", 40.0),
        ("B", "d", "2", 60.0),
        ("A", "e", "1", 99.5),
        ("B", "e", "1", 80.0),
    ]
    assert {(r.judge, r.langpair, r.scale) for r in ratings} == {
        ("toy", "de-en", "ESA")
    }
    marked = [
        (s.system, s.segment, s.category, s.severity, s.side, s.start, s.end, s.text)
        for s in spans
        if s.severity != "no-error"
    ]
    assert marked == [
        ("A", "2", "", "major", "target", 4, 8, "Hund"),
        ("A", "2", "missing", "minor", "source", 4, 9, "dicke"),
        ("B", "2", "", "minor", "target", 15, 21, "sleeps"),
        ("B", "2", "", "minor", "target", None, None, "cat"),
        ("B", "1", "", "minor", "target", 0, 4, "Well"),
    ]
    assert sum(s.severity == "no-error" for s in spans) == 3
    assert (result.outputs, result.judged, result.unlocated) == (6, 6, 1)
    assert [tuple(each) for each in result.systems] == [
        ("B", 3, 3, 80.0),
        ("A", 3, 3, pytest.approx(239.5 / 3)),
    ]
    assert result.is_complete
    assert len(server.seen) == 5  # equal outputs are asked about once
    assert (result.asked, result.kept) == (5, 0)
    assert (result.tokens_in, result.tokens_out) == (500, 100)


def test_mqm_scores_are_what_errors_cost(tmp_path):
    errors = [
        {"text": "Hund", "category": "Accuracy/Untranslated text", "severity": "major"},
        {"text": ".", "category": "fluency/punctuation", "severity": "minor"},
    ]
    with chat_server(usual=says(json.dumps({"errors": errors}))) as server:
        asked = settings(server, "mqm")
        result = judge_outputs(TESTSET, asked, answers=str(tmp_path / "a"))
    assert result.judgements.counts() == {"rankings": 0, "ratings": 0, "spans": 12}
    assert result.systems[0].mean == pytest.approx(-5.1)
    scores = tertium.rank(result.judgements)
    assert scores is not None


def test_what_was_answered_is_not_asked_again(tmp_path):
    before, _ = judged(tmp_path)
    after, server = judged(tmp_path)
    assert server.seen == []
    assert (after.asked, after.kept, after.tokens_in) == (0, 5, 0)
    assert list(after.judgements.iterate()) == list(before.judgements.iterate())


def test_the_language_pair_and_parameters_are_sent(tmp_path):
    with chat_server() as server:
        more = {"parameters": {"max_completion_tokens": 50, "temperature": None}}
        judge_outputs(TESTSET, settings(server, **more), answers=str(tmp_path / "a"))
    body = server.seen[0]
    assert set(body) == {"model", "messages", "max_completion_tokens"}
    assert "from German into English" in body["messages"][1]["content"]


def test_references_are_shown_only_if_asked_for(tmp_path):
    for show in (False, True):
        with chat_server() as server:
            asked = settings(server, show_reference=show)
            judge_outputs(TESTSET, asked, answers=str(tmp_path / f"a{show}"))
        texts = [body["messages"][1]["content"] for body in server.seen]
        assert any("<reference>The fat dog" in text for text in texts) == show


def test_requests_are_made_side_by_side(tmp_path):
    texts = [f"text {number}" for number in range(12)]
    many = Testset.build(None, {"A": texts}, sources=texts)
    with chat_server(usual=slow(0.1)) as server:
        asked = settings(server, concurrency=4)
        judge_outputs(many, asked, answers=str(tmp_path / "a"))
    assert server.most == 4


def test_results_do_not_depend_on_the_order_of_answers(tmp_path):
    rows = []
    for number in (1, 8):
        with chat_server(
            first(status(429, Retry_After="0")), answers_by(ESA)
        ) as server:
            asked = settings(server, concurrency=number)
            result = judge_outputs(TESTSET, asked, answers=str(tmp_path / f"{number}"))
        rows.append([row._replace(time=None) for row in result.judgements.iterate()])
        assert result.retried == {"429": 5}
    assert rows[0] == rows[1]


def test_unparsable_answers_are_counted_and_asked_again_on_request(tmp_path):
    def decline(body, number):
        return says("I'm sorry, but no.") if "Hund" in shown(body)[1] else None

    place = str(tmp_path / "a")
    with chat_server(decline, answers_by(ESA)) as server:
        first_try = judge_outputs(TESTSET, settings(server), answers=place)
        second = judge_outputs(TESTSET, settings(server), answers=place)
        server.script = lambda body, number: None
        third = judge_outputs(TESTSET, settings(server), answers=place, ask_again=True)
    for result in (first_try, second):
        assert result.reasons == {"no-json": 1}
        assert tuple(result.unparsable[0]) == (
            "A",
            "2",
            "no-json",
            "I'm sorry, but no.",
        )
        assert (result.judged, result.is_complete) == (5, True)
    assert (third.judged, third.asked, third.kept) == (6, 1, 4)
    assert not third.unparsable


def test_a_run_stops_before_the_limit_and_goes_on_later(tmp_path):
    texts = [f"text {number}" for number in range(20)]
    many = Testset.build(None, {"A": texts}, sources=texts)
    place = str(tmp_path / "a")
    prices = {"price_in": 10, "price_out": 10, "parameters": {"max_tokens": 20}}
    with chat_server() as server:
        asked = settings(server, limit_cost=0.02, concurrency=3, **prices)
        result = judge_outputs(many, asked, answers=place)
        assert 0 < result.asked < 20
        assert result.left == 20 - result.asked
        assert result.cost == pytest.approx(0.0012 * result.asked)
        assert result.cost <= 0.02
        assert not result.is_complete
        runs = 1
        while not result.is_complete:
            result = judge_outputs(many, asked, answers=place)
            runs += 1
    assert len(server.seen) == 20
    assert (result.judged, runs) == (20, 2)


def test_a_limit_that_is_too_low_for_anything_sends_nothing(tmp_path):
    with chat_server() as server:
        asked = settings(server, limit_cost=0, price_in=1, price_out=1)
        result = judge_outputs(TESTSET, asked, answers=str(tmp_path / "a"))
    assert (server.seen, result.left, result.judged) == ([], 6, 0)


def test_attempts_that_may_be_charged_for_count(tmp_path):
    one = Testset.build(None, {"A": ["a"]}, sources=["b"])
    with chat_server(lambda body, number: slow(1)) as server:
        asked = settings(
            server, timeout=0.1, retries=9, price_in=1, price_out=1, limit_cost=0.004
        )
        result = judge_outputs(one, asked, answers=str(tmp_path / "a"))
    assert result.left == 1
    assert 1 <= len(server.seen) <= 4
    assert 0 < result.cost <= 0.004


def test_outputs_whose_request_fails_are_listed_and_the_others_judged(tmp_path):
    def fail(body, number):
        return status(400, text="too long") if "Hund" in shown(body)[1] else None

    with chat_server(fail, answers_by(ESA)) as server:
        place = str(tmp_path / "a")
        result = judge_outputs(TESTSET, settings(server), answers=place)
    assert [each[:2] for each in result.failed] == [("A", "2")]
    assert "400" in result.failed[0][2]
    assert (result.judged, result.left, result.is_complete) == (5, 0, False)


def test_a_server_that_refuses_everything_ends_the_run(tmp_path):
    texts = [f"text {number}" for number in range(100)]
    many = Testset.build(None, {"A": texts}, sources=texts)
    with (
        chat_server(lambda body, number: status(400, text="no")) as server,
        pytest.raises(InputError, match=r"answered 400.*no; try later"),
    ):
        judge_outputs(many, settings(server), answers=str(tmp_path / "a"))
    assert len(server.seen) < 30
    with (
        chat_server(lambda body, number: status(401, text="key?")) as server,
        pytest.raises(InputError, match=r"401.*check URL, model and key"),
    ):
        judge_outputs(many, settings(server), answers=str(tmp_path / "b"))
    assert len(server.seen) <= 8


def test_only_what_others_judged_is_judged_under_their_names(tmp_path):
    human = Judgements.from_iterable(
        [
            Rating("A", 50, "ESA", "2", "anna", "d", "de-en", "spring"),
            Rating("B", 60, "ESA", "1", "anna", "e", "de-en", "spring"),
            Rating("B", 60, "ESA", "9", "anna", "e", "de-en", "spring"),
            Rating("C", 60, "ESA", "1", "anna", "e", "de-en", "spring"),
            Rating("A", 60, "ESA", "1", "anna", "e", "de-fr", "spring"),
        ]
    )
    result, _ = judged(tmp_path, like=human)
    rows = [row for row in result.judgements.iterate() if isinstance(row, Rating)]
    assert [(r.system, r.document, r.segment, r.campaign) for r in rows] == [
        ("A", "d", "2", "spring"),
        ("B", "e", "1", "spring"),
    ]
    assert [str(note) for note in result.notes] == [
        "2 judged outputs are not in the test set, and were left out"
    ]
    together = tertium.judgements.merge([human, result.judgements])
    report = tertium.agree(together, scale="ESA")
    assert report is not None


def test_judgements_of_another_test_set_are_an_error(tmp_path):
    human = Judgements.from_iterable([Rating("Z", 50, "ESA", "77")])
    with pytest.raises(InputError, match="none of the 1 output that were judged"):
        judged(tmp_path, like=human)


def test_a_sample_has_the_same_segments_of_all_systems(tmp_path):
    result, _ = judged(tmp_path, sample=2, seed=3)
    again, server = judged(tmp_path, sample=2, seed=3)
    assert result.outputs == 4
    assert server.seen == []
    segments = {}
    for row in result.judgements.iterate("ratings"):
        segments.setdefault(row.system, []).append((row.document, row.segment))
    assert segments["A"] == segments["B"]
    assert again.systems == result.systems


def test_systems_and_names_can_be_chosen(tmp_path):
    result, _ = judged(tmp_path, systems=["B"], judge="anna", scale="X", campaign="c")
    rows = list(result.judgements.iterate("ratings"))
    assert {(r.system, r.judge, r.scale, r.campaign) for r in rows} == {
        ("B", "anna", "X", "c")
    }
    with pytest.raises(UnknownNameError, match="unknown system 'C'"):
        judged(tmp_path, systems=["C"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sources": None}, "shows the source; give the source text"),
        ({"systems": {}}, "no outputs to judge"),
    ],
)
def test_what_is_missing_is_named(tmp_path, change, message):
    texts = {"systems": TESTSET.systems, "sources": SOURCES, **change}
    with chat_server() as server, pytest.raises(InputError, match=message):
        judge_outputs(
            Testset.build(None, **texts), settings(server), answers=str(tmp_path / "a")
        )
    assert server.seen == []


def test_references_that_do_not_exist_cannot_be_shown(tmp_path):
    plain = Testset.build(None, TESTSET.systems, sources=SOURCES)
    asked = JudgeSettings("http://localhost:1", "m", show_reference=True)
    with pytest.raises(InputError, match="the test set has none"):
        judge_outputs(plain, asked, answers=str(tmp_path / "a"))


def test_a_plan_counts_without_asking(tmp_path):
    place = str(tmp_path / "a.jsonl")
    prices = {"price_in": 1.0, "price_out": 10.0}
    with chat_server(usual=answers_by(ESA)) as server:
        asked = settings(server, **prices)
        plan = plan_judging(TESTSET, asked, answers=place)
        assert server.seen == []
        judge_outputs(TESTSET, asked, answers=place, systems=["A"])
        later = plan_judging(TESTSET, asked, answers=place)
    assert (plan.outputs, plan.requests, plan.kept) == (6, 5, 0)
    assert plan.tokens_out == 5 * 120
    assert plan.cost == pytest.approx((plan.tokens_in + 10 * 600) / 1e6)
    assert plan.largest_cost == pytest.approx((plan.tokens_in + 10 * 5120) / 1e6)
    assert (later.requests, later.kept) == (5, 3)
    assert later.tokens_in < plan.tokens_in


@pytest.mark.parametrize("options", [{}, {"sample": 20}, {"systems": ["order"]}])
def test_a_plan_is_the_same_for_texts_on_disk(monkeypatch, options):
    monkeypatch.setattr(kept, "BLOCK", 3)
    asked = JudgeSettings("http://localhost", "toy", "da")
    demo = tertium.read("demo")
    outputs, _ = choose_outputs(demo, seed=SEED, **options)
    requests = requests_for(demo, outputs, asked, asked.read_prompt())
    different = {request.key: request.tokens for request in requests}
    plan = plan_judging(demo, asked, **options)
    assert plan.outputs == len(outputs) >= len(different)
    assert (plan.requests, plan.tokens_in) == (len(different), sum(different.values()))
    on_disk = kept.keep_on_disk(stream("demo", size=7))
    assert plan_judging(on_disk, asked, **options) == plan


def test_a_plan_keeps_no_requests():
    texts = list(map(str, range(1000)))
    testset = Testset.build(systems={"A": texts, "B": texts}, sources=texts)
    asked = JudgeSettings("http://localhost", "toy", "esa")
    plan_judging(testset, asked, sample=1)  # imports
    tracemalloc.start()
    try:
        assert plan_judging(testset, asked).requests == 1000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 500_000  # all requests would take 6 MB


def test_keys_are_written_nowhere(tmp_path, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "sk-very-secret")

    def tell(body, number):
        # The server shows the key in an answer and in an error.
        if "Hund" in shown(body)[1]:
            return status(400, text="bad key sk-very-secret")
        return says("sk-very-secret")

    with chat_server(tell) as server:
        asked = settings(server, key_variable="JUDGE_KEY")
        result = judge_outputs(TESTSET, asked, answers=str(tmp_path / "a"))
    assert server.headers[0]["Authorization"] == "Bearer sk-very-secret"
    assert result.unparsable[0].answer == "[key]"
    assert "[key]" in result.failed[0][2]
    assert "secret" not in json.dumps(result.to_dict())
    assert "secret" not in repr(result) + repr(asked)
    assert "secret" not in (tmp_path / "a").read_text()


SETTINGS = """
url = "http://localhost:8000/v1"
model = "m"
"""


def test_settings_of_a_file_are_relative_to_it(tmp_path):
    (tmp_path / "mine.toml").write_text('answer = "score"\nuser = "{{hypothesis}}"\n')
    path = tmp_path / "judge.toml"
    path.write_text(f'{SETTINGS}prompt = "mine.toml"\n')
    marked, place = read_settings(str(path))
    assert marked.read_prompt().name == "mine"
    assert place == str(tmp_path / "judge.answers.jsonl")
    path.write_text(f'{SETTINGS}answers = "x.jsonl"\nprompt = "mqm"\n')
    marked, place = read_settings(str(path), model="other")
    assert (marked.model, marked.prompt, place) == (
        "other",
        "mqm",
        str(tmp_path / "x.jsonl"),
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("modle = 1", "unknown key 'modle'; did you mean model"),
        ("timeout = 0", "timeout is 0"),
        ("timeout = '9'", "timeout is '9'; it must be int or float"),
        ("retries = -1", "retries is -1"),
        ("concurrency = true", "concurrency is True; it must be int"),
        ("price_in = 1", "give both"),
        ("limit_cost = 1", "needs prices"),
        ("price_in = inf\nprice_out = 1", "price_in is inf"),
        ("parameters = {stream = true}", "'stream' is set by Tertium"),
        ("answers = 3", "'answers' is 3"),
        ("unparsable = 'hide'", "give error or omit"),
        ("key = 'sk-1'", "unknown key 'key'"),
    ],
)
def test_wrong_settings_are_named_with_their_file(tmp_path, line, message):
    path = tmp_path / "judge.toml"
    path.write_text(f"{SETTINGS}{line}\n")
    with pytest.raises(FormatError, match=r"judge\.toml") as caught:
        read_settings(str(path))
    assert message in str(caught.value)


def test_a_limit_of_costs_needs_a_largest_answer():
    prices = {"price_in": 1, "price_out": 1, "limit_cost": 1}
    with pytest.raises(InputError, match="a largest answer"):
        JudgeSettings("http://h", "m", parameters={"max_tokens": None}, **prices)
    marked = JudgeSettings(
        "http://h", "m", parameters={"max_completion_tokens": 9}, **prices
    )
    assert (marked.longest, marked.sent) == (
        9,
        {"temperature": 0, "max_completion_tokens": 9},
    )
