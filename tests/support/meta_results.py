# SPDX-License-Identifier: Apache-2.0
"""Meta-evaluations for tests of reports: the demo, and two pairs with odd names."""

from __future__ import annotations

import numpy as np

import tertium
from tertium.judgements import Judgements
from tertium.meta import (
    Correlations,
    Evaluation,
    Human,
    MetricScores,
    correlate_evaluations,
    evaluation,
    human_judgements,
    probes,
    run_metrics,
)

#: Names that would break a page which does not escape them.
ODD = ["</script><b>x", 'a"b', "it's & <i>", "line\nend", "\ud800half", "été 中午"]


def demo_evaluation(demo: tertium.Testset) -> Evaluation:
    human = human_judgements(Judgements.read("demo"), kind="rankings")
    scores = run_metrics(demo, ["bleu", "chrf", "ter"])
    return evaluation(human, [*scores, *probes(human, demo)])


def demo_correlations(both: Evaluation, **settings) -> Correlations:
    return correlate_evaluations(
        [both], **{"resamples": 200, "test": "bootstrap"} | settings
    )


def odd_evaluations(pairs: int = 2, metrics: int = 3, seed: int = 1):
    """Return evaluations of ratings whose systems and metrics have odd names."""
    random = np.random.default_rng(seed)
    segments = tuple(map(str, range(40)))
    evaluations = []
    for pair in range(pairs):
        ratings = random.normal(size=(len(ODD), 40)) + np.arange(len(ODD))[:, None]
        human = Human(
            tuple(ODD),
            segments,
            "DA <ratings>",
            dict(zip(ODD, ratings.mean(axis=1).tolist(), strict=True)),
            ratings=ratings,
            langpair=f"x{pair}-<y>",
        )
        scores = []
        for number in range(metrics):
            noisy = ratings + random.normal(scale=1 + number, size=ratings.shape)
            table = {
                name: dict(zip(segments, row.tolist(), strict=True))
                for name, row in zip(ODD, noisy, strict=True)
            }
            means = {
                name: float(row.mean()) for name, row in zip(ODD, noisy, strict=True)
            }
            name = f"{ODD[number % len(ODD)]}{number}"
            scores.append(MetricScores(name, means, table, langpair=human.langpair))
        evaluations.append(evaluation(human, [*scores, *probes(human)]))
    return evaluations
