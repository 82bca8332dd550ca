# SPDX-License-Identifier: Apache-2.0
"""``tertium.correlate`` with files, with tables in memory, and what it reports."""

from __future__ import annotations

from pathlib import Path

import pytest

import tertium
from tertium.errors import InputError, UnknownNameError
from tertium.meta import MetricScores, read_mtme, write_mtme
from tertium.meta.files.task import task_tables, write_task_files
from tertium.meta.tallies import tally_matrix
from tertium.meta.value_rows import value_rows
from tertium.notes import Note


@pytest.fixture(autouse=True)
def two_pairs(tmp_path, monkeypatch, write_lines):
    """Write texts and pairwise judgements of two language pairs; A is always better."""
    monkeypatch.chdir(tmp_path)
    for pair in ("de-en", "fr-en"):
        rows = [f"{i}\tthe cat {i}\tthe cat {i}\ta dog {i}" for i in range(1, 10)]
        write_lines(f"{pair}.tsv", ["seg\treference\tA\tB", *rows])
        judged = [f"{i}\tA\tB" for i in range(1, 10)]
        write_lines(f"{pair}.pairs.tsv", ["seg\tbetter\tworse", *judged])


BOTH = (["de-en.tsv", "fr-en.tsv"], ["de-en.pairs.tsv", "fr-en.pairs.tsv"])
QUICK = {"metrics": ["wer"], "coef": ["tau-wmt14"], "resamples": 0}


def test_files_and_tables_in_memory_give_the_same():
    files = tertium.correlate("de-en.tsv", "de-en.pairs.tsv", **QUICK)
    testset = tertium.read("de-en.tsv", langpair="de-en")
    judgements = tertium.Judgements.read(Path("de-en.pairs.tsv"))
    tables = tertium.correlate(testset, judgements, **QUICK)
    assert tables.values == files.values
    assert files.get("de-en", "wer", "tau-wmt14").value == 1.0


def test_the_result_holds_what_was_compared_and_asked_for():
    result = tertium.correlate(
        *BOTH, **QUICK, gap=["wer"], families=True, average_without=["fr-en"]
    )
    assert [each.human.langpair for each in result.evaluations] == ["de-en", "fr-en"]
    assert result.average("wer", "tau-wmt14").pairs == 1
    assert result.average("wer", "tau-wmt14", exclude=()).pairs == 2
    out = result.to_dict()
    assert sum(gap["pairs"] for gap in out["gaps"]["wer"]) == 2
    assert out["families"] == []


def test_language_pairs_without_a_partner_are_noted():
    notes = []
    result = tertium.correlate(
        "de-en.tsv", BOTH[1], **QUICK, probes=False, on_note=notes.append
    )
    expected = [Note("pair-without-testset", {"langpairs": "fr-en"})]
    assert notes == list(result.input_notes) == expected
    result = tertium.correlate(BOTH[0], "de-en.pairs.tsv", **QUICK)
    assert [str(note) for note in result.input_notes] == [
        "no judgements of fr-en; left out"
    ]


def test_rows_that_cannot_be_read_are_noted(write_lines):
    write_lines("de-en.pairs.tsv", ["seg\tbetter\tworse", "1\tA\tB", "2\tA"])
    result = tertium.correlate("de-en.tsv", "de-en.pairs.tsv", **QUICK)
    assert [note.code for note in result.input_notes] == ["rows-left-out"]


def test_metrics_that_usually_fall_are_noted(write_lines):
    write_lines("s.tsv", ["system\tsegment\tter", *(f"{s}\t{i}\t{v}" for s, v in
                (("A", 0), ("B", 1)) for i in range(1, 10))])  # fmt: skip
    call = {"scores": ["s.tsv"], "coef": ["tau-wmt14"], "resamples": 0}
    result = tertium.correlate("de-en.tsv", "de-en.pairs.tsv", **call)
    assert [note.code for note in result.input_notes] == ["metric-taken-to-fall"]
    assert result.get("de-en", "ter", "tau-wmt14").value == 1.0
    falling = tertium.correlate(
        "de-en.tsv", "de-en.pairs.tsv", **call, lower_is_better=["ter"]
    )
    assert falling.input_notes == ()
    assert falling.get("de-en", "ter", "tau-wmt14").value == 1.0
    write_lines("s.tsv", ["system\tsegment\tter", *(f"{s}\t{i}\t{v}" for s, v in
                (("A", 0), ("B", -1)) for i in range(1, 10))])  # fmt: skip
    result = tertium.correlate("de-en.tsv", "de-en.pairs.tsv", **call)
    assert [note.code for note in result.input_notes] == ["metric-taken-to-rise"]
    assert result.get("de-en", "ter", "tau-wmt14").value == 1.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"confidence": 95}, "confidence is 95"),
        ({"judgements": None}, "no judgements"),
        ({"testsets": ()}, "nothing to compare"),
        ({"testsets": "de-en.pairs.tsv"}, "not texts"),
        ({"testsets": ["de-en.tsv", "de-en.tsv"]}, "both of de-en"),
        ({"metrics": ()}, "no metric scores"),
        ({"mtme": "folder"}, "omit testsets"),
        ({"domain": "news"}, "no score files to choose a domain from"),
        ({"lower_is_better": ["wer"]}, "no score files with metrics that fall"),
        ({"slice": "x=y.tsv"}, "y.tsv"),
        ({"average_without": ["en-de"]}, "unknown language pair to leave out"),
        ({"gap": ["chrf"]}, "unknown metric 'chrf'"),
    ],
)
def test_options_that_do_not_fit_are_rejected(changes, message):
    call = {"testsets": "de-en.tsv", "judgements": "de-en.pairs.tsv", **QUICK}
    with pytest.raises(InputError, match=message) as error:
        tertium.correlate(**call | changes)
    assert "--" not in str(error.value)


