# SPDX-License-Identifier: Apache-2.0
"""The user's copy of the data: WMT test sets with what people preferred.

A folder ``wmtYY`` per year with, for every language pair, ``PAIR.tsv.gz`` (``seg``,
``source``, ``reference`` and a column per system) or ``PAIR.judged.tsv.gz`` (judged
segments alone), and ``PAIR.pairs.tsv.gz`` (``seg``, ``better``, ``worse``) or
``PAIR.rankings.tsv.gz`` (judge, segment and ``system=rank``).
"""

from __future__ import annotations

import csv
import gzip
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError

__all__ = ["YEARS", "Data", "Judged", "agreement_counts"]

#: Years with rankings of segments.
YEARS = ("12", "14", "15", "16")


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

    @property
    def target(self) -> str:
        """The language of the translations."""
        return self.pair.split("-")[1]

    def cut(self, size: int) -> Judged:
        """Return the set with the judgements of its first segments."""
        return Judged(
            self.year,
            self.pair,
            self.references[:size],
            {name: texts[:size] for name, texts in self.systems.items()},
            [item for item in self.preferred if item[0] < size],
        )


@dataclass(frozen=True)
class Data:
    """A folder with data, and where to tell about progress.

    Parameters
    ----------
    folder : Path, optional
        By default the environment's ``TERTIUM_DATA``.
    progress : callable, optional
        Called with how much is done, and of how much.
    """

    folder: Path | None = None
    progress: Callable[[int, int], object] = lambda _done, _total: None

    def path(self, name: str) -> Path:
        """Return a file or folder.

        Raises
        ------
        InputError
            When there is no folder, or nothing of this name in it.
        """
        folder = self.folder or Path(os.environ.get("TERTIUM_DATA", ""))
        if folder == Path():
            raise InputError(
                "this needs data that Tertium does not bring; name their folder with "
                "--data DIR or TERTIUM_DATA"
            )
        if not (folder / name).exists():
            raise InputError(f"there is no {name} in {folder}; give another --data")
        return folder / name

    def pairs(self, year: str) -> list[str]:
        """Return the language pairs of a year that have texts and judgements."""
        folder = self.path(f"wmt{year}")
        names = {path.name.split(".")[0] for path in folder.glob("*.gz")}
        pairs = [n for n in names if "-" in n and _texts(folder, n).exists()]
        return sorted(pairs, key=lambda pair: (pair.endswith("-en"), pair))

    def read(self, year: str, pair: str) -> Judged:
        """Return a language pair of a year."""
        folder = self.path(f"wmt{year}")
        rows = read_table(_texts(folder, pair))
        texts = {int(row["seg"]): row for row in rows}
        judgements = [
            (segment, better, worse)
            for segment, better, worse in _judgements(folder, pair)
            if segment in texts
            and texts[segment].get(better)
            and texts[segment].get(worse)
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


def agreement_counts(
    judged: Judged, scores: Mapping[str, Sequence[float]]
) -> npt.NDArray[np.int64]:
    """Return concordant and discordant judgements of every segment.

    Pairs that people or the metric tied are in neither (Stanojević and Sima'an 2014,
    equation 1).
    """
    systems = {name: i for i, name in enumerate(scores)}
    values = np.array([scores[name] for name in systems])
    segments = np.array([item[0] for item in judged.preferred])
    better = np.array([systems[item[1]] for item in judged.preferred])
    worse = np.array([systems[item[2]] for item in judged.preferred])
    sign = np.sign(values[better, segments] - values[worse, segments])
    size = len(judged.references)
    return np.stack(
        [
            np.bincount(segments[sign > 0], minlength=size),
            np.bincount(segments[sign < 0], minlength=size),
        ]
    )


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table with tabs between its cells."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _texts(folder: Path, pair: str) -> Path:
    full = folder / f"{pair}.tsv.gz"
    return full if full.exists() else folder / f"{pair}.judged.tsv.gz"


def _judgements(folder: Path, pair: str) -> Iterator[tuple[int, str, str]]:
    listed = folder / f"{pair}.pairs.tsv.gz"
    if listed.exists():
        for row in read_table(listed):
            yield int(row["seg"]), row["better"], row["worse"]
        return
    with gzip.open(folder / f"{pair}.rankings.tsv.gz", "rt", encoding="utf-8") as file:
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
