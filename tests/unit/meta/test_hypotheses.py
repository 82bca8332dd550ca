# SPDX-License-Identifier: Apache-2.0
"""Variants and configurations of metrics, and hypotheses on them."""

from __future__ import annotations

import json
import statistics
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.cli import main
from tertium.errors import UnknownNameError
from tertium.meta.agreement.coefficients import COEFFICIENTS
from tertium.meta.families import FAMILIES, families
from tertium.meta.hypotheses import hypotheses, paired_p_value
from tertium.meta.results import Correlation, Correlations
from tertium.meta.variants import CONFIGURATION, flat_variant, variant_of
from tertium.metrics.registry import metric_class
from tertium.report.meta.charts import meta_chart
from tests.support.order_study import write_study

VALUES = {
    "dted:parser=malt,variant=c": 0.49,
    "dted:variant=c,parser=stanza": 0.45,
    "dted:variant=fc": 0.47,
    "dted:variant=b,parser=malt": 0.30,
    "dted:variant=b,parser=stanza": 0.28,
    "dted:variant=fb": 0.10,
    "derp:parser=malt": 0.36,
    "derp:parser=stanza": 0.41,
    "kendall:aligner=meteor": 0.39,
    "kendall": 0.40,
    "bleu:tokenize=13a": 0.33,
}


def result(values, langpair="de-en"):
    one = tuple(
        Correlation(langpair, name, "spearman:none", value, None, 9)
        for name, value in values.items()
    )
    return Correlations(
        (COEFFICIENTS["spearman:none"],), one, {langpair: "ratings"}, {}, {}
    )


def held(kind, tests=None):
    tests = hypotheses(result(VALUES)) if tests is None else tests
    return {test.a: test for test in tests if test.kind == kind}


@pytest.mark.parametrize(
    ("metric", "name", "configuration"),
    [
        ("bleu", "bleu", {}),
        ("bleu:tokenize=intl", "bleu", {"tokenize": "intl"}),
        ("chrf:beta=2,order=4", "chrf:beta=2,order=4", {}),
        ("chrf:order=4,beta=2", "chrf:beta=2,order=4", {}),
        ("dted", "dted:variant=c", {}),
        ("dted:variant=o,aligner=meteor", "dted:variant=co", {"aligner": "meteor"}),
        ("dted:variant=c,flat=yes", "dted:variant=fc", {}),
        ("derp:flat=no,parser=udpipe", "derp", {"parser": "udpipe"}),
        ("derp:flat=on", "derp:flat=yes", {}),
        ("derp:flat=Off", "derp", {}),
        ("dted: flat = 1", "dted:variant=fc", {}),
        ("dted:variant=c@malt+giza", "dted:variant=c", {"@": "malt+giza"}),
        ("meteor:match=exact+stem", "meteor", {"match": "exact+stem"}),
    ],
)
def test_a_variant_is_a_metric_without_its_tools(metric, name, configuration):
    variant = variant_of(metric)
    assert (variant.name, variant.configuration) == (name, configuration)


def test_settings_of_tools_exist():
    names = ("dted", "derp", "bleu", "meteor", "beer")
    known = {name for each in names for name in metric_class(each).settings}
    assert {name for name in CONFIGURATION if name not in known} <= {"tagger"}


@pytest.mark.parametrize(
    ("name", "flat"),
    [
        ("dted:variant=c", "dted:variant=fc"),
        ("dted:variant=fc", None),
        ("derp", "derp:flat=yes"),
        ("derp:flat=yes", None),
        ("bleu", None),
        ("dted:structure=projected,variant=co", "dted:variant=fco"),
        ("derp:labels=none,structure=projective", "derp:flat=yes,labels=none"),
        ("dted:nbest=4,parses=best,variant=c", "dted:variant=fc"),
        ("derp:parses=mean", "derp:flat=yes"),
    ],
)
def test_flat_variants(name, flat):
    assert flat_variant(name) == flat
    if flat is not None:
        assert tertium.metric(flat).flat


def test_projected_trees_are_compared_with_flattened_ones():
    values = {"dted:structure=projected": 0.5, "dted:flat=on": 0.4, "derp": 0.3}
    test = held("STRUC", hypotheses(result(values)))
    assert list(test) == ["dted:structure=projected,variant=c"]
    assert test["dted:structure=projected,variant=c"].b == "dted:variant=fc"


def test_families_of_variants_hold_all_configurations():
    names = {
        each.name: len(each.members)
        for each in families(result(VALUES), FAMILIES["variant"])
    }
    assert names == {
        "dted:variant=c": 2,
        "dted:variant=fc": 1,
        "dted:variant=b": 2,
        "dted:variant=fb": 1,
        "derp": 2,
        "kendall": 2,
        "bleu": 1,
    }


def test_a_variant_must_be_above_all_other_metrics():
    tests = held("EVAL")
    best = tests["dted:variant=c"]
    # Its lowest is above the highest of all others, of which DERP comes closest.
    assert (best.b, best.holds) == ("derp", True)
    assert best.margin == pytest.approx(0.45 - 0.41)
    assert (best.a_range, best.b_range) == ((0.45, 0.49), (0.36, 0.41))
    assert (tests["derp"].b, tests["derp"].holds) == ("dted:variant=c", False)
    assert [name for name, test in tests.items() if test.holds] == [
        "dted:variant=c",
        "dted:variant=fc",
    ]


