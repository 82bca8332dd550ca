# SPDX-License-Identifier: Apache-2.0
"""Stanojević 2017, appendix A: the metrics tasks of WMT14, WMT15 and WMT16.

BEER of 2014 and 2015 is not public. On WMT14 the model of the profile beer-1.0 stands
in, which learnt from other years; on WMT15 and WMT16 it is the released BEER 2.0
(``beer20-model``), which took part in 2016 and learnt from WMT14.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

import tertium
from tertium.learn.pairs import corpora_of
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.reproductions.recipes.beer.fitting import segment_counts
from tertium.reproductions.recipes.beer.sources import judged, source
from tertium.reproductions.recipes.intervals import Tau, tau
from tertium.stats import pearson

__all__ = ["segment_table", "system_table"]

#: The metrics of the tables that can be computed here, by their names there.
_WORDS = "tokenize=intl,lowercase=yes"
_SPECS = {
    "METEOR": "meteor:language={language}",
    "METEOR-WSD": "meteor:language={language}",
    "CHRF": "chrf:beta=1",
    "CHRF1": "chrf:beta=1",
    "CHRF2": "chrf:beta=2",
    "CHRF3": "chrf:beta=3",
    "WORDF1": "chrf:char_order=0,word_order=4,beta=1",
    "WORDF2": "chrf:char_order=0,word_order=4,beta=2",
    "WORDF3": "chrf:char_order=0,word_order=4,beta=3",
    "SENTBLEU": f"sentbleu-plus1:{_WORDS}",
    "BLEU-NRC": f"bleu-nrc:{_WORDS}",
    "MTEVALBLEU": f"bleu:{_WORDS}",
    "MTEVALNIST": f"nist:{_WORDS}",
    "MOSESWER": f"wer:{_WORDS}",
    "MOSESPER": f"per:{_WORDS}",
    "MOSESCDER": f"cder:{_WORDS}",
}
#: Languages with parameters of METEOR.
_METEOR = ("en", "cs", "de", "es", "fr", "ru")
_SEGMENTS = 500  # of every system
_ODD = 0.02  # a mean distance of two columns that makes one look twice


def segment_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Tables A.2, A.3, A.4, A.7 and A.8: tau of segments."""
    year, pairs, rows = _shape(exhibit, data)
    table: dict[str, dict[str, float]] = {row: {} for row in rows}
    cells = []
    for done, pair in enumerate(pairs):
        for row in rows:
            value = _tau(data.path(f"wmt{year}").parent, year, pair, row)
            table[row][pair] = value.value
            cells.append(Cell(row, pair, value.value, *value.interval, pair))
        data.progress(done + 1, len(pairs))
    claims = _claims(exhibit, table) + _swapped(exhibit, table)
    return Outcome(tuple(cells), tuple(claims))


def system_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Tables A.5, A.6, A.9 and A.10: Pearson's r of systems with rankings."""
    year, pairs, rows = _shape(exhibit, data)
    table: dict[str, dict[str, float]] = {row: {} for row in rows}
    for done, pair in enumerate(pairs):
        for row in rows:
            folder = data.path(f"wmt{year}").parent
            table[row][pair] = _pearson(folder, year, pair, row)
        data.progress(done + 1, len(pairs))
    cells = [
        Cell(row, pair, value, against=pair)
        for row, values in table.items()
        for pair, value in values.items()
    ]
    return Outcome(tuple(cells), tuple(_claims(exhibit, table)))


# ------------------------------------------------------------------------- helpers


def _shape(exhibit: Exhibit, data: Data) -> tuple[str, list[str], list[str]]:
    """Return the year, and the pairs and metrics of the table that are at hand."""
    year = {"A.2": "14", "A.3": "15", "A.4": "15", "A.5": "15", "A.6": "15"}.get(
        exhibit.label.removeprefix("Table "), "16"
    )
    there = data.pairs(year)
    pairs = [pair for pair in exhibit.published["BEER"] if pair in there]
    rows = [row for row in exhibit.published if row in _SPECS or row == "BEER"]
    return year, pairs, rows


def _claims(exhibit: Exhibit, table: dict[str, dict[str, float]]) -> list[Claim]:
    """Return whether BEER's mean is above or below that of others, as published."""
    claims = []
    ours = table["BEER"]
    for row, values in table.items():
        printed = exhibit.published[row]
        both = [pair for pair in ours if pair in printed]
        if row == "BEER" or not both:
            continue
        before = np.mean([exhibit.published["BEER"][p] - printed[p] for p in both])
        here = np.mean([ours[pair] - values[pair] for pair in both])
        won = sum(ours[pair] > values[pair] for pair in both)
        claims.append(
            Claim(
                f"BEER is {'better' if before > 0 else 'worse'} than {row} on average",
                # In printed digits: a difference that rounds to 0 is neither.
                bool(np.sign(round(before, 3)) == np.sign(round(here, 3)) != 0),
                f"{here:+.3f}, published {before:+.3f}; better on {won} of "
                f"{len(both)} pairs",
            )
        )
    return claims


def _swapped(exhibit: Exhibit, table: dict[str, dict[str, float]]) -> list[Claim]:
    """Return which two columns are nearer to ours if they change places in print."""
    claims = []
    for first, second in combinations(table["BEER"], 2):
        known = [r for r in table if {first, second} <= exhibit.published[r].keys()]
        ours = np.array([[table[r][first], table[r][second]] for r in known])
        printed = np.array(
            [[exhibit.published[r][p] for p in (first, second)] for r in known]
        )
        before = np.abs(ours - printed).mean()
        after = np.abs(ours - printed[:, ::-1]).mean()
        if after < before / 2 and before > _ODD:
            text = f"the columns {first} and {second} seem to be swapped in print"
            detail = f"mean distance from ours {before:.3f}, swapped {after:.3f}"
            claims.append(Claim(text, True, detail, decisive=False))
    return claims


def _spec(folder: Path, year: str, pair: str, row: str) -> str:
    language = pair.split("-")[1]
    if row != "BEER":
        known = language if language in _METEOR else "other"
        return _SPECS[row].format(language=known)
    if year == "14":
        return "beer:profile=beer-1.0,language=en"
    return f"beer:model={folder / 'beer20-model'}"


@cache
def _tau(folder: Path, year: str, pair: str, row: str) -> Tau:
    pairs = judged(folder, year, pair)
    metric = tertium.metric(_spec(folder, year, pair, row)).prepare(list(pairs.refs))
    scores = np.asarray(metric.segment_scores(pairs.hyps, pairs.refs), dtype=float)
    if not metric.higher_is_better:
        scores = -scores
    return tau(segment_counts(pairs, scores, ties=True))


@cache
def _pearson(folder: Path, year: str, pair: str, row: str) -> float:
    corpora = corpora_of(source(folder, year, pair), size=_SEGMENTS)
    if corpora is None:
        return 0.0
    metric = tertium.metric(_spec(folder, year, pair, row)).prepare(list(corpora.refs))
    sign = 1 if metric.higher_is_better else -1
    scores = [
        sign * metric.corpus_score(list(hyps), list(corpora.refs))
        for hyps in corpora.systems.values()
    ]
    people = [corpora.human[name] for name in corpora.systems]
    return pearson(np.array(scores), np.array(people)) or 0.0
