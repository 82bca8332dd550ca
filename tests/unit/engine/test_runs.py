# SPDX-License-Identifier: Apache-2.0
"""Systems with several runs, scored and compared."""

from __future__ import annotations

import random

import pytest

import tertium
from tertium import InputError, Runs, Testset, UnknownNameError
from tertium.engine.runs import RunGroups

WORDS = ("a", "small", "old", "cat", "slept", "near", "the", "red", "house", "and")


def outputs(refs, errors, seed):
    chance = random.Random(seed)
    return [
        " ".join(
            chance.choice(WORDS) if chance.random() < errors else word
            for word in ref.split()
        )
        for ref in refs
    ]


CHANCE = random.Random(3)
REFS = [" ".join(CHANCE.choices(WORDS, k=CHANCE.randint(5, 12))) for _ in range(60)]
GOOD = [outputs(REFS, 0.15, seed) for seed in (1, 2, 3)]
BAD = [outputs(REFS, 0.4, seed) for seed in (4, 5, 6)]


def test_the_score_is_the_mean_of_the_runs_with_both_spreads():
    table = tertium.score({"A": Runs(GOOD), "B": BAD[0]}, REFS, metrics=["bleu", "ter"])
    each = tertium.score(dict(zip("123", GOOD, strict=True)), REFS, metrics=["bleu"])
    expected = [each[name]["bleu"].score for name in "123"]
    score = table["A"]["bleu"]
    assert list(table.systems) == ["A", "B"]
    assert score.runs == expected
    assert score.score == pytest.approx(sum(expected) / 3)
    assert 0 < score.sd_runs < 10
    assert 0 < score.sd_segments < 10
    assert score.interval is None
    # A system with one run beside others has no spread between runs.
    assert table["B"]["bleu"].sd_runs is None
    assert table["B"]["bleu"].sd_segments > 0
    assert "|runs:1-3|" in table.metrics["bleu"].signature


def test_without_runs_nothing_is_said_about_them():
    table = tertium.score({"A": GOOD[0]}, REFS)
    assert not table.has_runs
    assert set(table.to_dict()["systems"]["A"]["bleu"]) == {
        "score",
        "interval",
        "segments",
    }
    assert "runs" not in table.metrics["bleu"].signature
    comparison = tertium.compare({"A": GOOD[0], "B": BAD[0]}, REFS)
    assert "sources" not in comparison.run
    # A list with one run has a spread over test sets, and is the same system.
    assert tertium.score({"A": Runs(GOOD[:1])}, REFS).to_dict() == table.to_dict()


def test_segments_and_documents_have_the_means_of_runs():
    docs = ["x"] * 30 + ["y"] * 30
    options = {"metrics": ["chrf"], "segments": True, "documents": True, "docs": docs}
    table = tertium.score({"A": Runs(GOOD)}, REFS, confidence=0.9, **options)
    each = tertium.score(dict(zip("123", GOOD, strict=True)), REFS, **options)
    score = table["A"]["chrf"]
    parts = [each[name]["chrf"] for name in "123"]
    assert score.segments[7] == pytest.approx(sum(x.segments[7] for x in parts) / 3)
    assert score.documents["y"] == pytest.approx(
        sum(x.documents["y"] for x in parts) / 3
    )
    assert score.interval[0] < score.score < score.interval[1]


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_means_are_compared(test):
    systems = {"A": Runs(GOOD), "B": Runs(BAD), "C": Runs(BAD)}
    result = tertium.compare(systems, REFS, metrics=["chrf"], test=test, resamples=500)
    assert result.pair("A", "B").better == "A"
    assert result.pair("B", "C").p == 1.0
    low, high = result.pair("A", "B").interval
    assert 0 < low < result.pair("A", "B").delta < high
    assert [each.cluster for each in result.ranking["chrf"]] == [1, 2, 2]
    assert result.run["sources"] == (
        "runs and segments" if test == "bootstrap" else "segments"
    )
    assert len(result.to_dict()["systems"]["A"]["chrf"]["runs"]) == 3
    assert result.hopeless() is None


def test_documents_can_be_resampled():
    docs = [str(number // 6) for number in range(60)]
    result = tertium.compare(
        {"A": Runs(GOOD), "B": Runs(BAD)}, REFS, by_document=True, docs=docs
    )
    assert result.run["number_of_units"] == 10
    assert result.pairs[0].better == "A"


def test_runs_of_a_testset_are_named():
    columns = {"x": GOOD[0], "B": BAD[0], "y": GOOD[1]}
    testset = Testset.build(references=REFS, systems=columns)
    named = tertium.compare(testset, runs={"A": ["x", "y"]})
    wrapped = tertium.compare({"A": Runs(GOOD[:2]), "B": BAD[0]}, REFS)
    assert named.to_dict() == wrapped.to_dict()
    with pytest.raises(UnknownNameError, match="unknown run 'z'"):
        tertium.score(testset, runs={"A": ["x", "z"]})


def test_numbers_of_runs_may_differ_in_one_test_only():
    systems = {"A": Runs(GOOD), "B": Runs(BAD[:2]), "C": BAD[2]}
    result = tertium.compare(systems, REFS, resamples=200)
    assert result.pair("A", "B").better == "A"
    assert result.pair("A", "C").p < 0.05  # One run says less.
    assert result.pair("A", "C").p > result.pair("A", "B").p
    with pytest.raises(InputError, match=r"as many runs .*A 3, B 2, C 1.*bootstrap"):
        tertium.compare(systems, REFS, test="randomisation")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Runs([]), "at least one run"),
        (lambda: Runs(["a", "b"]), "run 1 is one text"),
        (lambda: RunGroups.of(["x"], {"A": []}), "has no runs"),
        (lambda: RunGroups.of(["x"], {"A": ["x"], "B": ["x"]}), "given twice"),
        (lambda: RunGroups.of(["x", "A"], {"A": ["x"]}), "is a system and has runs"),
        (lambda: tertium.compare({"A": Runs(GOOD)}, REFS), "two systems or more"),
    ],
)
def test_runs_that_do_not_fit_are_an_error(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_results_do_not_depend_on_threads():
    systems = {"A": Runs(GOOD), "B": Runs(BAD)}
    for test in ("bootstrap", "randomisation"):
        one, two = (
            tertium.compare(systems, REFS, test=test, resamples=300, threads=threads)
            for threads in (1, 2)
        )
        assert one.to_dict() == two.to_dict()
