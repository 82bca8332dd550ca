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

from tertium.errors import FormatError, InputError

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
                "this needs data that Tertium does not bring; name their folder, or "
                "set TERTIUM_DATA",
                options=("data",),
            )
        if not (folder / name).exists():
            message = f"there is no {name} in {folder}; give another folder"
            raise InputError(message, options=("data",))
        return folder / name

    def pairs(self, year: str) -> list[str]:
        """Return the language pairs of a year that have texts."""
        folder = self.path(f"wmt{year}")
        names = {path.name.split(".")[0] for path in folder.glob("*.gz")}
        pairs = [n for n in names if "-" in n and _texts(folder, n).exists()]
        return sorted(pairs, key=lambda pair: (pair.endswith("-en"), pair))

    def read(self, year: str, pair: str) -> Judged:
        """Return a language pair of a year.

        Raises
        ------
        InputError
            When files are missing, or nothing was judged.
        FormatError
            When a file is not as described above.
        """
        folder = self.path(f"wmt{year}")
        path = _texts(folder, pair)
        rows = read_table(path, "seg", "reference")
        texts = dict(_numbered(path, rows))
        judgements = [
            (segment, better, worse)
            for segment, better, worse in _judgements(folder, pair)
            if segment in texts
            and texts[segment].get(better)
            and texts[segment].get(worse)
        ]
        if not judgements:
            raise InputError(
                f"{_judged(folder, pair)} prefers no output that {path} has; check "
                "segments and names of systems"
            )
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


def read_table(path: Path, *columns: str) -> list[dict[str, str]]:
    """Return the rows of a table with tabs between its cells.

    Raises
    ------
    FormatError
        When it cannot be read, is empty, or lacks one of the columns.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise FormatError(f"cannot be read: {error}", path=str(path)) from None
    if not rows:
        raise FormatError("has no rows; download it again", path=str(path))
    lacking = [column for column in columns if column not in rows[0]]
    if lacking:
        heads = ", ".join(map(str, rows[0]))
        raise FormatError(
            f"has no column {lacking[0]}, only {heads}; name its columns",
            path=str(path),
            line=1,
        )
    return rows


def _texts(folder: Path, pair: str) -> Path:
    full = folder / f"{pair}.tsv.gz"
    return full if full.exists() else folder / f"{pair}.judged.tsv.gz"


def _judged(folder: Path, pair: str) -> Path:
    listed = folder / f"{pair}.pairs.tsv.gz"
    return listed if listed.exists() else folder / f"{pair}.rankings.tsv.gz"


def _numbered(
    path: Path, rows: Sequence[dict[str, str]]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield rows with the numbers of their segments."""
    for line, row in enumerate(rows, start=2):
        if not (row["seg"] or "").isdecimal():
            message = f"seg is {row['seg']!r}; give the number of the segment"
            raise FormatError(message, path=str(path), line=line)
        yield int(row["seg"]), row


def _judgements(folder: Path, pair: str) -> Iterator[tuple[int, str, str]]:
    path = _judged(folder, pair)
    if not path.exists():
        raise InputError(
            f"{folder} has neither {pair}.pairs.tsv.gz nor {path.name}; add the "
            "judgements"
        )
    if ".pairs." in path.name:
        rows = read_table(path, "seg", "better", "worse")
        for segment, row in _numbered(path, rows):
            yield segment, row["better"], row["worse"]
        return
    with gzip.open(path, "rt", encoding="utf-8") as file:
        next(file)
        for line, text in enumerate(file, start=2):
            try:
                yield from _ranked(text)
            except ValueError:
                message = "is not a ranking; give judge, segment and system=rank"
                raise FormatError(message, path=str(path), line=line) from None


def _ranked(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the preferences of a ranking; ``A,B=1`` are equal outputs."""
    _, segment, _, _, *ranked = text.rstrip("\n").split("\t")
    ranks = [
        (name, int(rank))
        for names, _, rank in (item.rpartition("=") for item in ranked)
        for name in names.split(",")
    ]
    for (first, a), (second, b) in combinations(ranks, 2):
        if a != b:
            better, worse = (first, second) if a < b else (second, first)
            yield int(segment), better, worse
