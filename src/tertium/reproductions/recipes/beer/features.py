# SPDX-License-Identifier: Apache-2.0
"""Stanojević 2017, chapter 5: which features make BEER good, on WMT12.

The thesis learnt from other years. Here models learn from rankings of WMT15 and WMT16
into English, sampled at random, and are measured on WMT12 into English.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np

import tertium
from tertium.errors import InputError
from tertium.learn.features.blocks import Resources
from tertium.learn.profile import Profile
from tertium.learn.profile import profile as find_profile
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.reproductions.recipes.beer.fitting import (
    Training,
    segment_counts,
    svm,
    training,
)
from tertium.reproductions.recipes.beer.sources import drawn, judged, sources
from tertium.reproductions.recipes.intervals import Tau, mean_tau, tau
from tertium.stats import spearman
from tertium.text.wordnet import find_wordnet

__all__ = ["ablation_table", "paraphrase_table", "versions_table"]

PAIRS = ("cs-en", "fr-en", "de-en", "es-en")
#: Comparisons to learn from, ties included.
SAMPLE = 10_000
_WITH, _WITHOUT = "BEER 0.1 with paraphrases", "BEER 0.1 without paraphrases"
_FULL, _METEOR = "BEER 1.0 full", "METEOR 1.5"
#: What every row of table 5.3 leaves out: groups of features, or ends of their names.
_DROPPED = {
    "BEER 1.0 without char features": ("char",),
    "BEER 1.0 without all word features": ("word", "function"),
    "BEER 1.0 without all F-scores": (".f1",),
    "BEER 1.0 without PET features": ("pets",),
    "BEER 1.0 without function words": ("function",),
    "BEER 1.0 without fluency features": ("order", "pets"),
    "BEER 1.0 without Kendall τ": ("order",),
    _FULL: (),
}
#: Rows of table 5.1 and our profiles.
_VERSIONS = {
    "1.0": "beer-1.0",
    "1.1": "beer-1.1",
    "Treepel": "treepel",
    "2.0": "beer-2.0",
    "3.0": "beer-3.0",
}


def versions_table(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 5.1: which indicators every version has."""
    cells, claims = [], []
    for row, name in _VERSIONS.items():
        ours = _indicators(find_profile(name).equipped(Resources(language="en")))
        cells += [Cell(row, column, float(has)) for column, has in ours.items()]
        printed = {key for key, value in exhibit.published[row].items() if value}
        here = {key for key, has in ours.items() if has}
        text = f"version {row} has the indicators of the table and no others"
        lacking = ", ".join(sorted(printed - here)) or "none"
        more = ", ".join(sorted(here - printed)) or "none"
        claims.append(
            Claim(
                text,
                printed == here,
                f"lacking: {lacking}; more: {more}",
            )
        )
    return Outcome(tuple(cells), tuple(claims))


def paraphrase_table(_: Exhibit, data: Data) -> Outcome:
    """Table 5.2: BEER with and without paraphrases, and METEOR."""
    table = {
        _WITH: _taus(data, paraphrases=True)[_FULL],
        _WITHOUT: _taus(data, paraphrases=False)[_FULL],
        "METEOR 1.4": _meteor(data),
    }
    cells = [
        Cell(pair, column, t.value, *t.interval, column)
        for column, row in table.items()
        for pair, t in zip(PAIRS, row, strict=True)
    ]
    claims = []
    for first, second, text in (
        (_WITH, _WITHOUT, "paraphrases help"),
        (_WITH, "METEOR 1.4", "BEER with paraphrases is better than METEOR"),
    ):
        won = sum(
            a.value > b.value for a, b in zip(table[first], table[second], strict=True)
        )
        gain = _gain(table[first], table[second])
        claims.append(
            Claim(
                f"{text} on every pair into English",
                won == len(PAIRS),
                f"{won} of {len(PAIRS)} pairs, mean {gain}",
            )
        )
    return Outcome(tuple(cells), tuple(claims))


