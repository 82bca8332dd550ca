# SPDX-License-Identifier: Apache-2.0
"""What a gap between two systems means: how often human judges agreed with its sign.

    python -m bench gaps [--cache DIR] [--write]

Every pair of systems of a language pair and year of WMT, by the size of the difference
between their scores: in how many did the judges prefer the system that the metric
prefers? With --write, the table goes to src/tertium/analysis/gaps.json, which
`tertium.analysis.gap_meaning` reads, and the study to bench/GAPS.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

import tertium
from bench import wmt
from bench.measure import ROOT
from bench.studies.beer_report import table
from tertium.analysis.gap_meaning import settings_of
from tertium.learn.objectives.scaling import isotonic
from tertium.reproductions import tasks
from tertium.stats.shares import wilson

TABLE = ROOT / "src" / "tertium" / "analysis" / "gaps.json"
PAGE = ROOT / "bench" / "GAPS.md"

#: How judges compared systems, by year.
YEARS = {
    "12": "rankings of five outputs, expected wins",
    "14": "rankings of five outputs, expected wins; ties are left out",
    "15": "rankings of five outputs, expected wins",
    "16": "rankings of five outputs, expected wins",
    "17": "direct assessment, official scores of systems",
    "23": "MQM, official scores of systems",
}
#: Metrics, and the years that a model was not trained on.
METRICS = {
    "bleu": tuple(YEARS),
    "chrf": tuple(YEARS),
    "chrf++": tuple(YEARS),
    "ter": tuple(YEARS),
    "wer": tuple(YEARS),
    "beer": ("14", "17", "23"),
}
BIN = 120  # pairs of systems in a range, at least


@dataclass(frozen=True)
class Task:
    """The systems of one language pair and year that were judged.

    `human` are the judges' scores, higher is better.
    """

    year: str
    pair: str
    references: list[str]
    systems: dict[str, list[str]]
    human: Mapping[str, float]


@dataclass(frozen=True)
class Pairs:
    """Pairs of systems: how far a metric puts them apart, and whether judges agree."""

    year: np.ndarray
    delta: np.ndarray
    agrees: np.ndarray

    def of(self, chosen: np.ndarray) -> Pairs:
        """Return some of the pairs."""
        return Pairs(self.year[chosen], self.delta[chosen], self.agrees[chosen])


def read_tasks() -> Iterator[Task]:
    """Yield all language pairs of all years."""
    data = wmt.data()
    for year in YEARS:
        if year == "23":
            yield _recent(data.path("wmt23-mtme"))
            continue
        for pair in data.pairs(year):
            task = tasks.read(data, year, pair)
            whole = task.whole
            systems = {
                name: [texts[i] or "" for i in whole]
                for name, texts in task.systems.items()
                if name in task.human.scores
            }
            references = [task.references[i] for i in whole]
            yield Task(year, pair, references, systems, task.human.scores)


def _recent(folder: Path) -> Task:
    """Return WMT23 English-German; human translations are left out."""
    import gzip

    def lines(name: str) -> list[str]:
        with gzip.open(folder / name, "rt", encoding="utf-8") as file:
            return file.read().splitlines()

    rows = [line.split() for line in lines("human-scores/en-de.mqm.sys.score.gz")]
    human = {
        name: float(score)
        for name, score in rows
        if score != "None" and "ref" not in name
    }
    systems = {name: lines(f"system-outputs/en-de/{name}.txt.gz") for name in human}
    references = lines("references/en-de.refA.txt.gz")
    return Task("23", "en-de", references, systems, human)


def scores(task: Task, cache: str | None) -> dict[str, dict[str, float]]:
    """Return the scores of systems, by metric; higher is better."""
    specs = [spec for spec, years in METRICS.items() if task.year in years]
    scored = tertium.score(
        task.systems, task.references, metrics=specs, threads=1, cache=cache
    )
    out = {}
    for spec in specs:
        sign = 1 if scored.metrics[spec].higher_is_better else -1
        out[spec] = {name: sign * scored[name][spec].score for name in task.systems}
    return out


def compared(task: Task, scored: Mapping[str, float]) -> Iterator[tuple[float, bool]]:
    """Yield every pair of systems that neither judges nor the metric tie."""
    for a, b in combinations(scored, 2):
        human, delta = task.human[a] - task.human[b], scored[a] - scored[b]
        if human and delta:
            yield abs(delta), human * delta > 0


def gather(cache: str | None) -> tuple[dict[str, Pairs], list[dict[str, object]]]:
    """Return all pairs of systems by metric, and where they come from."""
    rows: dict[str, list[tuple[str, float, bool]]] = {spec: [] for spec in METRICS}
    sources: dict[str, dict[str, object]] = {}
    for task in read_tasks():
        print(f"WMT{task.year} {task.pair}", file=sys.stderr, flush=True)
        for spec, scored in scores(task, cache).items():
            rows[spec] += [(task.year, *each) for each in compared(task, scored)]
        source = sources.setdefault(
            task.year,
            {
                "name": f"WMT{task.year}",
                "judgements": YEARS[task.year],
                "langpairs": [],
                "systems": 0,
                "segments": 0,
            },
        )
        source["langpairs"] += [task.pair]
        source["systems"] += len(task.systems)
        source["segments"] += len(task.references)
    pairs = {
        spec: Pairs(*(np.array(column) for column in zip(*each, strict=True)))
        for spec, each in rows.items()
    }
    return pairs, list(sources.values())


def bins_of(pairs: Pairs) -> list[dict[str, object]]:
    """Return ranges of differences with equally many pairs, and a rising share.

    Which system is named first does not matter, so the estimate for a difference of
    zero is one half, and no estimate is smaller.
    """
    order = np.argsort(pairs.delta, kind="stable")
    parts = np.array_split(order, max(1, len(order) // BIN))
    means = [float(pairs.delta[part].mean()) for part in parts]
    places = np.concatenate(
        [np.full(len(part), mean) for part, mean in zip(parts, means, strict=True)]
    )
    agrees = np.concatenate([pairs.agrees[part] for part in parts])
    rising = np.interp(means, *isotonic(places, agrees.astype(float)))
    out, low = [], 0.0
    for number, (part, mean) in enumerate(zip(parts, means, strict=True)):
        last = number == len(parts) - 1
        high = None if last else float(pairs.delta[parts[number + 1][0]])
        agreed = int(pairs.agrees[part].sum())
        out.append(
            {
                "low": low,
                "high": high,
                "mean": mean,
                "pairs": len(part),
                "agreed": agreed,
                "interval": list(wilson(agreed, len(part))),
                "share": max(0.5, float(rising[number])),
            }
        )
        low = high
    return out


def expected(bins: Sequence[Mapping[str, object]], deltas: np.ndarray) -> np.ndarray:
    """Return the estimated share at differences, as the package does."""
    place = np.digitize(deltas, [each["low"] for each in bins]) - 1
    return np.array([each["share"] for each in bins])[place]


def calibration(pairs: Pairs) -> list[list[str]]:
    """Return every year judged by the table of the others."""
    out = []
    for year in dict.fromkeys(pairs.year.tolist()):
        rest, held = pairs.of(pairs.year != year), pairs.of(pairs.year == year)
        share = expected(bins_of(rest), held.delta)
        brier = float(np.mean((share - held.agrees) ** 2))
        base = float(np.mean((rest.agrees.mean() - held.agrees) ** 2))
        thirds = np.array_split(np.argsort(held.delta, kind="stable"), 3)
        cells = [
            f"{100 * share[part].mean():.0f} / {100 * held.agrees[part].mean():.0f}"
            for part in thirds
        ]
        whole = f"{100 * share.mean():.0f} / {100 * held.agrees.mean():.0f}"
        out.append(
            [
                f"WMT{year}",
                str(len(share)),
                whole,
                *cells,
                f"{brier:.3f}",
                f"{base:.3f}",
            ]
        )
    return out


def page(
    pairs: Mapping[str, Pairs],
    by_metric: Mapping[str, list[dict[str, object]]],
    sources: Sequence[Mapping[str, object]],
) -> str:
    """Return the study in Markdown."""
    blocks = [
        HEAD,
        table(
            ["year", "judgements", "language pairs", "systems", "segments"],
            [
                [
                    str(one["name"]),
                    str(one["judgements"]),
                    ", ".join(one["langpairs"]),
                    str(one["systems"]),
                    f"{one['segments']:,}",
                ]
                for one in sources
            ],
        ),
    ]
    for spec, bins in by_metric.items():
        blocks.append(f"## {spec}\n\n{len(pairs[spec].delta):,} pairs of systems.")
        rows = []
        for one in bins:
            low, high = (100 * end for end in one["interval"])
            to = "and more" if one["high"] is None else f"to {one['high']:.4g}"
            rows.append(
                [
                    f"{one['low']:.4g} {to}",
                    str(one["pairs"]),
                    f"{100 * one['agreed'] / one['pairs']:.0f}",
                    f"{low:.0f} to {high:.0f}",
                    f"{100 * one['share']:.0f}",
                ]
            )
        blocks.append(
            table(["difference", "pairs", "agree, %", "95 %", "rising"], rows)
        )
        blocks.append(table(_CHECK, calibration(pairs[spec])))
    return "\n\n".join(blocks) + "\n"


_CHECK = [
    "year", "pairs", "expected / observed, %", "small", "middle", "large", "Brier",
    "Brier, no gap",
]  # fmt: skip

HEAD = """\
# What a gap between two systems means

