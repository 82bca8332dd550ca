# SPDX-License-Identifier: Apache-2.0
"""Meta-evaluation: coefficients, tie calibration, permutation tests of metrics.

    python -m bench meta

The peer is what one writes with NumPy and SciPy from the published definitions: a
coefficient from SciPy for every item, a loop over trials and pairs of metrics. It
runs on a fraction of the trials and pairs; its time is scaled up.
"""

from __future__ import annotations

import gzip
import itertools
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import stats

from bench.measure import ROOT, Report, best, processor
from tertium.meta import (
    ScoreMatrix,
    calibrate,
    permutation_test,
    segment_coefficient,
)
from tertium.stats import kendall

METRICS, SYSTEMS, SEGMENTS, RESAMPLES = 20, 15, 2000, 1000


def matrix(values: np.ndarray) -> ScoreMatrix:
    """Return (segments, systems) as a matrix of scores."""
    segments, systems = values.shape
    return ScoreMatrix(
        tuple(f"s{i}" for i in range(systems)), tuple(map(str, range(segments))),
        values.T,
    )  # fmt: skip


def world(seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return people's scores and metrics as a WMT task has them.

    People's scores are whole numbers with many ties; in four of ten segments two
    systems have the same output, so that all metrics tie there.
    """
    random = np.random.default_rng(seed)
    quality = random.normal(size=(SEGMENTS, SYSTEMS))
    human = -np.round(np.abs(quality + random.normal(size=quality.shape)) * 3)
    metrics = quality + 1.5 * random.normal(size=(METRICS, *quality.shape))
    for s in range(SEGMENTS):
        if random.random() < 0.4:
            i, j = random.choice(SYSTEMS, 2, replace=False)
            metrics[:, s, i] = metrics[:, s, j]
            human[s, i] = human[s, j]
    return human, metrics


# ------------------------------------------------------------------------- peers


def tau_by_item(human: np.ndarray, metric: np.ndarray) -> float:
    """Return the mean of SciPy's tau-b."""
    taus = [
        stats.kendalltau(h, m).statistic for h, m in zip(human, metric, strict=True)
    ]
    return float(np.nanmean(taus))


def accuracy_by_item(human: np.ndarray, metric: np.ndarray) -> float:
    """Return the mean pairwise accuracy with ties."""
    i, j = np.triu_indices(human.shape[1], 1)
    return float(
        np.mean(
            [
                np.mean(np.sign(h[i] - h[j]) == np.sign(m[i] - m[j]))
                for h, m in zip(human, metric, strict=True)
            ]
        )
    )


def tau_by_item_arrays(human_signs: np.ndarray, metric: np.ndarray) -> float:
    """Return the mean tau-b of all items at once, as arrays of signs of pairs."""
    i, j = np.triu_indices(metric.shape[1], 1)
    signs = np.sign(metric[:, i] - metric[:, j])
    agree = (signs * human_signs).sum(axis=1)
    below = (signs != 0).sum(axis=1) * (human_signs != 0).sum(axis=1)
    good = below > 0
    return float(np.mean(agree[good] / np.sqrt(below[good])))


def pearson_by_item(human: np.ndarray, metric: np.ndarray) -> float:
    """Return the mean r of all items at once."""
    h = human - human.mean(axis=1, keepdims=True)
    m = metric - metric.mean(axis=1, keepdims=True)
    below = np.sqrt((h * h).sum(axis=1) * (m * m).sum(axis=1))
    good = below > 0
    return float(np.mean((h * m).sum(axis=1)[good] / below[good]))


def pearson_of_all(human: np.ndarray, metric: np.ndarray) -> float:
    return float(np.corrcoef(human.ravel(), metric.ravel())[0, 1])


def perm_both(
    coefficient: Callable[[np.ndarray], float],
    metrics: np.ndarray,
    pairs: list[tuple[int, int]],
    resamples: int,
) -> list[float]:
    """Return p-values of pairs, as Deutsch, Dror and Roth (2021) describe."""
    random = np.random.default_rng(0)
    z = [(m - m.mean()) / m.std() for m in metrics]
    out = []
    for a, b in pairs:
        delta = coefficient(z[a]) - coefficient(z[b])
        count = 0
        for _ in range(resamples):
            mask = random.random(z[a].shape) < 0.5
            one, two = np.where(mask, z[b], z[a]), np.where(mask, z[a], z[b])
            count += coefficient(one) - coefficient(two) >= delta
        out.append((count + 1) / (resamples + 1))
    return out


def tie_search(human: np.ndarray, metric: np.ndarray) -> tuple[float, float]:
    """Return the best epsilon by one sweep over sorted pairs, in NumPy."""
    i, j = np.triu_indices(human.shape[1], 1)
    h = np.sign(human[:, i] - human[:, j])
    difference = metric[:, i] - metric[:, j]
    m = np.sign(difference)
    change = (h == 0).astype(float) * (m != 0) - ((h == m) & (h != 0))
    order = np.argsort(np.abs(difference), axis=None)
    distance = np.abs(difference).ravel()[order]
    value = ((h == m).sum() + np.cumsum(change.ravel()[order])) / h.size
    value[:-1][distance[1:] == distance[:-1]] = 0
    place = int(np.argmax(value))
    return float(distance[place]), float(value[place])


def tie_trials(human: np.ndarray, metric: np.ndarray, count: int) -> float:
    """Return the best accuracy of some epsilons, each tried on all pairs."""
    i, j = np.triu_indices(human.shape[1], 1)
    h = np.sign(human[:, i] - human[:, j])
    difference = metric[:, i] - metric[:, j]
    distance = np.abs(difference)
    top = 0.0
    for epsilon in distance.ravel()[:count]:
        m = np.where(distance <= epsilon, 0.0, np.sign(difference))
        top = max(top, float((h == m).mean(axis=1).mean()))
    return top


# --------------------------------------------------------------------------- rows


def permutations(report: Report) -> None:
    """PERM-BOTH of all pairs of 20 metrics."""
    human, metrics = world()
    gold = matrix(human)
    named = {f"m{k}": matrix(one) for k, one in enumerate(metrics)}
    pairs = list(itertools.combinations(range(METRICS), 2))
    i, j = np.triu_indices(SYSTEMS, 1)
    signs = np.sign(human[:, i] - human[:, j])
    size = f"{METRICS} metrics x {SYSTEMS} x {SEGMENTS:,}, {RESAMPLES:,} trials"
    for label, coefficient, group, peers in (
        ("tau-b by item", "kendall_b", "item", (
            ("scipy.stats.kendalltau an item", lambda m: tau_by_item(human, m), 1, 200),
            ("NumPy, all items at once", lambda m: tau_by_item_arrays(signs, m), 10,
             None))),
        ("acc23 by item", "acc23", "item", ()),
        ("Pearson by item", "pearson", "item", (
            ("NumPy, all items at once", lambda m: pearson_by_item(human, m), 30,
             20),)),
        ("Pearson, no groups", "pearson", "none", (
            ("numpy.corrcoef", lambda m: pearson_of_all(human, m), 30, 20),)),
    ):  # fmt: skip
        seconds = processor(
            lambda c=coefficient, g=group: permutation_test(
                gold, named, c, group=g, resamples=RESAMPLES, threads=1
            )
        )
        name = f"PERM-BOTH {label}, {size}"
        if not peers:
            report.add(name, seconds)
        for peer, job, trials, wanted in peers:
            part = processor(
                lambda j=job, t=trials: perm_both(j, metrics[:2], [(0, 1)], t)
            )
            # A trial, and the observed difference once a pair.
            other = part / (trials + 1) * (RESAMPLES + 1) * len(pairs)
            report.add(name, seconds, peer=peer, other=other, wanted=wanted)
    report.note(
        "PERM-BOTH: processor time, one thread; peers ran 1 to 30 trials of one pair "
        f"of metrics and were scaled to {RESAMPLES:,} trials of {len(pairs)} pairs. In "
        "four of ten segments two systems have the same output, and so tied scores."
    )


def wmt23(report: Report) -> None:
    """Run the case that mt-metrics-eval needs 250 s for with 100 trials."""
    data = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
    folder = data / "wmt23-mtme"
    if not folder.exists():
        report.note(f"PERM-BOTH on WMT23 was left out: no {folder}.")
        return

    def read(path: Path) -> ScoreMatrix:
        scores: dict[str, list[float | None]] = {}
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            system, value = line.split()
            if system not in ("refA", "synthetic_ref"):
                number = None if value == "None" else float(value)
                scores.setdefault(system, []).append(number)
        return ScoreMatrix.from_scores(scores)

    human = read(folder / "human-scores" / "en-de.mqm.seg.score.gz")
    names = ("BLEU", "chrF", "COMET", "MetricX-23", "XCOMET-Ensemble")
    metrics = {
        n: read(folder / "metric-scores" / "en-de" / f"{n}-refA.seg.score.gz")
        for n in names
    }
    seconds = processor(
        lambda: permutation_test(human, metrics, resamples=1000, threads=1), 3
    )
    report.add(
        "PERM-BOTH tau-b by item, WMT23 en-de, 5 metrics, 1,000 trials",
        seconds,
        rate=f"{10 * 1000 / seconds:,.0f} trials/s",
    )
    report.note(
        "WMT23 en-de: 12 systems x 557 segments, 10 pairs of metrics, less than 5 s "
        "wanted; mt-metrics-eval needed 250 s for 100 trials on this kind of machine."
    )


def coefficients(report: Report) -> None:
    """Coefficients of 100,000 scores, and tie calibration."""
    random = np.random.default_rng(2)
    x = random.normal(size=100_000).round(2)
    y = x + random.normal(size=100_000)
    other = best(lambda: stats.kendalltau(x, y), lambda: None, 3)
    for variant in ("b", "acc23"):
        report.add(
            f"kendall {variant} of 100,000 scores",
            best(lambda v=variant: kendall(x, y, v), lambda: None, 5),
            peer="scipy.stats.kendalltau",
            other=other,
        )
    human, metrics = world()
    few = slice(0, 1000)
    gold, metric = matrix(human[few]), matrix(metrics[0][few])
    for coefficient, peer, job in (
        ("kendall_b", "scipy.stats.kendalltau an item", tau_by_item),
        ("acc23", "NumPy an item", accuracy_by_item),
    ):
        value = segment_coefficient(gold, metric, coefficient).value
        same = job(human[few], metrics[0][few])
        if value is None or abs(value - same) > 1e-9:
            message = f"{coefficient} is {value}, the peer's is {same}"
            raise RuntimeError(message)
        report.add(
            f"{coefficient} by item, 105,000 pairs",
            best(
                lambda c=coefficient: segment_coefficient(gold, metric, c, threads=1),
                lambda: None,
                9,
            ),
            peer=peer,
            other=best(lambda j=job: j(human[few], metrics[0][few]), lambda: None, 3),
            wanted=200 if coefficient == "kendall_b" else None,
        )
    gold, metric = matrix(human), matrix(metrics[0])
    seconds = best(lambda: calibrate(gold, metric), lambda: None, 9)
    tried = 40
    part = best(lambda: tie_trials(human, metrics[0], tried), lambda: None, 3)
    candidates = SEGMENTS * SYSTEMS * (SYSTEMS - 1) // 2
    for peer, other, wanted in (
        ("NumPy, every difference", part / tried * candidates, 200),
        ("NumPy, one sweep",
         best(lambda: tie_search(human, metrics[0]), lambda: None, 3), None),
    ):  # fmt: skip
        report.add(
            "tie calibration, 15 x 2,000 by item", seconds, peer=peer, other=other,
            wanted=wanted,
        )  # fmt: skip
    report.note(
        f"Tie calibration by trying every difference: measured for {tried} and scaled "
        f"to {candidates:,}; the sweep is our own method in NumPy."
    )


def run(report: Report) -> None:
    coefficients(report)
    permutations(report)
    wmt23(report)


if __name__ == "__main__":
    run(Report())
    sys.exit()
