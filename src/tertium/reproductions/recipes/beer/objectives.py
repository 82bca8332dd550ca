# SPDX-License-Identifier: Apache-2.0
"""Stanojević 2017, chapter 6: what to train for.

Direct assessment of WMT16 is not at hand, that of WMT17 stands in; rankings are those
of WMT16. Models learn from a sample of the rankings of WMT12 and WMT15.
"""

from __future__ import annotations

import csv
import gzip
import html
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tertium.learn.data import Source
from tertium.learn.examples import Examples, SystemPairs
from tertium.learn.objectives import fit_corpus, fit_joint
from tertium.learn.objectives.descent import joint_objective
from tertium.learn.objectives.forms import LinearForm
from tertium.learn.objectives.losses import Corpora
from tertium.learn.pairs import corpora_of
from tertium.learn.profile import profile as find_profile
from tertium.learn.rankers import Linear
from tertium.learn.recipes import RECIPES
from tertium.learn.scalers import sigmoid
from tertium.reproductions.data import Data, read_table
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.reproductions.recipes.beer.fitting import (
    Rows,
    Training,
    segment_counts,
    training,
)
from tertium.reproductions.recipes.beer.sources import drawn, judged, sources
from tertium.reproductions.recipes.intervals import Tau, mean_tau, tau
from tertium.stats import pearson
from tertium.stats.correlation import williams

__all__ = [
    "assessment_table",
    "computation_graph",
    "learning_table",
    "ranking_table",
]

OBJECTIVES = ("sent.", "corpus", "joint")
#: Comparisons to learn from, and segments of every system.
SAMPLE, SEGMENTS = 20_000, 150
_TESTED = 600  # segments of systems with direct assessment
_TARGETS = ("en", "cs", "de", "fi", "ro", "tr")


@dataclass(frozen=True)
class Fitted:
    """Rankers by objective, and what they learnt from."""

    trained: Training
    rankers: Mapping[str, Linear]

    def scores(self, hyps: list[str], refs: list[str]) -> dict[str, Rows]:
        """Return σ(w·φ + b) of texts by objective."""
        features = self.trained.features(hyps, refs)
        return {name: sigmoid(r.raw(features)) for name, r in self.rankers.items()}


def computation_graph(_exhibit: Exhibit, _data: Data) -> Outcome:
    """Figure 6.1: the joint loss, by the printed formulas and by ours."""
    draw = np.random.default_rng(7)
    rows = draw.uniform(size=(40, 3))
    better, worse = np.arange(0, 10), np.arange(10, 20)
    systems = SystemPairs((np.arange(20, 30),), (np.arange(30, 40),), np.array([0.2]))
    worst = 0.0
    for _ in range(20):
        parameters = draw.normal(size=4)
        values = rows @ parameters[:3] + parameters[3]
        sentence = np.maximum(0, 1 - (values[better] - values[worse])).mean()
        scores = 1 / (1 + np.exp(-values))
        margin = scores[20:30].mean() - scores[30:40].mean()
        corpus = max(0.0, 0.2 - margin)
        evaluate = joint_objective(
            LinearForm(3),
            rows,
            examples=Examples(rows, better, worse),
            corpora=Corpora(systems, len(rows)),
        )
        loss, _slope = evaluate(parameters)
        worst = max(worst, abs(loss - (sentence + corpus) / 2))
    return Outcome(
        claims=(
            Claim(
                "the joint loss is the mean of both losses, with shared weights, at 20 "
                "random points",
                bool(worst < 1e-12),
                f"largest difference {worst:.0e}",
            ),
        )
    )


def learning_table(_: Exhibit, __: Data) -> Outcome:
    """Table 6.3: scaling and objectives of every version."""
    expected = {
        "beer-1.0": ("quasi", "sentence"),
        "beer-1.1": ("quasi", "sentence"),
        "beer-2.0": ("linear", "sentence"),
        "beer-3.0": ("none", "joint"),
    }
    claims = []
    for name, (scaling, objective) in expected.items():
        recipe = RECIPES[name]
        shown = {"quasi": "quasi-probabilistic", "linear": "a separate linear model",
                 "none": "no scaling but the joint training"}[scaling]  # fmt: skip
        claims.append(
            Claim(
                f"version {name.removeprefix('beer-')} has {shown} and the {objective} "
                "objective",
                (recipe.scaling, recipe.objective) == (scaling, objective),
                f"{recipe.scaling}, {recipe.objective}, {recipe.learner}",
            )
        )
    return Outcome(claims=tuple(claims))


