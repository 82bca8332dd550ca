# SPDX-License-Identifier: Apache-2.0
"""Stanojević 2017, chapter 3: translation from a reordered source, by Thot.

Moses and the patents of the thesis are not at hand. Thot (``pip install sil-thot
sil-machine``), a phrase-based decoder with equal weights, learns from a small part of
the Tanaka corpus: once from plain English, and once from English in the order of the
word links, which then translates predicted orders.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import tertium
from tertium.data.formats.nbest import nbest_fields
from tertium.data.lines import open_lines
from tertium.engine.comparison import Comparison
from tertium.errors import InputError
from tertium.preorder import gold_orders
from tertium.preorder.application import nbest_orders
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Curve, Exhibit, Outcome
from tertium.reproductions.recipes.beer import preorder, thot

__all__ = ["distortion_limits", "lattice_table", "translation_table"]

#: Pairs that grammars and Thot learn from, and pairs after these to test on.
ORDERED, LEARNT, TESTED = 10_000, 2000, 200
_METRICS = {
    "BLEU": "bleu:tokenize=none",
    "METEOR": "meteor:language=other",
    "TER": "ter",
    "RIBES": "ribes",
}
_PERCENT = {"METEOR": 100.0, "RIBES": 100.0}
_JUMP, _JUMPS = 6, (0, 2, 4, 6)
_LIGHT = 0.1  # weight of jumps that lets phrases jump; with 1 they hardly ever do
_PLAIN, _BEST, _GOLD = "A no preordering", "RG PET-forest", "oracle"
_ORDERS, _TAU_WEIGHT = 10, 30.0  # of orders to choose from, as the bench has them

Words = list[str]


def translation_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 3.3: translations from orders that models predict."""
    folder = data.path("preorder")
    systems = {row: _translated(folder, row, _JUMP) for row in preorder.ROWS}
    compared = _compared(systems, folder)
    cells = [
        Cell(row, metric, _scaled(metric, compared.scores[row][spec].score),
             against=metric)
        for row in systems
        for metric, spec in _METRICS.items()
    ]  # fmt: skip
    claims = [
        _sign(exhibit, compared, first, second, metric)
        for metric in _METRICS
        for first, second in (
            *((row, _PLAIN) for row in systems if row != _PLAIN),
            (_BEST, "C LADER"),
            (_BEST, "RG left-branching"),
        )
    ]
    return Outcome(tuple(cells), tuple(claims))


def distortion_limits(_: Exhibit, data: Data) -> Outcome:
    """Figure 3.4: BLEU and RIBES by the distance that phrases may jump."""
    folder = data.path("preorder")
    curves, ranges = [], {}
    above = []
    for metric in ("BLEU", "RIBES"):
        values: dict[str, list[float]] = {}
        for row in (_PLAIN, _BEST):
            outputs = [_translated(folder, row, jump) for jump in _JUMPS]
            values[row] = [_score(metric, texts, folder) for texts in outputs]
            points = zip(map(float, _JUMPS), values[row], strict=True)
            curves.append(Curve(f"{metric}, {row}", tuple(points)))
        above += [b > a for a, b in zip(*values.values(), strict=True)]
        ranges[metric] = {row: max(v) - min(v) for row, v in values.items()}
    spread = ranges["BLEU"]
    return Outcome(
        claims=(
            Claim(
                "preordering is better at all limits, by BLEU and RIBES",
                all(above),
                f"{sum(above)} of {len(above)}",
            ),
            Claim(
                "BLEU depends less on the limit with preordering than without",
                spread[_BEST] < spread[_PLAIN],
                ", ".join(f"{row} {value:.2f}" for row, value in spread.items()),
            ),
        ),
        curves=tuple(curves),
        axis="distortion limit",
    )


