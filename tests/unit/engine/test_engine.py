# SPDX-License-Identifier: Apache-2.0
"""score and compare: from texts to results."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tracemalloc

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

import tertium
from tertium.cli import main
from tertium.data import write
from tertium.data.kept import Kept
from tertium.engine.score import score_stream
from tertium.report.tables.scores import score_tables
from tertium.report.tables.style import Style
from tertium.report.tables.table import as_lines

METRICS = ["bleu", "chrf++", "ter", "ribes", "nist", "mean:bleu+ter"]


def test_a_stream_of_chunks_scores_as_the_whole(demo):
    whole = tertium.score(demo, metrics=METRICS, segments=True)
    for size in (1, 7, 60):
        parts = score_stream(
            lambda size=size: demo.chunks(size), metrics=METRICS, segments=True
        )
        assert parts.to_dict() == whole.to_dict()
        sums = score_stream(lambda size=size: demo.chunks(size), metrics=METRICS)
        for name, scores in sums.systems.items():
            for spec, score in scores.items():
                assert score.score == whole[name][spec].score


def test_scores_of_segments_may_wait_on_disk(demo):
    """The lines of a table are the same, and memory hardly grows with them."""

    def lines_and_peak(hold):
        tracemalloc.start()
        try:
            table = score_stream(
                lambda: (demo for _ in range(300)),
                metrics=["wer"],
                segments=True,
                hold=hold,
            )
            [cells] = score_tables(table, Style("tsv"), segments=True)
            digest = hashlib.sha256()
            for line in as_lines(cells, "tsv"):
                digest.update(line.encode())
            return digest.hexdigest(), tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    kept, small = lines_and_peak(Kept)
    held, large = lines_and_peak(list)
    assert kept == held
    assert 3 * small < large


@pytest.mark.parametrize("with_ids", ["unique", "per document", "no"])
def test_tables_for_programs_are_those_of_scores_in_memory(
    demo, with_ids, tmp_path, monkeypatch, capsys
):
    ids = {
        "unique": demo.ids,
        "per document": [str(n % 30) for n in range(60)],
        "no": None,
    }[with_ids]
    docs = [f"d{n // 30}" for n in range(60)]
    write(dataclasses.replace(demo, ids=ids, docs=docs), tmp_path / "set.jsonl")
    command = ["score", str(tmp_path / "set.jsonl"), "-m", "sentbleu", "pef"]
    outs = []
    for hold in (Kept, list):
        monkeypatch.setattr("tertium.cli.score.verb._hold", lambda options, h=hold: h)
        for kind in ("tsv", "csv"):
            assert main([*command, "--segments", "-f", kind]) == 0
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1]
    assert ("\n60\td1/29\tgood\t" in outs[0]) == (with_ids == "per document")
    assert outs[0].count("\n") == 2 * 241


def test_documents_and_segments_have_scores(demo):
    result = tertium.score(demo, metrics=["bleu"], segments=True, documents=True)
    score = result["good"]["bleu"]
    assert len(score.segments) == 60
    bleu = tertium.metric("bleu")
    for doc, indices in demo.documents().items():
        part = demo.select(indices)
        expected = bleu.corpus_score(part.systems["good"], part.references)
        assert score.documents[doc] == pytest.approx(expected)
    assert score.segments == list(
        bleu.segment_scores(demo.systems["good"], demo.references)
    )


def test_intervals_hold_the_score_and_are_wider_by_document(demo):
    segments = tertium.score(demo, metrics=["chrf"], confidence=0.95)
    low, high = segments["good"]["chrf"].interval
    assert low < segments["good"]["chrf"].score < high
    assert "bs:1000|seed:12345" in segments.metrics["chrf"].signature
    wide = tertium.score(demo, metrics=["chrf"], confidence=0.99)
    assert wide["good"]["chrf"].interval[0] < low
    blocks = tertium.score(demo, metrics=["chrf"], confidence=0.95, documents=True)
    assert blocks["good"]["chrf"].interval != (low, high)


def test_signatures_state_the_number_of_references():
    one = tertium.score(["a"], ["a"]).metrics["bleu"].signature
    two = tertium.score(["a"], [["a", "b"]]).metrics["bleu"].signature
    ragged = tertium.score(["a", "b"], [["a", "b"], ["b"]]).metrics["bleu"].signature
    assert [s.split("|")[0] for s in (one, two, ragged)] == [
        "nrefs:1",
        "nrefs:2",
        "nrefs:var",
    ]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([],), {}, "references are missing"),
        (([], []), {}, "no segments to score"),
        ((["a"], ["a"]), {"metrics": []}, "no metric"),
        ((["a"], ["a"]), {"metrics": ["bleu", "bleu "]}, "given twice"),
        ((["a"], ["a"]), {"confidence": 95}, "between 0 and 1"),
        ((["a"], ["a"]), {"documents": True}, "no document ids"),
        (({}, ["a"]), {}, "no system"),
        (("a", ["a"]), {}, "one text"),
        (({"A": ["a", "b"]}, ["a"]), {}, "2"),
    ],
)
def test_scoring_rejects_what_makes_no_sense(arguments, options, message):
    with pytest.raises(tertium.InputError, match=message):
        tertium.score(*arguments, **options)


def test_all_pairs_are_compared_and_a_copy_has_p_one(demo):
    result = tertium.compare(demo, metrics=["bleu", "ter"])
    assert len(result.pairs) == 12
    copy = result.pair("words", "copy", "bleu")
    assert (copy.p, copy.delta, copy.effect, copy.better) == (1.0, 0.0, 0.0, None)
    assert copy.interval == (0.0, 0.0)
    assert result.pair("good", "order", "ter").better == "good"
    assert result.ranking["bleu"][0].system == "good"
    assert result.ranking["ter"][0].system == "good"


def test_sacrebleu_calls_a_copy_significant(demo):
    """The defect that the test above guards against, in sacreBLEU 2.6."""
    refs = [[refs[0] for refs in demo.references]]
    systems = [(name, demo.systems[name]) for name in ("words", "copy")]
    for kind in ("bs", "ar"):
        test = PairedTest(systems, {"BLEU": BLEU(references=refs)}, None, kind, 1000)
        _, scores = test()
        assert scores["BLEU"][1].p_value < 0.0011


def test_randomisation_and_bootstrap_agree_on_the_demo(demo):
    bootstrap = tertium.compare(demo, metrics=["chrf"], correction="none")
    random = tertium.compare(
        demo, metrics=["chrf"], test="randomisation", correction="none"
    )
    for a, b in zip(bootstrap.pairs, random.pairs, strict=True):
        assert a.delta == b.delta
        assert a.p == pytest.approx(b.p, abs=0.05)
    assert random.run["resamples"] == 10_000


def test_few_documents_are_tested_exactly(demo):
    result = tertium.compare(
        demo, metrics=["bleu"], test="randomisation", by_document=True
    )
    assert result.run["exact"] is True
    assert result.run["resamples"] == 2**6
    assert result.pair("words", "copy").p == 1.0


def test_a_baseline_is_compared_with_each_other_system(demo):
    result = tertium.compare(demo, baseline="order")
    assert [(p.a, p.b) for p in result.pairs] == [
        ("order", "good"),
        ("order", "words"),
        ("order", "copy"),
    ]
    assert result.ranking["bleu"] == []
    with pytest.raises(tertium.InputError, match="did you mean order"):
        tertium.compare(demo, baseline="ordre")


def test_effect_size_is_positive_where_the_first_is_better(demo):
    result = tertium.compare(demo, metrics=["bleu", "ter"])
    assert result.pair("good", "order", "bleu").effect > 0.5
    assert result.pair("good", "order", "ter").effect > 0.5
    differences = np.subtract(
        *(
            tertium.metric("bleu").segment_scores(demo.systems[s], demo.references)
            for s in ("good", "order")
        )
    )
    expected = differences.mean() / differences.std(ddof=1)
    assert result.pair("good", "order", "bleu").effect == pytest.approx(expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "t"}, "unknown test"),
        ({"correction": "bonferroni"}, "unknown correction"),
        ({"alpha": 1.5}, "between 0 and 1"),
        ({"by_document": True, "docs": None}, "no document ids"),
    ],
)
def test_comparing_rejects_what_makes_no_sense(options, message):
    with pytest.raises(tertium.InputError, match=message):
        tertium.compare({"A": ["a"], "B": ["b"]}, ["a"], **options)


def test_one_system_and_no_segments_cannot_be_compared():
    with pytest.raises(tertium.InputError, match="two systems or more"):
        tertium.compare(["a"], ["a"])
    with pytest.raises(tertium.InputError, match="no segments"):
        tertium.compare({"A": [], "B": []}, [])


def test_results_are_frozen_plain_and_readable(demo):
    scores = tertium.score(demo, metrics=["bleu", "wer"], confidence=0.9)
    comparison = tertium.compare(demo, metrics=["chrf", "ter"])
    for result in (scores, comparison):
        assert json.loads(result.to_json()) == result.to_dict()
        assert len(result.to_frame()) > 0
        assert "good" in repr(result)
        field = dataclasses.fields(result)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, field, None)
    head = repr(scores).splitlines()[0].split()
    assert head == ["system", "BLEU", "WER"]


def test_figures_without_a_value_are_null_in_json():
    texts = {"A": ["a b c d", "a b c d"], "B": ["a b c e", "a b c e"]}
    result = tertium.compare(texts, ["a b c d"] * 2, metrics=["bleu"])
    assert result.pairs[0].effect != result.pairs[0].effect  # NaN: no spread
    assert json.loads(result.to_json())["pairs"][0]["effect"] is None


def many_systems(count: int):
    """Return systems that are alike, but for the last, which is clearly worse."""
    refs = [f"this is sentence number {i} of the set" for i in range(40)]
    good = [
        [
            ref.replace("the", "a") if i % 7 == k % 7 else ref
            for i, ref in enumerate(refs)
        ]
        for k in range(count - 1)
    ]
    bad = [ref.replace("is sentence", "are words") for ref in refs]
    return {f"S{k}": texts for k, texts in enumerate([*good, bad])}, refs


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_a_clear_difference_among_many_systems_is_found(test):
    """With 1,000 resamples and 66 pairs nothing was ever significant."""
    systems, refs = many_systems(12)
    result = tertium.compare(systems, refs, metrics="wer", test=test)
    assert [place.cluster for place in result.ranking["wer"]] == [1] * 11 + [2]
    assert result.run["resamples"] == {"bootstrap": 6600, "randomisation": 10_000}[test]
    name = {"bootstrap": "bs", "randomisation": "ar"}[test]
    used = f"{name}:{result.run['resamples']}|"
    assert used in result.scores.metrics["wer"].signature
    clear = result.pair("S0", "S11").p_adjusted
    assert clear <= 0.05 / 5
    assert result.hopeless() is None


def test_resamples_follow_what_is_corrected():
    systems, refs = many_systems(12)
    few = tertium.compare(systems, refs, metrics="wer", baseline="S0")
    assert few.run["resamples"] == 1100  # 11 pairs
    plain = tertium.compare(systems, refs, metrics="wer", correction="none")
    assert plain.run["resamples"] == 1000
    few = tertium.compare(systems, refs, metrics="wer", resamples=500)
    assert few.run["resamples"] == 500
    assert few.hopeless().reason == "resamples"
    assert few.hopeless().needed == 6600


def test_systems_are_ranked_best_first_and_ties_in_order():
    refs = ["a b c d"] * 3
    systems = {
        "worse": ["a b x y"] * 3,
        "second": ["a b c y"] * 3,
        "first": ["a b c z"] * 3,
        "best": refs,
    }
    result = tertium.score(systems, refs, metrics=["wer", "per"])
    assert result.ranked() == ["best", "second", "first", "worse"]
    assert result.ranked("per") == result.ranked()
    assert list(result.to_dict()["systems"]) == list(systems)


def test_comparing_reports_how_far_it_is(demo, monkeypatch):
    monkeypatch.setattr("tertium.engine.compare._CHUNK", 40)
    reports = []
    tertium.compare(
        demo, metrics=["bleu", "ter"], progress=lambda *report: reports.append(report)
    )
    assert reports[:3] == [
        ("segments", 40, 60),
        ("segments", 60, 60),
        ("resamples for bleu", 1000, 1000),
    ]
    assert reports[-1] == ("resamples for ter", 1000, 1000)


def test_parts_of_a_long_set_change_neither_results_nor_messages(demo, monkeypatch):
    whole = tertium.compare(demo, metrics=METRICS, resamples=20)
    monkeypatch.setattr("tertium.engine.compare._CHUNK", 7)
    assert tertium.compare(demo, metrics=METRICS, resamples=20).to_dict() == (
        whole.to_dict()
    )
    wrong = ["a b"] * 15 + ["\ud800"] + ["a b"] * 4
    with pytest.raises(tertium.InputError, match="hypothesis 15"):
        tertium.compare({"A": ["a b"] * 20, "B": wrong}, ["a b"] * 20)
