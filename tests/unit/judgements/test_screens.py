# SPDX-License-Identifier: Apache-2.0
"""Outputs scored side by side, and both significance rules."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import numpy as np
import pytest
from scipy.stats import ttest_ind, ttest_rel, wilcoxon

from tertium import Judgements
from tertium.cli import main
from tertium.errors import InputError
from tertium.judgements import Rating
from tertium.judgements.ranking import rank_systems
from tertium.judgements.store import write_store

START = datetime(2026, 5, 1)


def contrastive(*, same_time: bool = True, shared: bool = True, judges: int = 2):
    """Return ratings of A and B by judges with habits of their own."""
    rng = np.random.default_rng(3)
    ratings = []
    for i in range(24):
        judge = i % judges
        level = 50 + 30 * judge + float(rng.normal(0, 8))
        for k, (system, more) in enumerate((("A", 2.0), ("B", 0.0))):
            segment = i if shared or system == "A" else 100 + i
            minutes = 10 * i + (0 if same_time else 200 * k)
            ratings.append(
                Rating(
                    system,
                    level + more + float(rng.normal(0, 1.5)),
                    "ESA",
                    str(segment),
                    f"judge{judge}",
                    f"doc{segment // 4}",
                    time=START + timedelta(minutes=minutes),
                )
            )
    return Judgements.from_iterable(ratings)


def scores(judgements: Judgements, system: str) -> list[float]:
    rated = judgements.iterate("ratings")
    return [each.score for each in rated if each.system == system]


def ranked(judgements, **options):
    return rank_systems(judgements, method="mean", resamples=0, **options)


def test_side_by_side_scores_are_recognised_and_paired():
    judgements = contrastive()
    ranking = ranked(judgements, test="t")
    (test,) = ranking.pairs.tests
    a, b = scores(judgements, "A"), scores(judgements, "B")
    assert (ranking.run["pairing"], test.pairing, test.n) == ("screen", "screen", 24)
    assert test.p["t"] == pytest.approx(ttest_rel(a, b).pvalue)
    assert test.p["wilcoxon"] == pytest.approx(wilcoxon(a, b, method="exact").pvalue)
    assert ranking.pairs.p[0][1] == test.adjusted["t"]


def test_scores_of_other_times_are_paired_by_segment_unless_asked():
    judgements = contrastive(same_time=False)
    assert ranked(judgements).run["pairing"] == "segment"
    (test,) = ranked(judgements, pairing="screen").pairs.tests
    assert test.pairing == "screen"


def test_unpaired_scores_are_tested_by_welch():
    judgements = contrastive(shared=False)
    (test,) = ranked(judgements).pairs.tests
    a, b = scores(judgements, "A"), scores(judgements, "B")
    assert test.pairing == "none"
    assert test.p["t"] == pytest.approx(ttest_ind(a, b, equal_var=False).pvalue)
    (forced,) = ranked(contrastive(), pairing="none").pairs.tests
    assert forced.pairing == "none"
    assert forced.p["t"] > 0.2


def test_a_pair_that_shares_no_screen_of_a_judge_is_not_mixed_up():
    # Both judged every segment, but other judges saw A and B: no pairs by screen.
    ratings = [
        Rating(system, float(i), "ESA", str(i), f"{system}-judge{c}", time=START)
        for i in range(6)
        for system in "AB"
        for c in range(2)
    ]
    ranking = ranked(Judgements.from_iterable(ratings))
    assert ranking.run["pairing"] == "segment"


def test_several_screens_of_a_segment_count_once():
    first = list(contrastive(judges=1).iterate("ratings"))
    second = [each._replace(judge="other", score=each.score / 2) for each in first]
    (test,) = ranked(Judgements.from_iterable([*first, *second])).pairs.tests
    assert test.n == 24


def test_screens_need_judges():
    ratings = [Rating(system, 50.0, "ESA", "1") for system in "AB"]
    with pytest.raises(InputError, match="no judge is known"):
        ranked(Judgements.from_iterable(ratings), pairing="screen")


def test_command_lists_all_tests(tmp_path, capsys):
    write_store(contrastive(), tmp_path / "store")
    words = ["rank", str(tmp_path / "store"), "--method", "mean", "--tests", "-q"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "all tests" in out
    assert "p: Wilcoxon" in out
    assert "p: WMT26" in out
    assert main([*words, "-f", "json"]) == 0
    (ranking,) = json.loads(capsys.readouterr().out)["rankings"]
    (test,) = ranking["pairs"]["tests"]
    assert test["p"].keys() == {"t", "wilcoxon", "wmt26"}
    assert main([*words, "-f", "tsv"]) == 0
    assert "adjusted:wilcoxon" in capsys.readouterr().out
