# SPDX-License-Identifier: Apache-2.0
"""Macháček 2014: algorithms, definitions and worked examples, which need no data."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

import tertium
from tertium._seed import SEED
from tertium.judgements import Judgements, Place, Ranking
from tertium.judgements.parts import extract
from tertium.judgements.ranking import ratio_of_wins
from tertium.judgements.reuse.distances import edit_distance
from tertium.meta.agreement.ties import Cells, cells_from, tau, tie_matrix
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Curve, Exhibit, Outcome
from tertium.stats import pearson, spearman
from tertium.trees.brackets import ConstituencyTree

__all__ = [
    "closest_examples",
    "constant_metric",
    "error_rates",
    "extraction",
    "long_outputs",
    "nearest_point",
    "pearson_motivation",
    "tau_examples",
    "volume_example",
]

#: A word, or the parts of a phrase.
Nested: TypeAlias = "str | list[Nested]"


# ---------------------------------------------------------------------- extraction


def extraction(exhibit: Exhibit, _: Data) -> Outcome:
    """Algorithm 1 and figure 2.1: short phrases of a tree."""
    longest = 4 if exhibit.label.startswith("Figure") else 6
    chance = random.Random(SEED)
    same = ordered = covered = 0
    trees = [_tree(chance, chance.randrange(2, 30)) for _ in range(500)]
    for tree in trees:
        text = f"(ROOT {_brackets(tree)})"
        parts = extract(ConstituencyTree.parse(text), min_length=3, max_length=longest)
        words = _leaves(tree)
        spoken = [[words[place] for place in part] for part in parts]
        same += spoken == _extract_segments(tree, 3, longest)
        places = [place for part in parts for place in part]
        ordered += places == sorted(set(places))
        covered += len(places) == len(words)
    size = len(trees)
    return Outcome(
        claims=(
            Claim("on random trees, segments are those of the printed algorithm",
                  same == size, f"{same} of {size} trees"),
            Claim("segments do not overlap and stand in the order of the sentence",
                  ordered == size, f"{ordered} of {size} trees"),
            Claim("not all words are always covered", covered < size,
                  f"{covered} of {size} trees are covered in full"),
        )
    )  # fmt: skip


def _extract_segments(node: Nested, least: int, most: int) -> list[list[str]]:
    """Return segments as algorithm 1 prints it, with its loop variable put right."""
    segments = []
    leaves = _leaves(node)
    if len(leaves) <= most:
        if len(leaves) >= least:
            segments.append(leaves)
    elif not isinstance(node, str):
        for child in node:
            segments.extend(_extract_segments(child, least, most))
    return segments


def _leaves(node: Nested) -> list[str]:
    if isinstance(node, str):
        return [node]
    return [word for child in node for word in _leaves(child)]


def _tree(chance: random.Random, size: int, first: int = 0) -> Nested:
    """Return a random tree over the words w0, w1 and so on."""
    if size == 1:
        return f"w{first}"
    cuts = sorted(chance.sample(range(1, size), chance.randint(1, min(3, size - 1))))
    ends = zip([0, *cuts], [*cuts, size], strict=True)
    return [_tree(chance, end - start, first + start) for start, end in ends]


def _brackets(node: Nested) -> str:
    if isinstance(node, str):
        return f"(W {node})"
    return f"(X {' '.join(map(_brackets, node))})"


# ------------------------------------------------------------------------ rankings


def volume_example(_: Exhibit, __: Data) -> Outcome:
    """Section 3.1: from the ranks of candidates to comparisons of systems."""
    others = (
        "uedin-unconstrained", "commercial2", "onlineB", "onlineA", "cu-funky",
        "cu-bojar", "uedin-wmt14", "cu-depfix",
    )  # fmt: skip
    places = (
        Place(("CU-TectoMT",), 1),
        Place(("commercial1",), 5),
        Place(others, 2),
    )
    judgements = Judgements.from_iterable([Ranking(places, "1")])
    comparisons = judgements.comparisons()
    names = comparisons.systems
    outcomes = {}
    for a, b, sign in zip(
        comparisons.first, comparisons.second, comparisons.outcome, strict=True
    ):
        outcomes[names[a], names[b]] = int(np.sign(sign))
        outcomes[names[b], names[a]] = -int(np.sign(sign))
    printed = {
        ("uedin-unconstrained", "commercial1"): 1,
        ("uedin-unconstrained", "commercial2"): 0,
        ("uedin-unconstrained", "CU-TectoMT"): -1,
        ("commercial1", "commercial2"): -1,
        ("commercial1", "CU-TectoMT"): -1,
    }
    right = sum(outcomes[pair] == sign for pair, sign in printed.items())
    ratios = ratio_of_wins(comparisons.wins())
    shown = ", ".join(f"{name} {ratios[name]}" for name in sorted(ratios))
    expected = {"CU-TectoMT": 1.0, "commercial1": 0.0} | dict.fromkeys(others, 0.5)
    return Outcome(
        cells=(Cell("ten systems", "pairs", len(comparisons), against="pairs"),),
        claims=(
            Claim("the five printed comparisons come out", right == len(printed),
                  f"{right} of {len(printed)}"),
            Claim("ties do not enter the ratio of wins", ratios == expected, shown),
        ),
    )  # fmt: skip


def closest_examples(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 3.6: distances of segments; both are in the name of a row."""
    cells = []
    for row in exhibit.published:
        unseen, closest = row.split(" → ")
        cells.append(Cell(row, "D", edit_distance(unseen, closest), against="D"))
    signs = [row["C"] for row in exhibit.published.values()]
    better, worse = signs.count(1), signs.count(-1)
    text = "in the printed examples, the closest is better more often than worse"
    claim = Claim(text, better > worse, f"{better} against {worse}")
    return Outcome(tuple(cells), (claim,))


