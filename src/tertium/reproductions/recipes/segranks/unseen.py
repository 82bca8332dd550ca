# SPDX-License-Identifier: Apache-2.0
"""Macháček 2014, section 3.2: scores of systems that nobody judged.

Twice: on segments with simulated judges, where most of the tables can be filled, and on
whole sentences that people ranked in WMT12, where the conclusions can be tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import tertium
from tertium.judgements import Judgements
from tertium.judgements.reuse.estimation import reuse
from tertium.judgements.reuse.results import DistanceBin, Reuse, SystemEstimate
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Curve, Exhibit, Outcome
from tertium.reproductions.recipes.segranks.world import NAMES, world

__all__ = [
    "closest_matching",
    "distance_counts",
    "distance_shares",
    "exact_matching",
    "guessed_ranks",
]

SIMULATED = "segments, simulated judges"
PEOPLE = "whole sentences, judged by people"
PAIRS = ("en-cs", "en-de", "en-es", "en-fr")
#: Systems of the thesis that share most of their software, and rule-based ones.
RELATED, RULES = ("cu-bojar", "cu-depfix"), ("commercial1", "commercial2")


def exact_matching(_: Exhibit, data: Data) -> Outcome:
    """Table 3.3: scores from equal segments alone."""
    result = _segments(data, "exact")
    cells = _matrix(result, "hit rate")
    first = sum(_rank(each) == 1 for each in result.systems)
    hits = {each.system: each.hit_rate or 0.0 for each in result.systems}
    related = min(hits[name] for name in RELATED)
    others = max(rate for name, rate in hits.items() if not name.startswith("cu-"))
    claims = [
        Claim("the system left out is the winner of its table for all but one at most",
              first >= len(result.systems) - 1,
              f"{first} of {len(result.systems)} systems"),
        _flattered(result, "every"),
        Claim("cu-bojar and cu-depfix have higher hit rates than systems of others",
              related > others,
              f"at least {related:.2f} against {others:.2f} at most"),
    ]  # fmt: skip
    return Outcome(
        (*cells, *_sentence_cells(data, "exact")),
        (*claims, _flattered_people(data, "exact")),
    )


def closest_matching(_: Exhibit, data: Data) -> Outcome:
    """Table 3.4: scores from the segments with the least edit distance."""
    result = _segments(data, "closest")
    cells = _matrix(result, "AED")
    exact = {
        each.system: each.predicted or 0.0 for each in _segments(data, "exact").systems
    }
    lower = sum((each.predicted or 0.0) < exact[each.system] for each in result.systems)
    first = sum(_rank(each) == 1 for each in result.systems)
    size = len(result.systems)
    claims = [
        Claim("systems left out do not always win their table", first < size,
              f"{first} of {size} win"),
        _flattered(result, "every"),
        Claim("scores are less overestimated than by exact matching", lower == size,
              f"{lower} of {size} systems"),
        _distances(result),
    ]  # fmt: skip
    return Outcome(
        (*cells, *_sentence_cells(data, "closest")),
        (*claims, _flattered_people(data, "closest")),
    )


def guessed_ranks(_: Exhibit, data: Data) -> Outcome:
    """Table 3.5: whether the closest segment is worse, equal or better."""
    result = _segments(data, "closest")
    rows = {each.system: each.misses for each in result.systems}
    rows["All"] = result.all.misses
    cells = [
        cell for row, bin_ in rows.items() for cell in _percent(row, bin_, SIMULATED)
    ]
    sets = {pair: _sentences(data, pair, "closest") for pair in PAIRS}
    for pair, each in sets.items():
        cells += _percent(f"WMT12 {pair}", each.all.misses, PEOPLE)
    claims = []
    for part, bins in (
        (SIMULATED, [result.all.misses]),
        (PEOPLE, [each.all.misses for each in sets.values()]),
    ):
        shares = [_shares(each) for each in bins]
        shown = "; ".join(
            f"worse {w:.1f}, equal {e:.1f}, better {b:.1f} %" for w, e, b in shares
        )
        claims += [
            Claim(f"the closest is better more often than worse: {part}",
                  all(b > w for w, _, b in shares), shown),
            Claim(f"the closest is better in more than half of the cases: {part}",
                  all(b > 50 for _, _, b in shares)),
            Claim(f"equal ranks are the rarest: {part}",
                  all(e < min(w, b) for w, e, b in shares)),
        ]  # fmt: skip
    return Outcome(tuple(cells), tuple(claims))


def distance_counts(_: Exhibit, data: Data) -> Outcome:
    """Figure 3.2: how many unseen segments have their closest at which distance."""
    result = _segments(data, "closest")
    longest = 20
    curves = [
        Curve(
            each.system,
            tuple(
                (float(d), float(each.by_distance.get(d, DistanceBin()).count))
                for d in range(1, longest + 1)
            ),
        )
        for each in result.systems
    ]
    cells = tuple(
        Cell(each.system, "AED", each.mean_distance or 0.0, against="AED")
        for each in result.systems
    )
    return Outcome(cells, (_distances(result),), tuple(curves), "edit distance")


def distance_shares(_: Exhibit, data: Data) -> Outcome:
    """Figure 3.3: worse, equal and better ranks by edit distance."""
    bins = _segments(data, "closest").all.by_distance
    curves: dict[str, list[tuple[float, float]]] = {}
    for distance in range(1, 21):
        for name, share in zip(_NAMES, _shares(bins.get(distance)), strict=True):
            curves.setdefault(name, []).append((float(distance), share / 100))
    near = _together([bins[d] for d in (1, 2, 3) if d in bins])
    far = _together([bins[d] for d in range(12, 21) if d in bins])
    changes = {
        name: b - a
        for name, a, b in zip(_NAMES, _shares(near), _shares(far), strict=True)
    }
    shown = ", ".join(f"{name} {value:+.1f}" for name, value in changes.items())
    return Outcome(
        claims=(
            Claim("better ranks become more frequent with the distance "
                  "(12 to 20 against 1 to 3, in points)", changes["better"] > 0, shown),
            Claim("equal ranks become rarer", changes["equal"] < 0, shown),
            Claim("worse ranks change least",
                  abs(changes["worse"]) == min(map(abs, changes.values())), shown),
        ),
        curves=tuple(Curve(name, tuple(points)) for name, points in curves.items()),
        axis="edit distance",
    )  # fmt: skip


_NAMES = ("worse", "equal", "better")


# --------------------------------------------------------------------------- parts


@cache
def _reused(folder: Path, by: str) -> Reuse:
    judged = world(Data(folder))
    return reuse(
        judged.judgements, judged.testset, by=by, leave_one_out=True, threads=1
    )


def _segments(data: Data, by: str) -> Reuse:
    return _reused(data.path("wmt12").parent, by)


@cache
def _reused_sentences(folder: Path, pair: str, by: str) -> Reuse:
    testset = tertium.read(folder / f"{pair}.tsv.gz")
    path = folder / "wmt12.RNK_results.csv.gz"
    judgements = Judgements.read(path, langpair=pair)
    return reuse(
        judgements, testset, by=by, leave_one_out=True, langpair=pair, threads=1
    )


def _sentences(data: Data, pair: str, by: str) -> Reuse:
    return _reused_sentences(data.path("wmt12"), pair, by)


def _matrix(result: Reuse, last: str) -> list[Cell]:
    """Return a row per system and a column per system left out."""
    cells = []
    for each in result.systems:
        if each.predicted is None:
            continue
        scores = {**each.scores, each.system: each.predicted}
        cells += [
            Cell(row, each.system, scores[row], against=each.system, part=SIMULATED)
            for row in NAMES.values()
            if row in scores
        ]
    for each in result.systems:
        value = each.hit_rate if last == "hit rate" else each.mean_distance
        if value is not None:
            # Distances are not on the scale of scores: they are with figure 3.2.
            against = each.system if last == "hit rate" else None
            cells.append(Cell(last, each.system, value, None, None, against, SIMULATED))
    return cells


def _rank(each: SystemEstimate) -> int:
    score = each.predicted or 0.0
    return 1 + sum(other > score for other in each.scores.values())


def _flattered(result: Reuse, how: str) -> Claim:
    pairs = [
        (each.predicted, each.true)
        for each in result.systems
        if each.predicted is not None and each.true is not None
    ]
    above = sum(predicted > true for predicted, true in pairs)
    bias = sum(predicted - true for predicted, true in pairs) / len(pairs)
    return Claim(
        f"{how} system left out is overestimated",
        above == len(pairs),
        f"{above} of {len(pairs)} systems, by {bias:+.3f} on average",
    )


def _flattered_people(data: Data, by: str) -> Claim:
    results = [_sentences(data, pair, by) for pair in PAIRS]
    pairs = [
        (each.predicted, each.true)
        for result in results
        for each in result.systems
        if each.predicted is not None and each.true is not None
    ]
    above = sum(predicted > true for predicted, true in pairs)
    bias = sum(predicted - true for predicted, true in pairs) / max(1, len(pairs))
    return Claim(
        f"systems left out are overestimated on average: {PEOPLE}",
        bias > 0,
        f"by {bias:+.3f}; {above} of {len(pairs)} systems",
    )


def _sentence_cells(data: Data, by: str) -> list[Cell]:
    cells = []
    for pair in PAIRS:
        result = _sentences(data, pair, by)
        row, accuracy, whole = f"WMT12 {pair}", result.accuracy, result.all
        figures = {
            "hit rate": whole.hit_rate,
            "AED": whole.mean_distance,
            "bias": accuracy.bias if accuracy else None,
            "r with judged scores": accuracy.pearson if accuracy else None,
        }
        cells += [
            Cell(row, column, value, part=PEOPLE)
            for column, value in figures.items()
            if value is not None
        ]
    return cells


def _distances(result: Reuse) -> Claim:
    means = {each.system: each.mean_distance or 0.0 for each in result.systems}
    order = sorted(means, key=lambda name: means[name])
    return Claim(
        "cu-bojar and cu-depfix are nearest to others, rule-based systems farthest",
        set(order[:3]) > set(RELATED) and set(order[-3:]) >= set(RULES),
        ", ".join(f"{name} {means[name]:.1f}" for name in order),
    )


def _shares(each: DistanceBin | None) -> tuple[float, float, float]:
    if each is None or not (total := each.worse + each.equal + each.better):
        return 0.0, 0.0, 0.0
    return 100 * each.worse / total, 100 * each.equal / total, 100 * each.better / total


def _together(bins: Sequence[DistanceBin]) -> DistanceBin:
    total = DistanceBin()
    for each in bins:
        total = total.plus(each)
    return total


def _percent(row: str, each: DistanceBin, part: str) -> list[Cell]:
    heads = ("Worse", "Equal", "Better")
    return [
        Cell(row, head, share, against=head, part=part)
        for head, share in zip(heads, _shares(each), strict=True)
    ]
