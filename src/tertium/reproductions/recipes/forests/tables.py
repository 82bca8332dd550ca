# SPDX-License-Identifier: Apache-2.0
"""Stanojević and Sima'an 2014: word order over permutation forests, on WMT12-16.

Every order metric is mixed with BLEU-1 (equation 2). The equation has a brevity
penalty for unaligned words; both readings, with it and without, are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

import tertium
from tertium.data.batch import Batch
from tertium.reproductions.data import YEARS, Data, Judged, agreement_counts
from tertium.reproductions.exhibit import Cell, Claim, Curve, Exhibit, Outcome
from tertium.reproductions.recipes.intervals import Tau, average_ranks, mean_tau, tau
from tertium.stats import spearman

__all__ = [
    "READINGS",
    "WITH",
    "WITHOUT",
    "alpha_sweep",
    "average_table",
    "beta_sweep",
    "column_head",
    "gamma_table",
    "judged_sets",
    "order_scores",
    "pair_table",
    "read_set",
    "scaled_figure",
]

#: The metrics by their names in the paper.
METRICS = {
    "PEFs": "recpef:beta=0.6",
    "Kendall": "kendall",
    "Spearman": "spearman",
    "PETs": "recpet:beta=0.6",
    "Ulam": "ulam",
    "FuzzyScore": "fuzzy",
    "Hamming": "hamming",
}
GAMMAS = {
    "PEFs γ = 0.0": "recpef:beta=0.6",
    "PEFs γ = 0.5": "recpef:beta=0.6,gamma=0.5",
    "PETs γ = 0.0": "recpet:beta=0.6",
    "PETs γ = 0.5": "recpet:beta=0.6,gamma=0.5",
}
WITHOUT, WITH = "without the brevity penalty", "with the brevity penalty"
READINGS = {WITHOUT: "no", WITH: "yes"}
SWEEP = tuple(round(0.1 * step, 1) for step in range(11))
ALPHA = 0.5


def pair_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Tables 1 and 2: tau by language pair, beside the same pair of WMT13."""
    into = "en-de" not in exhibit.published["PEFs"]
    return _table(data, METRICS, judged_sets(data, into=into), _order_claims)


def gamma_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Tables 4 and 5: half a point for inverted nodes, or none."""
    into = "en-de" not in exhibit.published["PEFs γ = 0.0"]
    return _table(data, GAMMAS, judged_sets(data, into=into), _gamma_claims)


def average_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 3: average ranks and average tau over all pairs."""
    sets = judged_sets(data)
    cells, claims = [], []
    for reading in READINGS:
        table = _taus(data, sets, METRICS, reading)
        ranks, between = average_ranks(_rounded(table)), _rank_intervals(table)
        for name, row in table.items():
            mean, (low, high) = mean_tau(row), between[name]
            place = (ranks[name], ranks[name] + low, ranks[name] + high)
            figures = {"avg rank": place, "avg Kendall": (mean.value, *mean.interval)}
            cells += [Cell(name, c, *f, c, reading) for c, f in figures.items()]
        order = sorted(ranks, key=lambda name: ranks[name])
        printed = [exhibit.published[name]["avg rank"] for name in METRICS]
        alike = spearman(printed, [ranks[name] for name in METRICS])
        decisive = reading == WITHOUT
        first = " < ".join(f"{name} {ranks[name]:.2f}" for name in order)
        claims += [
            Claim(f"PEFs have the best average rank, {reading}",
                  order[0] == "PEFs", first, decisive),
            Claim(f"the average ranks are ordered as published (ρ of .9 or more), "
                  f"{reading}", alike is not None and alike >= 0.9,
                  f"Spearman's ρ {alike:.3f}", decisive),
            Claim(f"Hamming is last, {reading}", order[-1] == "Hamming",
                  f"{ranks['Hamming']:.2f} of {len(METRICS)}", decisive),
        ]  # fmt: skip
    return Outcome(tuple(cells), tuple(claims))


def alpha_sweep(_: Exhibit, data: Data) -> Outcome:
    """Figure 7: the weight of BLEU-1, on German-English."""
    sets = _german(data)
    curves, spreads = [], {}
    for name, spec in METRICS.items():
        points = []
        for alpha in SWEEP:
            value = mean_tau([_tau(data, s, spec, WITHOUT, alpha) for s in sets]).value
            points.append((alpha, value))
        curves.append(Curve(name, tuple(points)))
    for i, alpha in enumerate(SWEEP):
        values = [curve.points[i][1] for curve in curves]
        spreads[alpha] = max(values) - min(values)
    lines = ", ".join(f"{alpha:g}: {spread:.3f}" for alpha, spread in spreads.items())
    last = spreads[1.0] < 1e-9 and spreads[0.9] < spreads[0.5] < spreads[0.1]
    claim = Claim(
        "the metrics come together as α grows towards 1 (spread of τ by α)", last, lines
    )
    return Outcome(claims=(claim,), curves=tuple(curves), axis="α")