def assessment_table(_: Exhibit, data: Data) -> Outcome:
    """Table 6.1: Pearson's r with direct assessment, of systems and of segments."""
    folder = data.path("wmt17").parent
    fitted = _fitted(folder)
    pairs = _assessed_pairs(folder)
    cells: list[Cell] = []
    tables: dict[str, dict[str, list[float]]] = {}
    beaten, corpus_worse = 0, 0
    for done, pair in enumerate(pairs):
        human, hyps, refs = _assessed(folder, pair)
        segments = fitted.scores(hyps, refs)
        people, systems = _systems(folder, pair, fitted)
        for part, truth, scored in (
            ("segments", human, segments),
            ("systems", people, systems),
        ):
            for name in OBJECTIVES:
                r = pearson(truth, scored[name]) or 0.0
                against = f"{pair} {part}"
                cells.append(Cell(name, pair, r, against=against, part=part))
                tables.setdefault(part, {}).setdefault(name, []).append(r)
        beaten += any(
            _beats(human, segments[other], segments["joint"])
            for other in ("sent.", "corpus")
        )
        corpus_worse += _beats(human, segments["sent."], segments["corpus"]) and _beats(
            human, segments["joint"], segments["corpus"]
        )
        data.progress(done + 1, len(pairs))
    claims = [
        Claim(
            "corpus training is significantly worse than both others on segments, on "
            "every pair",
            corpus_worse == len(pairs),
            f"{corpus_worse} of {len(pairs)} pairs, Williams test",
        ),
        Claim(
            "joint training is significantly worse than another on no pair",
            beaten == 0,
            f"worse on {beaten} of {len(pairs)} pairs, segments",
        ),
    ]
    claims += _best_mean("joint", tables)
    return Outcome(tuple(cells), tuple(claims))


def ranking_table(_: Exhibit, data: Data) -> Outcome:
    """Table 6.2: rankings of WMT16 by target language."""
    folder = data.path("wmt16").parent
    fitted = _fitted(folder)
    taus: dict[str, dict[str, list[Tau]]] = {name: {} for name in OBJECTIVES}
    rs: dict[str, dict[str, list[float]]] = {name: {} for name in OBJECTIVES}
    items = sources(data, ("16",))
    for done, item in enumerate(items):
        target = item.langpair.rpartition("-")[2]
        pairs = judged(folder, "16", item.langpair)
        refs = [refs[0] for refs in pairs.refs]
        for name, scores in fitted.scores(list(pairs.hyps), refs).items():
            counts = segment_counts(pairs, scores)
            taus[name].setdefault(target, []).append(tau(counts))
        for name, r in _expected_wins(item, fitted).items():
            rs[name].setdefault(target, []).append(r)
        data.progress(done + 1, len(items))
    cells = []
    for name in OBJECTIVES:
        for target in _TARGETS:
            r, against = float(np.mean(rs[name][target])), f"{target} systems"
            cells.append(Cell(name, target, r, against=against, part="systems"))
        for target in _TARGETS:
            mean, against = mean_tau(taus[name][target]), f"{target} segments"
            figures = (mean.value, *mean.interval)
            cells.append(Cell(name, target, *figures, against, "segments"))
    tables = {
        "systems": {n: [float(np.mean(v)) for v in t.values()] for n, t in rs.items()},
        "segments": {
            n: [mean_tau(v).value for v in t.values()] for n, t in taus.items()
        },
    }
    claims = _best_mean("joint", tables)
    for part, table in tables.items():
        means = {name: float(np.mean(values)) for name, values in table.items()}
        claims.append(
            Claim(
                f"corpus training is better than sentence training on average, {part}",
                means["corpus"] > means["sent."],
                f"{means['corpus']:.3f} and {means['sent.']:.3f}",
            )
        )
    return Outcome(tuple(cells), tuple(claims))


