# SPDX-License-Identifier: Apache-2.0
"""Meta-evaluation pages: complete, safe, self-contained, with the same figures."""

from __future__ import annotations

import base64
import contextlib
import gzip
import json
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from support.html_pages import ParsedPage
from support.meta_results import (
    ODD,
    demo_correlations,
    demo_evaluation,
    odd_evaluations,
)
from tertium.cli import main
from tertium.errors import InputError, MissingExtraError
from tertium.judgements import Comparisons, Judgements, pooled_agreement
from tertium.meta import correlate_evaluations, gaps
from tertium.meta.families import family_tests
from tertium.meta.questions import CrossTable
from tertium.report.draw import vega
from tertium.report.meta.page import CHARTS, meta_chart, meta_page
from tertium.report.meta.people import judge_agreement, system_scores
from tertium.report.meta.summary import cautions, conclusions, setting
from tertium.report.meta.tables import grids, values_table
from tertium.report.rendering import show
from tertium.report.tables.correlations import correlation_tables

pytestmark = pytest.mark.slow


class Page(ParsedPage):
    """A page with the data of its charts."""

    def rows(self) -> list[dict]:
        """Return the data of all charts."""
        return [row for spec in self.specs() for row in spec["datasets"]["rows"]]

    def specs(self) -> list[dict]:
        return self.data()


@pytest.fixture(scope="module")
def both(demo):
    return demo_evaluation(demo)


@pytest.fixture(scope="module")
def result(both):
    return demo_correlations(both)


@pytest.fixture(scope="module")
def text(both, result):
    return meta_page(result, [both], gaps={"chrf": gaps([both], "chrf")})


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


@pytest.fixture(scope="module")
def odd():
    outcome = odd_evaluations()
    return outcome, correlate_evaluations(outcome, resamples=50, test="bootstrap")


def test_the_page_has_every_section_and_chart(page):
    ids = [element.get("id") for _, element in page.elements]
    sections = {"summary", "values", "scores", "tests", "people", "gaps"}
    assert sections <= set(ids)
    drawn = {name.removeprefix("chart-") for name in ids if name and "chart-" in name}
    # There is one language pair and one question; families have to be asked for.
    assert drawn == set(CHARTS) - {"heatmap", "families", "questions"}
    assert len(ids) - ids.count(None) == len({name for name in ids if name})
    assert len(page.specs()) == len(drawn)


def test_the_page_loads_nothing(text, page):
    for tag, element in page.elements:
        assert "src" not in element
        assert tag not in ("link", "img", "iframe", "object", "embed")
        link = element.get("href")
        assert link is None or link.startswith(("#", "data:application/json;base64,"))
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in text
    assert not any("http" in json.dumps(spec) for spec in page.specs())


def test_the_page_contains_one_copy_of_the_library(page):
    large = [text for _, text in page.scripts if len(text) > 300_000]
    assert len(large) == 1
    assert "vegaEmbed" in large[0]


def test_tables_have_the_figures_of_the_text_tables(result, page):
    for table in correlation_tables(result):
        if table.title.startswith("All coefficients"):
            continue  # the page has them where there are several language pairs
        shown = page.tables[table.title]
        # Columns of p-values have names here, and numbers in the narrower text.
        matrix = table.head[0] == "cluster"
        size = table.left if matrix else len(table.head)
        assert shown[0][:size] == list(table.head[:size])
        for ours, theirs in zip(shown[1:], table.rows, strict=True):
            numbers = [re.findall(r"-?\d+\.\d+|n/a", cell) for cell in theirs[1:]]
            assert [re.findall(r"-?\d+\.\d+|n/a", cell) for cell in ours[1:]] == numbers
            assert ours[0].startswith(theirs[0])


def test_the_best_is_marked_and_never_a_probe(result, page):
    (title,) = [title for title in page.tables if title.startswith("accuracy (")]
    marked = [row[0] for row in page.tables[title] if "★" in row[1]]
    assert marked == ["chrf"]
    # The probe has the same value.
    assert result.get("en-de", "probe-length", "accuracy").value == 1.0