def beta_sweep(_: Exhibit, data: Data) -> Outcome:
    """Figure 8: the weight of a node against those below it, on German-English."""
    sets = _german(data)
    curves = []
    for name, metric in {"PEFs": "recpef", "PETs": "recpet"}.items():
        points = []
        for beta in SWEEP:
            spec = f"{metric}:beta={beta}"
            taus = [_tau(data, judged, spec, WITHOUT) for judged in sets]
            points.append((beta, mean_tau(taus).value))
        curves.append(Curve(name, tuple(points)))
    claims = []
    for curve in curves:
        values = dict(curve.points)
        best = max(values, key=lambda beta: values[beta])
        claims += [
            Claim(
                f"{curve.name}: β = 0.6 is within .002 of the best",
                values[best] - values[0.6] <= 0.002,
                f"best β = {best:g}: {values[best]:.4f}, β = 0.6: {values[0.6]:.4f}",
            ),
            Claim(
                f"{curve.name}: β = 0 and β = 1 are worse than β = 0.6",
                max(values[0.0], values[1.0]) < values[0.6],
                f"β = 0: {values[0.0]:.4f}, β = 1: {values[1.0]:.4f}",
            ),
        ]
    return Outcome(claims=tuple(claims), curves=tuple(curves), axis="β")


def scaled_figure(exhibit: Exhibit, data: Data) -> Outcome:
    """Figures 9 and 10: tau between the worst (0) and the best metric (1) of a pair."""
    into = exhibit.label == "Figure 10"
    sets = judged_sets(data, into=into)
    cells, claims = [], []
    for reading in READINGS:
        table = _taus(data, sets, METRICS, reading)
        columns = np.array([[t.value for t in row] for row in table.values()])
        low, high = columns.min(axis=0), columns.max(axis=0)
        scaled = (columns - low) / (high - low)
        for name, row in zip(table, scaled, strict=True):
            cells += [
                Cell(name, column_head(judged), float(value), part=reading)
                for judged, value in zip(sets, row, strict=True)
            ]
        places = (-columns).argsort(axis=0, kind="stable").argsort(axis=0)
        top = int((places[list(table).index("PEFs")] < 2).sum())
        last = int((places[list(table).index("Hamming")] == len(table) - 1).sum())
        spread = {n: float(row.std()) for n, row in zip(table, scaled, strict=True)}
        decisive = reading == WITHOUT
        claims += [
            Claim(f"PEFs are first or second on most pairs, {reading}",
                  top > len(sets) / 2, f"{top} of {len(sets)} pairs", decisive),
            Claim(f"Hamming is last on most pairs, {reading}", last > len(sets) / 2,
                  f"{last} of {len(sets)} pairs", decisive),
            Claim(f"PEFs vary less over pairs than PETs, {reading}",
                  spread["PEFs"] < spread["PETs"],
                  f"standard deviation {spread['PEFs']:.2f} against "
                  f"{spread['PETs']:.2f}", decisive),
        ]  # fmt: skip
    return Outcome(tuple(cells), tuple(claims))


# -------------------------------------------------------------------------- tables


def _table(
    data: Data,
    metrics: Mapping[str, str],
    sets: Sequence[Judged],
    claim: Callable[[dict[str, list[Tau]], str], list[Claim]],
) -> Outcome:
    """Return the table of all sets in both readings."""
    cells: list[Cell] = []
    claims: list[Claim] = []
    for reading in READINGS:
        table = _taus(data, sets, metrics, reading)
        for name, row in table.items():
            cells += [
                Cell(name, column_head(s), t.value, *t.interval, s.pair, reading)
                for s, t in zip(sets, row, strict=True)
            ]
        claims += claim(table, reading)
    return Outcome(tuple(cells), tuple(claims))


def _rank_intervals(table: dict[str, list[Tau]]) -> dict[str, tuple[float, float]]:
    """Return the spread of the average rank of every metric, from its mean.

    Resampling adds noise, which pushes ranks towards the middle: only how far they
    vary is taken from the draws.
    """
    draws = np.array([[tau.draws for tau in row] for row in table.values()])
    above = (draws[None] > draws[:, None]).sum(axis=1)
    same = (draws[None] == draws[:, None]).sum(axis=1)
    ranks = (above + (same + 1) / 2).mean(axis=1)
    low, high = np.percentile(ranks, (2.5, 97.5), axis=1) - ranks.mean(axis=1)
    return {n: (float(low[i]), float(high[i])) for i, n in enumerate(table)}