def ablation_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 5.3: BEER 1.0 without some of its features."""
    table = {**_taus(data, paraphrases=True), _METEOR: _meteor(data)}
    cells = [
        Cell(row, pair, t.value, *t.interval, pair)
        for row, taus in table.items()
        for pair, t in zip(PAIRS, taus, strict=True)
    ]
    for row, taus in table.items():
        mean = mean_tau(taus)
        cells.append(Cell(row, "mean into English", mean.value, *mean.interval))
    means = {row: mean_tau(taus).value for row, taus in table.items()}
    printed = {
        row: float(np.mean([exhibit.published[row][pair] for pair in PAIRS]))
        for row in table
    }
    return Outcome(tuple(cells), tuple(_ablation_claims(table, means, printed)))


def _ablation_claims(
    table: Mapping[str, Sequence[Tau]],
    means: Mapping[str, float],
    printed: Mapping[str, float],
) -> list[Claim]:
    worst = sorted((row for row in means if row != _METEOR), key=lambda row: means[row])
    alike = spearman([means[row] for row in table], [printed[row] for row in table])
    claims = [
        Claim(
            f"{name} is what hurts {place} most",
            worst[i] == row,
            f"{means[row] - means[_FULL]:+.3f}, published "
            f"{printed[row] - printed[_FULL]:+.3f}",
        )
        for i, (place, name, row) in enumerate(
            (
                ("", "leaving out characters", "BEER 1.0 without char features"),
                ("second", "leaving out words", "BEER 1.0 without all word features"),
                ("third", "leaving out F-scores", "BEER 1.0 without all F-scores"),
            )
        )
    ]
    claims = [
        Claim(c.text.replace("hurts  most", "hurts most"), c.holds, c.detail)
        for c in claims
    ]
    for first, second, text in (
        ("BEER 1.0 without Kendall τ", "BEER 1.0 without PET features",
         "leaving out PETs hurts more than leaving out Kendall's τ"),
        (_FULL, _METEOR, "BEER 1.0 is better than METEOR"),
    ):  # fmt: skip
        claims.append(
            Claim(
                text, means[first] > means[second], _gain(table[first], table[second])
            )
        )
    claims.append(
        Claim(
            "rows are ordered as published (ρ of .9 or more)",
            alike is not None and alike >= 0.9,
            f"Spearman's ρ {alike:.3f}",
            decisive=False,
        )
    )
    return claims


# ------------------------------------------------------------------------- helpers


def _gain(first: Sequence[Tau], second: Sequence[Tau]) -> str:
    a, b = mean_tau(first), mean_tau(second)
    low, high = np.percentile(a.draws - b.draws, (2.5, 97.5))
    return f"{a.value - b.value:+.4f} [{low:+.4f}, {high:+.4f}]"


def _indicators(profile: Profile) -> dict[str, bool]:
    """Return which indicators of table 5.1 a profile has."""
    blocks = cast("list[dict[str, Any]]", profile.to_json()["features"])
    units = [unit for block in blocks for unit in block.get("units", ())]
    kinds = {block["kind"] for block in blocks}
    values = [value for block in blocks for value in block.get("values", ())]
    return {
        "paraphrases": "matches" in kinds,
        "word n-grams": "word2" in units,
        "skip bigrams": any(unit.startswith("skip") for unit in units),
        "PETs": "pets" in values,
        "dependencies": "arcs" in kinds,
        "stems": "matches" in kinds,
        "character n-grams": "char3" in units,
    }


def _taus(data: Data, *, paraphrases: bool) -> dict[str, list[Tau]]:
    return _rows(data.path("wmt12").parent, paraphrases)


@cache
def _rows(folder: Path, paraphrases: bool) -> dict[str, list[Tau]]:
    """Return tau of every row of table 5.3 on every pair of WMT12 into English."""
    learnt = sources(Data(folder), ("15", "16"), target="en")
    have = tables()
    if not paraphrases:
        have = have._replace(paraphrases="")
    profile = find_profile("beer-1.0").equipped(have)
    trained = training(drawn(learnt, SAMPLE, seed=1), profile)
    rows: dict[str, list[Tau]] = {row: [] for row in _DROPPED}
    rankers = {
        row: svm(trained, _columns(trained, dropped), rising=False)
        for row, dropped in _DROPPED.items()
    }
    for pair in PAIRS:
        pairs = judged(folder, "12", pair)
        features = trained.features(pairs.hyps, [refs[0] for refs in pairs.refs])
        for row, ranker in rankers.items():
            rows[row].append(tau(segment_counts(pairs, ranker.raw(features))))
    return rows


def _columns(trained: Training, dropped: Sequence[str]) -> list[int]:
    ends = tuple(name for name in dropped if name.startswith("."))
    groups = trained.profile.groups
    return [
        i
        for i, name in enumerate(trained.profile.names)
        if groups[i] not in dropped and not (ends and name.endswith(ends))
    ]


def _meteor(data: Data) -> list[Tau]:
    return _meteor_taus(data.path("wmt12").parent)


@cache
def _meteor_taus(folder: Path) -> list[Tau]:
    have = tables()
    match = "exact+stem+synonym+paraphrase"
    metric = tertium.metric(f"meteor:match={match},paraphrases={have.paraphrases}")
    taus = []
    for pair in PAIRS:
        pairs = judged(folder, "12", pair)
        scores = np.asarray(metric.segment_scores(pairs.hyps, pairs.refs))
        taus.append(tau(segment_counts(pairs, scores)))
    return taus


def tables() -> Resources:
    """Return WordNet and METEOR's paraphrases of English.

    Raises
    ------
    InputError
        When they are not installed.
    """
    package = importlib.util.find_spec("pycocoevalcap")
    where = package.submodule_search_locations if package else None
    path = Path(where[0], "meteor", "data", "paraphrase-en.gz") if where else None
    if path is None or not path.exists():
        raise InputError(
            "this needs METEOR's paraphrases; pip install --no-deps pycocoevalcap"
        )
    return Resources("en", synonyms=find_wordnet(), paraphrases=str(path))