def test_the_download_contains_all_figures(result, page):
    (link,) = [
        element["href"] for tag, element in page.elements if element.get("download")
    ]
    kept = json.loads(base64.b64decode(link.partition(",")[2]))
    gap = kept.pop("gaps")["chrf"]
    agreed = kept.pop("agreement")["en-de"]
    assert agreed["inter"]["compared"] == 830
    assert kept == json.loads(result.to_json())
    assert gap[-1]["high"] is None


def test_kappa_is_that_of_tertium_agree(page):
    agreement = pooled_agreement(Judgements.read("demo"))
    shown = page.tables["Judge agreement"][1:]
    for row, kappa in zip(shown, (agreement.inter, agreement.intra), strict=True):
        assert row[2] == f"{kappa.value:.3f}"
        assert float(row[3]) < kappa.value < float(row[4])
        assert row[5:] == [f"{kappa.compared:,}", kappa.band]
    drawn = [row for row in page.rows() if row.get("k", "").endswith("tra)")]
    drawn += [row for row in page.rows() if row.get("k", "").endswith("ter)")]
    assert [row["n"] for row in drawn] == [
        agreement.intra.compared,
        agreement.inter.compared,
    ]


def test_charts_have_the_figures_of_the_result(result, page):
    rows = page.rows()
    values = {
        (row["c"], row["m"]): row["w"]
        for row in rows
        if {"c", "m", "w", "i"} <= set(row)
    }
    defined = {
        (v.coefficient, v.metric): v.value for v in result.values if v.value is not None
    }
    assert values == defined


def test_summary_names_winners_and_warns(page):
    assert "4 systems" in page.words
    assert "chrf correlates best with human judgements" in page.words
    assert "In the winning cluster: chrf." in page.words
    assert "Few systems: en-de (4)" in page.words
    assert re.search("pearson: probe-length, which ignores quality", page.words)


def test_gaps_of_a_metric_are_shown(both):
    some = both.metrics[1]
    segment = some.segment.copy()
    segment[:, ::2] = np.nan
    metrics = (both.metrics[0], replace(some, segment=segment), *both.metrics[2:])
    result = correlate_evaluations(
        [replace(both, metrics=metrics)],
        coefficients=["tau-wmt14"],
        over="systems",
        resamples=50,
    )
    (grid,) = grids(result)
    assert grid.real == ["bleu", "ter", "chrf"]  # though chrf has the highest value
    assert grid.is_best("en-de", "bleu")
    value = grid.values["en-de", "chrf"]
    assert value.n < value.of == 1212
    shown = show(values_table(grid))
    assert f"on {value.n:,} of 1,212 that were judged" in shown
    page = meta_page(result, [both])
    assert f"tau-wmt14 is incomplete for chrf (en-de: {value.n:,} of 1,212)" in page
    assert "50 bootstrap samples of systems." in page


def test_hostile_names_are_escaped(odd):
    outcome, result = odd
    page = Page(meta_page(result, outcome))
    assert not any(tag in ("b", "i") for tag, _ in page.elements)
    words = page.words + "".join(
        cell for rows in page.tables.values() for row in rows for cell in row
    )
    assert "</script><b>x0" in words
    assert "line\ufffdend" in words
    names = {row["s"] for row in page.rows() if "s" in row}
    assert names == set(ODD)


def test_several_pairs_have_a_heat_map_and_averages(odd):
    outcome, result = odd
    page = Page(meta_page(result, outcome, without=["x1-<y>"]))
    averages = page.tables["Averages over language pairs"]
    assert averages[0] == ["metric", *(c.name for c in result.coefficients)]
    metric = "</script><b>x0"
    expected = result.average(metric, "pearson", exclude=["x1-<y>"])
    (row,) = [row for row in averages if row[0] == metric]
    assert f"{expected.value:.3f}" in row[1]
    assert "Averages exclude x1-<y>." in page.words
    rows = [row for row in page.rows() if {"f", "t", "p", "v"} <= set(row)]
    assert {row["p"] for row in rows} == {"x0-<y>", "x1-<y>", "average"}
    # What is not defined stays so, and is not NaN.
    assert {row["t"] for row in rows if row["v"] is None} == {"n/a"}


