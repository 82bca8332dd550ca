# SPDX-License-Identifier: Apache-2.0
"""Several kinds of judgements side by side, and how their answers go together."""

from __future__ import annotations

import csv
import json
from collections import Counter

import pytest
from scipy.stats import pearsonr, spearmanr

import tertium
from tertium.cli import main
from tertium.cli.correlate.options import parse
from tertium.judgements import Judgements, Rating
from tertium.meta import MetricScores, write_mtme
from tertium.meta.human import human_judgements
from tertium.meta.questions import cross_table
from tests.support.order_study import write_study

QUICK = {"metrics": ["chrf"], "coef": ["spearman:none"], "resamples": 0}


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path)
    with open("ratings.tsv", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def counted(table):
    return {
        (a, b): count
        for a, counts in zip(table.a_levels, table.counts, strict=True)
        for b, count in zip(table.b_levels, counts, strict=True)
        if count
    }


def test_each_question_has_the_figures_it_has_alone(study):
    both = tertium.correlate(
        "de-en.tsv", "ratings.tsv", gold=["order", "adequacy"], **QUICK
    )
    assert both.langpairs == ["de-en order", "de-en adequacy"]
    for name in ("order", "adequacy"):
        alone = tertium.correlate("de-en.tsv", "ratings.tsv", gold=name, **QUICK)
        assert alone.questions == ()
        one = both.get(f"de-en {name}", "chrf", "spearman:none")
        other = alone.get("de-en", "chrf", "spearman:none")
        assert (one.value, one.n, one.p) == (other.value, other.n, other.p)


@pytest.mark.parametrize("human", ["mean", "judge"])
def test_answers_are_counted_as_judges_gave_them(study, human):
    result = tertium.correlate(
        "de-en.tsv", "ratings.tsv", gold=["order", "adequacy"], human=human, **QUICK
    )
    [table] = result.questions
    x, y = ([int(row[name]) for row in study] for name in ("order", "adequacy"))
    assert (table.langpair, table.n, table.unit) == ("de-en", 34, "judgement")
    assert counted(table) == Counter((row["order"], row["adequacy"]) for row in study)
    assert table.pearson == pytest.approx(pearsonr(x, y).statistic)
    assert table.p == pytest.approx(pearsonr(x, y).pvalue)
    assert table.spearman == pytest.approx(spearmanr(x, y).statistic)


def test_slices_have_their_own_tables(study, write_lines):
    write_lines(
        "kinds.tsv", [f"{i}\t{'odd' if i % 2 else 'even'}" for i in range(1, 7)]
    )
    result = tertium.correlate(
        "de-en.tsv",
        "ratings.tsv",
        gold=["order", "adequacy"],
        slice="segment=kinds.tsv",
        **QUICK,
    )
    assert result.langpairs == [
        "de-en odd order",
        "de-en even order",
        "de-en odd adequacy",
        "de-en even adequacy",
    ]
    for table, odd in zip(result.questions, (1, 0), strict=True):
        rows = [row for row in study if int(row["segment"]) % 2 == odd]
        assert table.n == len(rows)
        x, y = ([int(row[name]) for row in rows] for name in ("order", "adequacy"))
        assert table.pearson == pytest.approx(pearsonr(x, y).statistic)


def test_groups_of_judges_have_their_own_tables(study):
    result = tertium.correlate(
        "de-en.tsv", "ratings.tsv", gold=["order", "adequacy"], slice="judge", **QUICK
    )
    assert [(table.langpair, table.n) for table in result.questions] == [
        ("de-en kim", 12),
        ("de-en lee", 12),
        ("de-en max", 10),
    ]


def test_only_answers_of_one_judge_to_both_questions_count():
    rows = [("A", 1, "kim"), ("A", 2, "kim"), ("B", 1, "lee"), ("B", 2, "lee")]
    first = [Rating(s, float(i), "x", str(i), j) for s, i, j in rows]
    second = [Rating(s, float(i), "y", str(i), j) for s, i, j in rows[:3]]
    second.append(Rating("B", 1.0, "y", "2", "max"))
    judgements = Judgements.from_iterable([*first, *second])
    humans = [human_judgements(judgements, scale=s, method="mean") for s in "xy"]
    assert cross_table("all", *humans).n == 3


def test_scales_with_many_values_are_cut_into_ranges():
    ratings = [
        Rating("A", float(value), scale, str(i), "kim")
        for i in range(40)
        for scale, value in (("x", i * 2.5), ("y", i % 3))
    ]
    judgements = Judgements.from_iterable(ratings)
    humans = [human_judgements(judgements, scale=s, method="mean") for s in "xy"]
    table = cross_table("all", *humans)
    assert (len(table.a_levels), table.b_levels) == (10, ("0", "1", "2"))
    assert table.a_levels[0] == "0 to 9.75"
    assert [sum(row) for row in table.counts] == [4] * 10


def test_folders_of_mt_metrics_eval_have_means_only(tmp_path):
    testset = tertium.Testset.build(
        [["the cat"]] * 4,
        {"A": ["the cat"] * 4, "B": ["a dog"] * 4},
        sources=list("wxyz"),
        langpair="en-de",
    )
    names = [str(i) for i in range(1, 5)]

    def scores(name, shift):
        segment = {s: {i: float(int(i) + k * shift) for i in names}
                   for k, s in enumerate("AB")}  # fmt: skip
        system = {s: sum(row.values()) / 4 for s, row in segment.items()}
        return MetricScores(name, system, segment, langpair="en-de")

    write_mtme(
        tmp_path,
        testset,
        scores=[scores("x", 2)],
        human={"mqm": scores("mqm", 1), "da": scores("da", -3)},
    )
    result = tertium.correlate(
        mtme=tmp_path, langpair="en-de", gold=["mqm", "da"], coef=["pearson:none"],
        resamples=0,
    )  # fmt: skip
    [table] = result.questions
    assert (table.unit, table.n, table.a) == ("item", 8, "mqm")


WORDS = ["correlate", "de-en.tsv", "-J", "ratings.tsv", "-m", "chrf", "-q"]


def test_tables_json_and_chart_show_the_answers(study, capsys, tmp_path):
    words = [
        "correlate",
        "de-en.tsv",
        "-J",
        "ratings.tsv",
        "-m",
        "chrf",
        "--coef",
        "spearman:none",
        "-q",
    ]
    words += ["--gold", "order", "adequacy", "--resamples", "0"]
    assert main([*words, "--plot", "questions=q.json"]) == 0
    out = capsys.readouterr().out
    assert "de-en: order (rows) and adequacy (columns)" in out
    assert "34 judgements with both; Pearson 0.884 (p <0.001), Spearman 0.873" in out
    [rows] = json.loads((tmp_path / "q.json").read_text())["datasets"].values()
    assert sum(row["n"] for row in rows) == 34
    assert main([*words, "-f", "json"]) == 0
    [table] = json.loads(capsys.readouterr().out)["questions"]
    assert (table["n"], round(table["pearson"], 3)) == (34, 0.884)
    assert main([*words, "-f", "html"]) == 0
    page = capsys.readouterr().out
    assert 'id="questions"' in page
    assert "34 judgements with both; Pearson 0.884" in page


def test_the_chart_needs_two_questions(study, capsys):
    words = [
        "correlate",
        "de-en.tsv",
        "-J",
        "ratings.tsv",
        "-m",
        "chrf",
        "--gold",
        "order",
    ]
    assert main([*words, "--plot", "questions=q.json"]) == 2
    assert "nothing to draw for the chart questions" in capsys.readouterr().err


def test_a_test_set_after_an_option_is_not_taken_for_its_value(capsys):
    words = ["-m", "chrf", "--coef", "tau-wmt14", "--resamples", "0", "-q"]
    results = []
    for order in (["demo", "--gold", "rankings"], ["--gold", "rankings", "demo"]):
        assert main(["correlate", *order, *words]) == 0
        results.append(capsys.readouterr().out)
    assert results[0] == results[1]
    assert main(["correlate", *words, "--families", "demo"]) == 0
    assert "Families of metrics" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("gold", "asked"),
    [
        (["order", "adequacy"], ["order", "adequacy"]),
        (["order", "order"], ["order"]),
    ],
)
def test_files_named_as_scales_are_not_taken_for_test_sets(
    study, capsys, write_lines, gold, asked
):
    write_lines("order", [])
    write_lines("adequacy", [])
    words = ["-J", "ratings.tsv", "--coef", "spearman:none", "--resamples", "0"]
    words = ["de-en.tsv", *words, "-q", "-f", "json", "-m", "chrf", "--gold", *gold]
    assert main(["correlate", *words]) == 0
    pairs = json.loads(capsys.readouterr().out)["human"]
    named = [f"de-en {name}" for name in asked] if len(asked) > 1 else ["de-en"]
    assert list(pairs) == named


@pytest.mark.parametrize(
    ("words", "testsets", "gold"),
    [
        ("x.tsv --gold order adequacy", ["x.tsv"], ["order", "adequacy"]),
        ("--gold order x.tsv y.tsv -q", ["x.tsv", "y.tsv"], ["order"]),
        ("-q --gold ratings rankings x.tsv", ["x.tsv"], ["ratings", "rankings"]),
        ("-q --gold order folder", ["folder"], ["order"]),
        ("--mtme folder --gold mqm adequacy", [], ["mqm", "adequacy"]),
    ],
)
def test_values_of_gold_and_test_sets(
    tmp_path, monkeypatch, write_lines, words, testsets, gold
):
    monkeypatch.chdir(tmp_path)
    for name in ("x.tsv", "y.tsv", "adequacy", "rankings"):
        write_lines(name, [])
    (tmp_path / "folder").mkdir()
    options = parse(words.split())
    assert (options.testsets, options.gold) == (testsets, gold)
