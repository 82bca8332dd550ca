# SPDX-License-Identifier: Apache-2.0
"""Logs of Pearmut."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from tertium.errors import FormatError, InputError
from tertium.judgements import Bad, ImportOptions, Rating, Span, import_judgements
from tertium.judgements.formats import FORMATS
from tertium.judgements.items import export_items


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
    # Version 1.1.4: what cannot be clicked, the line end, has no number.
    answers = [
        {
            "A": {"score": 70, "error_spans": [error(3, 4), error(6, 6)]},
            "B": {"score": 100, "error_spans": []},
        }
    ]
    actions = [{"time": 100.0}, {"time": 110.0}, {"time": 400.0}]
    result = read(tmp_path, [entry("u", 0, answers, actions=actions)])
    rest = ("u", None, "en-cs", "camp_#_en-cs_CZ", datetime(1970, 1, 1, 0, 6, 40))
    assert {judgement.meta for judgement in result} == {'{"length": 6, "words": 2}'}
    assert [judgement._replace(meta=None) for judgement in result] == [
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


def test_a_reset_without_an_item_removes_all_answers_of_a_user(tmp_path):
    # reset_campaign of Pearmut 1.1.6 (13e7a1f) logs no item.
    answer = [{"A": {"score": 1, "error_spans": []}}]
    result = read(
        tmp_path,
        [
            entry("u", 0, answer),
            entry("v", 0, answer),
            {"user_id": "u", "annotation": "__RESET__"},
            entry("u", 1, answer),
        ],
    )
    kept = [(r.judge, r.segment) for r in result if isinstance(r, Rating)]
    assert kept == [("v", "s0"), ("u", "s0")]
    bad = [(r.line, r.reason) for r in result if isinstance(r, Bad)]
    assert bad == [
        (1, "answered again, or reset, in line 3"),
        (3, "a reset, not an answer"),
    ]


def test_an_item_may_come_again_with_other_models(tmp_path):
    # Dynamic assignment selects models first, then an item that lacks one of them.
    def answer(**scores):
        return [{m: {"score": s, "error_spans": []} for m, s in scores.items()}]

    result = read(
        tmp_path,
        [
            entry("u", 0, answer(A=1, B=2)),
            entry("u", 0, answer(B=3, C=4)),
            entry("u", 0, answer(C=5)),
        ],
    )
    assert not [r for r in result if isinstance(r, Bad)]
    ratings = [(r.system, r.score) for r in result if isinstance(r, Rating)]
    assert ratings == [("A", 1.0), ("B", 3.0), ("C", 5.0)]


@pytest.mark.parametrize(
    ("spans", "texts"),
    [
        # Versions from 1.1.5 number all units, line ends included.
        ([(3, 5)], ["b\nc"]),
        ([(5, 6), (7, 7)], ["cd", None]),
        # Before, line ends had no number, and the field for what is missing was last.
        ([(4, 5), (6, 6)], ["cd", None]),
        ([(3, 4), (0, 0)], ["b\nc", "a"]),
    ],
)
def test_positions_tell_how_they_are_numbered(spans, texts, tmp_path):
    answers = [{"A": {"score": 1, "error_spans": [error(*span) for span in spans]}}]
    marked = [
        r for r in read(tmp_path, [entry("u", 0, answers)]) if isinstance(r, Span)
    ]
    assert [span.text for span in marked] == texts


def test_a_span_in_the_text_does_not_end_after_it(tmp_path):
    # Pearmut shows filled-in spans that end too late, and logs them as they were.
    answers = [{"A": {"score": 1, "error_spans": [error(5, 7)]}}]
    _, span = read(tmp_path, [entry("u", 0, answers)])
    assert (span.start, span.end, span.text) == (4, 6, "cd")


def test_a_kind_without_finer_categories_is_not_repeated(tmp_path):
    # Pearmut needs a slash in a category: Other/Other.
    spans = [error(0, 0, "Other/Other"), error(1, 1, "Style/Awkward style")]
    answers = [{"A": {"score": 1, "error_spans": spans}}]
    marked = [
        r for r in read(tmp_path, [entry("u", 0, answers)]) if isinstance(r, Span)
    ]
    assert [span.category for span in marked] == ["Other", "Style/Awkward style"]


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


def test_the_field_for_instructions_is_a_category_of_its_own(tmp_path):
    # The text has seven units; then come both fields.
    spans = [error(7, 7), error(8, 8), error(8, 8, "Style")]
    read_ = read(tmp_path, [entry("u", 0, [{"A": {"score": 1, "error_spans": spans}}])])
    marked = [r for r in read_ if isinstance(r, Span)]
    assert [span.category for span in marked] == [
        "missing", "instruction-fault", "instruction-fault/Style"
    ]  # fmt: skip
    assert {span.start for span in marked} == {None}


@pytest.mark.parametrize(
    ("ids", "document"),
    [
        (["news_###_d_###_0", "news_###_d_###_1"], "news_###_d"),
        (["news_###_d_###_0"], "news_###_d"),
        (["s1", "s2"], "s1"),
        (["s1"], None),
    ],
)
def test_an_answer_is_about_a_document(ids, document, tmp_path):
    items = [{"item_id": name, "src": "x", "tgt": {"A": "abc"}} for name in ids]
    answers = [{"A": {"score": 1, "error_spans": []}} for _ in ids]
    ratings = read(tmp_path, [entry("u", 0, answers, items)])
    assert {rating.document for rating in ratings} == {document}


def test_the_campaign_names_the_languages(tmp_path):
    answers = [{"A": {"score": 1, "error_spans": []}}]
    name = "eng_Latn---deu_Latn v3.jsonl"
    (rating,) = read(tmp_path, [entry("u", 0, answers)], name=name)
    assert rating.langpair == "en-de"


@pytest.mark.parametrize("indent", [None, 2])
def test_a_download_may_be_indented(indent, tmp_path):
    answers = [{"A": {"score": 1, "error_spans": []}}]
    content = {"eng_Latn---ces_Latn v3": [], "b": [entry("u", 0, answers)]}
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps(content, indent=indent))
    done = import_judgements([path])
    assert (done.formats[str(path)], done.number) == ("pearmut", 1)


@pytest.mark.parametrize("kind", ["log", "download", "indented download"])
@pytest.mark.parametrize("store", ["s", "s.sqlite"])
def test_a_store_gives_the_log_back_byte_for_byte(kind, store, tmp_path):
    one = entry("u", 0, [{"A": {"score": 1, "error_spans": []}}], extra={"é": 1.50})
    path = tmp_path / "log.jsonl"
    text = json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\r\n\n"
    if kind != "log":
        text = json.dumps({"c": [one]}, indent=2 if "indented" in kind else None)
    path.write_bytes(text.encode())
    import_judgements([path], out=tmp_path / store)
    for source in (tmp_path / store, path):
        assert export_items([source], tmp_path / "out", name="pearmut") == 1
        assert (tmp_path / "out").read_bytes() == path.read_bytes()


def test_downloads_are_not_joined(tmp_path):
    one = entry("u", 0, [{"A": {"score": 1, "error_spans": []}}])
    paths = [tmp_path / name for name in ("a.json", "b.json")]
    for path in paths:
        path.write_text(json.dumps({path.stem: [one]}))
    import_judgements(paths, out=tmp_path / "s")
    with pytest.raises(InputError, match="one by one"):
        export_items([tmp_path / "s"], tmp_path / "out", name="pearmut")