def test_a_large_page_stays_small():
    outcome = odd_evaluations(pairs=5, metrics=15)
    result = correlate_evaluations(
        outcome, coefficients=["all"], resamples=20, test="bootstrap"
    )
    text = meta_page(result, outcome)
    assert len(text.encode()) < 3_200_000  # 2.8 MB measured
    (link,) = [
        element["href"] for _, element in Page(text).elements if element.get("download")
    ]
    kept = gzip.decompress(base64.b64decode(link.partition(",")[2]))
    assert json.loads(kept) == json.loads(result.to_json())


def test_without_tests_intervals_or_gaps_the_page_says_so(both):
    result = correlate_evaluations([both], resamples=0)
    page = Page(meta_page(result, [both]))
    assert "were not tested" in page.words
    assert "no intervals" in page.words
    ids = {element.get("id") for _, element in page.elements}
    assert not {"tests", "gaps"} & ids


def test_words_count_pairs(odd):
    outcome, result = odd
    one = grids(result)
    assert setting(result, outcome)[0].startswith(
        "3 metrics and 1 probe on 2 language pairs"
    )
    assert len(conclusions(one)) == len(result.coefficients)
    warned = " ".join(cautions(result, outcome, one, {}))
    assert "Few systems" in warned
    # Official scores have no resamples, so the bootstrap cannot test them.
    assert "bootstrap: does not fit pearson, accuracy" in warned


