# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tertium.judgements import Judgements, Place, Ranking
from tertium.meta import (
    MetricScores,
    correlate_evaluations,
    evaluation,
    human_judgements,
)


@pytest.fixture(scope="module")
def both():
    random = np.random.default_rng(5)
    quality = {name: random.normal(i / 4, 1, 40) for i, name in enumerate("ABCDE")}
    records = []
    for segment in range(40):
        seen = {name: q[segment] + random.normal() for name, q in quality.items()}
        order = sorted(seen, key=lambda name: -seen[name])
        places = tuple(Place((name,), i // 2 + 1) for i, name in enumerate(order))
        records.append(Ranking(places, str(segment + 1), langpair="de-en"))
    metrics = [
        MetricScores(
            name,
            segment={
                system: {
                    str(i + 1): float(value)
                    for i, value in enumerate(one + noise * random.normal(size=40))
                }
                for system, one in quality.items()
            },
        )
        for name, noise in (("good", 0.1), ("bad", 3.0))
    ]
    return evaluation(human_judgements(Judgements.from_iterable(records)), metrics)


def test_judgements_are_resampled_once_for_all_figures_of_systems(both):
    calls = []
    draw = both.human.draw

    def counted(resamples, seed):
        calls.append((resamples, seed))
        return draw(resamples, seed)

    human = replace(both.human, draw=counted)
    names = ["pearson", "spearman", "kendall", "accuracy"]
    result = correlate_evaluations(
        [replace(both, human=human)], coefficients=names, resamples=200, seed=7
    )
    assert calls == [(200, 7)]
    # One figure at a time gives the same: resampling leaves no trace.
    alone = [
        value
        for name in names
        for value in correlate_evaluations(
            [both], coefficients=[name], resamples=200, seed=7
        ).values
    ]
    assert list(result.values) == alone
    assert all(value.interval is not None for value in result.values)


def test_better_metrics_agree_better_with_people(both):
    result = correlate_evaluations([both], coefficients=["all"], resamples=50)
    for name in ("pearson", "tau-wmt12", "tau-wmt13", "tau-wmt14", "tau-hties"):
        good, bad = (result.get("de-en", m, name).value for m in ("good", "bad"))
        assert good > bad, name
    assert result.get("de-en", "good", "tau-b:item") is None  # nobody rated


def test_averages_leave_out_pairs_without_the_figure(both):
    other = replace(both, human=replace(both.human, langpair="fr-en", comparisons=None))
    result = correlate_evaluations([both, other], coefficients=["all"], resamples=0)
    tau, r = (
        result.get("de-en", "good", name).value for name in ("tau-wmt14", "pearson")
    )
    assert result.average("good", "tau-wmt14").value == tau
    assert result.average("good", "pearson").value == pytest.approx(r)
    assert result.average("good", "tau-wmt14", exclude=["de-en"]) is None
