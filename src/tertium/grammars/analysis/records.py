# SPDX-License-Identifier: Apache-2.0
"""One output of one system, with its correction.

A record keeps the whole correction, step by step, so that a report can show it;
alternatives keep only what a reader may want to compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from tertium.grammars.analysis.near import Near
from tertium.grammars.search.edits import UNIT, Kind
from tertium.grammars.search.matching import Change, Correction, Match

__all__ = [
    "Alternative",
    "SegmentRecord",
    "count_edits",
    "count_errors",
    "make_record",
]


@dataclass(frozen=True)
class Alternative:
    """Another correction that is nearly as cheap.

    Parameters
    ----------
    cost : int
        In ten-thousandths.
    ref : tuple of str
        The tokens of its reference.
    text : str
        The correction as figure 7 shows it.
    weight : float
        How much it counts in expected counts.
    """

    cost: int
    ref: tuple[str, ...]
    text: str
    weight: float


@dataclass(frozen=True)
class SegmentRecord:
    """The analysis of one output.

    Parameters
    ----------
    id, system, template, set, source : str
        What was translated, and by whom; template and set may be empty.
    hyp : str
        The output as the system wrote it.
    tokens : tuple of str
        The words of it that were corrected, without punctuation.
    best : Correction
        The cheapest correction.
    alternatives : tuple of Alternative
        Others, within the requested cost.
    weight : float
        How much the best correction counts in expected counts.
    expected : dict of Kind to float
        Counts of errors over all near-best corrections, by their weights and the
        edits that show them.
    close : tuple of int
        How many costs are less than 0.5, 1 and 1.5 above the best, itself included.
    close_is_least : bool
        Whether there may be more.
    proven : bool
        Whether nothing is cheaper than the best.
    source_constructions, constructions : tuple of str
        The functions that make the source, and the chosen reference.
    analyser : str
        Name and version; results of different analysers are not comparable.
    """

    id: str
    system: str
    template: str
    set: str
    source: str
    hyp: str
    tokens: tuple[str, ...]
    best: Correction
    alternatives: tuple[Alternative, ...]
    weight: float
    expected: Mapping[Kind, float]
    close: tuple[int, ...]
    close_is_least: bool
    proven: bool
    source_constructions: tuple[str, ...]
    constructions: tuple[str, ...]
    analyser: str

    @property
    def edits(self) -> tuple[Change, ...]:
        """The edits; a move is one, what else a moved token needs another."""
        return self.best.edits

    @property
    def counts(self) -> Counter[Kind]:
        """How many edits of each kind."""
        return count_edits(self.best)

    @property
    def errors(self) -> Counter[Kind]:
        """How many errors each kind of edit shows."""
        return count_errors(self.best)

    @property
    def cost(self) -> int:
        """The cost of the correction, in ten-thousandths."""
        return self.best.cost

    @property
    def ref_len(self) -> int:
        """How many tokens the chosen reference has."""
        return len(self.best.reference)

    @property
    def score(self) -> float:
        """The cost per token of the chosen reference; 0 is perfect."""
        return self.best.score

    @property
    def ambiguity(self) -> int:
        """How many alternatives are as cheap as the best."""
        return sum(other.cost == self.cost for other in self.alternatives)

    def text(self) -> str:
        """Return the record in words, as figure 7 of the thesis shows it.

        Unedited tokens are plain; edits are ``[LABEL: hyp/ref (cost)]`` with
        ``<eps>`` for an empty side.
        """
        best = self.best
        least = "+" if self.close_is_least else ""
        lines = [f"{self.id}  {self.system}"]
        if self.source:
            lines.append(f"source      {self.source}")
        lines += [
            f"output      {self.hyp}",
            f"correction  {best}",
            f"reference   {' '.join(best.reference)}",
            f"cost        {best.cost / UNIT:g}; score {best.score:.5f}",
        ]
        if self.close:
            shown = ", ".join(map(str, self.close))
            lines.append(f"close       {shown}{least} (0.5, 1, 1.5)")
        if self.constructions:
            made = ", ".join(self.constructions)
            lines.append(f"built as    {made}")
        if not self.proven:
            lines.append("note        not proven to be the cheapest correction")
        if self.counts:
            errors = ", ".join(
                f"{kind.label} {count}" for kind, count in sorted(self.counts.items())
            )
            lines.append(f"edits       {errors}")
        return "\n".join(lines)


def count_edits(correction: Correction) -> Counter[Kind]:
    """Return how many edits of each kind a correction has."""
    return Counter(change.kind for change in correction.edits)


def count_errors(correction: Correction) -> Counter[Kind]:
    """Return how many errors each kind of edit shows in a correction.

    A compound written apart is one error, though every token that is joined is an
    edit with a cost.
    """
    return Counter(change.kind for change in correction.errors)


def make_record(
    match: Match,
    *,
    id: str,  # noqa: A002
    system: str,
    hyp: str,
    template: str = "",
    set: str = "",  # noqa: A002
    source: str = "",
    source_constructions: tuple[str, ...] = (),
    constructions: tuple[str, ...] = (),
    analyser: str = "none",
    near: Near | None = None,
) -> SegmentRecord:
    """Return the record of a match."""
    near = near or Near()
    corrections = match.corrections
    weights = near.weights([one.cost for one in corrections])
    expected: dict[Kind, float] = {}
    for one, weight in zip(corrections, weights, strict=True):
        if weight:
            for kind, count in sorted(count_errors(one).items()):
                expected[kind] = expected.get(kind, 0.0) + weight * count
    others = tuple(
        Alternative(one.cost, one.reference, str(one), weight)
        for one, weight in zip(corrections[1:], weights[1:], strict=True)
        if one.cost - match.best.cost <= near.delta * UNIT
    )
    return SegmentRecord(
        id=id,
        system=system,
        template=template,
        set=set,
        source=source,
        hyp=hyp,
        tokens=match.hyp,
        best=match.best,
        alternatives=others,
        weight=weights[0],
        expected=expected,
        close=match.close or (),
        close_is_least=match.close_is_least,
        proven=match.proven,
        source_constructions=source_constructions,
        constructions=constructions,
        analyser=analyser,
    )
