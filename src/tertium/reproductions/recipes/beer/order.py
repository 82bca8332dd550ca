# SPDX-License-Identifier: Apache-2.0
"""Stanojević 2017, chapter 4: metrics of word order and people.

Tables 4.1 to 4.3 are about systems: the mean over segments, weighted by the length of
the reference, of half F1 of words and half order (equations 4.1 and 4.2). The rest is
about segments, and was first published in 2014 (`tertium.reproductions.recipes.
forests`); there PEFs and PETs are what the thesis calls RECPEF and RECPET.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

import tertium
from tertium._seed import SEED
from tertium.data.batch import Batch
from tertium.reproductions.data import Data, Judged
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.reproductions.recipes.forests import tables as forests
from tertium.reproductions.recipes.forests.tables import (
    READINGS,
    WITHOUT,
    column_head,
    judged_sets,
    order_scores,
)

__all__ = [
    "alpha_sweep",
    "average_table",
    "beta_sweep",
    "pair_table",
    "pairwise_table",
    "scaled_figure",
    "system_table",
]

Floats = npt.NDArray[np.float64]

FLAT = {
    "HAMMING": "hamming",
    "KENDALL": "kendall",
    "SPEARMAN": "spearman",
    "FUZZY": "fuzzy",
    "ULAM": "ulam",
}
TREES = {
    "|PET|": "pet-size",
    "#PETs": "n-pets",
    "MAX|Op|": "max-op",
    "RECPET": "recpet:beta=0.6",
    "RECPEF": "recpef:beta=0.6",
}
NEW = ("|PET|", "MAX|Op|", "#PETs")
_BLEU = "BLEU"
_RESAMPLES = 1000
_NAMES = {
    "RECPEF": "PEFs",
    "RECPET": "PETs",
    "KENDALL": "Kendall",
    "SPEARMAN": "Spearman",
    "HAMMING": "Hamming",
    "FUZZY": "FuzzyScore",
    "ULAM": "Ulam",
}


@dataclass(frozen=True, eq=False)
class Rho:
    """Spearman's rho of systems, and resampled values."""

    value: float
    draws: Floats

    @property
    def interval(self) -> tuple[float, float]:
        """The 2.5th and 97.5th percentile of the resampled values."""
        low, high = np.percentile(self.draws, (2.5, 97.5))
        return float(low), float(high)


def system_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Tables 4.1 and 4.2: rho of systems by language pair."""
    into = "de-en" in exhibit.published["KENDALL"]
    sets = judged_sets(data, into=into)
    cells: list[Cell] = []
    claims: list[Claim] = []
    for reading in READINGS:
        table = _rhos(data, sets, reading)
        for name, row in table.items():
            cells += [
                Cell(name, column_head(s), r.value, *r.interval, s.pair, reading)
                for s, r in zip(sets, row, strict=True)
            ]
        claims += _system_claims(table, sets, reading, into=into)
    return Outcome(tuple(cells), tuple(claims))


def pairwise_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 4.3: on how many pairs a new metric beats a flat one, and loses to it.

    As in the thesis, a paired t-test over resampled correlations decides; it calls
    nearly every difference significant. Counts are per ten pairs.
    """
    sets = judged_sets(data)
    cells: list[Cell] = []
    claims: list[Claim] = []
    for reading in READINGS:
        table = _rhos(data, sets, reading)
        wins: dict[str, dict[str, tuple[int, int, int]]] = {}
        for new in NEW:
            wins[new] = {}
            for flat in FLAT:
                signs = [
                    _significant(a.draws - b.draws)
                    for a, b in zip(table[new], table[flat], strict=True)
                ]
                counts = tuple(signs.count(sign) for sign in (1, -1, 0))
                wins[new][flat] = (counts[0], counts[1], counts[2])
                for kind, count in zip("NBD", counts, strict=True):
                    column = f"{flat} {kind}"
                    share = 10 * count / len(sets)
                    cells.append(Cell(new, column, share, against=column, part=reading))
        claims += _pairwise_claims(exhibit, wins, reading)
    return Outcome(tuple(cells), tuple(claims))


