# SPDX-License-Identifier: Apache-2.0
"""Formats of ratings with error spans, read and written again."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tertium.errors import FormatError, InputError
from tertium.judgements import Bad, ImportOptions, Judgements, Rating, Span
from tertium.judgements import import_judgements as load
from tertium.judgements.formats import FORMATS
from tertium.judgements.writing import write_judgements
from tertium.meta.spans import correlate_spans

ITEM = "official_###_eng_Latn_###_ces_Latn_###_news_###_a.1_###_0"
TEXT = "Pes 😀 vyběhl\nven."


def prediction(*errors, omission=None, fault=None):
    return {
        "errors": list(errors),
        "omission": omission,
        "instruction_fault": fault,
    }


def lines_of(*rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def round_trip(text, name, tmp_path, file="pred_m.jsonl"):
    path = tmp_path / f"{file}.gz"
    path.write_bytes(gzip.compress(text.encode()))
    result = load([path])
    assert list(result.formats.values()) == [name]
    assert not [row for _, row in result.bad if not row.skipped]
    write_judgements(result.judgements, tmp_path / "out.jsonl", format=name)
    return result.judgements, (tmp_path / "out.jsonl").read_text()


PREDICTED = {
    "item_id": ITEM,
    "task1_pred": {
        "A b": prediction(
            {"start": 0, "end": 3, "severity": "major", "category": "accuracy/x"},
            {"start": 2, "end": 5, "severity": "minor", "confidence": 0.5},
            omission="minor",
            fault="major",
        ),
        "B": prediction(),
    },
    "task2_pred": {"A b": 40.5, "B": 100},
}


def test_predictions_are_spans_and_ratings_of_the_metric(tmp_path):
    text = lines_of(PREDICTED)
    judgements, written = round_trip(text, "wmt26-predictions", tmp_path)
    assert written == text
    assert judgements.names("judge") == ["m"]
    assert judgements.names("langpair") == ["en-cs"]
    spans = [
        (s.system, s.category, s.severity, s.start, s.end)
        for s in judgements.iterate("spans")
    ]
    assert spans == [
        ("A b", "accuracy/x", "major", 0, 3),
        ("A b", "", "minor", 2, 5),
        ("A b", "missing", "minor", None, None),
        ("A b", "instruction-fault", "major", None, None),
        ("B", "no-error", "no-error", None, None),
    ]
    assert [r.score for r in judgements.iterate("ratings")] == [40.5, 100.0]


@pytest.mark.parametrize("task", ["task1_pred", "task2_pred"])
def test_predictions_of_one_task_are_enough(task, tmp_path):
    text = lines_of({"item_id": ITEM, task: PREDICTED[task]})
    assert round_trip(text, "wmt26-predictions", tmp_path)[1] == text


def test_predictions_of_two_metrics_are_not_one_file(tmp_path):
    ratings = [Rating("A", 1.0, "ESA", "x", judge=judge) for judge in "mn"]
    with pytest.raises(InputError, match="one metric"):
        write_judgements(
            Judgements.from_iterable(ratings),
            tmp_path / "a",
            format="wmt26-predictions",
        )


@given(
    st.one_of(
        st.fixed_dictionaries(
            {"start": st.integers(-2, 9), "end": st.integers(-2, 9)},
            optional={"severity": st.sampled_from(["major", "minor", None])},
        ),
        st.dictionaries(st.sampled_from(["start", "end"]), st.text(max_size=2)),
        st.none(),
        st.integers(),
    )
)
def test_wrong_places_are_bad_rows_never_spans(tmp_path_factory, error):
    path = tmp_path_factory.mktemp("fuzz") / "p.jsonl"
    row = {"item_id": ITEM, "task1_pred": {"A": prediction(error)}}
    path.write_text(lines_of(row))
    for result in FORMATS["wmt26-predictions"].read(str(path), ImportOptions()):
        if isinstance(result, Bad):
            assert result.reason
        else:
            assert 0 <= result.start <= result.end


def human(*rows, **more):
    scores: dict[str, object] = {}
    for number, (score, errors, judge) in enumerate(rows, start=1):
        scores |= {
            f"human{number}": score,
            f"errors{number}": errors,
            f"annotator{number}": judge,
        }
    return {
        "scores": {"A": scores},
        "src_text": "The dog ran out.",
        "tgt_text": {"A": TEXT, "B": "Nikdo nehodnotil."},
        "doc_id": "en-cs_CZ_#_news_#_a",
        **more,
    }


def mark(first, last, severity="minor"):
    return {"start_i": first, "end_i": last, "severity": severity}


def test_human_judgements_keep_texts_and_positions(tmp_path):
    first = human(
        (80, [mark(0, 2), mark(4, 5, "major"), mark("missing", "missing")], "j1"),
        (95.5, [], "j2"),
    )
    second = human((10, [mark(7, 99), mark(50, 60)], "j1"))
    text = lines_of(first, second)
    judgements, written = round_trip(text, "wmt25-humeval", tmp_path)
    assert written == text
    spans = list(judgements.iterate("spans"))
    assert [s.text for s in spans] == ["Pes", "😀", None, None, TEXT[6:], None]
    assert [s.category for s in spans] == [
        "", "", "missing", "no-error", "", "missing",
    ]  # fmt: skip
    assert {json.loads(s.meta)["length"] for s in spans} == {len(TEXT)}
    names = [(r.segment, r.judge, r.score) for r in judgements.iterate("ratings")]
    assert names == [
        ("en-cs_CZ_#_news_#_a:1", "j1", 80.0),
        ("en-cs_CZ_#_news_#_a:1", "j2", 95.5),
        ("en-cs_CZ_#_news_#_a:2", "j1", 10.0),
    ]
    assert judgements.names("langpair") == ["en-cs"]


def test_paragraphs_that_nobody_judged_are_set_aside(tmp_path):
    path = tmp_path / "h.jsonl"
    path.write_text(lines_of(human((1, [], "j")), human() | {"scores": {}}))
    result = load([path])
    assert [(row.line, row.skipped) for _, row in result.bad] == [(2, True)]


@given(st.integers(-3, 30), st.integers(-3, 30), st.text("a😀é\u0301\n", max_size=8))
def test_spans_of_human_judgements_lie_in_the_text(tmp_path_factory, first, last, text):
    path = tmp_path_factory.mktemp("fuzz") / "h.jsonl"
    row = human((50, [mark(first, last)], "j")) | {"tgt_text": {"A": text}}
    path.write_text(lines_of(row))
    for result in FORMATS["wmt25-humeval"].read(str(path), ImportOptions()):
        if isinstance(result, Bad):
            assert first > last or first < 0
        elif isinstance(result, Span) and result.start is not None:
            assert 0 <= result.start < result.end <= len(text)
            assert result.text == text[result.start : result.end]


def test_seg_ratings_come_back_with_systems_that_nobody_judged(tmp_path):
    error = {
        "start": 4, "end": 9, "category": "accuracy/omission", "severity": "minor",
        "score": 0.1, "is_source_error": True, "note": "é",
    }  # fmt: skip
    rated = json.dumps({"errors": [error]}, ensure_ascii=False)
    text = f'R\tNone\nR\tNone\nA\t{rated}\nA\tNone\nB\t{{"errors": []}}\nB\tNone\n'
    name = "en-de.mqm.seg.rating"
    assert round_trip(text, "mtme-ratings", tmp_path, file=name)[1] == text


def test_seg_ratings_come_back_with_raters_and_empty_fields(tmp_path):
    error = {
        "start": 4, "end": 9, "category": None, "severity": None, "score": None,
        "is_source_error": False,
    }  # fmt: skip
    rated = json.dumps({"errors": [error]})
    text = f'A\t{rated}\tann\nA\tNone\nA\t{{"errors": []}}\tbob\n'
    name = "en-de.mqm.seg.rating"
    assert round_trip(text, "mtme-ratings", tmp_path, file=name)[1] == text


def test_seg_ratings_have_one_judge_per_output(tmp_path):
    spans = [Span("A", "x", "minor", "1", 0, 1, judge=judge) for judge in "mn"]
    with pytest.raises(InputError, match="two judges"):
        write_judgements(
            Judgements.from_iterable(spans), tmp_path / "a", format="mtme-ratings"
        )


def test_system_files_are_not_judgements(tmp_path):
    path = tmp_path / "A.jsonl"
    row = {"doc_id": "en-cs_CZ_#_news_#_a", "hypothesis": 'Pes "štěká", a venku.'}
    path.write_text(lines_of(row))
    with pytest.raises(FormatError, match="output of a system"):
        Judgements.read(path)


def test_a_wrong_span_leaves_the_score_and_other_outputs(tmp_path):
    path = tmp_path / "pred_m.jsonl"
    good = prediction({"start": 0, "end": 2, "severity": "minor"})
    bad = prediction({"start": 5, "end": 2, "severity": "minor"})
    row = {"item_id": ITEM, "task1_pred": {"A": bad, "B": good}}
    path.write_text(lines_of(row | {"task2_pred": {"A": 40.0, "B": 50.0}}))
    read = list(FORMATS["wmt26-predictions"].read(str(path), ImportOptions()))
    assert [(r.system, r.score) for r in read if isinstance(r, Rating)] == [
        ("A", 40.0), ("B", 50.0)
    ]  # fmt: skip
    assert [r.system for r in read if isinstance(r, Span)] == ["B"]
    (wrong,) = [r for r in read if isinstance(r, Bad)]
    assert "ends at 2, before 5" in wrong.reason


def test_predictions_that_cannot_be_read_are_named_in_the_error(tmp_path):
    path = tmp_path / "pred_m.jsonl"
    bad = prediction({"start": 5, "end": 2})
    path.write_text(lines_of({"item_id": ITEM, "task1_pred": {"A": bad}}))
    human = Judgements.from_iterable([Span("A", "", "minor", ITEM, 0, 2, judge="x")])
    with pytest.raises(InputError, match=r"no prediction can be read.*before 5"):
        correlate_spans({"m": Judgements.read(path)}, human)


def test_null_predictions_are_written_again(tmp_path):
    text = lines_of(
        {
            "item_id": ITEM,
            "task1_pred": {"X": None, "A": prediction()},
            "task2_pred": {"A": 60.0, "X": None, "B": 3},
        },
        {"item_id": ITEM.replace("a.1", "a.2"), "task1_pred": {"B": prediction()}},
    )
    judgements, written = round_trip(text, "wmt26-predictions", tmp_path)
    assert written == text
    assert judgements.names("system") == ["A", "B"]


@pytest.mark.parametrize("unjudged", [(0,), (2,), (0, 1, 3), (1, 3)])
def test_unjudged_paragraphs_are_written_again(unjudged, tmp_path):
    scores = {"A": {"human1": 80.0, "errors1": [], "annotator1": "x"}}
    rows = [
        {
            "doc_id": "en-cs_CZ_#_news_#_a",
            "src_text": f"{i}",
            "tgt_text": {"A": f"x{i}"},
            "scores": {} if i in unjudged else scores,
        }
        for i in range(4)
    ]
    text = lines_of(*rows)
    judgements, written = round_trip(text, "wmt25-humeval", tmp_path)
    assert written == text
    assert judgements.counts()["ratings"] == 4 - len(unjudged)


def test_early_judgements_without_a_number_are_written_as_they_were(tmp_path):
    error = {"start_i": 0, "end_i": 1, "severity": "minor"}
    text = lines_of(
        {
            "scores": {"A": {"human": 80, "errors": [error]}},
            "doc_id": "en-cs_CZ_#_news_#_a",
            "tgt_text": {"A": "abc"},
        }
    )
    assert round_trip(text, "wmt25-humeval", tmp_path)[1] == text


NULLS = {"task1_pred": {"A": None, "B": None}, "task2_pred": {"A": None, "B": None}}


@pytest.mark.parametrize(
    "rows",
    [
        [NULLS, {"task2_pred": {"A": 5.0}}, NULLS, NULLS],
        [{"task1_pred": {"A": prediction()}}, NULLS, {"task1_pred": {"B": None}}],
        [NULLS, {"task1_pred": {"A": prediction()}, "task2_pred": None}],
        [{"task1_pred": {}, "task2_pred": {"A": 5.0}}, {"task1_pred": None}],
        [
            {"task1_pred": {"A": prediction()}},
            {"task2_pred": {"A": 1.0}},
            NULLS,
            {"task2_pred": {"A": 2.0}},
            {"task1_pred": {"A": prediction()}, "task2_pred": {"A": None}},
            {"task1_pred": {"B": prediction()}},
            {"task1_pred": {"B": prediction()}, "task2_pred": {"B": 3}},
        ],
    ],
)
def test_items_without_predictions_are_written_again_in_order(rows, tmp_path):
    text = lines_of(
        *(
            {"item_id": ITEM.replace("a.1", f"a.{i}")} | row
            for i, row in enumerate(rows)
        )
    )
    assert round_trip(text, "wmt26-predictions", tmp_path)[1] == text


WRONG = {"task2_pred": {"A": "x"}}
KINDS = [
    NULLS,
    WRONG,
    WRONG | {"task1_pred": {"A": {"errors": 3}}},
    {"task2_pred": {"A": 5.0}},
    {"task2_pred": {"A": 7, "B": None}},
    {"task1_pred": {"A": prediction()}},
    {"task1_pred": {"A": prediction()}, "task2_pred": {"B": 3}},
]


@given(st.lists(st.sampled_from(KINDS), max_size=7))
@example([KINDS[3], NULLS, WRONG, KINDS[4]])
@example([KINDS[3], KINDS[3], WRONG, KINDS[5], KINDS[3]])
def test_all_items_but_wrong_ones_are_written_again(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("items")
    first = {"item_id": ITEM, "task1_pred": {"A": prediction()}, "task2_pred": {"A": 1}}
    items = [{"item_id": f"{ITEM}{i}"} | row for i, row in enumerate(rows)]
    (folder / "pred_m.jsonl").write_text(lines_of(first, *items))
    write_judgements(
        load([folder / "pred_m.jsonl"]).judgements,
        folder / "out.jsonl",
        format="wmt26-predictions",
    )
    kept = [one for one in items if one.get("task2_pred") != WRONG["task2_pred"]]
    assert (folder / "out.jsonl").read_text() == lines_of(first, *kept)


@pytest.mark.parametrize(
    "others",
    [
        {"B": {}},
        {"B": None},
        {"B": {"human1": None, "errors1": None, "annotator1": None}},
        {"B": {"human1": None, "errors1": [], "human2": 7, "errors2": []}},
        {"B": {"human1": 7, "errors1": None, "time": 3.5}},
        {"B": {"human": 7}},
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_systems_that_nobody_judged_are_written_again(others, is_first, tmp_path):
    row = human((80, [mark(0, 2)], "j1"), (95.0, [], "j2"))
    scores = row["scores"]
    row["scores"] = others | scores if is_first else scores | others
    text = lines_of(row, human((10, [], "j1")))
    judgements, written = round_trip(text, "wmt25-humeval", tmp_path)
    assert written == text
    scored = [one for one in (others["B"] or {}).values() if one == 7]
    assert judgements.counts()["ratings"] == 3 + len(scored)


def test_judgements_that_are_not_chosen_leave_no_key_behind(tmp_path):
    row = human((80, [mark(0, 2)], "j1"), (95, [], "j2"))
    row["scores"]["A"]["human3"] = None
    row["scores"]["B"] = {}
    judgements, _ = round_trip(lines_of(row), "wmt25-humeval", tmp_path)
    chosen = [one for one in judgements.iterate("ratings") if one.judge == "j1"]
    path = tmp_path / "one.jsonl"
    write_judgements(Judgements.from_iterable(chosen), path, format="wmt25-humeval")
    scores = json.loads(path.read_text())["scores"]
    assert scores == {
        "A": {"human1": 80, "errors1": [], "annotator1": "j1", "human3": None},
        "B": {},
    }