Printed by

    python -m bench gaps --write

All pairs of systems of a language pair and year, by the size of the difference between
their scores. *Agree*: pairs in which the judges prefer the system that the metric
prefers, with Wilson's interval; pairs that share a system are not independent, so it
is too narrow. *Rising*: the same share under the condition that it does not
fall as the difference grows (isotonic regression over the ranges), and at least one
half. Pairs that judges or the metric tie are left out.

Judges err too: where two systems are close, a share of 60 % may be as much as the
judgements allow. BEER was trained on segments of WMT12, WMT15 and WMT16, so those years
are left out for it.

The second table of a metric is the check: each year is estimated from the other years.
*Expected / observed*: the mean estimate, and the share that agreed, over all pairs of
the year and over its thirds by the size of the difference. *Brier*: the mean squared
error of the estimate; *no gap*: of the overall share of the other years, which ignores
the difference. The estimate is useful for a year where the first is smaller.
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench gaps", description=__doc__)
    parser.add_argument("--cache", help="keep statistics in this folder")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    pairs, sources = gather(options.cache)
    by_metric = {spec: bins_of(each) for spec, each in pairs.items()}
    text = page(pairs, by_metric, sources)
    print(text)
    if not options.write:
        return
    content = {
        "command": "python -m bench gaps --write",
        "sources": sources,
        "metrics": {
            spec: {
                "settings": settings_of(tertium.metric(spec)),
                "sources": [f"WMT{year}" for year in METRICS[spec]],
                "pairs": len(pairs[spec].delta),
                "bins": bins,
            }
            for spec, bins in by_metric.items()
        },
    }
    TABLE.write_text(json.dumps(_rounded(content), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(text, encoding="utf-8")


def _rounded(value: object) -> object:
    """Return JSON with figures of six digits, the same on every machine."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value


if __name__ == "__main__":
    main()