def nearest_point(_: Exhibit, __: Data) -> Outcome:
    """Figure 3.1: candidates around a good translation, in more and more dimensions."""
    generator = np.random.default_rng(SEED)
    curves, last = [], {}
    for size in (3, 9, 30):
        points = []
        for dimensions in (1, 2, 3, 5, 8, 12, 20, 30, 50):
            known = generator.normal(size=(2000, size, dimensions))
            new = generator.normal(size=(2000, 1, dimensions))
            good = np.linalg.norm(new[:, 0], axis=-1)
            near = np.linalg.norm(known - new, axis=-1).min(axis=1)
            points.append((float(dimensions), float((good < near).mean())))
        curves.append(Curve(f"{size} candidates", tuple(points)))
        last[size] = dict(points)
    shares = {
        size: min(v for d, v in last[size].items() if d > size) for size in (3, 9)
    }
    growing = all(
        a[1] <= b[1] + 0.02
        for curve in curves
        for a, b in zip(curve.points, curve.points[1:], strict=False)
    )
    return Outcome(
        claims=(
            Claim("with more dimensions than candidates, the good translation is the "
                  "nearest point more often than not",
                  all(share > 0.5 for share in shares.values()),
                  ", ".join(f"{n} candidates: at least {s:.2f}"
                            for n, s in shares.items())),
            Claim("the share grows with the dimensions", growing),
        ),
        curves=tuple(curves),
        axis="dimensions",
    )  # fmt: skip


# ------------------------------------------------------------------------- metrics


def error_rates(exhibit: Exhibit, _: Data) -> Outcome:
    """Figures 4.1 and 4.2: the grids of WER and CDER."""
    jumps = exhibit.label == "Figure 4.2"
    name = "cder" if jumps else "wer"
    metric = tertium.metric(f"{name}:tokenize=none")
    chance = random.Random(SEED)
    hyps, refs = (
        [
            " ".join(chance.choices("abcdef", k=chance.randint(1, 12)))
            for _ in range(500)
        ]
        for _ in range(2)
    )
    scores = metric.segment_scores(hyps, refs, threads=1).tolist()
    worst = max(
        abs(score / metric.unit - _grid(hyp.split(), ref.split(), jumps=jumps))
        for score, hyp, ref in zip(scores, hyps, refs, strict=True)
    )
    claims = [
        Claim(f"{metric.label} is the last corner of the grid, on random sentences",
              worst < 1e-9, f"largest difference {worst:.0e}"),
    ]  # fmt: skip
    if jumps:
        wer = tertium.metric("wer:tokenize=none").segment_scores(hyps, refs, threads=1)
        above = int((np.asarray(scores) > np.asarray(wer) + 1e-9).sum())
        moved = list("defabc"), list("abcdef")
        costs = [round(6 * _grid(*moved, jumps=on)) for on in (True, False)]
        claims += [
            Claim("long jumps never raise the error", above == 0,
                  f"{above} of {len(hyps)} sentences"),
            Claim("a block of three words that moved costs less than its six edits",
                  costs[0] < costs[1], f"{costs[0]} against {costs[1]}"),
        ]  # fmt: skip
    return Outcome(claims=tuple(claims))


def _grid(hyp: Sequence[str], ref: Sequence[str], *, jumps: bool) -> float:
    """Return WER or CDER, row by row of the grid."""
    row = [min(1, i) if jumps else i for i in range(len(hyp) + 1)]
    for word in ref:
        below = [row[0] + 1]
        for i, other in enumerate(hyp):
            below.append(min(row[i] + (word != other), row[i + 1] + 1, below[i] + 1))
        if jumps:
            below = [min(cost, min(below) + 1) for cost in below]
        row = below
    return row[-1] / len(ref)


