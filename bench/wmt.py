# SPDX-License-Identifier: Apache-2.0
"""WMT test sets with what people preferred, and how far a metric agrees."""

from __future__ import annotations

import csv
import gzip
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from bench.measure import ROOT
from tertium.reproductions.data import Data

YEARS = ("12", "14", "15", "16")


def folder() -> Path:
    """Return the folder with the WMT data."""
    path = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
    if not path.is_dir():
        message = f"no folder {path}; set TERTIUM_DATA to the WMT files"
        raise SystemExit(message)
    return path


def data() -> Data:
    """Return the same folder as recipes of reproductions read it."""
    return Data(folder())


@dataclass(frozen=True)
class Judged:
    """The judged segments of one language pair of one year.

    `preferred` has (segment, better system, worse system), one a judgement; human
    ties are left out.
    """

    year: str
    pair: str
    references: list[str]
    systems: dict[str, list[str]]
    preferred: list[tuple[int, str, str]]

    def cut(self, size: int) -> Judged:
        """Return the set with the judgements of its first segments."""
        return Judged(
            self.year,
            self.pair,
            self.references[:size],
            {name: texts[:size] for name, texts in self.systems.items()},
            [item for item in self.preferred if item[0] < size],
        )


def pairs_of(year: str) -> list[str]:
    """Return the language pairs of a year that have texts and judgements."""
    names = {path.name.split(".")[0] for path in (folder() / f"wmt{year}").glob("*.gz")}
    pairs = [name for name in names if "-" in name and _table(year, name).exists()]
    return sorted(pairs, key=lambda pair: (pair.endswith("-en"), pair))


def read(year: str, pair: str) -> Judged:
    """Return a language pair of a year."""
    rows = read_table(_table(year, pair))
    texts = {int(row["seg"]): row for row in rows}
    judgements = [
        (segment, better, worse)
        for segment, better, worse in _judgements(year, pair)
        if segment in texts and texts[segment].get(better) and texts[segment].get(worse)
    ]
    used = sorted({segment for segment, _, _ in judgements})
    place = {segment: i for i, segment in enumerate(used)}
    names = [name for name in rows[0] if name not in ("seg", "source", "reference")]
    return Judged(
        year,
        pair,
        [texts[segment]["reference"] for segment in used],
        {name: [texts[segment][name] or "" for segment in used] for name in names},
        [(place[segment], better, worse) for segment, better, worse in judgements],
    )


def tau(judged: Judged, scores: dict[str, Sequence[float]]) -> tuple[float, float]:
    """Return Kendall's tau without ties of people or metric, and the share of ties.

    (concordant - discordant) / (concordant + discordant), pooled over all
    judgements (Stanojević and Sima'an 2014, equation 1).
    """
    concordant = discordant = 0
    for segment, better, worse in judged.preferred:
        difference = scores[better][segment] - scores[worse][segment]
        concordant += difference > 0
        discordant += difference < 0
    compared = concordant + discordant
    value = (concordant - discordant) / compared if compared else 0.0
    return value, 1 - compared / len(judged.preferred)


def _table(year: str, pair: str) -> Path:
    full = folder() / f"wmt{year}" / f"{pair}.tsv.gz"
    return full if full.exists() else full.with_name(f"{pair}.judged.tsv.gz")


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table with tabs between its cells."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _judgements(year: str, pair: str) -> Iterator[tuple[int, str, str]]:
    base = folder() / f"wmt{year}"
    listed = base / f"{pair}.pairs.tsv.gz"
    if listed.exists():
        for row in read_table(listed):
            yield int(row["seg"]), row["better"], row["worse"]
        return
    with gzip.open(base / f"{pair}.rankings.tsv.gz", "rt", encoding="utf-8") as file:
        next(file)
        for line in file:
            _, segment, _, _, *ranked = line.rstrip("\n").split("\t")
            ranks = [
                (name, int(rank))
                for names, _, rank in (item.rpartition("=") for item in ranked)
                for name in names.split(",")
            ]
            for (first, a), (second, b) in combinations(ranks, 2):
                if a != b:
                    better, worse = (first, second) if a < b else (second, first)
                    yield int(segment), better, worse
