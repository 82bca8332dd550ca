# SPDX-License-Identifier: Apache-2.0
"""McCaffery 2017, chapter 6: the corpora and people behind its survey."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np

from tertium._seed import SEED
from tertium.judgements.adjustment.normalise import language_points
from tertium.reproductions.data import Data, Judged
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.stats import pearson
from tertium.text.tokenizers import tokenize

__all__ = [
    "corpora",
    "languages",
    "lengths",
    "points",
    "questionnaire",
    "read_into_english",
    "recruitment",
]

_YEARS = ("14", "15", "16")
_SAMPLE = 450  # sentences of each system (section 6.2.3)
_NAMES = {
    "cs": "Czech", "de": "German", "fi": "Finnish", "fr": "French", "hi": "Hindi",
    "ro": "Romanian", "ru": "Russian", "tr": "Turkish",
}  # fmt: skip


@cache
def read_into_english(folder: Path, year: str) -> list[Judged]:
    """Return the pairs of a year that translate into English."""
    data = Data(folder)
    pairs = [pair for pair in data.pairs(year) if pair.endswith("-en")]
    return [data.read(year, pair) for pair in pairs]


def corpora(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 6.2: system outputs by year."""
    ours = {f"20{year}": sum(map(len, _systems(data, year))) for year in _YEARS}
    sizes = {
        f"20{year}": sum(
            len(names) * len(judged.references)
            for names, judged in zip(
                _systems(data, year), _sets(data, year), strict=True
            )
        )
        for year in _YEARS
    }
    ours["all"], sizes["all"] = sum(ours.values()), sum(sizes.values())
    cells = [Cell(row, "corpora", n, against="corpora") for row, n in ours.items()]
    cells += [Cell(row, "judged sentences", n) for row, n in sizes.items()]
    most = {row: exhibit.published[row]["corpora"] for row in ours}
    return Outcome(
        tuple(cells),
        (
            Claim(
                "no year has fewer corpora here than in the thesis",
                all(ours[row] >= most[row] for row in ours),
                ", ".join(f"{row}: {ours[row]}" for row in ours),
            ),
        ),
    )


def lengths(exhibit: Exhibit, data: Data) -> Outcome:
    """Figure 6.2: lengths of references and hypotheses."""
    draw = random.Random(SEED)
    refs: list[str] = []
    hyps: list[str] = []
    for year in _YEARS:
        for judged in _sets(data, year):
            for outputs in judged.systems.values():
                # Where a system was not judged, there is no output in our copy.
                known = [place for place, text in enumerate(outputs) if text]
                for place in draw.sample(known, min(_SAMPLE, len(known))):
                    refs.append(judged.references[place])
                    hyps.append(outputs[place])
    # Punctuation marks are words of the trees of the thesis.
    counts = [
        [float(len(tokens)) for tokens in tokenize(side, "13a")]
        for side in (refs, hyps)
    ]
    bare = float(np.mean([len(text.split()) for text in refs + hyps]))
    alike = pearson(*counts) or 0.0
    ours = {"Pearson's r": alike, "mean length": float(np.mean(counts))}
    printed = {row: values["value"] for row, values in exhibit.published.items()}
    return Outcome(
        tuple(Cell(row, "value", x, against="value") for row, x in ours.items()),
        (
            Claim("the lengths of reference and hypothesis correlate at .9 or more",
                  alike >= 0.9, f"{alike:.3f} over {len(refs):,} sentences"),
            Claim("the mean length, with punctuation marks as words, is within two "
                  "words of the printed one",
                  abs(ours["mean length"] - printed["mean length"]) <= 2,
                  f"{ours['mean length']:.1f} words, {bare:.1f} without marks"),
        ),
    )  # fmt: skip


def languages(_: Exhibit, data: Data) -> Outcome:
    """Figure 6.3: source languages, if every system gives as many sentences."""
    counts: Counter[str] = Counter()
    for year in _YEARS:
        for judged, names in zip(_sets(data, year), _systems(data, year), strict=True):
            counts[_NAMES[judged.pair.split("-")[0]]] += len(names)
    total = counts.total()
    order = [name for name, _ in counts.most_common()]
    shown = ", ".join(f"{name} {counts[name]}" for name in order)
    return Outcome(
        tuple(Cell(name, "% of systems", 100 * counts[name] / total) for name in order),
        (
            Claim("German is among the two commonest source languages",
                  "German" in order[:2], shown),
            Claim("Hindi is among the two commonest", "Hindi" in order[:2], shown),
            Claim("Turkish and Romanian are the two rarest",
                  set(order[-2:]) <= {"Turkish", "Romanian"}, shown),
        ),
    )  # fmt: skip


def questionnaire(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 6.3: its rows, added up."""
    typed, kinds = 2, ("order", "swap", "phrase", "choice")
    rows = {"shared": (10, 2), "unique": (15, 7)}  # hypotheses, any permutations
    cells = []
    for part, (hypotheses, others) in rows.items():
        permuted = typed * len(kinds) + others
        for name, n in (("hypotheses", hypotheses), ("permutations", permuted)):
            cells.append(Cell(f"{name}, {part}", "sentences", n, against="sentences"))
    total = sum(cell.ours for cell in cells)
    shared = sum(cell.ours for cell in cells if cell.row.endswith("shared"))
    printed = sum(row["sentences"] for row in exhibit.published.values())
    return Outcome(
        tuple(cells),
        (
            Claim("a questionnaire has 50 sentences", total == printed == 50),
            Claim("two in five are shared", shared / total == 0.4, f"{shared:g} of 50"),
        ),
    )


def recruitment(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 6.4: people who took part."""
    rows = [row for name, row in exhibit.published.items() if name != "all"]
    came = sum(row["participated"] for row in rows)
    return Outcome(
        (Cell("all", "participated", came, against="participated"),),
        (
            Claim(
                "nobody took part who had not answered",
                all(row["participated"] <= row["responded"] for row in rows),
            ),
        ),
    )


def points(exhibit: Exhibit, _: Data) -> Outcome:
    """Figure 6.7: the example of the text."""
    (row,) = exhibit.published
    value = language_points(["native", "fluent", "a few words"])
    return Outcome((Cell(row, "points", value, against="points"),))


def _sets(data: Data, year: str) -> list[Judged]:
    return read_into_english(data.path(f"wmt{year}").parent, year)


def _systems(data: Data, year: str) -> list[list[str]]:
    return [list(judged.systems) for judged in _sets(data, year)]