def pair_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Tables 4.4 and 4.5: tau of segments by language pair."""
    return _renamed(forests.pair_table, exhibit, data)


def average_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 4.6: average ranks and average tau."""
    return _renamed(forests.average_table, exhibit, data)


def alpha_sweep(exhibit: Exhibit, data: Data) -> Outcome:
    """Figure 4.5: the weight of BLEU-1."""
    return _renamed(forests.alpha_sweep, exhibit, data)


def beta_sweep(exhibit: Exhibit, data: Data) -> Outcome:
    """Figure 4.6: the weight of a node."""
    return _renamed(forests.beta_sweep, exhibit, data)


def scaled_figure(exhibit: Exhibit, data: Data) -> Outcome:
    """Figures 4.7 and 4.8: tau between the worst and the best metric of a pair."""
    label = "Figure 10" if exhibit.label == "Figure 4.8" else "Figure 9"
    return _renamed(forests.scaled_figure, replace(exhibit, label=label), data)


# -------------------------------------------------------------------------- claims


def _system_claims(
    table: Mapping[str, list[Rho]], sets: list[Judged], reading: str, *, into: bool
) -> list[Claim]:
    decisive = reading == WITHOUT
    size = len(sets)
    better = sum(
        max(table[name][i].value for name in TREES)
        > max(table[name][i].value for name in FLAT)
        for i in range(size)
    )
    figures = f"a metric over trees is best on {better} of {size} pairs"
    if into:
        text = "flat metrics hold their own on most pairs into English"
        return [Claim(f"{text}, {reading}", better <= size / 2, figures, decisive)]
    text = "a metric over trees is better than all flat ones on most pairs"
    claims = [Claim(f"{text}, {reading}", better > size / 2, figures, decisive)]
    free = [i for i, s in enumerate(sets) if s.target in ("cs", "ru")]
    scored = [name for name in table if name != _BLEU]
    best = [
        i
        for i in free
        if table["#PETs"][i].value == max(table[name][i].value for name in scored)
    ]
    claims.append(
        Claim(
            f"#PETs is best into Czech and Russian, on most sets, {reading}",
            len(best) > len(free) / 2,
            f"{len(best)} of {len(free)} sets",
            decisive,
        )
    )
    return claims


def _pairwise_claims(
    exhibit: Exhibit,
    wins: Mapping[str, Mapping[str, tuple[int, int, int]]],
    reading: str,
) -> list[Claim]:
    """Return whether wins outnumber losses where they did in print."""
    claims = []
    for new, row in wins.items():
        same, shown = [], []
        for flat, (won, lost, _) in row.items():
            printed = exhibit.published[new]
            before = np.sign(printed[f"{flat} N"] - printed[f"{flat} B"])
            same.append(before in (0, np.sign(won - lost)))
            shown.append(f"{flat} {won}:{lost}")
        claims.append(
            Claim(
                f"{new} beats and loses to the same flat metrics as published, "
                f"{reading}",
                all(same),
                ", ".join(shown),
                reading == WITHOUT,
            )
        )
    return claims


def _significant(differences: Floats) -> int:
    """Return the sign of a mean whose paired t-test has p < .05, else 0."""
    error = differences.std(ddof=1) / np.sqrt(len(differences))
    if error == 0 or abs(differences.mean()) < 1.96 * error:
        return 0
    return int(np.sign(differences.mean()))


def _renamed(
    recipe: Callable[[Exhibit, Data], Outcome], exhibit: Exhibit, data: Data
) -> Outcome:
    """Return a recipe of 2014 with the names of 2017."""
    published = {_NAMES.get(row, row): v for row, v in exhibit.published.items()}
    outcome = recipe(replace(exhibit, published=published), data)
    names = {old: new for new, old in _NAMES.items()}

    def text(line: str) -> str:
        for old, new in names.items():
            line = line.replace(old, new)
        return line

    return replace(
        outcome,
        cells=tuple(replace(c, row=names.get(c.row, c.row)) for c in outcome.cells),
        claims=tuple(
            replace(c, text=text(c.text), detail=text(c.detail)) for c in outcome.claims
        ),
        curves=tuple(
            replace(c, name=names.get(c.name, c.name)) for c in outcome.curves
        ),
    )


