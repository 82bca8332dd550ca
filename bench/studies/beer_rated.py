# SPDX-License-Identifier: Apache-2.0
"""WMT14 and WMT17 as the studies of BEER report on them, whole systems included.

Direct assessment of WMT17 comes twice: 560 single outputs a language pair, standardised
by judge, and means of systems. No ranker learns from any of this.
"""

from __future__ import annotations

import csv
import gzip
import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bench import wmt
from bench.studies import beer_data
from tertium.learn.pairs import Pairs, judged_pairs
from tertium.reproductions import tasks as task_data
from tertium.stats import pearson

__all__ = ["PAIRS_17", "Assessed", "Systems", "assessed", "ranked", "systems"]

Rows: TypeAlias = NDArray[np.float64]
Score: TypeAlias = Callable[[Sequence[str], Sequence[str]], Rows]

PAIRS_17 = ("cs-en", "de-en", "fi-en", "lv-en", "ru-en", "tr-en", "zh-en")


@dataclass(frozen=True, eq=False)
class Assessed:
    """Single outputs with direct assessment."""

    hyps: list[str]
    refs: list[str]
    human: Rows


@dataclass(frozen=True, eq=False)
class Systems:
    """Whole systems of a language pair, on the segments that all translated."""

    refs: list[str]
    outputs: list[list[str]]
    human: Rows

    def means(self, score: Score) -> Rows:
        """Return the mean score of every system."""
        size = len(self.refs)
        texts = [text for column in self.outputs for text in column]
        scores = score(texts, self.refs * len(self.outputs))
        return np.asarray(scores.reshape(-1, size).mean(axis=1))

    def pearson(self, score: Score) -> float:
        """Return Pearson's r of mean scores with people."""
        value = pearson(self.human, self.means(score))
        return 0.0 if value is None else value


@cache
def assessed(pair: str) -> Assessed:
    """Return the 560 assessed outputs of WMT17; the texts come cut and escaped."""
    path = wmt.folder() / "wmt17" / f"daseg560.{pair}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return Assessed(
        [html.unescape(row["translation"]) for row in rows],
        [html.unescape(row["reference"]) for row in rows],
        np.array([float(row["HUMAN_score"]) for row in rows]),
    )


@cache
def systems(year: str, pair: str, size: int | None = None) -> Systems:
    """Return systems with direct assessment (WMT17) or expected wins (before)."""
    task = task_data.read(wmt.data(), year[2:], pair, size=size)
    names = [name for name in task.systems if name in task.human.scores]
    whole = task.whole
    plain = html.unescape if year == "2017" else str  # cut by Moses, which escapes
    return Systems(
        [plain(task.references[i]) for i in whole],
        [[plain(task.systems[name][i] or "") for i in whole] for name in names],
        np.array([task.human.scores[name] for name in names]),
    )


@cache
def ranked(year: str, pair: str) -> Pairs:
    """Return the judged pairs of a year."""
    return judged_pairs(beer_data.source(year, pair))