def lattice_table(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 3.5: one order, several orders to choose from, and the oracle."""
    folder = data.path("preorder")
    systems = {
        "Baseline, DL 6": _translated(folder, _PLAIN, 6),
        "Oracle order, DL 6": _translated(folder, _GOLD, 6),
        "Oracle order, DL 0": _translated(folder, _GOLD, 0),
        "One-best, DL 6": _translated(folder, _BEST, 6),
        "Lattice, DL 0": _chosen(folder),
    }
    compared = _compared(systems, folder)
    spec = _METRICS["BLEU"]
    cells = [
        Cell(row, "BLEU", compared.scores[row][spec].score, against="BLEU")
        for row in systems
    ]
    claims = [
        _sign(exhibit, compared, first, second, "BLEU")
        for first, second in (
            ("Oracle order, DL 6", "Baseline, DL 6"),
            ("One-best, DL 6", "Baseline, DL 6"),
            ("Lattice, DL 0", "Baseline, DL 6"),
            ("Lattice, DL 0", "One-best, DL 6"),
            ("Oracle order, DL 6", "Oracle order, DL 0"),
        )
    ]
    return Outcome(tuple(cells), tuple(claims))


# ----------------------------------------------------------------------- comparing


def _compared(systems: Mapping[str, list[str]], folder: Path) -> Comparison:
    return tertium.compare(
        dict(systems),
        _target(folder, _tested()),
        metrics=list(_METRICS.values()),
        resamples=1000,
    )


def _sign(
    exhibit: Exhibit, compared: Comparison, first: str, second: str, metric: str
) -> Claim:
    """Return whether a difference has its published sign."""
    pair = compared.pair(first, second, _METRICS[metric])
    pair = pair if pair.a == first else pair.turned()
    delta, low, high = (_scaled(metric, x) for x in (pair.delta, *pair.interval))
    printed = exhibit.published[first][metric] - exhibit.published[second][metric]
    return Claim(
        f"{metric}: {first} is better than {second}",
        delta < 0 if metric == "TER" else delta > 0,
        f"{delta:+.2f} [{low:+.2f}, {high:+.2f}], published {printed:+.2f}",
    )


def _scaled(metric: str, value: float) -> float:
    return _PERCENT.get(metric, 1.0) * value


def _score(metric: str, outputs: list[str], folder: Path) -> float:
    scorer = tertium.metric(_METRICS[metric])
    value = float(scorer.corpus_score(outputs, _target(folder, _tested())))
    return _scaled(metric, value)


# --------------------------------------------------------------------- translating


def _tested() -> slice:
    return slice(ORDERED, ORDERED + TESTED)


@cache
def _translated(folder: Path, row: str, jump: int) -> list[str]:
    """Return the translations of the test lines in the order of a model."""
    source = _ordered(folder, row, _tested())
    return [text for text, _ in _decoded(folder, row, source, jump)]


def _chosen(folder: Path) -> list[str]:
    """Return the translations of the best of several orders, decoded monotonically.

    Thot takes no lattices: every order is decoded, and the translation with the highest
    sum of the decoder's score and the weighted expected tau is kept.
    """
    sentences = preorder.corpus(folder, "train", None)[0][_tested()]
    model = preorder.model(folder, _BEST, ORDERED)
    lists = list(nbest_orders(model, sentences, count=_ORDERS))
    source = [
        [words[i] for i in each.order]
        for words, orders in zip(sentences, lists, strict=True)
        for each in orders
    ]
    outputs = iter(_decoded(folder, _BEST, source, 0))
    kept = []
    for orders in lists:
        ways = [(*next(outputs), each.expected) for each in orders]
        kept.append(max(ways, key=lambda way: way[1] + _TAU_WEIGHT * way[2])[0])
    return kept


def _ordered(folder: Path, row: str, lines: slice) -> list[Words]:
    """Return lines of English in the order of a model, or of their links."""
    sentences, links = preorder.corpus(folder, "train", None)
    sentences, links = sentences[lines], links[lines]
    if row == _PLAIN:
        return sentences
    if row == _GOLD:
        orders = [gold.order for gold in gold_orders(sentences, links)]
    else:
        model = preorder.model(folder, row, ORDERED)
        orders = [one.order for one in model.apply(sentences)]
    return [
        [words[i] for i in order]
        for words, order in zip(sentences, orders, strict=True)
    ]


def _target(folder: Path, lines: slice) -> list[str]:
    with gzip.open(folder / "enja.train.tsv.gz", "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t")[1] for line in file][lines]


def _decoded(
    folder: Path, row: str, source: Sequence[Words], jump: int
) -> list[tuple[str, float]]:
    """Return a translation and its score for every line."""
    model = _decoder(folder, gold=row != _PLAIN)
    with tempfile.TemporaryDirectory() as place:
        text, weights, nbest = (Path(place, n) for n in ("text", "weights", "nbest"))
        lines = "".join(f"{' '.join(words)}\n" for words in source)
        text.write_text(lines, encoding="utf-8", newline="\n")
        values = {**dict.fromkeys(thot.COMPONENTS, 1.0), "SourceJump": _LIGHT}
        weights.write_text(json.dumps(values), encoding="utf-8", newline="\n")
        thot.decode(Path(model.name), text, weights, nbest, size=1, jump=jump)
        return [
            (" ".join(words.split()), float(score))
            for _, _, (words, _, score) in nbest_fields(open_lines(nbest), path=nbest)
        ]


@cache
def _decoder(folder: Path, *, gold: bool) -> tempfile.TemporaryDirectory[str]:
    """Return the folder of a Thot that learnt from plain English or gold orders."""
    if find_spec("thot") is None or find_spec("machine") is None:
        raise InputError(
            "this needs a decoder; pip install --no-deps sil-thot sil-machine networkx "
            "regex sortedcontainers"
        )
    place = tempfile.TemporaryDirectory(prefix="tertium-thot-")
    lines = slice(LEARNT)
    source = _ordered(folder, _GOLD if gold else _PLAIN, lines)
    pairs = zip(source, _target(folder, lines), strict=True)
    path = Path(place.name, "pairs.tsv")
    text = "".join(f"{' '.join(words)}\t{target}\n" for words, target in pairs)
    path.write_text(text, encoding="utf-8", newline="\n")
    thot.train(path, Path(place.name))
    return place