# -------------------------------------------------------------------------- scores


def _rhos(data: Data, sets: list[Judged], reading: str) -> dict[str, list[Rho]]:
    table: dict[str, list[Rho]] = {name: [] for name in (*FLAT, *TREES, _BLEU)}
    for done, judged in enumerate(sets):
        folder = data.path(f"wmt{judged.year}").parent
        for name, rho in _set_rhos(folder, judged.year, judged.pair, reading).items():
            table[name].append(rho)
        data.progress(done + 1, len(sets))
    return table


@cache
def _set_rhos(folder: Path, year: str, pair: str, reading: str) -> dict[str, Rho]:
    """Return the rho of every metric on one set, resampled with the same draws."""
    judged = forests.read_set(folder, year, pair)
    whole = np.array(
        [
            i
            for i in range(len(judged.references))
            if all(texts[i] for texts in judged.systems.values())
        ]
    )
    size = len(judged.references)
    draws = np.random.default_rng(SEED).multinomial(
        size, np.full(size, 1 / size), size=_RESAMPLES
    )
    weights = np.vstack([np.ones((1, size), int), draws])
    people = _ranks(_win_ratios(judged, weights))
    lengths = np.array([len(text.split()) for text in judged.references])
    used = (weights * lengths)[:, whole].astype(float)
    words = order_scores(folder, year, pair, "kendall:alpha=1,lexical=f1")
    rhos = {}
    for name, spec in {**FLAT, **TREES}.items():
        mark = "," if ":" in spec else ":"
        order = order_scores(
            folder, year, pair, f"{spec}{mark}alpha=0,brevity={READINGS[reading]}"
        )
        mixed = (0.5 * words + 0.5 * order)[:, whole]
        means = used @ mixed.T / used.sum(axis=1, keepdims=True)
        rhos[name] = _rho(people, _ranks(means))
    rhos[_BLEU] = _rho(people, _ranks(_bleu(judged, weights[:, whole], whole)))
    return rhos


def _bleu(
    judged: Judged, weights: npt.NDArray[np.int64], whole: npt.NDArray[np.int64]
) -> Floats:
    metric = tertium.metric("bleu:tokenize=13a")
    rows = metric.rows(Batch(list(judged.systems.values()), judged.references))
    scores: Floats = np.array(
        [metric.from_statistics(weights @ np.asarray(part)[whole]) for part in rows]
    )
    return np.asarray(scores.T)


def _win_ratios(judged: Judged, weights: npt.NDArray[np.int64]) -> Floats:
    """Return wins / (wins + losses), a row per draw, a column per system."""
    place = {name: i for i, name in enumerate(judged.systems)}
    shape = len(place), len(judged.references)
    wins, losses = np.zeros(shape), np.zeros(shape)
    for segment, better, worse in judged.preferred:
        wins[place[better], segment] += 1
        losses[place[worse], segment] += 1
    won, lost = weights @ wins.T, weights @ losses.T
    return np.asarray(won / np.maximum(won + lost, 1))


def _ranks(values: Floats) -> Floats:
    """Return the ranks of every row, those of ties averaged."""
    below = (values[:, None, :] < values[:, :, None]).sum(axis=2)
    same = (values[:, None, :] == values[:, :, None]).sum(axis=2)
    return np.asarray(below + (same + 1) / 2, dtype=float)


def _rho(people: Floats, metric: Floats) -> Rho:
    """Return Pearson's r of ranks, of the first row and of all others."""
    a = people - people.mean(axis=1, keepdims=True)
    b = metric - metric.mean(axis=1, keepdims=True)
    scale = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    values = (a * b).sum(axis=1) / np.where(scale > 0, scale, 1.0)
    return Rho(float(values[0]), values[1:])
