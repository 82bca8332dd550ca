# SPDX-License-Identifier: Apache-2.0
"""WMT years as sources of training, with rankings and their ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

import tertium
from tertium.judgements import Comparisons, Judgements
from tertium.learn.data import Source
from tertium.learn.pairs import Pairs, corpora_of, judged_pairs
from tertium.meta import Human, human_judgements
from tertium.reproductions.data import Data, read_table

__all__ = ["drawn", "judged", "judgements", "source", "sources", "system_wins"]


def sources(
    data: Data, years: Sequence[str], *, target: str | None = None
) -> list[Source]:
    """Return all language pairs of some years, or those into one language."""
    return [
        source(data.path(f"wmt{year}").parent, year, pair)
        for year in years
        for pair in data.pairs(year)
        if target in (None, pair.rpartition("-")[2])
    ]


@cache
def source(folder: Path, year: str, pair: str) -> Source:
    """Return the texts and rankings of a language pair in one year."""
    path = folder / f"wmt{year}" / f"{pair}.tsv.gz"
    # Whole test sets have empty translations; in tables of judged segments an empty
    # cell is an output that nobody kept.
    whole = path.exists()
    rows = read_table(path if whole else path.with_name(f"{pair}.judged.tsv.gz"))
    names = [name for name in rows[0] if name not in ("seg", "source", "reference")]
    testset = tertium.Testset(
        references=[(row["reference"],) for row in rows],
        systems={name: [row[name] or "" for row in rows] for name in names},
        ids=[row["seg"] for row in rows],
        langpair=pair,
    )
    human = _people(folder / f"wmt{year}", pair, frozenset(row["seg"] for row in rows))
    empty = "keep" if whole else "drop"
    return Source(f"20{year}/{pair}", testset, rankings=human, empty=empty)


@cache
def judged(folder: Path, year: str, pair: str) -> Pairs:
    """Return the pairs of texts that people ordered, as the metrics tasks count."""
    return judged_pairs(source(folder, year, pair))


def system_wins(item: Source) -> dict[str, float]:
    """Return the expected wins of every system with texts."""
    corpora = corpora_of(item, size=1)
    return dict(corpora.human) if corpora is not None else {}


def judgements(items: Sequence[Source]) -> int:
    """Return the number of comparisons, ties included."""
    return sum(len(_comparisons(item)) for item in items)


def drawn(items: Sequence[Source], count: int, *, seed: int) -> list[Source]:
    """Return sources with about that many comparisons, from rankings sampled at random.

    People give a ranking at a time, so all comparisons of a ranking are in or out. All
    of them if there are not as many.
    """
    if count >= judgements(items):
        return list(items)
    keys, sizes = [], []
    for number, item in enumerate(items):
        numbers, size = np.unique(_comparisons(item).ranking, return_counts=True)
        keys.append(np.stack([np.full(len(numbers), number), numbers], axis=1))
        sizes.append(size)
    order = np.random.default_rng(seed).permutation(sum(map(len, keys)))
    whole = np.concatenate(sizes)[order].cumsum() <= count
    whole[0] = True
    chosen = np.concatenate(keys)[order[whole]]
    out = []
    for number, item in enumerate(items):
        comparisons = _comparisons(item)
        kept = np.isin(comparisons.ranking, chosen[chosen[:, 0] == number, 1])
        if kept.any() and item.rankings is not None:
            rankings = replace(item.rankings, comparisons=comparisons.select(kept))
            out.append(replace(item, rankings=rankings))
    return out


def _people(folder: Path, pair: str, segments: frozenset[str]) -> Human:
    """Return the rankings of segments that have texts."""
    places = ("wmt12.RNK_results.csv.gz", f"{pair}.rankings.tsv.gz")
    known = [folder / name for name in places if (folder / name).exists()]
    path = known[0] if known else folder / f"{pair}.pairs.tsv.gz"
    human = human_judgements(_read(path), langpair=pair)
    if human.comparisons is None:
        return human
    has_text = np.isin(np.array(human.segments), sorted(segments))
    chosen = human.comparisons.select(has_text[human.comparisons.segment])
    return replace(human, comparisons=chosen)


@cache
def _read(path: Path) -> Judgements:
    return Judgements.read(path, strict=True)


def _comparisons(item: Source) -> Comparisons:
    if item.rankings is None or item.rankings.comparisons is None:
        raise ValueError(f"{item.name} has no rankings")
    return item.rankings.comparisons
