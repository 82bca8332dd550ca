# SPDX-License-Identifier: Apache-2.0
"""A whole WMT year of meta-evaluation on scores that are there already.

    python -m bench meta_year [--profile]

Ten language pairs of the size of WMT15 (13 systems, 2,000 segments, 50,000
comparisons from rankings of five, and ratings of every output), 15 metrics, all
coefficients, 1,000 resamples; less than 60 s on two cores is wanted.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import time

import numpy as np

from bench.measure import Report
from tertium.judgements import Comparisons
from tertium.judgements.ranking import rank_systems, resampled_scores
from tertium.meta import Correlations, Evaluation, Human, correlate_evaluations
from tertium.meta.evaluation import Measured

PAIRS, METRICS, SYSTEMS, SEGMENTS, RANKINGS = 10, 15, 13, 2000, 5000
RESAMPLES = 1000


def comparisons(quality: np.ndarray, random: np.random.Generator) -> Comparisons:
    """Return rankings of five systems each, taken apart, with ties."""
    segment = np.sort(random.integers(SEGMENTS, size=RANKINGS))
    chosen = np.argsort(random.random((RANKINGS, SYSTEMS)), axis=1)[:, :5]
    chosen = np.sort(chosen, axis=1)
    seen = quality[chosen, segment[:, None]] + random.normal(size=chosen.shape)
    rank = np.round(seen * 1.5)
    i, j = np.triu_indices(5, 1)
    size = len(i)
    return Comparisons(
        tuple(f"system{k:02}" for k in range(SYSTEMS)),
        tuple(map(str, range(1, SEGMENTS + 1))),
        ("judge",),
        chosen[:, i].ravel().astype(np.int32),
        chosen[:, j].ravel().astype(np.int32),
        np.sign(rank[:, i] - rank[:, j]).ravel().astype(np.int8),
        np.repeat(segment, size).astype(np.int32),
        np.zeros(RANKINGS * size, np.int32),
        np.repeat(np.arange(RANKINGS), size).astype(np.int32),
    )


def language_pair(number: int) -> Evaluation:
    """Return one simulated language pair."""
    random = np.random.default_rng(number)
    quality = random.normal(size=(SYSTEMS, SEGMENTS))
    quality += np.linspace(-0.5, 0.5, SYSTEMS)[:, None]
    judged = comparisons(quality, random)
    ranking = rank_systems(judged, resamples=0)
    ratings = np.clip(50 + 20 * (quality + random.normal(size=quality.shape)), 0, 100)

    def draw(resamples: int, seed: int) -> np.ndarray:
        return resampled_scores(judged, resamples=resamples, seed=seed)[1]

    human = Human(
        judged.systems,
        judged.segments,
        "simulated rankings and ratings",
        {name: score for name, score in ranking.scores().items() if score is not None},
        judged,
        ratings.round(),
        f"pair{number}",
        draw,
    )
    metrics = []
    for k in range(METRICS):
        noise = random.normal(size=quality.shape)
        scores = quality + (1 + 0.2 * k) * noise
        metrics.append(Measured(f"metric{k:02}", scores.mean(axis=1), scores))
    return Evaluation(human, tuple(metrics))


def year() -> list[Evaluation]:
    """Return all language pairs."""
    return [language_pair(number) for number in range(PAIRS)]


def run(report: Report) -> None:
    """Add a row: all figures of a year, on all cores."""
    evaluations = year()
    start = time.perf_counter()
    result = correlate_evaluations(
        evaluations, coefficients=["all"], resamples=RESAMPLES
    )
    seconds = time.perf_counter() - start
    report.add(
        f"a WMT year: {PAIRS} pairs, {METRICS} metrics, {len(result.coefficients)} "
        f"coefficients, {RESAMPLES:,} resamples, all cores",
        seconds,
        rate=f"{len(result.values):,} figures; under 60 s is wanted",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--profile", action="store_true")
    args = parser.parse_args()
    evaluations = year()

    def job() -> Correlations:
        return correlate_evaluations(
            evaluations, coefficients=["all"], resamples=RESAMPLES
        )

    profiler = cProfile.Profile()
    wall, used = time.perf_counter(), time.process_time()
    result = profiler.runcall(job) if args.profile else job()
    wall, used = time.perf_counter() - wall, time.process_time() - used
    load = os.getloadavg()[0]
    print(
        f"{PAIRS} pairs, {METRICS} metrics, {len(result.coefficients)} coefficients, "
        f"{RESAMPLES:,} resamples: {len(result.values):,} figures in {wall:.1f} s, "
        f"{used:.1f} s of processor time (load {load:.1f} on {os.cpu_count()} cores)"
    )
    if args.profile:
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(30)


if __name__ == "__main__":
    main()
