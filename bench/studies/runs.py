# SPDX-License-Identifier: Apache-2.0
"""How often tests of systems with several runs see a difference that is not there.

    python -m bench runs [--trials 400] [--segments 200] [--runs 2 3 5]

Two systems have the same expected score. The score of an output is the sum of normal
deviates: one for the run (training or tuning again), one for how a system reacts to a
segment, and one for the output; columns `run` and `segment` are the standard deviations
of the first two, that of the third is 1. Figures are the shares of trials with
p < 0.05, which should be at most 5 %, for the test that uses both sources of variance
(default of `tertium compare`), for stratified randomisation (after Clark et al. 2011)
and for a test of the first runs alone. In the last column system A is better by 0.4:
how often the first test sees that. The formula of the first test was chosen among five
by such a simulation, so that its figures here are not independent of that choice.
"""

from __future__ import annotations

import argparse

import numpy as np

from tertium.stats import Resampling
from tertium.stats.runs import RunScores, difference, shuffled_p_values

ALPHA = 0.05
KINDS = ((0.0, 0.0), (0.02, 0.0), (0.1, 0.0), (0.3, 0.0), (0.0, 0.5), (0.1, 0.5))
GAP = 0.4
RESAMPLES = 500


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench runs", description=__doc__)
    parser.add_argument("--trials", type=int, default=400)
    parser.add_argument("--segments", type=int, default=200)
    parser.add_argument("--runs", type=int, nargs="+", default=[2, 3, 5])
    args = parser.parse_args()
    print("| runs | run | segment | both sources | randomisation | one run | power |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for runs in args.runs:
        for run, segment in KINDS:
            rates = rejections(
                runs, args.segments, run=run, segment=segment, trials=args.trials
            )
            shown = " | ".join(f"{100 * rate:.1f} %" for rate in rates)
            print(f"| {runs} | {run} | {segment} | {shown} |", flush=True)


def rejections(
    runs: int, segments: int, *, run: float, segment: float, trials: int, seed: int = 1
) -> tuple[float, float, float, float]:
    """Return how often each test rejects, and how often the first one rightly does."""
    generator = np.random.default_rng(seed)
    counts = np.zeros(4)
    for trial in range(trials):
        outputs = [
            generator.normal(0, run, (runs, 1))
            + generator.normal(0, segment, segments)
            + generator.normal(0, 1, (runs, segments))
            for _ in range(2)
        ]
        better = [outputs[0] + GAP, outputs[1]]
        counts += [
            both_sources(outputs, trial) < ALPHA,
            shuffled_p_values(
                [rows(each) for each in outputs],
                mean,
                [(0, 1)],
                resamples=RESAMPLES,
                seed=trial,
            )[0]
            < ALPHA,
            both_sources([each[:1] for each in outputs], trial) < ALPHA,
            both_sources(better, trial) < ALPHA,
        ]
    first, second, third, power = (float(x) for x in counts / trials)
    return first, second, third, power


def both_sources(outputs: list[np.ndarray], seed: int) -> float:
    """Return the p-value of two systems, from the scores of runs and segments."""
    flat = [each for system in outputs for each in rows(system)]
    resampling = Resampling.run(flat, mean, resamples=RESAMPLES, seed=seed)
    runs, scores = len(outputs[0]), []
    for first in (0, runs):
        places = range(first, first + runs)
        observed = np.array([resampling.observed[place] for place in places])
        resampled = np.stack([resampling.scores(place) for place in places])
        scores.append(RunScores(observed, resampled))
    return difference(*scores, units=outputs[0].shape[1]).p_value()


def rows(outputs: np.ndarray) -> list[np.ndarray]:
    """Return the statistics of every run: score and one."""
    return [np.stack([run, np.ones_like(run)], axis=1) for run in outputs]


def mean(sums: np.ndarray) -> np.ndarray:
    """Return scores from summed statistics."""
    return np.asarray(sums)[..., 0] / np.asarray(sums)[..., 1]


if __name__ == "__main__":
    main()