def _order_claims(taus: dict[str, list[Tau]], reading: str) -> list[Claim]:
    table = _rounded(taus)
    columns = list(zip(*table.values(), strict=True))
    size = len(columns)
    ranks = average_ranks(table)
    first = min(ranks, key=lambda name: ranks[name])
    above = sum(a >= b for a, b in zip(table["PEFs"], table["PETs"], strict=True))
    last = sum(
        value == min(column)
        for value, column in zip(table["Hamming"], columns, strict=True)
    )
    decisive = reading == WITHOUT
    return [
        Claim(f"PEFs have the best average rank, {reading}", first == "PEFs",
              ", ".join(f"{n} {r:.2f}" for n, r in ranks.items()), decisive),
        Claim(f"PEFs are at least as good as PETs on most pairs, {reading}",
              above > size / 2, f"{above} of {size} pairs", decisive),
        Claim(f"Hamming is last on most pairs, {reading}", last > size / 2,
              f"{last} of {size} pairs", decisive),
    ]  # fmt: skip


def _gamma_claims(table: dict[str, list[Tau]], reading: str) -> list[Claim]:
    claims = []
    for name in ("PEFs", "PETs"):
        plain, half = table[f"{name} γ = 0.0"], table[f"{name} γ = 0.5"]
        # Both were resampled with the same draws of segments.
        gain = mean_tau(half).value - mean_tau(plain).value
        draws = mean_tau(half).draws - mean_tau(plain).draws
        low, high = np.percentile(draws, (2.5, 97.5))
        better = sum(b.value > a.value for a, b in zip(plain, half, strict=True))
        claims.append(
            Claim(
                f"{name}: γ = 0.5 brings no clear gain, {reading}",
                bool(low <= 0),
                f"mean {gain:+.4f} [{low:+.4f}, {high:+.4f}], better on {better} of "
                f"{len(plain)} pairs",
                reading == WITHOUT,
            )
        )
    return claims


# -------------------------------------------------------------------------- scores


def column_head(judged: Judged) -> str:
    """Return the language pair and the year."""
    return f"{judged.pair} {judged.year}"


def _rounded(table: dict[str, list[Tau]]) -> dict[str, list[float]]:
    """Return values as printed: ranks of the paper come from three digits."""
    return {name: [round(t.value, 3) for t in row] for name, row in table.items()}


def _taus(
    data: Data, sets: Sequence[Judged], metrics: Mapping[str, str], reading: str
) -> dict[str, list[Tau]]:
    table: dict[str, list[Tau]] = {name: [] for name in metrics}
    for done, judged in enumerate(sets):
        for name, spec in metrics.items():
            table[name].append(_tau(data, judged, spec, reading))
        data.progress(done + 1, len(sets))
    return table


def judged_sets(data: Data, *, into: bool | None = None) -> list[Judged]:
    """Return all language pairs of all years, or those into or out of English."""
    return [
        read_set(data.path(f"wmt{year}").parent, year, pair)
        for year in YEARS
        for pair in data.pairs(year)
        if into is None or pair.endswith("-en") == into
    ]


def _german(data: Data) -> list[Judged]:
    return [judged for judged in judged_sets(data, into=True) if judged.pair == "de-en"]


@cache
def read_set(folder: Path, year: str, pair: str) -> Judged:
    """Return one language pair of one year, read once."""
    return Data(folder).read(year, pair)


def _tau(
    data: Data, judged: Judged, spec: str, reading: str, alpha: float = ALPHA
) -> Tau:
    """Return tau of α·BLEU-1 + (1-α)·bp·order (equation 2)."""
    folder = data.path(f"wmt{judged.year}").parent
    key = folder, judged.year, judged.pair
    lexical = order_scores(*key, "kendall:alpha=1,lexical=bleu1")
    mark = "," if ":" in spec else ":"
    order = order_scores(*key, f"{spec}{mark}alpha=0,brevity={READINGS[reading]}")
    mixed = alpha * lexical + (1 - alpha) * order
    names = list(judged.systems)
    return tau(agreement_counts(judged, dict(zip(names, mixed, strict=True))))


@cache
def order_scores(
    folder: Path, year: str, pair: str, spec: str
) -> npt.NDArray[np.float64]:
    """Return scores, a row per system, a column per segment."""
    words = f"tokenize=13a,match=exact+stem,language={pair.split('-')[1]}"
    metric = tertium.metric(f"{spec},{words}")
    rows = metric.rows(_batch(folder, year, pair))
    return np.array([metric.from_statistics(part) for part in rows])


@lru_cache(maxsize=2)
def _batch(folder: Path, year: str, pair: str) -> Batch:
    """Return the texts of a set, which metrics that share a batch align once."""
    judged = read_set(folder, year, pair)
    return Batch(list(judged.systems.values()), judged.references)