def long_outputs(_: Exhibit, __: Data) -> Outcome:
    """Section 4.2.3: whether long outputs game BLEU-NRC."""
    metric = tertium.metric("bleu-nrc:tokenize=none")
    lengths = (5, 50, 500, 5_000, 50_000)
    refs = ["one two three four five"]
    scores = [metric.segment_scores([" ".join("x" * n)], refs)[0] for n in lengths]
    values = [float(score / metric.unit) for score in scores]
    shown = ", ".join(
        f"{n:,} words: {v:.4f}" for n, v in zip(lengths, values, strict=True)
    )
    return Outcome(
        cells=tuple(
            Cell(f"{n:,} words, none right", "BLEU-NRC", v)
            for n, v in zip(lengths, values, strict=True)
        ),
        claims=(
            Claim("an output without a match gets any score if it is long enough",
                  values[-1] > values[0], shown),
        ),
    )  # fmt: skip


# ----------------------------------------------------------------- meta-evaluation


def tau_examples(_: Exhibit, __: Data) -> Outcome:
    """Section 4.4.1: tau of three and of four comparisons."""
    first = cells_from([1, -1, -1], [1, -1, 1])
    second = cells_from([1, 1, -1, 0], [1, 1, 0, -1])
    values = {
        "three comparisons": tau(first, tie_matrix("wmt13")),
        "four comparisons, WMT12": tau(second, tie_matrix("wmt12")),
    }
    return Outcome(
        tuple(
            Cell(name, "τ", value, against="τ")
            for name, value in values.items()
            if value is not None
        )
    )


def constant_metric(_: Exhibit, __: Data) -> Outcome:
    """Section 4.4.2: how a metric that ties everything fares, for any judges."""
    chance = random.Random(SEED)
    rows = [[chance.randrange(1, 100) for _ in range(3)] for _ in range(200)]
    worst = 0.0
    zero = minus = undefined = 0
    for better, tied, worse in rows:
        cells = Cells(((0, better, 0), (0, tied, 0), (0, worse, 0)))
        value = tau(cells, tie_matrix("hties"))
        worst = max(worst, abs((value or 0.0) - tied / (better + tied + worse)))
        zero += tau(cells, tie_matrix("wmt14")) == 0
        minus += tau(cells, tie_matrix("wmt12")) == -1
        undefined += tau(cells, tie_matrix("wmt13")) is None
    size = len(rows)
    return Outcome(
        claims=(
            Claim("HTIES gives it the proportion of ties in all human comparisons",
                  worst < 1e-12, f"largest difference {worst:.0e}"),
            Claim("WMT14 gives it 0, WMT12 -1, and WMT13 nothing at all",
                  zero == minus == undefined == size, f"{size} tables of judgements"),
        )
    )  # fmt: skip


def pearson_motivation(exhibit: Exhibit, _: Data) -> Outcome:
    """Figure 4.3: what a swap of two systems costs, by the printed scores."""
    names = list(exhibit.published)
    human = [exhibit.published[name]["human"] for name in names]
    bleu = [exhibit.published[name]["BLEU"] for name in names]
    swaps = {
        "near": ("uedin-wmt14", "onlineB"),
        "far": ("commercial1", "CU-TectoMT"),
    }
    losses: dict[str, tuple[float, float]] = {}
    # Starts from a metric that orders systems as people do.
    ideal = sorted(bleu, reverse=True)
    order = sorted(range(len(names)), key=lambda i: -human[i])
    for kind, pair in swaps.items():
        scores = {
            names[place]: value for place, value in zip(order, ideal, strict=True)
        }
        before = [scores[name] for name in names]
        scores[pair[0]], scores[pair[1]] = scores[pair[1]], scores[pair[0]]
        after = [scores[name] for name in names]
        r, rho = (
            (f(human, before) or 0.0) - (f(human, after) or 0.0)
            for f in (pearson, spearman)
        )
        losses[kind] = (r, rho)
    near, far = losses["near"], losses["far"]
    return Outcome(
        claims=(
            Claim("for Pearson's r, swapping uedin-wmt14 and onlineB costs less than "
                  "swapping commercial1 and CU-TectoMT", near[0] < far[0],
                  f"{near[0]:.4f} against {far[0]:.4f}"),
            Claim("for Spearman's ρ, both cost the same", abs(near[1] - far[1]) < 1e-9,
                  f"{near[1]:.4f} and {far[1]:.4f}"),
        ),
    )  # fmt: skip
