# SPDX-License-Identifier: Apache-2.0
"""Macháček 2014, section 3.3: line search, and tuning for judgements of segments.

The thesis tunes a Moses system; here a toy decoder reranks (see `segranks_lists`), and
judges are simulated (`segranks_judges`). Weights start at random. An iteration decodes
with the current weights, merges the list with earlier ones and tunes by MERT, until no
list has a new hypothesis.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
import numpy.typing as npt

import tertium
from tertium._seed import SEED
from tertium.judgements import Judgements, Ranking, write_store
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Curve, Exhibit, Outcome
from tertium.reproductions.recipes.segranks.judges import judge
from tertium.reproductions.recipes.segranks.lists import NAMES, Sentence, sentences
from tertium.tuning.judged.metrics import hit_rate
from tertium.tuning.line_search import intervals, line_search
from tertium.tuning.lists import NBestList, statistics
from tertium.tuning.pool import Objective, pool_of
from tertium.tuning.tune import tune

__all__ = [
    "ITERATIONS",
    "Tuning",
    "first_hypotheses",
    "hit_rates",
    "iterate",
    "line_optimisation",
    "rate_hits",
    "specs_of",
    "store_of",
    "tuned_systems",
]

LIST = 50
ITERATIONS = 8
#: Sentences to tune on, as many held back, and random starts: as the bench has them.
SIZE, SEEDS = 200, 3
TITLES = {
    "bleu": "BLEU (baseline)",
    "exactmatch": "EXACTMATCH",
    "penalizeunknown": "PENALIZEUNKNOWN",
    "segranksbleu": "SEGRANKSBLEU",
    "exactmatch alone": "EXACTMATCH alone",
}


@dataclass(frozen=True)
class Tuning:
    """What the iterations of a run reached."""

    hits: list[float]
    weights: npt.NDArray[np.float64]

    @property
    def all_hits(self) -> list[float]:
        """Hit rates of all iterations; a run that has ended keeps its last lists."""
        return self.hits + self.hits[-1:] * (ITERATIONS - len(self.hits))


def iterate(dev: Sequence[Sentence], spec: str, counted: str, seed: int) -> Tuning:
    """Tune for a metric; `counted` is the metric whose hits are counted."""
    weights = np.random.default_rng(seed).normal(size=len(NAMES))
    weights /= np.array([each.features.std(axis=0) for each in dev]).mean(axis=0) + 1e-9
    merged: list[dict[int, None]] = [{} for _ in dev]
    hits: list[float] = []
    meter = tertium.metric(counted)
    for _ in range(ITERATIONS):
        decoded = [each.best(weights, LIST) for each in dev]
        hits.append(rate_hits(dev, decoded, meter))
        before = sum(map(len, merged))
        for rows, known in zip(decoded, merged, strict=True):
            known.update(dict.fromkeys(rows))
        if sum(map(len, merged)) == before:
            break
        lists = [
            each.list_of(list(rows)) for each, rows in zip(dev, merged, strict=True)
        ]
        start = dict(zip(NAMES, weights.tolist(), strict=True))
        tuned = tune(lists, metric=spec, start=start, seed=seed, restarts=8)
        weights = np.array([tuned.final.weights[name] for name in NAMES])
    return Tuning(hits, weights)


def rate_hits(
    dev: Sequence[Sentence], rows: Sequence[Sequence[int]], meter: tertium.Metric
) -> float:
    """Return the share of judged parts that some hypotheses contain."""
    lists = [one.list_of(best) for one, best in zip(dev, rows, strict=True)]
    total = sum(table.sum(axis=0) for table in statistics(lists, meter))
    return hit_rate(meter, list(total)) or 0.0


def first_hypotheses(
    part: Sequence[Sentence], weights: npt.NDArray[np.float64]
) -> list[str]:
    """Return the hypotheses that the decoder puts first."""
    return [each.texts[each.best(weights, 1)[0]] for each in part]


@contextmanager
def store_of(dev: Sequence[Sentence], rankings: Sequence[Ranking]) -> Iterator[str]:
    """Yield the settings that name a store of judgements and its test set."""
    with tempfile.TemporaryDirectory() as folder:
        store, testset = Path(folder, "store"), Path(folder, "dev.jsonl")
        write_store(Judgements.from_iterable(rankings), str(store))
        lines = (
            json.dumps({"id": each.number, "ref": " ".join(each.reference), "tgt": {}})
            for each in dev
        )
        text = "".join(f"{line}\n" for line in lines)
        testset.write_text(text, encoding="utf-8", newline="\n")
        yield f"judgements={store},testset={testset},tokenize=none"


def specs_of(settings: str) -> dict[str, str]:
    """Return what is tuned for; both ways to match are mixed with BLEU."""
    bleu = "(bleu:tokenize=none)*0.5"
    return {
        "bleu": "bleu:tokenize=none",
        "exactmatch": f"mean:{bleu}+(exactmatch:{settings})*0.5",
        "penalizeunknown": f"mean:{bleu}+(penalizeunknown:{settings})*0.5",
        "exactmatch alone": f"exactmatch:{settings}",
        "segranksbleu": f"segranksbleu:{settings}",
    }


# ------------------------------------------------------------------------ exhibits


def tuned_systems(_: Exhibit, data: Data) -> Outcome:
    """Table 3.8: what systems tuned for segments score on other sentences."""
    runs, held = _runs(data.path("wmt12") / "en-cs.tsv.gz")
    refs = [" ".join(each.reference) for each in held]
    scores: dict[str, dict[str, list[float]]] = {}
    texts: dict[str, list[list[str]]] = {}
    for name, several in runs.items():
        texts[name] = [first_hypotheses(held, one.weights) for one in several]
        for head, spec, sign in (("BLEU", "bleu", 1), ("CDER", "cder", -1)):
            metric = tertium.metric(f"{spec}:tokenize=none")
            values = [
                metric.corpus_score(hyps, refs) / metric.unit for hyps in texts[name]
            ]
            shown = [value if sign > 0 else 1 - value for value in values]
            scores.setdefault(name, {})[head] = shown
    cells = []
    for name, row in scores.items():
        title = TITLES[name]
        figures = {"iterations": [float(len(one.hits)) for one in runs[name]], **row}
        if name != "bleu":
            figures["differs"] = [
                fmean(a != b for a, b in zip(mine, theirs, strict=True))
                for mine, theirs in zip(texts[name], texts["bleu"], strict=True)
            ]
        for head, values in figures.items():
            # Iterations are not on the scale of scores.
            against = None if head == "iterations" else head
            low, high = _interval(values)
            cells.append(Cell(title, head, fmean(values), low, high, against))
    means = {name: fmean(row["BLEU"]) for name, row in scores.items()}
    thesis = [name for name in means if name != "exactmatch alone"]
    order = sorted(thesis, key=lambda name: -means[name])
    return Outcome(
        tuple(cells),
        (
            Claim("nothing beats tuning for BLEU in BLEU", order[0] == "bleu",
                  ", ".join(f"{TITLES[n]} {means[n]:.4f}" for n in order)),
            Claim("EXACTMATCH loses most", order[-1] == "exactmatch"),
            Claim("PENALIZEUNKNOWN loses least of the three",
                  next(n for n in order if n != "bleu") == "penalizeunknown"),
            Claim("EXACTMATCH without BLEU is worse than with it",
                  means["exactmatch alone"] < means["exactmatch"],
                  f"{means['exactmatch alone']:.4f} against {means['exactmatch']:.4f}"),
        ),
    )  # fmt: skip


def _interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of the mean over random starts, by Student's t."""
    from scipy.stats import t

    half = float(t.ppf(0.975, len(values) - 1)) * stdev(values) / len(values) ** 0.5
    return fmean(values) - half, fmean(values) + half