def test_a_folder_of_mt_metrics_eval_brings_everything(tmp_path):
    testset = tertium.Testset.build(
        [["the cat", "a cat"]] * 2,
        {"A": ["the cat"] * 2, "B": ["a dog"] * 2},
        sources=["x", "y"],
        langpair="en-de",
    )
    scores = {
        name: MetricScores(
            name,
            {"A": 1.0, "B": 0.0},
            {"A": {"1": 1.0, "2": 0.9}, "B": {"1": 0.0, "2": 0.1}},
        )
        for name in ("mqm", "mine")
    }
    folder = tmp_path / "wmt"
    write_mtme(
        folder, testset, scores=[scores["mine"]], human={"mqm": scores["mqm"]},
        references=["refA", "refB"],
    )  # fmt: skip
    assert read_mtme(folder).references == ("refA", "refB")
    result = tertium.correlate(
        mtme=folder, langpair="en-de", metrics=["wer"], coef=["pearson"], resamples=0
    )
    assert result.metrics[0] == "wer"
    assert result.metrics[1].startswith("mine-")
    assert [str(note) for note in result.input_notes] == [
        "metrics use the reference refA; others are refB"
    ]
    with pytest.raises(InputError, match="listed as falling"):
        tertium.correlate(mtme=folder, langpair="en-de", lower_is_better=["x"])


def test_metrics_are_ranked_by_average_with_probes_last():
    result = tertium.correlate(
        "demo", metrics=["bleu", "chrf"], coef=["pearson"], resamples=0
    )
    ranked = result.ranked("pearson")
    assert ranked[:2] == ["chrf", "bleu"]
    assert all(name.startswith("probe-") for name in ranked[2:])


def test_tests_give_clusters_wins_and_tallies(write_lines):
    rows = [
        f"{s}\t{i}\t{v + i % 2}" for s, v in (("A", 0), ("B", 0)) for i in range(10)
    ]
    write_lines("s.tsv", ["system\tsegment\tmine", *rows])
    call = QUICK | {"scores": ["s.tsv"], "test": "bootstrap", "trials": 100}
    result = tertium.correlate(*BOTH, **call)
    value = result.get("de-en", "wer", "tau-wmt14")
    assert result.is_unbeaten(value)
    assert not result.is_unbeaten(result.get("de-en", "mine", "tau-wmt14"))
    row = next(r for r in value_rows(result) if r["metric"] == "wer")
    assert (row["cluster"], row["wins"], row["losses"]) == (1, 1, 0)
    assert row["p:wer"] is None
    assert row["p:mine"] < 0.05
    matrix = tally_matrix(result, "tau-wmt14", result.ranked("tau-wmt14"))
    assert matrix.metrics == ("wer", "mine")
    shown = [
        [None if cell is None else str(cell) for cell in row] for row in matrix.rows
    ]
    assert shown == [[None, "2-0-0"], ["0-2-0", None]]
    alone = tally_matrix(result, "tau-wmt14", ["wer", "mine"], exclude=["fr-en"])
    assert alone is None


def test_rows_without_tests_have_no_columns_of_tests():
    result = tertium.correlate(*BOTH, **QUICK)
    assert list(value_rows(result)[0])[-2:] == ["over", "probe"]


def test_task_files_have_one_row_per_metric(tmp_path):
    result = tertium.correlate(*BOTH, **QUICK, probes=False)
    tables = task_tables(result, digits=1)
    assert tables == {
        "segment.correlations.toEn": [
            ["coefficient", "metric", "de-en", "fr-en", "average", "pairs"],
            ["tau-wmt14", "wer", "1.0", "1.0", "1.0", "2"],
        ]
    }
    (path,) = write_task_files(result, tmp_path / "new" / "out", digits=1)
    assert path.read_text().splitlines()[1] == "tau-wmt14\twer\t1.0\t1.0\t1.0\t2"


def test_unknown_slices_list_the_columns():
    with pytest.raises(UnknownNameError, match=r"unknown slice 'lenght'.*length"):
        tertium.correlate("de-en.tsv", "de-en.pairs.tsv", **QUICK, slice="lenght")
