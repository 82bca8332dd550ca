# SPDX-License-Identifier: Apache-2.0
"""Macháček 2014, chapter 4: the WMT14 metrics task, for the metrics that Tertium has.

Into English the outputs and comparisons of WMT14 are public. Out of English they are
not at hand, and other years stand in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from tertium.meta import Correlations, MetricScores, correlate_evaluations, evaluation
from tertium.reproductions import tasks
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome

__all__ = [
    "segments_into",
    "segments_out",
    "systems_into",
    "systems_out",
    "ties_into",
    "ties_out",
]

SYSTEM = (
    "BLEU-NRC", "BLEU", "CDER", "NIST", "METEOR", "TER", "WER", "PER", "AMBER",
    "LAYERED",
)  # fmt: skip
SEGMENT = ("METEOR", "BLEU-NRC", "sentBLEU", "AMBER")
#: Whose programs were not at hand: ours follow their descriptions.
REBUILT = ("AMBER", "LAYERED")
BEER = "beer:profile=beer-1.0,language=en"  # learned from WMT12, 15 and 16
KOOL = "DISCOTK-LIGHT-KOOL"
#: The share of segments in which the probe of that name dares to prefer an output.
DARING = 0.01
PRESETS = {"WMT14": "wmt14", "WMT12": "wmt12", "WMT13": "wmt13", "HTIES": "hties"}
OTHER_YEARS = ("12", "15", "16")
#: Out of English, those of the thesis that other years have too.
PAIRS = ("en-cs", "en-de", "en-fr", "en-ru")
RESAMPLES = 500


@dataclass(frozen=True)
class Value:
    """A figure of a metric on one set, with its 95 % interval."""

    value: float
    low: float | None = None
    high: float | None = None


#: Metric to set to figure.
Figures = Mapping[str, Mapping[str, Value]]


# ------------------------------------------------------------------------- systems


def systems_into(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 4.2: Pearson's r and Spearman's rho of systems, into English."""
    pairs = [head for head in exhibit.published["BLEU"] if "-en" in head]
    results = {"14": _correlations(_folder(data), "14", pairs)}
    r = _figures(results, "pearson", SYSTEM)
    rho = _figures(results, "spearman", SYSTEM)
    cells = _pair_cells({n: {h: row[h] for h in pairs} for n, row in r.items()})
    means = {name: _mean(row) for name, row in r.items()}
    cells += _average_cells(r, "avg") + _average_cells(rho, "avg ρ")
    six = ("BLEU", "CDER", "NIST", "TER", "WER", "PER")
    order = sorted(six, key=lambda name: -means[name].value)
    hindi = {head: v.value for head, v in r["METEOR"].items()}
    lowest = min(hindi, key=lambda head: hindi[head])
    shown = ", ".join(f"{name} {means[name].value:.3f}" for name in order)
    return Outcome(
        tuple(cells),
        (
            Claim("BLEU is the best baseline on average, CDER the second",
                  order[:2] == ["BLEU", "CDER"], shown),
            Claim("TER, WER and PER are the last three",
                  set(order[3:]) == {"TER", "WER", "PER"}, shown),
            Claim("BLEU-NRC is better than BLEU on average",
                  means["BLEU-NRC"].value > means["BLEU"].value,
                  f"{means['BLEU-NRC'].value:.3f} against {means['BLEU'].value:.3f}"),
            Claim("METEOR correlates least on Hindi", lowest.startswith("hi"),
                  ", ".join(f"{head} {value:.3f}" for head, value in hindi.items())),
        ),
    )  # fmt: skip


def systems_out(_: Exhibit, data: Data) -> Outcome:
    """Table 4.3: Pearson's r and Spearman's rho of systems, out of English."""
    results = _out_of_english(data)
    r = _figures(results, "pearson", SYSTEM)
    rho = _figures(results, "spearman", SYSTEM)
    cells = _pair_cells(r)
    others = {
        n: {h: v for h, v in row.items() if "en-de" not in h} for n, row in r.items()
    }
    ranks = {
        n: {h: v for h, v in row.items() if "en-de" not in h} for n, row in rho.items()
    }
    cells += _average_cells(others, "avg") + _average_cells(ranks, "avg ρ")
    means = {name: _mean(row).value for name, row in others.items()}
    german = {
        name: float(np.mean([v.value for h, v in row.items() if "en-de" in h]))
        for name, row in r.items()
    }
    order = sorted(
        (name for name in means if name not in REBUILT), key=lambda name: -means[name]
    )
    lower = sum(german[name] < means[name] for name in means)
    shown = ", ".join(f"{name} {means[name]:.3f}" for name in order)
    return Outcome(
        tuple(cells),
        (
            Claim("NIST and CDER are among the best three on average, German excluded",
                  {"NIST", "CDER"} <= set(order[:3]), shown),
            Claim("TER and WER are the last two",
                  set(order[-2:]) == {"TER", "WER"}, shown),
            Claim("every metric correlates less on German than on average",
                  lower == len(means), f"{lower} of {len(means)} metrics"),
        ),
    )  # fmt: skip


