# SPDX-License-Identifier: Apache-2.0
"""Averages and tallies over language pairs never mix questions and units."""

from __future__ import annotations

import pytest

import tertium
from tertium.meta.agreement.coefficients import COEFFICIENTS
from tertium.meta.files.task import task_tables
from tertium.meta.human import Human
from tertium.meta.results import Correlation, Correlations, Difference, Tally
from tertium.meta.tallies import tally_matrix
from tertium.report.meta.summary import conclusions
from tertium.report.meta.tables import averages_table, grids, values_table
from tertium.report.tables.correlations import correlation_tables
from tests.support.order_study import write_study

NAME = "spearman:none"
VALUES = {
    "de-en order": {"a": 0.1, "b": 0.2},
    "de-en adequacy": {"a": 0.9, "b": 0.2},
    "fr-en order": {"a": 0.3, "b": 0.5},
    "fr-en adequacy": {"a": 0.7, "b": 0.4},
}


@pytest.fixture
def result():
    return Correlations(
        (COEFFICIENTS[NAME],),
        tuple(
            Correlation(pair, metric, NAME, value, None, 9)
            for pair, values in VALUES.items()
            for metric, value in values.items()
        ),
        dict.fromkeys(VALUES, "ratings"),
        {},
        {"test": "permutation", "correction": "holm", "confidence": 0.95},
        tuple(
            Difference(
                pair, NAME, "a", "b", 0.1, 0.1, 0.1, "b" if "or" in pair else "a"
            )
            for pair in VALUES
        ),
        views={pair: pair.partition(" ")[2] for pair in VALUES},
    )


def test_averages_are_within_one_question(result):
    assert result.averaged(NAME) == {
        "average order": "order",
        "average adequacy": "adequacy",
    }
    mean = result.average("a", NAME, view="adequacy")
    assert (mean.value, mean.pairs, mean.of) == (pytest.approx(0.8), 2, 2)
    assert result.average("a", NAME).value == pytest.approx(0.2)
    without = ["de-en order", "fr-en order"]
    assert result.average("a", NAME, exclude=without).value == pytest.approx(0.8)
    assert result.ranked(NAME) == ["b", "a"]
    assert result.ranked(NAME, view="adequacy") == ["a", "b"]


def test_tallies_are_within_one_question(result):
    order, adequacy = result.tallies()
    assert order == Tally(NAME, "a", "b", 0, 2, 0, "order")
    assert adequacy == Tally(NAME, "a", "b", 2, 0, 0, "adequacy")
    assert [each["view"] for each in result.to_dict()["tallies"]] == [
        "order",
        "adequacy",
    ]
    matrix = tally_matrix(result, NAME, ["a", "b"], view="order")
    assert str(matrix.rows[0][1]) == "0-2-0"
    titles = [table.title for table in correlation_tables(result)]
    assert f"{NAME}: wins, losses and draws over language pairs, order" in titles


def test_tables_have_one_average_per_question(result):
    table = correlation_tables(result)[0]
    assert table.head == ["metric", *VALUES, "average order", "average adequacy"]
    assert table.rows[0][-2:] == ["0.350", "0.300"]
    (grid,) = grids(result)
    assert list(values_table(grid).head) == table.head
    assert grid.by_view["adequacy"] == pytest.approx({"a": 0.8, "b": 0.3})
    caption = averages_table([grid], view="adequacy").caption
    assert caption == "Averages over language pairs, adequacy"
    ((_, text),) = conclusions([grid])
    assert "b correlates best with human judgements on average for order" in text
    head, first, _ = task_tables(result)["segment.correlations.toEn"]
    assert head[6:] == [
        "average order",
        "pairs order",
        "average adequacy",
        "pairs adequacy",
    ]
    assert first[6:] == ["0.350", "2", "0.300", "2"]


def test_one_language_pair_has_no_average(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path)
    asked = tertium.correlate(
        "de-en.tsv",
        "ratings.tsv",
        gold=["order", "adequacy"],
        unit=["item", "judgement"],
        metrics=["chrf", "bleu"],
        coef=[NAME, "pearson:none"],
        resamples=0,
        probes=False,
    )
    assert asked.views == {
        "de-en order": "order",
        "de-en order judgements": "order judgements",
        "de-en adequacy": "adequacy",
        "de-en adequacy judgements": "adequacy judgements",
    }
    assert asked.averaged(NAME) == {}
    tables = correlation_tables(asked)
    assert [table.title for table in tables[:4]] == [
        f"All coefficients of segments side by side, {view}"
        for view in asked.views.values()
    ]
    assert tables[4].head == ["metric", *asked.views]
    value = asked.get("de-en adequacy", "chrf", NAME).value
    row = next(row for row in tables[2].rows if row[0] == "chrf")
    assert row[1].endswith(f"{value:.3f}")
    assert "average" not in " ".join(values_table(grids(asked)[0]).head)
    ((_, text), _) = conclusions(grids(asked))
    assert "best with human judgements for de-en order (" in text
    assert "average" not in " ".join(task_tables(asked)["segment.correlations.toEn"][0])


def test_slices_of_one_question_are_averaged(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path)
    asked = tertium.correlate(
        "de-en.tsv",
        "ratings.tsv",
        gold=["order", "adequacy"],
        slice="judge",
        metrics=["chrf"],
        coef=[NAME],
        resamples=0,
        probes=False,
    )
    assert list(asked.averaged(NAME)) == ["average order", "average adequacy"]


def test_judgements_without_a_language_pair_have_views():
    human = Human(("A",), ("1",), "ratings", langpair="all x", base="all")
    assert human.view == "x"
    assert Human(("A",), ("1",), "ratings", langpair="en-de a").view == ""