# ------------------------------------------------------------------------- helpers


def _best_mean(
    best: str, tables: Mapping[str, Mapping[str, list[float]]]
) -> list[Claim]:
    claims = []
    for part, table in tables.items():
        means = {name: float(np.mean(values)) for name, values in table.items()}
        claims.append(
            Claim(
                f"{best} training has the highest mean of {part}",
                max(means, key=lambda name: means[name]) == best,
                ", ".join(f"{name} {value:.4f}" for name, value in means.items()),
            )
        )
    return claims


def _beats(human: Rows, first: Rows, second: Rows) -> bool:
    """Return whether the first is closer to people, by Williams' test."""
    r12, r13 = pearson(human, first) or 0.0, pearson(human, second) or 0.0
    test = williams(r12, r13, pearson(first, second) or 0.0, len(human))
    return bool(test is not None and r12 > r13 and test.p < 0.05)


@cache
def _fitted(folder: Path) -> Fitted:
    """Return a ranker for every objective."""
    learnt = drawn(sources(Data(folder), ("12", "15")), SAMPLE, seed=1)
    profile = find_profile("beer-3.0")
    trained = training(learnt, profile, corpora=True, size=SEGMENTS)
    examples = trained.examples
    systems = trained.systems or SystemPairs((), (), np.zeros(0))
    signs = trained.profile.signs
    fits = {
        "sent.": fit_joint(examples, systems, mix=0.0, nonnegative=signs),
        "corpus": fit_corpus(examples, systems, nonnegative=signs),
        "joint": fit_joint(examples, systems, nonnegative=signs),
    }
    rankers = {
        name: fit.ranker for name, fit in fits.items() if isinstance(fit.ranker, Linear)
    }
    return Fitted(trained, rankers)


def _expected_wins(item: Source, fitted: Fitted) -> dict[str, float]:
    """Return Pearson's r of mean scores of systems with their expected wins."""
    corpora = corpora_of(item, size=_TESTED)
    if corpora is None:
        return {}
    names = list(corpora.systems)
    refs = [refs[0] for refs in corpora.refs]
    hyps = [text for name in names for text in corpora.systems[name]]
    human = np.array([corpora.human[name] for name in names])
    scores = fitted.scores(hyps, refs * len(names))
    return {
        name: pearson(human, values.reshape(len(names), -1).mean(axis=1)) or 0.0
        for name, values in scores.items()
    }


def _assessed_pairs(folder: Path) -> list[str]:
    names = sorted((folder / "wmt17").glob("daseg560.*.tsv.gz"))
    return [name.name.split(".")[1] for name in names]


def _assessed(folder: Path, pair: str) -> tuple[Rows, list[str], list[str]]:
    """Return direct assessment of single outputs; the texts come cut and escaped."""
    rows = read_table(folder / "wmt17" / f"daseg560.{pair}.tsv.gz")
    return (
        np.array([float(row["HUMAN_score"]) for row in rows]),
        [html.unescape(row["translation"]) for row in rows],
        [html.unescape(row["reference"]) for row in rows],
    )


def _systems(folder: Path, pair: str, fitted: Fitted) -> tuple[Rows, dict[str, Rows]]:
    """Return direct assessment of systems, and their mean scores."""
    path = folder / "wmt17" / "DA-syslevel.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        people = {
            row["SYSTEM"]: float(row["HUMAN"])
            for row in csv.DictReader(file, delimiter=" ")
            if row["LP"] == pair
        }
    rows = read_table(folder / "wmt17" / f"{pair}.tsv.gz")[:_TESTED]
    names = [name for name in rows[0] if name in people]
    refs = [html.unescape(row["reference"]) for row in rows]
    hyps = [html.unescape(row[name] or "") for name in names for row in rows]
    scores = fitted.scores(hyps, refs * len(names))
    means = {
        name: values.reshape(len(names), -1).mean(axis=1)
        for name, values in scores.items()
    }
    return np.array([people[name] for name in names]), means
