# SPDX-License-Identifier: Apache-2.0
"""The metric ``llm``: the same answers as scores."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import replace

import pytest

import tertium
from support.chat_server import chat_server, says, shown, status
from tertium._executor import Processes, reporting
from tertium.engine import compare_stream, score_stream
from tertium.errors import InputError
from tertium.llm import judge_outputs, read_settings
from tertium.llm.answer_log import AnswerLog
from tertium.metrics.resources import metric_key
from tertium.metrics.settings import from_a_file

pytest.importorskip("polars")

SOURCES = ["Ein alter Baum.", "Zwei Vögel singen.", "Ein Fluss."]
SYSTEMS = {
    "A": ["An old tree.", "Two Vögel singen.", "A river."],
    "B": ["An old Baum.", "Two birds sing.", "A river."],
}


@pytest.fixture
def testset():
    refs = ["An old tree.", "Two birds are singing.", "A river."]
    return tertium.Testset.build(refs, SYSTEMS, sources=SOURCES, langpair="de-en")


def write(tmp_path, server, text="", *, langpair="de-en"):
    path = tmp_path / "judge.toml"
    pair = "" if langpair is None else f'langpair = "{langpair}"\n'
    path.write_text(f'url = "{server.url}"\nmodel = "toy"\n{pair}retries = 0\n{text}')
    return str(path)


PROMPT = 'answer = "score"\nuser = "How good is {{hypothesis}}?"\n'


def test_scores_are_those_of_the_judge_and_answers_are_shared(tmp_path, testset):
    with chat_server() as server:
        path = write(tmp_path, server)
        table = tertium.score(testset, metrics=[f"llm:config={path}"])
        asked = len(server.seen)
        judging = judge_outputs(
            testset, read_settings(path)[0], answers=read_settings(path)[1]
        )
    assert asked == len(server.seen) == 5
    means = {each.system: each.mean for each in judging.systems}
    scores = table.to_dict()["systems"]
    for system, mean in means.items():
        assert next(iter(scores[system].values()))["score"] == pytest.approx(mean)


def test_the_metric_needs_sources_and_no_references(tmp_path):
    with chat_server() as server:
        metric = tertium.metric(f"llm:config={write(tmp_path, server)}")
        score = metric.corpus_score(SYSTEMS["A"], sources=SOURCES)
        assert 0 < score <= 100
        with pytest.raises(InputError, match="reads the source text"):
            metric.corpus_score(SYSTEMS["A"])
    assert metric.label == "toy ESA"
    assert "model:toy|prompt:esa(" in metric.signature


def test_references_are_needed_if_they_are_shown(tmp_path):
    with chat_server() as server:
        path = write(tmp_path, server, "show_reference = true\n")
        metric = tertium.metric(f"llm:config={path}")
        with pytest.raises(InputError, match="give refs"):
            metric.corpus_score(SYSTEMS["A"], sources=SOURCES)
        metric.corpus_score(SYSTEMS["A"], [["one", "two"]] * 3, sources=SOURCES)
    assert "<reference>one<" in server.seen[0]["messages"][1]["content"]


def test_mqm_scores_are_not_positive(tmp_path):
    wrong = {"text": "river", "category": "Style/Awkward", "severity": "minor"}
    with chat_server(usual=says(json.dumps({"errors": [wrong]}))) as server:
        path = write(tmp_path, server, 'prompt = "mqm"\n')
        metric = tertium.metric(f"llm:config={path}")
        scores = metric.segment_scores(SYSTEMS["A"], sources=SOURCES)
    assert scores.tolist() == [-1, -1, -1]
    with pytest.raises(InputError, match="no natural unit"):
        tertium.metric(f"mean:(llm:config={path})+chrf")


def decline(body, number):
    return says("No.") if "birds" in shown(body)[1] else None


def test_unparsable_answers_are_an_error_unless_they_are_to_be_left_out(
    tmp_path, testset
):
    with chat_server(decline) as server:
        spec = f"llm:config={write(tmp_path, server)}"
        with pytest.raises(InputError, match=r"1 of 6 answers in .* could not be read"):
            tertium.score(testset, metrics=[spec])
        write(tmp_path, server, 'unparsable = "omit"\n')
        table = tertium.score(testset, metrics=[spec], segments=True)
    content = table.to_dict()["systems"]["B"]
    segments = next(iter(content.values()))["segments"]
    assert segments[1] is None
    assert None not in (segments[0], segments[2])


def test_omitted_answers_are_counted_and_undefined_everywhere(tmp_path, testset):
    size = 10
    many = replace(
        testset,
        references=list(testset.references) * size,
        sources=[*testset.sources] * size,
        systems={name: [*texts] * size for name, texts in testset.systems.items()},
        docs=["a", "b", "c"] * size,
    )
    omitted = [1 + 3 * number for number in range(size)]
    with chat_server(decline) as server:
        path = write(tmp_path, server, 'unparsable = "omit"\n')
        spec = f"llm:config={path}"
        table = tertium.score(many, metrics=[spec], documents=True)
        compared = tertium.compare(many, metrics=[spec], resamples=100)
        result = tertium.report(many, metrics=[spec, "chrf"], resamples=100)
    for counted in (table, compared, result):
        texts = [str(note) for note in counted.notes]
        assert any("no score (B 10 of 30)" in text for text in texts)
    content = result.to_dict()["systems"]["B"][spec]
    assert content["undefined"] == size
    assert [n for n, x in enumerate(content["segments"]) if x is None] == omitted
    assert math.isnan(table["B"][spec].documents["b"])
    places = {each.group.label: each for each in result.buckets}
    assert math.isnan(places["b"].scores[spec]["B"].value)
    assert places["b"].differences[spec] is None
    assert not any(
        (each.system, each.segment % 3) == ("B", 1)
        for pair in result.metrics
        for each in pair.outliers
    )
    # B is as good as A wherever it has a score, but for one word.
    rest = [n for n in range(len(many)) if n not in omitted]
    with chat_server(decline) as server:
        write(tmp_path, server)
        alone = tertium.compare(many.select(rest), metrics=[spec], resamples=100)
    assert compared.pair("A", "B").effect == pytest.approx(alone.pair("A", "B").effect)
    assert "n/a" in result.to_html()


def test_a_system_without_any_score_is_an_error(tmp_path, testset):
    with chat_server(lambda body, number: says("No.")) as server:
        path = write(tmp_path, server, 'unparsable = "omit"\n')
        for verb in (tertium.score, tertium.compare):
            with pytest.raises(InputError, match="no segment of system 'A' has a toy"):
                verb(testset, metrics=[f"llm:config={path}"])


def test_unread_answers_are_asked_again_once_with_the_setting_that_the_error_names(
    tmp_path, testset
):
    with chat_server(decline) as server:
        spec = f"llm:config={write(tmp_path, server)}"
        with pytest.raises(InputError, match=f"{spec},ask_again=yes"):
            tertium.score(testset, metrics=[spec])
        asked = len(server.seen)
        with pytest.raises(InputError, match=r"asked for: 1\); leave these segments"):
            tertium.score(testset, metrics=[f"{spec},ask_again=yes"])
        assert len(server.seen) == asked + 1
        server.script = lambda body, number: None
        tertium.score(testset, metrics=[f"{spec},ask_again=yes"])
        assert len(server.seen) == asked + 2
        tertium.score(testset, metrics=[spec])
    assert len(server.seen) == asked + 2


def test_a_segment_without_answer_is_an_error_and_the_others_are_kept(
    tmp_path, testset
):
    def fail(body, number):
        return status(400) if "birds" in shown(body)[1] else None

    with chat_server(fail) as server:
        spec = f"llm:config={write(tmp_path, server)}"
        with pytest.raises(InputError, match="1 request without answer"):
            tertium.score(testset, metrics=[spec])
        server.script = lambda body, number: None
        tertium.score(testset, metrics=[spec])
    assert len(server.seen) == 6


def test_the_limit_of_costs_holds_for_the_metric(tmp_path, testset):
    with chat_server() as server:
        text = "price_in = 1\nprice_out = 1\nlimit_cost = 0\n"
        spec = f"llm:config={write(tmp_path, server, text)}"
        with pytest.raises(InputError, match="5 requests left at the limit of costs"):
            tertium.score(testset, metrics=[spec])
    assert server.seen == []


def test_the_limit_of_costs_holds_for_all_chunks(tmp_path, testset):
    # An answer costs 120 as the server counts, and less than 1,000 at most.
    text = "price_in = 1e6\nprice_out = 1e6\nlimit_cost = 1000\nconcurrency = 1\n"
    text += "parameters = {max_tokens = 100}\n"
    with chat_server() as server:
        spec = f"llm:config={write(tmp_path, server, text)}"
        longer = testset.select([0, 1, 2] * 10)
        for system in longer.systems:
            longer.systems[system][:] = [
                f"{number} {text}" for number, text in enumerate(longer.systems[system])
            ]
        with pytest.raises(InputError, match="left at the limit of costs"):
            score_stream(lambda: longer.chunks(1), metrics=[spec])
        assert 2 <= len(server.seen) <= 8


def test_the_limit_of_costs_cannot_be_spent_by_every_process(tmp_path, testset):
    text = "price_in = 1\nprice_out = 1\nlimit_cost = 5\n"
    with chat_server() as server:
        path = write(tmp_path, server, text)
        with pytest.raises(InputError, match=r"limit_cost in .* one process"):
            tertium.score(
                testset, metrics=[f"llm:config={path}"], executor=Processes(2)
            )
        assert server.seen == []
        tertium.score(testset, metrics=[f"llm:config={path}"])
        assert len(server.seen) == 5


def test_nor_by_copies_of_a_mean_of_metrics(tmp_path):
    with chat_server() as server:
        path = write(tmp_path, server, "price_in = 1\nprice_out = 1\nlimit_cost = 5\n")
        with pytest.raises(InputError, match="limit_cost"):
            pickle.dumps(tertium.metric(f"mean:(llm:config={path})+chrf"))


@pytest.mark.parametrize("form", ["{}", "mean:({})+chrf"])
def test_copies_have_the_same_prompt(form, tmp_path):
    prompt = tmp_path / "mine.toml"
    with chat_server() as server:
        path = write(tmp_path, server, 'prompt = "mine.toml"\n')
        spec = form.format(f"llm:config={path}")
        prompt.write_text(PROMPT)
        sent = pickle.dumps(tertium.metric(spec))
        assert pickle.loads(sent).spec == tertium.metric(spec).spec
        prompt.write_text(PROMPT.replace("good", "bad"))
        assert pickle.dumps(tertium.metric(spec)) != sent
        with pytest.raises(InputError, match=r"prompt, which .* is not the same"):
            pickle.loads(sent)


def test_progress_is_reported(tmp_path, testset):
    steps = []
    with chat_server() as server, reporting(lambda *step: steps.append(step)):
        tertium.score(testset, metrics=[f"llm:config={write(tmp_path, server)}"])
    assert steps[-1] == ("answers of toy", 5, 5)


@pytest.mark.parametrize("pair", ["de-en", None])
@pytest.mark.parametrize("named", ["de-en", None])
def test_unknown_languages_are_noted(tmp_path, testset, pair, named):
    texts = replace(testset, langpair=pair)
    with chat_server() as server:
        spec = f"llm:config={write(tmp_path, server, langpair=named)}"
        tables = [
            tertium.score(texts, metrics=[spec]),
            tertium.compare(texts, metrics=[spec], resamples=20),
        ]
    for table in tables:
        noted = "languages-unknown" in [note.code for note in table.notes]
        assert noted == (pair is None and named is None)


def test_a_metric_that_names_no_languages_has_no_note(testset):
    table = tertium.score(replace(testset, langpair=None), metrics=["chrf"])
    assert table.notes == []


def test_the_log_is_read_once_unless_it_was_changed(tmp_path, monkeypatch):
    loads = []
    load = AnswerLog._load
    monkeypatch.setattr(AnswerLog, "_load", lambda log: (loads.append(1), load(log)))
    with chat_server() as server:
        path = write(tmp_path, server)
        metric = tertium.metric(f"llm:config={path}")
        for place in (0, 1, 2, 0):
            metric.corpus_score([SYSTEMS["A"][place]], sources=[SOURCES[place]])
        assert (len(loads), len(server.seen)) == (0, 3)
        # What another run has added is used, ...
        other = tertium.metric(f"llm:config={path}")
        other.corpus_score(SYSTEMS["B"], sources=SOURCES)
        assert len(server.seen) == 5
        metric.corpus_score(SYSTEMS["B"], sources=SOURCES)
        assert (len(loads), len(server.seen)) == (2, 5)
        # ... and what was removed is asked again.
        (tmp_path / "judge.answers.jsonl").unlink()
        metric.corpus_score(SYSTEMS["A"], sources=SOURCES)
        assert len(server.seen) == 8


def test_languages_of_the_test_set_are_asked_about_as_the_judge_does(tmp_path, testset):
    with chat_server() as server:
        path = write(tmp_path, server, langpair=None)
        settings, place = read_settings(path)
        judge_outputs(testset, settings, answers=place)
        asked = len(server.seen)
        assert "German" in server.seen[0]["messages"][1]["content"]
        for specs in (f"llm:config={path}", f"mean:(llm:config={path})+chrf"):
            tertium.score(testset, metrics=[specs])
            compare_stream(lambda: testset.chunks(2), metrics=[specs], resamples=5)
    assert len(server.seen) == asked


def test_the_signature_follows_parameters_and_languages(tmp_path):
    warm = "parameters = {temperature = 1}\n"
    signatures = []
    with chat_server() as server:
        for text, langpair in (("", "de-en"), (warm, "de-en"), ("", None)):
            path = write(tmp_path, server, text, langpair=langpair)
            signatures.append(tertium.metric(f"llm:config={path}").signature)
    assert len(set(signatures)) == 3
    assert "|langs:de-en|" in signatures[0]
    assert "|langs:testset|" in signatures[2]


def test_without_configuration_the_metric_says_what_it_needs():
    with pytest.raises(InputError, match="add config=FILE"):
        tertium.metric("llm").corpus_score(["a"], sources=["b"])


def test_rows_are_not_kept_in_the_cache_of_results(tmp_path):
    with chat_server() as server:
        metric = tertium.metric(f"llm:config={write(tmp_path, server)}")
    assert metric_key(metric) is None


def test_profiles_and_models_of_others_cannot_open_connections(tmp_path):
    with chat_server() as server:
        path = write(tmp_path, server)
        with (
            from_a_file(),
            pytest.raises(InputError, match="names a file or a program"),
        ):
            tertium.metric(f"llm:config={path}")
