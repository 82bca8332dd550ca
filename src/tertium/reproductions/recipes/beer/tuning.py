# SPDX-License-Identifier: Apache-2.0
"""Stanojević 2017, section 6.3: BEER and the length of outputs.

Instead of tuning a decoder, the best candidate of every n-best list is chosen: lists
of Moses on Europarl (``nbest/moses-europarl.100x100.nbest.gz``).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import tertium
from tertium.data.formats.nbest import read_nbest
from tertium.data.lines import open_lines
from tertium.learn.model import Model
from tertium.learn.profile import Profile
from tertium.learn.profile import profile as find_profile
from tertium.learn.training import Recipe, SelfTraining, train_model
from tertium.learn.validation import model_scores
from tertium.reproductions.data import Data, read_table
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.reproductions.recipes.beer.fitting import STRENGTH, Rows
from tertium.reproductions.recipes.beer.sources import drawn, sources

__all__ = ["lengthened", "plain_profile", "tuning_table"]

#: Comparisons of WMT12 into English to learn from; the strength of the SVM is that of
#: 120,000, and the loss is a sum over pairs.
SAMPLE, _WHOLE = 12_000, 120_000
_SENTENCES = 500
_ROWS = ("BEER", "BLEU", "BEER_no_bias")


def tuning_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 6.4: scores and length of what metrics find best."""
    folder = data.path("nbest").parent
    _, refs = _nbest(folder)
    cells, length = [], {}
    for row in _ROWS:
        outputs = _best(folder, row)
        length[row] = 100 * _words(outputs) / _words(refs)
        figures = {
            "BLEU": tertium.metric("bleu:tokenize=none").corpus_score(outputs, refs),
            "MTR": 100 * tertium.metric("meteor").corpus_score(outputs, refs),
            "BEER": 100 * float(np.mean(_scores(folder, "BEER", outputs, refs))),
            "Length": length[row],
        }
        cells += [
            Cell(row, column, float(value), against=column)
            for column, value in figures.items()
            if column in exhibit.published[row]
        ]
    shown = ", ".join(f"{row} {value:.1f} %" for row, value in length.items())
    probe = {row: _longer_wins(folder, row) for row in ("BEER", "BEER_no_bias")}
    wins = ", ".join(f"{row} {value:.0f} %" for row, value in probe.items())
    off = {row: abs(value - 100) for row, value in length.items()}
    claims = (
        Claim(
            "BEER prefers longer outputs than BLEU does",
            length["BEER"] > length["BLEU"],
            shown,
        ),
        Claim(
            "self-training makes chosen outputs shorter",
            length["BEER_no_bias"] < length["BEER"],
            shown,
        ),
        Claim(
            "self-trained BEER is closest to the length of the reference",
            min(off, key=lambda row: off[row]) == "BEER_no_bias",
            shown,
        ),
        Claim(
            "BEER finds a reference with words added better than one with words lost, "
            "in most cases",
            probe["BEER"] > 50,
            wins,
        ),
        Claim(
            "self-training brings that nearer to a half",
            abs(probe["BEER_no_bias"] - 50) < abs(probe["BEER"] - 50),
            wins,
        ),
    )
    return Outcome(tuple(cells), claims)


def plain_profile() -> Profile:
    """Return the profile of beer-3.0 with precision and recall as they are."""
    content: dict[str, Any] = dict(find_profile("beer-3.0").to_json())
    content["name"] = "plain"
    for block in content["features"]:
        if block["kind"] == "units":
            block |= {"values": ["p", "r", "f1", "f2", "f0.5"], "symmetric": False}
    return Profile.from_json(content)


def lengthened(
    refs: list[str], *, share: float = 1.2, seed: int = 12345
) -> tuple[list[str], list[str]]:
    """Return texts as good as each other: with words added, and with words dropped.

    The reference is to the short text what the long text is to the reference.

    Examples
    --------
    >>> long, short = lengthened(["a b c d e f"])
    >>> len(long[0].split()), len(short[0].split())
    (7, 5)
    """
    random = np.random.default_rng(seed)
    words = np.array([word for ref in refs for word in ref.split()], dtype=object)
    long, short = [], []
    for ref in refs:
        tokens = ref.split()
        more = round((share - 1) * len(tokens))
        less = len(tokens) - round(len(tokens) / share)
        at = np.sort(random.integers(len(tokens) + 1, size=more))
        added = words[random.integers(len(words), size=more)]
        long.append(" ".join(np.insert(np.array(tokens, dtype=object), at, added)))
        kept = np.sort(random.permutation(len(tokens))[less:])
        short.append(" ".join(tokens[i] for i in kept))
    return long, short


def _longer_wins(folder: Path, row: str) -> float:
    """Return how often the longer text wins, in percent; a tie is half a win."""
    rows = read_table(folder / "wmt14" / "de-en.tsv.gz")
    refs = [row["reference"] for row in rows if len(row["reference"].split()) >= 5]
    refs = refs[:_SENTENCES]
    long, short = (_scores(folder, row, texts, refs) for texts in lengthened(refs))
    return float(100 * np.mean((long > short) + 0.5 * (long == short)))


@cache
def _best(folder: Path, row: str) -> list[str]:
    """Return the candidate of every list that a metric finds best."""
    lists, refs = _nbest(folder)
    hyps = [hyp for candidates in lists for hyp in candidates]
    against = [
        ref for candidates, ref in zip(lists, refs, strict=True) for _ in candidates
    ]
    scores = _scores(folder, row, hyps, against)
    starts = np.cumsum([0, *map(len, lists)])[:-1]
    return [
        candidates[int(np.argmax(scores[start : start + len(candidates)]))]
        for candidates, start in zip(lists, starts, strict=True)
    ]


def _scores(folder: Path, row: str, hyps: list[str], refs: list[str]) -> Rows:
    lists = [(ref,) for ref in refs]
    if row == "BLEU":
        metric = tertium.metric("sentbleu-plus1:tokenize=none")
        return np.asarray(metric.segment_scores(hyps, lists), dtype=float)
    return np.asarray(model_scores(_model(folder, row), hyps, lists), dtype=float)


@cache
def _model(folder: Path, row: str) -> Model:
    learnt = drawn(sources(Data(folder), ("12",), target="en"), SAMPLE, seed=1)
    recipe = Recipe(
        learner="svm", nonnegative=False, regularisation=STRENGTH * _WHOLE / SAMPLE
    )
    itself = None
    if row == "BEER_no_bias":
        itself = SelfTraining([_nbest(folder)], mode="union", rounds=1, pairs=5000)
    return train_model(
        learnt, profile=plain_profile(), recipe=recipe, self_training=itself
    )


@cache
def _nbest(folder: Path) -> tuple[list[list[str]], list[str]]:
    """Return lists of different candidates with references, all in lower case."""
    lists = read_nbest(folder / "nbest" / "moses-europarl.100x100.nbest.gz")
    refs = list(open_lines(folder / "nbest" / "moses-europarl.ref.gz"))
    lower = [[hyp.lower() for hyp in dict.fromkeys(hyps)] for hyps in lists]
    return lower, [ref.lower() for ref in refs[: len(lower)]]


def _words(texts: list[str]) -> int:
    return sum(len(text.split()) for text in texts)
