# SPDX-License-Identifier: Apache-2.0
"""Pairwise t-tests of rated systems, and resampled documents."""

from __future__ import annotations

import numpy as np
import pytest

from tertium import Judgements
from tertium.errors import InputError
from tertium.judgements import Rating
from tertium.judgements.ranking import rank_systems


def rated(gap: float, *, shared: bool = True) -> Judgements:
    """Return ratings of two systems, four segments per document."""
    rng = np.random.default_rng(7)
    ratings = []
    for i in range(40):
        level = float(rng.normal(60, 10)) + 15 * (i // 4 % 2)
        for system, more in (("A", gap), ("B", 0.0)):
            score = level + more + float(rng.normal(0, 2))
            name = i if shared or system == "A" else 100 + i
            ratings.append(
                Rating(system, score, "ESA", str(name), "anna", f"doc{name // 4}")
            )
    return Judgements.from_iterable(ratings)


def scores(judgements: Judgements, system: str) -> list[float]:
    rows = judgements.iterate("ratings")
    return [r.score for r in rows if isinstance(r, Rating) and r.system == system]


@pytest.mark.parametrize("shared", [True, False])
def test_t_tests_equal_scipy(shared: bool) -> None:
    from scipy.stats import ttest_ind, ttest_rel

    judgements = rated(1.0, shared=shared)
    ranking = rank_systems(judgements, method="mean", test="t", resamples=10)
    one, two = scores(judgements, "A"), scores(judgements, "B")
    expected = (
        ttest_rel(one, two) if shared else ttest_ind(one, two, equal_var=False)
    ).pvalue
    assert ranking.pairs.p[0][1] == pytest.approx(expected, abs=1e-12)
    assert ranking.pairs.test == ("paired t-test" if shared else "Welch's t-test")


def test_equal_systems_have_p_value_one() -> None:
    ratings = [
        Rating(system, 50.0 + i, "ESA", str(i), "anna")
        for i in range(5)
        for system in "AB"
    ]
    judgements = Judgements.from_iterable(ratings)
    ranking = rank_systems(judgements, method="mean", test="t", resamples=10)
    assert ranking.pairs.p[0][1] == 1


def test_documents_widen_intervals() -> None:
    judgements = rated(1.0)
    widths = []
    for unit in ("ranking", "document"):
        ranking = rank_systems(judgements, method="mean", unit=unit, resamples=500)
        low, high = ranking.systems[0].interval or (0.0, 0.0)
        widths.append(high - low)
    assert ranking.run["unit"] == "document"
    assert widths[1] > widths[0]


def test_documents_are_rejected_for_rankings() -> None:
    with pytest.raises(InputError, match="documents are resampled for ratings"):
        rank_systems(Judgements.read("demo"), method="wins", unit="document")


@pytest.mark.parametrize("shared", [True, False])
def test_wmt26_takes_the_smaller_of_two_one_sided_t_tests(shared: bool) -> None:
    from scipy.stats import ttest_ind, ttest_rel

    judgements = rated(1.0, shared=shared)
    ranking = rank_systems(judgements, method="mean", test="wmt26", resamples=10)
    one, two = scores(judgements, "A"), scores(judgements, "B")
    expected = ttest_ind(one, two, alternative="greater").pvalue
    if shared:
        expected = min(expected, ttest_rel(one, two, alternative="greater").pvalue)
    assert ranking.pairs.p[0][1] == pytest.approx(expected, abs=1e-12)
    assert ranking.pairs.test == "paired or unpaired t-test, one-sided"


def test_wmt26_pairs_even_few_shared_segments() -> None:
    ratings = [Rating("A", 50.0 + i % 7, "ESA", str(i)) for i in range(40)]
    ratings += [Rating("B", 48.0 + i % 7 + i % 2, "ESA", str(i)) for i in range(30, 70)]
    (test,) = rank_systems(
        Judgements.from_iterable(ratings), method="mean", resamples=0
    ).pairs.tests
    assert test.pairing == "none"
    assert test.p["wmt26"] < test.p["t"] / 2


def test_a_wmt26_cluster_ends_where_all_above_beat_all_below() -> None:
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 3, (3, 60))
    ratings = [
        Rating(system, 60 + gap + float(noise[k, i]), "ESA", str(i))
        for k, (system, gap) in enumerate((("A", 10), ("B", 9.9), ("C", 0)))
        for i in range(60)
    ]
    ranking = rank_systems(
        Judgements.from_iterable(ratings), method="mean", test="wmt26", resamples=0
    )
    assert [set(names) for names in ranking.clusters()] == [{"A", "B"}, {"C"}]


def test_segments_are_resampled_where_no_document_is_known() -> None:
    ratings = [
        Rating(system, 50.0 + i % 5, "ESA", str(i))
        for i in range(10)
        for system in "AB"
    ]
    ranking = rank_systems(
        Judgements.from_iterable(ratings), method="mean", unit="document", resamples=20
    )
    assert ranking.run["unit"] == "segment"
