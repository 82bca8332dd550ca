# SPDX-License-Identifier: Apache-2.0
"""Predicted against human spans, from judgements and on the command line."""

from __future__ import annotations

import json

import pytest

from tertium import Testset
from tertium.cli import main
from tertium.errors import InputError
from tertium.judgements import Judgements, Rating, Span
from tertium.judgements.store import write_store
from tertium.meta.spans import correlate_spans, evaluation

_TEXTS = {"A": ["the cat sat", "no dog here"], "B": ["a cat sits", "one dog there"]}


def _span(system, segment, start, end, severity="minor", **more):
    values = {"judge": "anna", "langpair": "en-de"} | more
    return Span(system, "style", severity, segment, start=start, end=end, **values)


def _human():
    return [
        _span("A", "1", 4, 7, "major"),
        _span("A", "2", None, None, "no-error"),
        _span("B", "1", 0, 1),
        _span("B", "2", 4, 7),
        _span("B", "2", None, None, "major"),
        *(
            Rating(system, score, "ESA", segment, langpair="en-de")
            for system, segment, score in [
                ("A", "1", 40.0),
                ("A", "2", 99.0),
                ("B", "1", 80.0),
                ("B", "2", 50.0),
            ]
        ),
    ]


def _metric():
    return [
        _span("A", "1", 4, 8, "minor", judge="metric"),
        _span("A", "2", 0, 2, judge="metric"),
        _span("B", "1", 0, 1, judge="metric"),
        _span("B", "2", None, None, "no-error", judge="metric"),
    ]


def _table(judgements):
    return Judgements.from_iterable(judgements)


def _evaluate(predictions, human=None, **options):
    tables = {name: _table(each) for name, each in predictions.items()}
    return correlate_spans(tables, _table(human or _human()), **options)


def _value(result, metric, measure):
    return result.get(metric, measure).value


def test_people_agree_with_themselves():
    spans = [each for each in _human() if isinstance(each, Span)]
    result = _evaluate({"self": spans}, resamples=0)
    for measure in result.measures:
        if measure.endswith(("-f", "f1", "mcc")):
            assert _value(result, "self", measure) == 1


@pytest.mark.parametrize("known", ["length", "text", "test set", "nothing"])
def test_spans_after_the_end_of_outputs_are_noted(known):
    meta = {"length": {"length": 9}, "text": {"target": "😀 cat sat"}}.get(known)
    human = [_span("A", "1", 2, 5, meta=meta and json.dumps(meta))]
    sets = {"test set": Testset.build(["the cat sat"], {"A": ["😀 cat sat"]})}
    for end, codes in ((9, []), (10, ["spans-beyond-output"])):
        metric = [_span("A", "1", 6, end, judge="m")]
        result = _evaluate({"m": metric}, human, resamples=0, testset=sets.get(known))
        wanted = [] if known == "nothing" else codes
        assert [note.code for note in result.notes] == wanted
        if wanted:
            assert "segment '1' of A: 10 of 9 characters" in str(result.notes[0])


def test_values_are_those_of_a_count_by_hand():
    result = _evaluate({"m": _metric()}, resamples=0)
    assert _value(result, "m", "exact:micro-precision") == pytest.approx(1 / 3)
    assert _value(result, "m", "overlap:micro-precision") == pytest.approx(2 / 3)
    assert _value(result, "m", "character:micro-precision") == pytest.approx(4 / 7)
    assert _value(result, "m", "character:micro-recall") == pytest.approx(4 / 7)
    severe = _value(result, "m", "character-severity:micro-precision")
    assert severe == pytest.approx((1 + 1.5) / 7)
    assert _value(result, "m", "mpp:micro-precision") == pytest.approx(1.75 / 3)
    assert _value(result, "m", "mpp:micro-recall") == pytest.approx(2 / 3)
    assert _value(result, "m", "missing:micro-recall") == 0
    assert (result.outputs, result.scale) == (4, "ESA")


