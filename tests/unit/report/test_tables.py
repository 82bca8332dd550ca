# SPDX-License-Identifier: Apache-2.0
"""`tertium.tabulate`: results of Python as the tables of the command line."""

from __future__ import annotations

import csv
import io

import pytest

import tertium
from tertium.errors import InputError
from tertium.report.tables.style import Style

FORMATS = ("table", "tsv", "csv", "md", "latex", "html")


def of_score():
    return tertium.score(tertium.read("demo"), metrics=["bleu", "ter"])


def of_compare():
    return tertium.compare(tertium.read("demo"), metrics=["chrf"], resamples=100)


def of_correlate():
    judgements = tertium.Judgements.read("demo")
    return tertium.correlate(
        "demo", judgements, metrics=["chrf"], gold="rankings", resamples=0
    )


def of_agree():
    return tertium.agree(tertium.Judgements.read("demo"))


def of_rank():
    return tertium.rank(tertium.Judgements.read("demo"), resamples=100)


def of_reuse():
    judgements = tertium.Judgements.read("demo")
    return tertium.reuse(judgements, tertium.read("demo"), leave_one_out=True)


RESULTS = (of_score, of_compare, of_correlate, of_agree, of_rank, of_reuse)


@pytest.mark.parametrize("make", RESULTS)
def test_every_result_has_tables_in_every_format(make):
    result = make()
    texts = {name: tertium.tabulate(result, name) for name in FORMATS}
    assert all(texts.values())
    assert len(set(texts.values())) == len(FORMATS)
    rows = list(csv.reader(io.StringIO(texts["csv"])))
    assert len({len(row) for row in rows}) == 1


def test_digits_round_every_score():
    result = of_score()
    cells = tertium.tabulate(result, "tsv", digits=1).splitlines()[1].split("\t")
    name, scores = next((n, result[n]) for n in result.ranked())
    assert cells == [name, *(f"{score.score:.1f}" for score in scores.values())]


def test_programs_get_all_digits():
    result = of_score()
    cells = tertium.tabulate(result, "tsv").splitlines()[1].split("\t")
    scores = result[cells[0]].values()
    assert [float(cell) for cell in cells[1:]] == [score.score for score in scores]


def test_unknown_formats_and_results_are_rejected():
    with pytest.raises(InputError, match="one of table, tsv, csv, md, latex, html"):
        tertium.tabulate(of_score(), "xml")
    with pytest.raises(InputError, match="tabulate takes"):
        tertium.tabulate({"bleu": 30.0})


def test_missing_values_are_empty_for_programs_only():
    assert Style("csv").number(None) == ""
    assert Style("md").number(None) == "n/a"