def hit_rates(_: Exhibit, data: Data) -> Outcome:
    """Figure 3.5: hit rates of the n-best lists of every iteration."""
    runs, _held = _runs(data.path("wmt12") / "en-cs.tsv.gz")
    curves = [
        Curve(TITLES[name], _mean_hits(several)) for name, several in runs.items()
    ]
    rates = {
        name: [y for _, y in _mean_hits(several)] for name, several in runs.items()
    }
    exact, penal = rates["exactmatch"], rates["penalizeunknown"]
    start = min(i for i, rate in enumerate(penal) if rate >= 0.95 * penal[-1]) + 1
    cells = [
        Cell("PENALIZEUNKNOWN", "iteration 6", penal[5], against="iteration 6"),
        Cell("EXACTMATCH", "last iteration", exact[-1], against="last iteration"),
    ]
    return Outcome(
        tuple(cells),
        (
            Claim("PENALIZEUNKNOWN reaches the higher hit rate", penal[-1] > exact[-1],
                  f"{penal[-1]:.3f} against {exact[-1]:.3f}"),
            Claim("both grow", penal[-1] > penal[0] and exact[-1] > exact[0],
                  f"from {penal[0]:.3f} and {exact[0]:.3f}"),
            Claim("PENALIZEUNKNOWN is there by the sixth iteration (95 % of its last "
                  "value)", start <= 6, f"iteration {start}"),
            Claim("EXACTMATCH without BLEU ends with the lowest hit rate",
                  rates["exactmatch alone"][-1] == min(r[-1] for r in rates.values()),
                  ", ".join(f"{TITLES[n]} {r[-1]:.3f}" for n, r in rates.items())),
        ),
        tuple(curves),
        "iteration",
    )  # fmt: skip