def test_outputs_without_prediction_are_dropped_with_a_note():
    result = _evaluate({"m": _metric()[:3]}, resamples=0)
    assert (result.outputs, result.judged) == (3, 4)
    assert "1 of 4 judged outputs has no prediction" in str(result.notes[0])
    with pytest.raises(InputError, match=r"segment '2' of B"):
        _evaluate({"m": _metric()[:3]}, missing="error")


def test_other_names_are_an_error_that_shows_both():
    other = [each._replace(system="C") for each in _metric()]
    with pytest.raises(InputError, match=r"of C .*of A"):
        _evaluate({"m": other})


def test_judges_of_all_outputs_are_metrics_of_their_own():
    twin = [each._replace(judge="second") for each in _metric()]
    result = _evaluate({"m": _metric() + twin}, resamples=0)
    assert result.metrics == ["m:metric", "m:second"]


def test_probes_need_texts():
    with pytest.raises(InputError, match="length of A's output"):
        _evaluate({}, probes=True)


def test_probes_ignore_quality():
    references = [("the dog sat",), ("no dog there",)]
    testset = Testset(references=references, systems=_TEXTS)
    result = _evaluate({}, probes=True, testset=testset, resamples=0)
    assert len(result.probes) == 4
    assert _value(result, "PROBE-everything", "character:micro-recall") == 1
    assert _value(result, "PROBE-nothing", "overlap:micro-recall") == 0
    assert _value(result, "PROBE-absent", "exact:micro-recall") == pytest.approx(1 / 3)
    again = _evaluate({}, probes=True, testset=testset, resamples=0)
    assert again.values == result.values


def test_lengths_in_judgements_serve_probes_without_texts():
    human = [
        each._replace(meta='{"length": 11}')
        for each in _human()
        if isinstance(each, Span)
    ]
    result = _evaluate({}, human, probes=True, resamples=0)
    assert _value(result, "PROBE-everything", "character:micro-precision") == (
        pytest.approx(7 / 44)
    )


def test_intervals_and_tests_depend_on_the_seed_alone():
    empty = [
        _span(each.system, each.segment, None, None, "no-error") for each in _metric()
    ]
    options = {"test": "permutation", "trials": 99, "resamples": 50}
    one = _evaluate({"a": _metric(), "b": empty}, **options)
    assert one == _evaluate({"a": _metric(), "b": empty}, **options)
    assert all(0 < each.p <= each.p_adjusted <= 1 for each in one.differences)
    twins = _evaluate({"a": _metric(), "b": _metric()}, **options)
    assert all(each.p == 1 for each in twins.differences)
    low, high = one.get("a", "mpp:micro-f").interval
    assert low <= one.get("a", "mpp:micro-f").value <= high


def test_samples_in_smaller_parts_are_the_same(monkeypatch):
    def outcome():
        predictions = {"m": _metric(), "human": _human()}
        result = _evaluate(predictions, test="permutation", resamples=20, trials=20)
        intervals = [value.interval for value in result.values if value.interval]
        return intervals, [each.p for each in result.differences]

    intervals, p_values = outcome()
    monkeypatch.setattr(evaluation, "_HELD", 6)
    again, p_again = outcome()
    assert len(intervals) > 20
    assert again == [pytest.approx(each) for each in intervals]
    assert p_again == p_values