def test_without_altair_the_message_names_the_extra(both, result, monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tertium\[plots\]'"):
        meta_page(result, [both])


# ----------------------------------------------------------------------------- people


def comparisons(rows):
    """Comparisons of systems a and b: (segment, judge, outcome)."""
    rows = np.array(rows)
    return Comparisons(
        ("a", "b"),
        ("1", "2"),
        ("x", "y", "z"),
        np.zeros(len(rows), np.int32),
        np.ones(len(rows), np.int32),
        rows[:, 2].astype(np.int8),
        rows[:, 0].astype(np.int32),
        rows[:, 1].astype(np.int32),
        np.arange(len(rows), dtype=np.int32),
    )


def test_judges_agree_on_preferences():
    settings = {"resamples": 0, "seed": 1, "confidence": 0.95}
    # Segment 1: x and y agree, z does not, a tie counts for nothing; segment 2: x
    # alone, twice.
    message = [(0, 0, 1), (0, 1, 1), (0, 2, -1), (0, 2, 0), (1, 0, 1), (1, 0, -1)]
    outcome = judge_agreement(comparisons(message), **settings)
    assert (outcome.agreed, outcome.compared, outcome.interval) == (1, 3, None)
    assert judge_agreement(comparisons(message[4:]), **settings) is None
    drawn = judge_agreement(comparisons(message[:4]), **settings | {"resamples": 100})
    assert drawn.interval == (pytest.approx(1 / 3), pytest.approx(1 / 3))


def test_judges_who_are_unknown_do_not_count():
    message = comparisons([(0, -1, 1), (0, -1, 1)])
    assert judge_agreement(message, resamples=9, seed=1, confidence=0.95) is None


def test_system_scores_are_sorted_and_within_their_intervals(both):
    outcome = system_scores(both.human, resamples=200, seed=1, confidence=0.95)
    assert [one.score for one in outcome] == sorted(both.human.scores.values())[::-1]
    assert all(one.interval[0] <= one.score <= one.interval[1] for one in outcome)


# ------------------------------------------------------------------------------ files


def test_the_help_of_correlate_names_every_chart(capsys):
    with contextlib.suppress(SystemExit):
        main(["correlate", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    listed = "values" + text.partition("values (the default)")[2].partition(" --")[0]
    assert all(name in listed for name in CHARTS)


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_can_be_a_file(name, both, result):
    asked = CrossTable("de-en", "x", "y", ("1", "2"), ("1",), ((3,), (1,)), 4, None,
                       None, None, "judgement")  # fmt: skip
    chart = meta_chart(
        name,
        replace(result, questions=(asked,)),
        [both],
        gaps={"chrf": gaps([both], "chrf")},
    )
    drawn = vega.export(chart, "a.svg").decode()
    assert drawn.startswith("<svg")
    assert "var(" not in drawn
    assert "NaN" not in drawn
    assert json.loads(vega.export(chart, "a.json"))["config"]


def test_a_chart_can_be_a_png(both, result):
    chart = meta_chart("values", result, [both])
    assert vega.export(chart, "a.PNG").startswith(b"\x89PNG")
    with pytest.raises(InputError, match=r"ends in \.svg, \.png, \.json"):
        vega.export(chart, "a.pdf")


def test_the_command_line_writes_pages_and_charts(tmp_path, capsys):
    page, plot = tmp_path / "a.html", tmp_path / "b.json"
    arguments = ["-m", "chrf", "ter", "--resamples", "20", "-q"]
    files = ["-f", "html", "-o", str(page), "--plot", f"scatter={plot}"]
    assert main(["correlate", "demo", *arguments, *files]) == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert json.loads(plot.read_text())["title"]["text"] == "chrf"
    assert main(["correlate", "demo", *arguments, "--plot", f"tests={plot}"]) == 2
    assert "use --test" in capsys.readouterr().err
    assert main(["correlate", "demo", *arguments, "--plot", "pie=a.svg"]) == 2
    assert "unknown chart 'pie'" in capsys.readouterr().err


def test_families_are_on_the_page_if_requested(both, result):
    tests = family_tests(result)
    page = Page(meta_page(result, [both], families=tests))
    assert "chart-families" in [element.get("id") for _, element in page.elements]
    head, *rows = page.tables["Metric families"]
    assert head == ["language pair", "coefficient", "a", "b", "better", "U", "p"]
    assert [row[:5] for row in rows] == [
        [t.langpair, t.coefficient, t.a, t.b, t.better or "-"] for t in tests
    ]
    assert "Metric families" not in Page(meta_page(result, [both])).tables


def test_wins_are_counted_over_language_pairs(odd):
    outcome, result = odd
    page = Page(meta_page(result, outcome))
    tallies = {t for t in result.tallies() if t.coefficient == "pearson:none"}
    head, *rows = page.tables[
        "pearson:none: wins, losses and draws over language pairs"
    ]
    assert head[:4] == ["metric", "wins", "losses", "draws"]
    cells = {
        (row[0], name): cell
        for row in rows
        for name, cell in zip(head[4:], row[4:], strict=True)
    }
    assert len(tallies) == 3
    for tally in tallies:
        assert cells[tally.a, tally.b] == f"{tally.a_wins}-{tally.b_wins}-{tally.draws}"
        assert cells[tally.b, tally.a] == f"{tally.b_wins}-{tally.a_wins}-{tally.draws}"
    for row in rows:
        assert sum(map(int, row[1:4])) == 2 * len(outcome)  # two others on every pair
    # One language pair is left: nothing to count over.
    alone = Page(meta_page(result, outcome, without=["x1-<y>"]))
    assert not [name for name in alone.tables if "draws over" in name]


def test_p_values_have_a_column(both, result):
    page = Page(meta_page(result, [both], p_values=True))
    head, *rows = next(
        table for name, table in page.tables.items() if "pearson (" in name
    )
    assert head == ["metric", "en-de", "p"]
    value = result.get("en-de", "ter", "pearson")
    (shown,) = [row[2] for row in rows if row[0] == "ter"]
    assert shown.startswith(f"{value.p:.3f}")
    assert ("‡" in shown) == (value.p < 0.05)
    # Tau has none, and nobody gets them unasked.
    heads = [rows[0] for name, rows in page.tables.items() if "tau-wmt14 (" in name]
    assert heads == [["metric", "en-de"]]
    usual = Page(meta_page(result, [both]))
    assert ["metric", "en-de", "p"] not in [rows[0] for rows in usual.tables.values()]


def test_charts_are_rejected_if_there_is_too_little_address_space():
    """V8 would end the process with a trap, as under ``ulimit -v`` of a cluster."""
    script = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))\n"
        "from tertium.cli import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    words = ["correlate", "demo", "-m", "bleu", "chrf", "--plot", "values.svg", "-q"]
    done = subprocess.run(
        [sys.executable, "-c", script, *words], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "limit of this process is 16 GB; run `ulimit -v unlimited`" in done.stderr
