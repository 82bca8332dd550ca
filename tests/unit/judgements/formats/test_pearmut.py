# SPDX-License-Identifier: Apache-2.0
"""Logs of Pearmut."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from tertium.errors import FormatError
from tertium.judgements import Bad, ImportOptions, Rating, Span, import_judgements
from tertium.judgements.formats import FORMATS


def entry(user, place, answers, items=None, **rest):
    if items is None:
        items = [
            {"item_id": f"s{i}", "src": "x", "tgt": dict.fromkeys(answer, "a😀b\ncd")}
            for i, answer in enumerate(answers)
        ]
    return {
        "annotation": answers,
        "item": items,
        "user_id": user,
        "item_i": place,
    } | rest


def error(start, end, category=None, severity="minor"):
    return {"start_i": start, "end_i": end, "category": category, "severity": severity}


def read(tmp_path, entries, options=None, name="camp_#_en-cs_CZ.jsonl"):
    path = tmp_path / name
    path.write_text("".join(json.dumps(e, ensure_ascii=False) + "\n" for e in entries))
    assert import_judgements([path]).formats == {str(path): "pearmut"}
    return list(FORMATS["pearmut"].read(str(path), options or ImportOptions()))


def test_scores_and_spans(tmp_path):
    answers = [
        {
            "A": {"score": 70, "error_spans": [error(3, 4), error(6, 6)]},
            "B": {"score": 100, "error_spans": []},
        }
    ]
    actions = [{"time": 100.0}, {"time": 110.0}, {"time": 400.0}]
    result = read(tmp_path, [entry("u", 0, answers, actions=actions)])
    rest = ("u", None, "en-cs", "camp_#_en-cs_CZ", datetime(1970, 1, 1, 0, 6, 40))
    assert result == [
        Rating("A", 70.0, "ESA", "s0", *rest, 35.0),
        Span("A", "", "minor", "s0", 2, 5, "target", "b\nc", *rest),
        Span("A", "missing", "minor", "s0", None, None, "target", None, *rest),
        Rating("B", 100.0, "ESA", "s0", *rest, 35.0),
        Span("B", "no-error", "no-error", "s0", None, None, "target", None, *rest),
    ]


def test_protocols(tmp_path):
    plain = [{"A": {"score": 70, "error_spans": []}}]
    (rating,) = read(tmp_path, [entry("u", 0, plain)])
    assert rating.scale == "DA"
    (rating,) = read(
        tmp_path, [entry("u", 0, plain)], ImportOptions("de-en", "c", "mine")
    )
    assert (rating.scale, rating.langpair, rating.campaign) == ("mine", "de-en", "c")
    typed = [
        {"A": {"score": 7, "error_spans": [error(0, 0, "Style/Awkward", "Major")]}}
    ]
    result = read(tmp_path, [entry("u", 0, plain), entry("v", 0, typed)])
    assert [record.scale for record in result if isinstance(record, Rating)] == [
        "MQM",
        "MQM",
    ]
    assert result[1].severity == "no-error"
    assert (result[3].category, result[3].severity) == ("Style/Awkward", "Major")
    sliders = [{"A": {"score": None, "sliders": {"Fluency": 4, "Order": None}}}]
    (rating,) = read(tmp_path, [entry("u", 0, sliders)])
    assert (rating.scale, rating.score) == ("Fluency", 4.0)


def test_later_answers_count(tmp_path):
    def answer(score):
        return [{"A": {"score": score, "error_spans": []}}]

    result = read(
        tmp_path,
        [
            entry("u", 0, answer(1)),
            entry("v", 0, answer(2)),
            entry("u", 0, answer(3)),
            entry("v", 0, "__RESET__"),
            entry("w", 0, [None], [{"item_id": "s0"}]),
        ],
    )
    assert [record.score for record in result if isinstance(record, Rating)] == [3.0]
    bad = [record for record in result if isinstance(record, Bad)]
    assert [record.line for record in bad] == [1, 2, 4, 5]
    assert all(record.skipped for record in bad)
    assert "line 3" in bad[0].reason


def test_checks_do_not_count(tmp_path):
    answers = [{"A": {"score": 5, "error_spans": [error(0, 1)]}}]
    item = {"item_id": "s", "tgt": {"A": "ab"}, "validation": {"A": {}}}
    result = read(
        tmp_path,
        [
            entry("u", 0, answers, [item]),
            entry("u", "welcome_0", answers, [{**item, "validation": None}]),
            entry("u", "welcome_1", [None], [{"text": "Age?", "form": "number"}]),
        ],
    )
    assert [r.scale for r in result[:2]] == ["ESA-control", "ESA-control"]
    assert [json.loads(r.meta)["item"] for r in result[:2]] == ["check", "welcome_0"]
    assert json.loads(result[0].meta)["spans"][0]["text"] == "ab"
    assert result[2].skipped
    assert len(result) == 3


def test_segments_without_a_name(tmp_path):
    answers = [{"A": {"score": 5}}]
    one, two, none = read(
        tmp_path,
        [
            entry("u", 0, answers, [{"src": "x", "doc_id": "d"}]),
            entry("v", 3, answers, [{"src": "x"}]),
            entry("w", 0, answers, [{"tgt": {}}]),
        ],
    )
    assert one.segment == two.segment
    assert one.segment.startswith("src-")
    assert one.document == "d"
    assert "neither item_id nor src" in none.reason
    old = {"user_id": "u", "item_i": 4, "annotation": answers[0]}
    (rating,) = read(tmp_path, [old])
    assert rating.segment == "4"


def test_bad_entries(tmp_path):
    good = entry("u", 0, [{"A": {"score": 5}}])
    path = tmp_path / "x.jsonl"
    wrong = [
        entry("u", 1, [{"A": {"score": "high"}}]),
        entry("u", 2, [{"A": {"score": 5, "error_spans": [error(5, 1)]}}]),
        entry("u", 3, [{"A": {"score": 5}}], []),
        {"user_id": "u", "item_i": 4},
    ]
    lines = [json.dumps(one) for one in [good, *wrong]]
    path.write_text("\n".join([*lines, "{", "", "7"]))
    results = list(FORMATS["pearmut"].read(str(path), ImportOptions()))
    assert [record.line for record in results[2:]] == [2, 3, 4, 5, 6, 8]
    assert all(isinstance(r, Bad) and not r.skipped for r in results[2:])
    with pytest.raises(FormatError, match="twice"):
        list(FORMATS["pearmut"].read("-", ImportOptions()))


@pytest.mark.parametrize("indent", [None, 1])
def test_download(tmp_path, indent):
    answers = [{"A": {"score": 5, "error_spans": []}}]
    path = tmp_path / "annotations.json"
    whole = {"c1_en-de": [entry("u", 0, answers)], "c2": [entry("u", 0, answers), 3]}
    path.write_text(json.dumps(whole, indent=indent))
    one, two, bad = FORMATS["pearmut"].read(str(path), ImportOptions())
    assert (one.campaign, one.langpair) == ("c1_en-de", "en-de")
    assert (two.campaign, two.langpair) == ("c2", None)
    assert isinstance(bad, Bad)
    path.write_text("nothing")
    with pytest.raises(FormatError, match="neither"):
        list(FORMATS["pearmut"].read(str(path), ImportOptions()))