def test_command_prints_json_and_tables(tmp_path, capsys):
    write_store(_table(_human()), tmp_path / "store")
    write_store(_table(_metric()), tmp_path / "p")
    words = ["correlate", "--spans", "--predictions", str(tmp_path / "p")]
    words += ["--judgements", str(tmp_path / "store")]
    assert main([*words, "-f", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    values = {each["measure"]: each["value"] for each in content["spans"]}
    assert values["mpp:micro-recall"] == pytest.approx(2 / 3)
    assert main([*words, "--resamples", "0"]) == 0
    assert "MPP" in capsys.readouterr().out
    assert main([*words, "-f", "tsv", "--resamples", "0"]) == 0
    assert "p\tmpp:micro-f\t" in capsys.readouterr().out
    output = tmp_path / "spans.html"
    assert main([*words, "-f", "html", "-o", str(output), "--resamples", "0"]) == 0
    assert "p: predicted and human error spans</h1>" in output.read_text("utf-8")


@pytest.mark.wmt
@pytest.mark.study
def test_absent_words_are_above_other_probes_on_wmt23_mqm(wmt_data, capsys):
    ratings = wmt_data / "esa" / "wmt23.en-de.mqm.merged.seg.rating.gz"
    words = ["correlate", "--spans", "--probes", "--mtme", str(wmt_data / "wmt23-mtme")]
    words += ["-J", str(ratings), "--resamples", "0", "-f", "json"]
    assert main(words) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["outputs"] == content["judged"] == 5980
    values = {
        each["metric"]: each["value"]
        for each in content["spans"]
        if each["measure"] == "mpp:micro-f"
    }
    assert max(values, key=values.get) == "PROBE-absent"
    assert values["PROBE-nothing"] == 0


@pytest.mark.wmt
def test_people_predict_people_on_wmt23(wmt_data, capsys):
    esa, mqm = (
        wmt_data / "esa" / f"wmt23.en-de.{name}.1.csv.gz"
        for name in ("esa", "mqm-in-appraise")
    )
    words = [
        "correlate",
        "--spans",
        "--predictions",
        str(esa),
        "--judgements",
        str(mqm),
    ]
    assert main([*words, "--resamples", "0", "-f", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    values = {each["measure"]: each["value"] for each in content["spans"]}
    assert content["outputs"] > 2000
    assert (
        0 < values["exact:micro-f"] < values["mpp:micro-f"] < values["overlap:micro-f"]
    )


def test_error_free_outputs_may_need_a_human_score():
    result = _evaluate({"m": _metric()}, resamples=0)
    assert _value(result, "m", "error-free:recall") == 0
    low = [
        *_human(),
        _span("A", "3", None, None, "no-error"),
        Rating("A", 84.0, "ESA", "3", langpair="en-de"),
    ]
    free = [*_metric(), _span("A", "3", None, None, "no-error", judge="metric")]
    by_spans = _evaluate({"m": free}, low, resamples=0)
    assert _value(by_spans, "m", "error-free:recall") == 0.5
    by_score = _evaluate({"m": free}, low, resamples=0, error_free_score=85)
    assert _value(by_score, "m", "error-free:recall") == 0
    assert by_score.run["error_free_score"] == 85


def test_a_human_score_cannot_be_asked_of_spans_alone():
    spans = [each for each in _human() if isinstance(each, Span)]
    with pytest.raises(InputError, match="no ratings"):
        _evaluate({"m": _metric()}, spans, error_free_score=85)


def _scored():
    return [
        Rating(system, score, "ESA", segment, judge="m", langpair="en-de")
        for system, segment, score in [
            ("A", "1", 50.0), ("A", "2", 90.0), ("B", "1", 70.0), ("B", "2", 60.0)
        ]
    ]  # fmt: skip


def test_predictions_of_scores_alone_have_no_measures_of_spans():
    result = _evaluate(
        {"s": _scored(), "m": _metric()}, resamples=20, test="permutation"
    )
    defined = {m for m in result.measures if _value(result, "s", m) is not None}
    assert defined == {
        "score:pearson", "score:kendall", "error-free:precision-at-recall-0.8"
    }  # fmt: skip
    assert _value(result, "m", "mpp:micro-f") is not None
    assert {each.measure for each in result.differences} == {"score:pearson"}


def test_scores_become_labels_by_a_threshold():
    result = _evaluate({"s": _scored()}, resamples=0, error_free_prediction=85)
    assert _value(result, "s", "error-free:f1") == 1
    result = _evaluate({"s": _scored()}, resamples=0, error_free_prediction=65)
    assert _value(result, "s", "error-free:precision") == 0.5
    assert result.run["error_free_prediction"] == 65


def test_detection_is_undefined_if_no_output_is_free_of_errors():
    human = [each for each in _human() if each.segment == "1"]
    result = _evaluate({"m": _metric()}, human, resamples=0)
    for part in ("precision", "recall", "f1", "mcc"):
        assert _value(result, "m", f"error-free:{part}") is None


def test_unknown_severities_are_noted():
    metric = [
        each._replace(severity="terrible") if each.start else each for each in _metric()
    ]
    (note,) = _evaluate({"m": metric}, resamples=0).notes
    assert str(note) == "m: 1 error span of severity 'terrible' counts as minor"


@pytest.mark.parametrize("swapped", [False, True])
def test_ids_of_wmt26_match_with_and_without_languages(swapped):
    long, short = (
        "official_###_eng_Latn_###_deu_Latn_###_news_###_d_###_0",
        ("news_###_d_###_0"),
    )
    if swapped:
        long, short = short, long
    metric = [_span("A", long, 4, 7, judge="m")]
    result = _evaluate({"m": metric}, [_span("A", short, 4, 7)], resamples=0)
    assert _value(result, "m", "exact:micro-f") == 1


def test_ids_that_match_twice_do_not_match():
    human = [_span("A", "news_###_d_###_0", 4, 7)]
    metric = [
        _span("A", f"{kind}_###_en_###_de_###_news_###_d_###_0", 4, 7, judge="m")
        for kind in ("official", "challenge")
    ]
    with pytest.raises(InputError, match="share no output"):
        _evaluate({"m": metric}, human)


def test_the_command_states_what_counts_as_free_of_errors(tmp_path, capsys):
    for name, content in (("gold", _human()), ("scores", _scored())):
        write_store(_table(content), tmp_path / name)
    words = ["correlate", "--spans", "-J", str(tmp_path / "gold"), "--resamples", "0"]
    words += ["--predictions", str(tmp_path / "scores"), "--error-free-score", "85"]
    words += ["--error-free-prediction", "80"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "Error-free: no human span, and a human score of 85 or more." in out
    assert "Predicted: a score of 80 or more" in out
    page = tmp_path / "page.html"
    assert main([*words, "-f", "html", "-o", str(page)]) == 0
    assert "Predictions are scores only" in page.read_text()
    assert "MPP F, micro-averaged" not in page.read_text()


@pytest.mark.parametrize("scored", [0, 1, 3, 4])
def test_scores_of_some_outputs_never_mix_with_scores_from_spans(scored):
    from scipy.stats import kendalltau, pearsonr

    spans = _metric()
    values = [-7.0, 900.0, 12.0, 3.5]
    scores = [
        Rating(one.system, value, "ESA", one.segment, "metric", langpair="en-de")
        for one, value in zip(spans, values, strict=True)
    ]
    result = _evaluate({"m": spans + scores[:scored]}, resamples=0)
    human = [40.0, 99.0, 80.0, 50.0]
    used = values if scored == 4 else [-1.0, -1.0, -1.0, 0.0]
    assert _value(result, "m", "score:pearson") == pytest.approx(
        pearsonr(used, human).statistic
    )
    assert _value(result, "m", "score:kendall") == pytest.approx(
        kendalltau(used, human).statistic
    )
    notes = [str(note) for note in result.notes]
    what = {1: "no scores of 3 of 4 outputs", 3: "no score of 1 of 4 outputs"}
    assert len(notes) == (scored in what)
    assert what.get(scored, "") in "".join(notes)


@pytest.mark.parametrize("side", ["metric", "people"])
def test_a_language_pair_that_one_side_does_not_name_is_that_of_the_other(side):
    metric, human = _metric(), _human()
    wanted = _evaluate({"m": metric}, human, resamples=0)
    if side == "metric":
        metric = [one._replace(langpair=None) for one in metric]
    else:
        human = [one._replace(langpair=None) for one in human]
    result = _evaluate({"m": metric}, human, resamples=0)
    assert result.values == wanted.values
    assert result.outputs == 4


def test_a_language_pair_is_not_guessed_among_several():
    human = _human()
    human += [one._replace(langpair="en-cs") for one in human]
    with pytest.raises(InputError, match="no language pair"):
        _evaluate({"m": [one._replace(langpair=None) for one in _metric()]}, human)