def test_structure_is_compared_with_the_flattened_variant():
    tests = held("STRUC")
    assert {name: (test.b, test.holds) for name, test in tests.items()} == {
        "dted:variant=c": ("dted:variant=fc", False),
        "dted:variant=b": ("dted:variant=fb", True),
    }
    # Both parsers fit the flattened variant, which has none.
    assert (tests["dted:variant=b"].pairs, tests["dted:variant=b"].p) == (2, 0.5)


def test_configurations_may_differ_by_a_standard_deviation():
    values = [VALUES[name] for name in VALUES if "parser" in name]
    tests = held("CONF")
    assert set(tests) == {"dted:variant=c", "dted:variant=b", "derp", "kendall"}
    for test in tests.values():
        assert test.threshold == pytest.approx(statistics.stdev(values))
        spread = test.a_range[1] - test.a_range[0]
        assert test.margin == pytest.approx(test.threshold - spread)
        assert test.holds == (spread <= test.threshold)
    wide = held("CONF", hypotheses(result(VALUES | {"derp:parser=x": -0.4})))
    assert not wide["derp"].holds


def test_questions_are_compared_configuration_by_configuration():
    first = result(VALUES, "de-en order")
    lower = {name: value - 0.02 for name, value in VALUES.items()}
    lower["bleu:tokenize=13a"] = 0.5
    second = result(lower, "de-en adequacy")
    both = Correlations(
        first.coefficients,
        (*first.values, *second.values),
        {**first.human, **second.human},
        {},
        {},
    )
    questions = {
        "de-en order": ("de-en", "order"),
        "de-en adequacy": ("de-en", "adequacy"),
    }
    tests = held("ORD", hypotheses(both, questions))
    assert {name for name, test in tests.items() if not test.holds} == {"bleu"}
    assert (tests["derp"].langpair, tests["derp"].b) == ("de-en", "order, adequacy")
    assert (tests["derp"].pairs, tests["derp"].p) == (2, 0.5)


def test_configurations_that_differ_are_not_paired():
    values = {
        "x:parser=a": 0.1,
        "x:parser=b": 0.2,
        "y:parser=c": 0.0,
        "y:parser=d": 0.3,
    }
    tests = held("EVAL", hypotheses(result(values)))
    assert (tests["x"].pairs, tests["x"].p) == (0, None)


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=8))
def test_the_paired_test_flips_all_signs(differences):
    seen = abs(sum(differences))
    flipped = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    expected = sum(each >= seen for each in flipped) / len(flipped)
    assert paired_p_value([float(d) for d in differences]) == pytest.approx(expected)


def test_many_pairs_are_flipped_at_random():
    assert paired_p_value([0.1] * 20) == pytest.approx(1e-4)
    assert paired_p_value([0.1, -0.1] * 10) == 1.0


def test_bars_of_variants_have_the_colour_of_their_metric():
    chart = meta_chart("families", replace(result(VALUES), family_by="variant"), ())
    assert {(row["f"], row["t"]) for row in chart.rows} >= {
        ("dted:variant=c", "dted"),
        ("dted:variant=fc", "dted"),
        ("derp", "derp"),
    }
    drawn = chart.chart.to_dict()
    bars = drawn["spec"]["layer"][0]["encoding"]["color"]
    assert bars["scale"]["domain"] == ["dted", "derp", "kendall", "bleu"]
    assert len(set(bars["scale"]["range"])) == 4


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path)


METRICS = ["dted:variant=c,match=exact", "dted:variant=c,match=exact+stem"]
METRICS += ["dted:variant=fc", "derp", "chrf"]
WORDS = ["correlate", "de-en.tsv", "-J", "ratings.tsv", "-m", *METRICS, "-q"]
WORDS += ["--trees", "A=A.conllu", "B=B.conllu", "--ref-trees", "ref.conllu"]
WORDS += ["--gold", "order", "adequacy", "--coef", "spearman:none", "--families"]


def test_hypotheses_in_tables_and_json(study, capsys):
    assert main([*WORDS, "variant"]) == 0
    out = capsys.readouterr().out
    assert "de-en order, spearman:none: hypotheses on variants" in out
    assert "STRUC: its lowest configuration is above the highest of b" in out
    assert main([*WORDS, "variant", "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    kinds = {each["kind"] for each in data["hypotheses"]}
    assert kinds == {"EVAL", "STRUC", "CONF", "ORD"}
    assert {each["a"] for each in data["families"]} >= {"dted:variant=c"}
    assert main([*WORDS, "variant", "-f", "html"]) == 0
    page = capsys.readouterr().out
    assert "hypotheses on variants" in page
    assert "means of variants, coloured by metric" in page


def test_families_by_name_have_no_hypotheses(study, capsys):
    assert main([*WORDS, "metric", "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert "hypotheses" not in data
    assert {each["a"] for each in data["families"]} == {"dted", "derp"}


def test_other_families_are_unknown(study):
    with pytest.raises(UnknownNameError, match="kind of family 'tool'"):
        tertium.correlate("de-en.tsv", "ratings.tsv", metrics=["chrf"], families="tool")
