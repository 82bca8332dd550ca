# SPDX-License-Identifier: Apache-2.0
"""Published figures of agreement and reliability."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from oracles.agreement import fleiss as slow_fleiss
from tertium.judgements import Judgements, Place, Ranking, import_judgements
from tertium.judgements.adjustment.mixed import fit_mixed
from tertium.judgements.agreement.icc import intraclass_correlations
from tertium.judgements.agreement.pooled import band, pooled_agreement
from tertium.judgements.agreement.reliability import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    long_form,
)


def ranking(judge, ranks, segment="1", names="ABCDEFGH"):
    places = zip(names, ranks, strict=False)
    return Ranking(tuple(Place((s,), r) for s, r in places), segment, judge=judge)


# ------------------------------------------- pooled kappa (SegRanks specification)


def test_vector_6_two_rankings_are_the_whole_project():
    both = [ranking("a", (1, 2, 2, 4)), ranking("b", (1, 1, 2, 3))]
    agreement = pooled_agreement(Judgements.from_iterable(both))
    assert agreement.inter.observed == pytest.approx(4 / 6)
    assert agreement.ties == pytest.approx(2 / 12)
    assert agreement.expected == pytest.approx(0.375)
    assert agreement.inter.value == pytest.approx(0.4667, abs=5e-5)
    assert agreement.inter.band == "moderate"
    assert agreement.intra.value is None
    for judge in "ab":
        assert agreement.judges[judge].inter.value == agreement.inter.value


def test_vector_6_of_one_judge_is_intra():
    both = [ranking("a", (1, 2, 2, 4)), ranking("a", (1, 1, 2, 3))]
    agreement = pooled_agreement(Judgements.from_iterable(both))
    assert agreement.intra.value == pytest.approx(0.4667, abs=5e-5)
    assert agreement.inter.value is None


def test_vector_6_with_texts_instead_of_systems():
    def places(ranks):
        return tuple(Place((), r, text=t) for t, r in zip("wxyz", ranks, strict=True))

    both = [
        Ranking(places((1, 2, 2, 4)), "1", judge="a"),
        Ranking(places((1, 1, 2, 3))[::-1], "1", judge="b"),
    ]
    agreement = pooled_agreement(Judgements.from_iterable(both))
    assert agreement.inter.value == pytest.approx(0.4667, abs=5e-5)


def test_vector_7_figures_of_the_thesis():
    """A project with the counts of the thesis, whose annotations are not ours to keep.

    139,807 comparisons, P(=) = .1316; intra P(A) = .7536 on 5,662 comparisons made
    twice, inter P(A) = .6347 on 3,769. Each is a ranking of two candidates here.
    """
    records, segment = [], 0

    def add(*rankings):
        nonlocal segment
        segment += 1
        for judge, ranks in rankings:
            records.append(ranking(judge, ranks, str(segment)))

    for other, twice, agreed in (("a", 5662, 4267), ("b", 3769, 2392)):
        for i in range(twice):
            add(("a", (1, 2)), (other, (1, 2) if i < agreed else (2, 1)))
    for i in range(139_807 - len(records)):
        add(("a", (1, 1) if i < 18_399 else (1, 2)))
    agreement = pooled_agreement(Judgements.from_iterable(records))
    assert agreement.comparisons == 139_807
    assert agreement.ties == pytest.approx(0.1316, abs=5e-5)
    assert agreement.expected == pytest.approx(0.3944, abs=5e-5)
    assert (agreement.intra.compared, agreement.inter.compared) == (5662, 3769)
    assert agreement.intra.observed == pytest.approx(0.7536, abs=5e-5)
    assert agreement.inter.observed == pytest.approx(0.6347, abs=5e-5)
    assert agreement.intra.value == pytest.approx(0.5932, abs=5e-5)
    assert agreement.inter.value == pytest.approx(0.3967, abs=5e-5)


def test_bands_of_landis_and_koch():
    limits = [0.2, 0.4, 0.6, 0.8, 1.0]
    names = ["slight", "fair", "moderate", "substantial", "almost perfect"]
    assert [band(limit) for limit in limits] == names
    assert [band(limit + 1e-9) for limit in limits[:-1]] == names[1:]


# ---------------------------------------------------------------- Krippendorff


#: Krippendorff (2011), Computing Krippendorff's alpha-reliability, section D:
#: four observers, twelve units, values missing.
FOUR_OBSERVERS = [
    [1, 1, None, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [None, 5, 5, 5],
    [None, None, 1, 1],
    [None, None, 3, None],
]


@pytest.mark.parametrize(
    ("level", "published"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_of_krippendorffs_four_observers(level, published):
    units, _, values = long_form(FOUR_OBSERVERS)
    result = krippendorff_alpha(units, values, level=level)
    assert result.value == pytest.approx(published, abs=5e-4)


#: The computational example of Wikipedia's "Krippendorff's alpha".
THREE_CODERS = [
    [None, 1, None],
    [None, None, None],
    [None, 2, 2],
    [None, 1, 1],
    [None, 3, 3],
    [3, 3, 4],
    [4, 4, 4],
    [1, 3, None],
    [2, None, 2],
    [1, None, 1],
    [1, None, 1],
    [3, None, 3],
    [3, None, 3],
    [None, None, None],
    [3, None, 4],
]


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.691), ("interval", 0.811)]
)
def test_alpha_of_three_coders(level, published):
    units, _, values = long_form(THREE_CODERS)
    result = krippendorff_alpha(units, values, level=level)
    assert result.value == pytest.approx(published, abs=5e-4)


# ---------------------------------------------------------- Fleiss and Cohen


def long_counts(table):
    units, values = [], []
    for unit, row in enumerate(table):
        for value, count in enumerate(row):
            units += [unit] * count
            values += [value] * count
    return units, values


#: Fleiss (1971), Measuring nominal scale agreement among many raters, Table 1: six
#: psychiatrists a patient, five diagnoses.
DIAGNOSES = [
    (0, 0, 0, 6, 0), (0, 3, 0, 0, 3), (0, 1, 4, 0, 1), (0, 0, 0, 0, 6), (0, 3, 0, 3, 0),
    (2, 0, 4, 0, 0), (0, 0, 4, 0, 2), (2, 0, 3, 1, 0), (2, 0, 0, 4, 0), (0, 0, 0, 0, 6),
    (1, 0, 0, 5, 0), (1, 1, 0, 4, 0), (0, 3, 3, 0, 0), (1, 0, 0, 5, 0), (0, 2, 0, 3, 1),
    (0, 0, 5, 0, 1), (3, 0, 0, 1, 2), (5, 1, 0, 0, 0), (0, 2, 0, 4, 0), (1, 0, 2, 0, 3),
    (0, 0, 0, 0, 6), (0, 1, 0, 5, 0), (0, 2, 0, 1, 3), (2, 0, 0, 4, 0), (1, 0, 0, 4, 1),
    (0, 5, 0, 1, 0), (4, 0, 0, 0, 2), (0, 2, 0, 4, 0), (1, 0, 5, 0, 0), (0, 0, 0, 0, 6),
]  # fmt: skip

#: The worked example of Wikipedia's "Fleiss' kappa": ten subjects, fourteen raters.
FOURTEEN_RATERS = [
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1), (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "published"), [(DIAGNOSES, 0.430), (FOURTEEN_RATERS, 0.210)]
)
def test_kappa_of_fleiss(table, published):
    units, values = long_counts(table)
    result = fleiss_kappa(units, values).value
    assert result == pytest.approx(published, abs=5e-4)
    assert result == pytest.approx(slow_fleiss(table), abs=1e-12)


def test_shares_of_the_diagnoses_are_those_of_the_paper():
    shares = np.sum(DIAGNOSES, axis=0) / 180
    assert shares == pytest.approx([0.144, 0.144, 0.167, 0.306, 0.239], abs=5e-4)


def test_kappa_of_cohen_on_fifty_proposals():
    """Both yes 20, first only 5, second only 10, both no 15: κ = 0.4."""
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second).value == pytest.approx(0.4)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_kappa_of_cohen_against_statsmodels(weights):
    stats = pytest.importorskip("statsmodels.stats.inter_rater")
    rng = np.random.default_rng(5)
    one = rng.integers(0, 5, 200)
    two = np.clip(one + rng.integers(-1, 2, 200), 0, 4)
    table = np.zeros((5, 5))
    np.add.at(table, (one, two), 1)
    wt = None if weights == "none" else weights
    theirs = stats.cohens_kappa(table, wt=wt, return_results=False)
    assert cohen_kappa(one, two, weights=weights).value == pytest.approx(theirs)


# ------------------------------------------------------------------------- ICC


#: Shrout and Fleiss (1979), Intraclass correlations, Table 2: six targets, four judges.
TARGETS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]


def test_intraclass_correlations_of_shrout_and_fleiss():
    result = intraclass_correlations(*long_form(TARGETS))
    shown = {name: round(one.value, 2) for name, one in result.values.items()}
    assert shown == {
        "ICC(1,1)": 0.17,
        "ICC(2,1)": 0.29,
        "ICC(3,1)": 0.71,
        "ICC(1,k)": 0.44,
        "ICC(2,k)": 0.62,
        "ICC(3,k)": 0.91,
    }
    assert (result.k, result.method) == (4, "mean squares")


def test_the_mixed_model_finds_the_same_variances():
    """In a complete table REML and mean squares are the same, if none is negative."""
    units, judges, values = long_form(TARGETS)
    fit = fit_mixed(values, [units, judges])
    of_targets, of_judges = fit.variances
    total = of_targets + of_judges + fit.residual
    assert of_targets / total == pytest.approx(0.2898, abs=5e-5)
    assert of_targets / (of_targets + fit.residual) == pytest.approx(0.7148, abs=5e-5)


# ---------------------------------------------------------------- mixed model


def test_one_effect_against_statsmodels():
    mixed = pytest.importorskip("statsmodels.regression.mixed_linear_model")
    rng = np.random.default_rng(7)
    judge = rng.integers(0, 12, 300)
    metric = rng.normal(size=300)
    score = 60 + 8 * rng.normal(size=12)[judge] + 5 * metric + 10 * rng.normal(size=300)
    for covariates in (None, metric[:, None]):
        columns = np.ones((300, 1))
        if covariates is not None:
            columns = np.column_stack([columns, covariates])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = mixed.MixedLM(score, columns, judge).fit(reml=True, gtol=1e-9)
        ours = fit_mixed(score, [judge], covariates=covariates)
        assert ours.fixed == pytest.approx(theirs.fe_params, rel=1e-5)
        assert ours.residual == pytest.approx(theirs.scale, rel=1e-4)
        assert ours.variances[0] == pytest.approx(theirs.cov_re[0, 0], rel=1e-3)
        effects = [float(np.ravel(theirs.random_effects[j])[0]) for j in range(12)]
        assert ours.effects[0] == pytest.approx(effects, rel=1e-3, abs=1e-3)
        assert ours.criterion == pytest.approx(-2 * theirs.llf, rel=1e-7)


# ----------------------------------------------------------------------- real data


@pytest.fixture(scope="session")
def wmt12(wmt_data):
    file = wmt_data / "wmt12" / "wmt12.RNK_results.csv.gz"
    return import_judgements([file]).judgements


@pytest.mark.wmt
@pytest.mark.parametrize(
    ("langpair", "intra", "inter"),
    [
        ("cs-en", 0.455, 0.293),
        ("de-en", 0.399, 0.388),
        ("en-cs", 0.423, 0.354),
        ("en-de", 0.445, 0.341),
        ("en-es", 0.289, 0.247),
        ("en-fr", 0.427, 0.280),
        ("es-en", 0.670, 0.306),
        ("fr-en", 0.363, 0.279),
    ],
)
def test_kappas_of_wmt12_are_as_they_were(wmt12, langpair, intra, inter):
    """Not published figures: ours, so that a change is seen."""
    agreement = pooled_agreement(wmt12.filter(langpair=langpair))
    assert agreement.intra.value == pytest.approx(intra, abs=5e-4)
    assert agreement.inter.value == pytest.approx(inter, abs=5e-4)


@pytest.mark.wmt
@pytest.mark.parametrize(
    ("year", "langpair", "intra", "inter"),
    [
        ("wmt15", "de-en", 0.795, 0.393),
        ("wmt15", "en-fi", 0.697, 0.445),
        ("wmt16", "tr-en", 0.531, 0.334),
        ("wmt16", "en-ru", 0.532, 0.327),
    ],
)
def test_kappas_of_later_years_are_as_they_were(wmt_data, year, langpair, intra, inter):
    """Equal outputs are one candidate here; ours, not published figures."""
    file = wmt_data / year / f"{langpair}.rankings.tsv.gz"
    agreement = pooled_agreement(import_judgements([file]).judgements)
    assert agreement.intra.value == pytest.approx(intra, abs=5e-4)
    assert agreement.inter.value == pytest.approx(inter, abs=5e-4)
