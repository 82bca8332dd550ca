# SPDX-License-Identifier: Apache-2.0
"""How well stored judgements score a system that was left out.

    python -m bench reuse [--sets 12 15 mqm da-sqm esa] [--budget 10 20 50]

Every judged system is left out in turn and scored by the judgements of the others.
Rows are test sets: WMT12 and WMT15 (rankings, means over language pairs), WMT23 en-de
(MQM and DA-SQM, 13 systems with the human reference) and the same outputs in ESA.
Columns: Pearson correlation of estimates and judged scores over systems, mean absolute
error, bias (above 0: flattering), and how many judged scores are inside the 95 %
interval. The features and penalties of the model were chosen on WMT12, 15, 16 and three
campaigns with the outputs of WMT23 (ESA, ESA with pre-filled spans, MQM in Appraise),
so that the rows 12, 15 and esa flatter it; its figures for MQM and DA-SQM were looked
at twelve times on the way.

The second table shows the mean absolute error after some outputs of the new system are
annotated: those that `next` names, as many chosen at random, and one chosen at random
from each of as many strata of equal size by predicted score. All are used in the same
way. Every system is simulated with 200 choices of each kind; the last columns are the
difference of `next` and random choice in percent, with a 95 % interval over systems
(bootstrap).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import tertium
from bench import wmt
from tertium import Judgements, Testset
from tertium.judgements.reuse.annotations import stored
from tertium.judgements.reuse.budget import Belief
from tertium.judgements.reuse.distances import Distances
from tertium.judgements.reuse.estimation import reuse
from tertium.judgements.reuse.model import Prediction, predict
from tertium.judgements.reuse.panel import panel_of
from tertium.judgements.reuse.results import Accuracy
from tertium.meta.files.mtme import read_mtme

SETS = ("12", "15", "mqm", "da-sqm", "esa")
CHOICES = 200
PAIRS = {
    "12": ("cs-en", "de-en", "es-en", "fr-en", "en-cs", "en-de", "en-es", "en-fr"),
    "15": ("de-en", "fi-en", "fr-en", "ru-en", "en-de", "en-fi", "en-fr", "en-ru"),
}


@dataclass(frozen=True)
class Judged:
    """Judgements with texts."""

    name: str
    judgements: Judgements
    testset: Testset
    scale: str | None = None
    langpair: str | None = None


def judged_sets(name: str) -> Iterator[Judged]:
    """Yield the judgements and texts of one row."""
    folder = wmt.folder()
    if name in PAIRS:
        for pair in PAIRS[name]:
            file = "wmt12.RNK_results.csv.gz" if name == "12" else None
            path = folder / f"wmt{name}" / (file or f"{pair}.rankings.tsv.gz")
            testset = tertium.read(folder / f"wmt{name}" / f"{pair}.tsv.gz")
            judgements = Judgements.read(path, langpair=pair)
            yield Judged(f"WMT{name} {pair}", judgements, testset, langpair=pair)
        return
    mtme = folder / "wmt23-mtme"
    texts = read_mtme(mtme, "en-de").testset
    sources = texts.sources
    systems = {k: v for k, v in texts.systems.items() if k != "synthetic_ref"}
    references = [(line,) for line in systems["refA"]]
    if name != "esa":
        testset = Testset(references, systems, sources=sources, langpair="en-de")
        yield Judged(f"WMT23 {name}", Judgements.read(mtme), testset, name, "en-de")
        return
    # The campaign numbers segments within documents.
    seen: Counter[str] = Counter()
    ids = []
    for doc in texts.docs or ():
        seen[doc] += 1
        ids.append(f"{doc}:{seen[doc]}")
    testset = Testset(references, systems, sources=sources, ids=ids, langpair="en-de")
    judgements = Judgements.read(folder / "esa" / "wmt23.en-de.esa.1.csv.gz")
    yield Judged("WMT23 ESA", judgements, testset, "ESA")


def accuracies(name: str) -> None:
    """Print one row per way of reuse."""
    results: dict[str, list[Accuracy]] = {"exact": [], "closest": [], "model": []}
    for each in judged_sets(name):
        for by, listed in results.items():
            result = reuse(
                each.judgements,
                each.testset,
                by=by,
                intervals=True,
                leave_one_out=True,
                scale=each.scale,
                langpair=each.langpair,
            )
            if result.accuracy is not None:
                listed.append(result.accuracy)
    for by, listed in results.items():
        pearson = np.mean([each.pearson or 0 for each in listed])
        error = np.mean([each.mean_absolute_error for each in listed])
        bias = np.mean([each.bias for each in listed])
        covered = sum(each.covered or 0 for each in listed)
        systems = sum(each.systems for each in listed)
        print(
            f"{name:8} {by:8} {len(listed):5} {systems:8} {pearson:8.3f} "
            f"{error:9.3f} {bias:+8.3f} {covered:5}/{systems}",
            flush=True,
        )


def budgets(name: str, sizes: list[int], seed: int) -> None:
    """Print errors after annotations that `next` names, and after random ones."""
    rng = np.random.default_rng(seed)
    errors: dict[tuple[int, str], list[float]] = {}
    for each in judged_sets(name):
        known = stored(
            each.judgements, each.testset, scale=each.scale, langpair=each.langpair
        )
        panel = panel_of(known, Distances())
        for number, system in enumerate(panel.systems):
            prediction = predict(panel, system)
            if prediction is None or np.isnan(prediction.deviation):
                continue
            place = (panel.member == number)[prediction.rows].argmax(axis=1)
            judged = panel.value[prediction.rows, place]
            if panel.ranked:
                judged = shares(panel, prediction.rows, place)
            belief = Belief.of(prediction)
            for size in sizes:
                if size >= len(judged):
                    continue
                for how, choose in WAYS.items():
                    outputs = [choose(belief, size, rng) for _ in range(CHOICES)]
                    gaps = [error(prediction, judged, listed) for listed in outputs]
                    errors.setdefault((size, how), []).append(float(np.mean(gaps)))
    for size in sizes:
        means = [np.mean(errors[size, how]) for how in WAYS]
        shown = " ".join(f"{mean:10.4f}" for mean in means)
        first, second = (np.array(errors[size, how]) for how in ("next", "random"))
        low, high = interval(first, second, rng)
        percent = 100 * (means[0] / means[1] - 1)
        print(
            f"{name:8} {size:6} {len(first):8} {shown} {percent:+7.1f} % "
            f"({low:+.1f} to {high:+.1f})",
            flush=True,
        )


def error(prediction: Prediction, judged, outputs: list[int]) -> float:
    """Return how far the score is off once some outputs are annotated."""
    values = np.full(len(judged), np.nan)
    values[outputs] = judged[outputs]
    return abs(Belief.of(prediction, values).score() - float(np.mean(judged)))


def interval(first, second, rng: np.random.Generator) -> tuple[float, float]:
    """Return the 95 % interval of the difference in percent, over systems."""
    rows = rng.integers(len(first), size=(10_000, len(first)))
    percent = 100 * (first[rows].sum(axis=1) / second[rows].sum(axis=1) - 1)
    low, high = np.quantile(percent, (0.025, 0.975))
    return float(low), float(high)


def at_random(belief: Belief, size: int, rng: np.random.Generator) -> list[int]:
    """Return outputs chosen at random."""
    return rng.permutation(len(belief.predicted))[:size].tolist()


def in_strata(belief: Belief, size: int, rng: np.random.Generator) -> list[int]:
    """Return one output from each of some strata by predicted score."""
    strata = np.array_split(np.argsort(belief.predicted, kind="stable"), size)
    return [int(rng.choice(stratum)) for stratum in strata]


WAYS = {"next": Belief.choose, "random": at_random, "strata": in_strata}


def shares(panel, rows, place):
    """Return the share of decided comparisons that outputs win."""
    mine = panel.value[rows, place][:, None]
    others = panel.member[rows] >= 0
    won = ((mine > panel.value[rows]) & others).sum(axis=1)
    lost = ((mine < panel.value[rows]) & others).sum(axis=1)
    decided = won + lost
    return np.where(decided > 0, won / np.maximum(decided, 1), 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--budget", nargs="+", type=int, default=[10, 20, 50])
    parser.add_argument("--seed", type=int, default=12345)
    args = parser.parse_args()
    print("set      by       pairs  systems  pearson  abs.error     bias  covered")
    for name in args.sets:
        accuracies(name)
    print("\nset      budget  systems       next     random     strata   next - random")
    for name in args.sets:
        budgets(name, args.budget, args.seed)


if __name__ == "__main__":
    main()