# ------------------------------------------------------------------------ segments


def segments_into(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 4.4: tau of sentences, into English."""
    pairs = [head for head in exhibit.published["BEER"] if "-en" in head]
    results = {"14": _correlations(_folder(data), "14", pairs)}
    figures = _figures(results, "tau-wmt14", ("BEER", *SEGMENT))
    cells = _pair_cells({n: {h: row[h] for h in pairs} for n, row in figures.items()})
    cells += _average_cells(figures, "avg")
    names = ("METEOR", "BLEU-NRC", "SENTBLEU")
    means = {name: _mean(row).value for name, row in figures.items()}
    beer = sum(
        figures["BEER"][h].value > figures["METEOR"][h].value for h in figures["BEER"]
    )
    return Outcome(
        tuple(cells),
        (
            _ordered(figures, names),
            Claim("BEER is ahead of BLEU-NRC and SENTBLEU in every pair",
                  all(figures["BEER"][h].value > figures[n][h].value
                      for h in figures["BEER"] for n in names[1:]),
                  ", ".join(f"{n} {m:.3f}" for n, m in means.items())),
            Claim("BEER is ahead of METEOR on average", means["BEER"] > means["METEOR"],
                  f"{means['BEER']:.3f} against {means['METEOR']:.3f}; ahead in "
                  f"{beer} of {len(figures['BEER'])} pairs"),
        ),
    )  # fmt: skip


def segments_out(_: Exhibit, data: Data) -> Outcome:
    """Table 4.5: tau of sentences, out of English."""
    figures = _figures(_out_of_english(data), "tau-wmt14", SEGMENT)
    cells = _pair_cells(figures) + _average_cells(figures, "avg")
    names = ("METEOR", "BLEU-NRC", "SENTBLEU")
    means = {name: _mean(row).value for name, row in figures.items()}
    order = sorted(names, key=lambda name: -means[name])
    return Outcome(
        tuple(cells),
        (
            Claim("METEOR is ahead of BLEU-NRC on average, BLEU-NRC of SENTBLEU",
                  tuple(order) == names,
                  ", ".join(f"{name} {means[name]:.3f}" for name in order)),
        ),
    )  # fmt: skip


def ties_into(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 4.6: how ties count, into English."""
    results = {"14": _correlations(_folder(data), "14", data.pairs("14"))}
    presets = {head: PRESETS[head] for head in ("WMT14", "WMT12", "WMT13")}
    names = ("BEER", *SEGMENT, KOOL)
    table = {
        head: _figures(results, f"tau-{preset}", names)
        for head, preset in presets.items()
    }
    means = _by_preset(table)
    real = [name for name in exhibit.published if name != KOOL]
    kool = {head: means[head].get(KOOL) for head in means}
    claims = [*_tie_claims(means, real, ("WMT14", "WMT12", "WMT13"))]
    if all(v is not None for v in kool.values()):
        shown = ", ".join(f"{head} {v.value:.3f}" for head, v in kool.items() if v)
        values = {head: v.value for head, v in kool.items() if v}
        claims.append(
            Claim("a metric that ties nearly everything gets nearly 0 from WMT14 "
                  "(below .02), nearly -1 from WMT12 (below -.95), and wins by WMT13",
                  abs(values["WMT14"]) < 0.02 and values["WMT12"] < -0.95
                  and values["WMT13"] > max(means["WMT13"][n].value for n in real),
                  shown)
        )  # fmt: skip
    return Outcome(tuple(_preset_cells(means)), tuple(claims))


def ties_out(_: Exhibit, data: Data) -> Outcome:
    """Table 4.7: how ties count, out of English."""
    results = _out_of_english(data)
    table = {
        head: _figures(results, f"tau-{preset}", SEGMENT)
        for head, preset in PRESETS.items()
    }
    means = _by_preset(table)
    names = ["METEOR", "BLEU-NRC", "SENTBLEU"]
    return Outcome(
        tuple(_preset_cells(means)), tuple(_tie_claims(means, names, tuple(PRESETS)))
    )


def _tie_claims(
    means: Mapping[str, Mapping[str, Value]], names: Sequence[str], heads: Sequence[str]
) -> list[Claim]:
    orders = {
        head: tuple(sorted(names, key=lambda name: -means[head][name].value))
        for head in heads
    }
    nested = [
        means["WMT13"][n].value >= means["WMT14"][n].value >= means["WMT12"][n].value
        for n in names
    ]
    return [
        Claim("all treatments of ties order the metrics alike",
              len(set(orders.values())) == 1,
              "; ".join(f"{h}: {' > '.join(order)}" for h, order in orders.items())),
        Claim("τ is highest by WMT13 and lowest by WMT12 for every metric",
              all(nested), f"{sum(nested)} of {len(names)} metrics"),
    ]  # fmt: skip


# -------------------------------------------------------------------------- tables


def _ordered(figures: Figures, names: Sequence[str]) -> Claim:
    heads = list(figures[names[0]])
    right = sum(
        all(figures[a][head].value > figures[b][head].value for a, b in pairwise(names))
        for head in heads
    )
    return Claim(
        f"{', '.join(names)} are in this order in every pair",
        right == len(heads),
        f"{right} of {len(heads)} pairs",
    )


def _pair_cells(figures: Figures) -> list[Cell]:
    return [
        Cell(name, head, v.value, v.low, v.high, head.split()[0])
        for name, row in figures.items()
        for head, v in row.items()
    ]


def _average_cells(figures: Figures, head: str) -> list[Cell]:
    cells = []
    for name, row in figures.items():
        mean = _mean(row)
        cells.append(Cell(name, head, mean.value, mean.low, mean.high, head))
    return cells


def _preset_cells(means: Mapping[str, Mapping[str, Value]]) -> list[Cell]:
    return [
        Cell(name, head, v.value, v.low, v.high, head)
        for head, row in means.items()
        for name, v in row.items()
    ]


def _by_preset(table: Mapping[str, Figures]) -> dict[str, dict[str, Value]]:
    return {
        head: {name: _mean(row) for name, row in figures.items() if row}
        for head, figures in table.items()
    }


def _mean(row: Mapping[str, Value]) -> Value:
    """Return the mean over sets, with the mean half-width as the task prints it."""
    value = float(np.mean([v.value for v in row.values()]))
    widths = [
        (v.high - v.low) / 2
        for v in row.values()
        if v.low is not None and v.high is not None
    ]
    if not widths:
        return Value(value)
    half = float(np.mean(widths))
    return Value(value, value - half, value + half)


def _figures(
    results: Mapping[str, Correlations], coefficient: str, names: Sequence[str]
) -> dict[str, dict[str, Value]]:
    """Return figures of metrics by sets: ``en-cs 12``, of WMT14 ``fr-en``."""
    figures: dict[str, dict[str, Value]] = {_title(name): {} for name in names}
    for year, result in results.items():
        for each in result.values:
            if each.coefficient != coefficient or each.metric not in names:
                continue
            if each.value is not None:
                head = each.langpair if year == "14" else f"{each.langpair} {year}"
                low, high = each.interval or (None, None)
                figures[_title(each.metric)][head] = Value(each.value, low, high)
    return figures


def _title(name: str) -> str:
    return "SENTBLEU" if name == "sentBLEU" else name


# -------------------------------------------------------------------------- scores


def _folder(data: Data) -> Path:
    return data.path("wmt14").parent


def _out_of_english(data: Data) -> dict[str, Correlations]:
    return {
        year: _correlations(
            _folder(data),
            year,
            [pair for pair in data.pairs(year) if pair in PAIRS],
        )
        for year in OTHER_YEARS
    }


def _correlations(folder: Path, year: str, pairs: Sequence[str]) -> Correlations:
    return _computed(folder, year, tuple(sorted(pairs)))


@cache
def _computed(folder: Path, year: str, pairs: tuple[str, ...]) -> Correlations:
    data = Data(folder)
    both = []
    for pair in pairs:
        task = tasks.read(data, year, pair)
        more = {"BEER": BEER} if year == "14" else {}
        metrics = tasks.scores(data, task, ("sentBLEU", *SYSTEM), **more)
        meteor = next(one for one in metrics if one.name == "METEOR")
        both.append(evaluation(task.human, [*metrics, _kool(meteor)], missing="drop"))
    presets = [f"tau-{preset}" for preset in PRESETS.values()]
    return correlate_evaluations(
        both, coefficients=["pearson", "spearman", *presets], resamples=RESAMPLES
    )


def _kool(meteor: MetricScores) -> MetricScores:
    """Return a metric that prefers one output in few segments and ties all others.

    It dares to where METEOR's best output is farthest ahead of the second.
    """
    segments = sorted({name for row in meteor.segment.values() for name in row})
    gaps, best = {}, {}
    for segment in segments:
        scores = sorted(
            (
                (row[segment], system)
                for system, row in meteor.segment.items()
                if segment in row
            ),
            reverse=True,
        )
        if len(scores) > 1:
            gaps[segment] = scores[0][0] - scores[1][0]
            best[segment] = scores[0][1]
    size = round(DARING * len(gaps))
    dared = sorted(gaps, key=lambda segment: -gaps[segment])[:size]
    chosen = {(best[segment], segment) for segment in dared}
    return MetricScores(
        KOOL,
        {},
        {
            system: {segment: float((system, segment) in chosen) for segment in row}
            for system, row in meteor.segment.items()
        },
        langpair=meteor.langpair,
    )