def _mean_hits(several: Sequence[Tuning]) -> tuple[tuple[float, float], ...]:
    columns = zip(*(one.all_hits for one in several), strict=True)
    return tuple((float(i), fmean(column)) for i, column in enumerate(columns, 1))


@cache
def _runs(path: Path) -> tuple[Mapping[str, list[Tuning]], list[Sentence]]:
    dev, held = sentences(path, 0, SIZE), sentences(path, SIZE, SIZE)
    with store_of(dev, list(judge(dev, seed=1))) as settings:
        runs = {
            name: [
                iterate(dev, spec, f"exactmatch:{settings}", seed)
                for seed in range(1, SEEDS + 1)
            ]
            for name, spec in specs_of(settings).items()
        }
    return runs, held


def line_optimisation(_: Exhibit, __: Data) -> Outcome:
    """Figure 3.4: along a line, the best candidates change at intersections."""
    generator = np.random.default_rng(SEED)
    same = best = changes = 0
    size = 50
    example: Curve | None = None
    for number in range(size):
        objective = _pool(generator, lists=2)
        point, direction = generator.normal(size=(2, 3))
        line = intervals(objective, point, direction)
        values = objective.values(line.statistics)
        inside = [line.inside(i) for i in range(len(values))]
        again = [_score(objective, point + gamma * direction) for gamma in inside]
        same += bool(np.allclose(values, again))
        changes += len(line.cuts)
        gamma, _score_there = line_search(objective, point, direction)
        grid = np.linspace(-20, 20, 401)
        most = max(_score(objective, point + g * direction) for g in grid)
        best += _score(objective, point + gamma * direction) >= most - 1e-12
        if example is None and len(values) >= 6:
            points = zip(inside, values, strict=True)
            example = Curve(
                f"WER of example {number + 1}",
                tuple((round(g, 2), float(-v)) for g, v in points),
            )
    return Outcome(
        claims=(
            Claim("between intersections the chosen candidates, and so the score, stay "
                  "the same: updated sums equal those of decoding again",
                  same == size, f"{same} of {size} lines, {changes} intersections"),
            Claim("no weight on a grid of 401 along the line beats the line search",
                  best == size, f"{best} of {size} lines"),
        ),
        curves=(example,) if example else (),
        axis="γ",
    )  # fmt: skip


def _pool(generator: np.random.Generator, *, lists: int) -> Objective:
    """Return random lists of six hypotheses with three features, scored by WER."""
    words = np.array(list("abcdef"))
    metric = tertium.metric("wer:tokenize=none")
    made = []
    for number in range(lists):
        texts = [" ".join(generator.choice(words, size=5)) for _ in range(6)]
        features = generator.normal(size=(6, 3))
        reference = " ".join(generator.choice(words, size=5))
        made.append(
            NBestList(
                str(number), texts, ("a", "b", "c"), features, references=(reference,)
            )
        )
    return Objective(pool_of(made, metric), metric)


def _score(objective: Objective, weights: npt.NDArray[np.float64]) -> float:
    rows = objective.pool.choose(weights)
    total = objective.pool.statistics[rows].sum(axis=0)
    return float(objective.values(total[None])[0])
