# SPDX-License-Identifier: Apache-2.0
"""Figures of agreement on error spans, from pairs of annotations.

Every pair of annotations of one output gives a row of numbers; rows add up, and
figures are functions of sums. Intervals resample documents or segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tertium.judgements.agreement.reliability import krippendorff_alpha
from tertium.judgements.agreement.spans.outputs import Pair
from tertium.judgements.agreement.spans.unitising import (
    Continuum,
    Piece,
    piece,
    unitised_alpha,
)
from tertium.judgements.estimates import (
    Estimate,
    codes,
    percentiles,
    sums_of_resamples,
)
from tertium.judgements.spans.matching import (
    SEVERITY_LEVELS,
    Mark,
    character_counts,
    match_overlap,
    severity_level,
)

if TYPE_CHECKING:
    from tertium.judgements.estimates import Codes, Floats
    from tertium.stats.resample import Bootstrap

__all__ = ["FIGURES", "ComparedPair", "SpanAgreement", "compare", "span_agreement"]

#: The figures, and how tables call them.
FIGURES = {
    "character_f1": "char F1",
    "character_f1_partial": "with half severity",
    "character_f1_severity": "with severity",
    "character_alpha": "char α",
    "span_f1": "span F1",
    "alpha": "α",
    "alpha_severity": "α severity",
    "severity": "severity",
    "category": "category",
    "category_alpha": "category α",
    "error_free_kappa": "κ error-free",
}
_NOTHING = "no judge marked anything"
_UNMATCHED = "no spans overlap"
_UNNAMED = "no two overlapping spans have a category"
_EVERYTHING = "no judge marked anything, or all marked everything"
_SAME = "all outputs are error-free, or none is"
#: Units that a figure must rest on to have an interval: with one, it is a point.
_FEWEST = 2
#: What of its units a figure rests on, if not on spans.
_RESTS_ON = {"severity": "matched", "category": "named", "category_alpha": "named"}
_SHOWN = {
    "spans": "has spans",
    "matched": "has spans that overlap",
    "named": "has overlapping spans with categories",
    "errors": "has errors",
    "clean": "has outputs without errors",
}
_RARE = "most resamples have no value"


@dataclass(frozen=True)
class SpanAgreement:
    """How far annotations of the same outputs agree.

    Parameters
    ----------
    outputs : int
        Pairs of annotations of one output.
    spans : int
        Spans in them, on both sides.
    matched : int
        Pairs of spans that overlap, one-to-one.
    figures : dict of str to Estimate
        By a key of :data:`FIGURES`. ``character_f1``: shared characters, twice, over
        those that either marked; ``character_f1_severity`` counts shared characters
        of equal severity only, ``character_f1_partial`` others by half;
        ``character_alpha`` is Krippendorff's alpha of characters, marked or not.
        ``span_f1``: matched spans, each with the credit overlap / union. ``alpha`` and
        ``alpha_severity``: Krippendorff's alpha for unitising, of all errors, and by
        severity. ``severity`` and ``category``: share of matched spans that agree;
        ``category_alpha``: the same, corrected for chance. ``error_free_kappa``:
        whether there is an error at all (Fleiss' kappa of two).
    units : int
        Documents or segments that have spans: what most intervals rest on.
    rests_on : dict of str to int
        Of these units, those that each figure with an interval rests on.
    """

    outputs: int
    spans: int
    matched: int
    figures: dict[str, Estimate]
    units: int = 0
    rests_on: dict[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows."""
        return {
            "outputs": self.outputs,
            "spans": self.spans,
            "matched": self.matched,
            "units": self.units,
            **{name: one.to_dict() for name, one in self.figures.items()},
        }


class ComparedPair:
    """Pairs of annotations as rows of numbers; each is computed once."""

    names = (
        "both", "partial", "same", "characters", "credit", "spans", "matched",
        "severity", "named", "category", "outputs", "agreed", "errors", "length",
    )  # fmt: skip

    def __init__(self, pair: Pair) -> None:
        a, b = pair.first.annotation, pair.second.annotation
        counts = character_counts(a, b)
        # Half of what another severity loses is the credit of all that is shared.
        same = character_counts(a, b, severity="same").recall_credit
        self.row = dict.fromkeys(self.names, 0.0)
        self.row |= {
            "both": counts.recall_credit,
            "partial": (counts.recall_credit + same) / 2,
            "same": same,
            "characters": counts.predicted + counts.human,
            "spans": len(a.marks) + len(b.marks),
            "outputs": 1,
            "agreed": a.error_free == b.error_free,
            "errors": (not a.error_free) + (not b.error_free),
        }
        self.categories: list[tuple[str, str]] = []
        for i, j in match_overlap(a.marks, b.marks):
            self._match(a.marks[i], b.marks[j])
        self.length = max(
            pair.first.length,
            pair.second.length,
            *(mark.end for mark in (*a.marks, *b.marks)),
            0,
        )
        self.row["length"] = self.length
        self.pieces = {0: piece(a.marks, b.marks, self.length)}
        sides = [_by_level(each.marks) for each in (a, b)]
        for level in SEVERITY_LEVELS.values():
            first, second = (side.get(level, []) for side in sides)
            if first or second:
                self.pieces[level] = piece(first, second, self.length)

    def piece(self, level: int) -> Piece:
        """Return the marks of a severity level as units; those of any for 0."""
        return self.pieces.get(level) or piece((), (), self.length)

    def _match(self, one: Mark, two: Mark) -> None:
        shared = min(one.end, two.end) - max(one.start, two.start)
        union = max(one.end, two.end) - min(one.start, two.start)
        row = self.row
        row["matched"] += 1
        row["credit"] += shared / union
        row["severity"] += severity_level(one.severity) == severity_level(two.severity)
        if one.category and two.category:
            row["named"] += 1
            row["category"] += one.category == two.category
            self.categories.append((one.category, two.category))


def compare(pairs: Sequence[Pair]) -> list[ComparedPair]:
    """Return the rows of pairs."""
    return [ComparedPair(pair) for pair in pairs]


def span_agreement(
    pairs: Sequence[Pair],
    *,
    unit: str = "document",
    bootstrap: Bootstrap | None = None,
    compared: Sequence[ComparedPair] | None = None,
) -> SpanAgreement:
    """Return the figures of some pairs of annotations.

    Parameters
    ----------
    pairs : sequence of Pair
    unit : {"document", "segment"}
        What is resampled; segments where documents are unknown.
    bootstrap : Bootstrap, optional
        Ask for intervals. A figure that rests on a single unit has none, and the
        reason.
    compared : sequence, optional
        The rows of these pairs, where they were computed before.
    """
    if not pairs:
        none = Estimate(None, reason="no output was annotated twice")
        return SpanAgreement(0, 0, 0, dict.fromkeys(FIGURES, none))
    done = compare(pairs) if compared is None else list(compared)
    clusters: dict[object, int] = {}
    cluster = np.array(
        [
            clusters.setdefault(p.first.output.cluster(unit), len(clusters))
            for p in pairs
        ],
        dtype=np.int64,
    )
    table = np.array([list(one.row.values()) for one in done], dtype=np.float64)
    figures = _ratios(table, cluster, bootstrap)
    figures["alpha"] = _alpha(done, cluster, bootstrap, by_severity=False)
    figures["alpha_severity"] = _alpha(done, cluster, bootstrap, by_severity=True)
    figures["category_alpha"] = _category_alpha(done, cluster, bootstrap)
    sums = dict(zip(ComparedPair.names, table.sum(axis=0), strict=True))
    units = _units(table, cluster)
    if bootstrap is not None:
        figures = {k: _checked(k, one, units, unit) for k, one in figures.items()}
    return SpanAgreement(
        len(pairs),
        round(sums["spans"]),
        round(sums["matched"]),
        {name: figures[name] for name in FIGURES},
        units["spans"],
        {
            name: min(units[what] for what in _rests_on(name))
            for name in FIGURES
            if figures[name].interval
        },
    )


def _units(table: Floats, cluster: Codes) -> dict[str, int]:
    """Return how many units have spans, matches, and so on."""
    columns = dict(zip(ComparedPair.names, table.T, strict=True))
    there = {name: columns[name] > 0 for name in ("spans", "matched", "named")}
    there["errors"] = columns["errors"] > 0
    there["clean"] = columns["errors"] < 2 * columns["outputs"]
    return {name: len(np.unique(cluster[rows])) for name, rows in there.items()}


def _rests_on(name: str) -> tuple[str, ...]:
    """Return what units must have to count for a figure; the scarcest decides."""
    if name == "error_free_kappa":
        return "errors", "clean"
    return (_RESTS_ON.get(name, "spans"),)


def _checked(name: str, one: Estimate, units: dict[str, int], unit: str) -> Estimate:
    """Return a figure without its interval, and why, if one unit alone decides it."""
    if one.value is None:
        return one
    for what in _rests_on(name):
        if units[what] < _FEWEST:
            reason = f"only one {unit} {_SHOWN[what]}"
            return Estimate(one.value, reason=reason)
    return one if one.interval else Estimate(one.value, reason=_RARE)


def _ratios(
    table: Floats, cluster: Codes, bootstrap: Bootstrap | None
) -> dict[str, Estimate]:
    """Return the figures that are functions of sums."""
    from scipy.sparse import csr_matrix

    rows = np.zeros((int(cluster.max()) + 1, table.shape[1]))
    np.add.at(rows, cluster, table)
    sums = rows.sum(axis=0)[None]
    if bootstrap is not None and len(rows) > 1:
        sums = np.concatenate([sums, sums_of_resamples(csr_matrix(rows), bootstrap)])
    s = dict(zip(ComparedPair.names, sums.T, strict=True))
    share = s["errors"] / (2 * s["outputs"])
    chance = share**2 + (1 - share) ** 2
    observed = s["agreed"] / s["outputs"]
    # How many characters one judge alone marked by chance: nominal alpha of two values
    # (Krippendorff 2004, chapter 11) pairs all 2 n judged characters without order.
    judged, marked = 2 * s["length"], s["characters"]
    unlike = marked * (judged - marked) / np.maximum(judged - 1, 1)
    values = {
        "character_f1": (2 * s["both"], s["characters"], _NOTHING),
        "character_f1_partial": (2 * s["partial"], s["characters"], _NOTHING),
        "character_f1_severity": (2 * s["same"], s["characters"], _NOTHING),
        "character_alpha": (unlike - (marked - 2 * s["both"]), unlike, _EVERYTHING),
        "span_f1": (2 * s["credit"], s["spans"], _NOTHING),
        "severity": (s["severity"], s["matched"], _UNMATCHED),
        "category": (s["category"], s["named"], _UNNAMED),
        "error_free_kappa": (observed - chance, 1 - chance, _SAME),
    }
    return {k: _estimate(*each, bootstrap) for k, each in values.items()}


def _estimate(
    part: Floats, whole: Floats, reason: str, bootstrap: Bootstrap | None
) -> Estimate:
    values = np.full(len(part), np.nan)
    np.divide(part, whole, out=values, where=whole > 1e-12)
    if not np.isfinite(values[0]):
        return Estimate(None, reason=reason)
    interval = None
    if bootstrap is not None and len(values) > 1:
        interval = percentiles(values[1:], bootstrap)
    return Estimate(float(values[0]), interval)


def _alpha(
    done: Sequence[ComparedPair],
    cluster: Codes,
    bootstrap: Bootstrap | None,
    *,
    by_severity: bool,
) -> Estimate:
    levels = [0]
    if by_severity:
        levels = sorted({level for one in done for level in one.pieces} - {0})
    continua = [Continuum(one.piece(level) for one in done) for level in levels]
    return unitised_alpha(continua, cluster, bootstrap=bootstrap)


def _by_level(marks: Sequence[Mark]) -> dict[int, list[Mark]]:
    levels: dict[int, list[Mark]] = {}
    for mark in marks:
        levels.setdefault(severity_level(mark.severity), []).append(mark)
    return levels


def _category_alpha(
    done: Sequence[ComparedPair], cluster: Codes, bootstrap: Bootstrap | None
) -> Estimate:
    """Return Krippendorff's alpha (nominal) of the categories of matched spans."""
    units: list[int] = []
    values: list[str] = []
    clusters: list[int] = []
    for one, number in zip(done, cluster, strict=True):
        for first, second in one.categories:
            unit = len(units)
            units += [unit, unit]
            values += [first, second]
            clusters += [int(number)] * 2
    if not values:
        return Estimate(None, reason=_UNNAMED)
    return krippendorff_alpha(
        np.array(units),
        codes(np.array(values)),
        level="nominal",
        clusters=np.array(clusters),
        bootstrap=bootstrap,
    )
