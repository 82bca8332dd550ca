# SPDX-License-Identifier: Apache-2.0
"""What outputs of a system add up to: counts, score, interval, differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tertium.grammars.analysis.ambiguity import (
    Ambiguity,
    ambiguity,
    ambiguity_by_edits,
)
from tertium.grammars.analysis.bootstrap import bootstrap_for
from tertium.grammars.analysis.cases import CaseShifts, case_order, case_shifts
from tertium.grammars.analysis.differences import (
    Difference,
    differences,
    sampled_scores,
    score_of,
)
from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.analysis.recurring import Recurrence, recurrence
from tertium.grammars.analysis.transfer import Transfer, transfers
from tertium.grammars.search.edits import TAXONOMY, EditCosts, Kind
from tertium.stats import Bootstrap, interval

__all__ = [
    "SystemResult",
    "TemplateResult",
    "cost_of",
    "system_results",
    "taxonomy_counts",
]


@dataclass(frozen=True)
class TemplateResult:
    """A system on one template.

    Parameters
    ----------
    template : str
        Empty for segments without one.
    segments, exact : int
        All, and those that need no edit.
    cost : int
        In ten-thousandths.
    ref_tokens : int
        Tokens of the chosen references.
    counts : dict of Kind to int
        Edits.
    """

    template: str
    segments: int
    exact: int
    cost: int
    ref_tokens: int
    counts: Mapping[Kind, int]

    @property
    def score(self) -> float:
        """Cost per token of the references."""
        return score_of(self.cost, self.ref_tokens)


@dataclass(frozen=True)
class SystemResult:
    """A system, or a translator, on a whole test set.

    Parameters
    ----------
    name : str
    human : bool
        Whether a person translated.
    segments, exact, unproven : int
        All; those that need no edit; those whose correction may not be the cheapest.
    cost, ref_tokens, hyp_tokens : int
        Sums, the cost in ten-thousandths; tokens of the chosen references, and of the
        outputs.
    interval : tuple of float, or None
        Of the score, by the bootstrap clustered by template.
    counts : dict of Kind to int
        Edits of the cheapest corrections.
    errors : dict of Kind to int
        The same, but a compound written apart is one error, not one per token.
    expected : dict of Kind to float
        Errors over all near-best corrections, by their weights.
    cases : CaseShifts
    recurrence : Recurrence
    transfers : tuple of Transfer
    ambiguity : Ambiguity
    ambiguity_by_edits : dict of int to Ambiguity
    templates : tuple of TemplateResult
    """

    name: str
    human: bool
    segments: int
    exact: int
    unproven: int
    cost: int
    ref_tokens: int
    hyp_tokens: int
    interval: tuple[float, float] | None
    counts: Mapping[Kind, int]
    errors: Mapping[Kind, int]
    expected: Mapping[Kind, float]
    cases: CaseShifts
    recurrence: Recurrence
    transfers: tuple[Transfer, ...]
    ambiguity: Ambiguity | None
    ambiguity_by_edits: Mapping[int, Ambiguity]
    templates: tuple[TemplateResult, ...]

    @property
    def score(self) -> float:
        """Cost per token of the chosen references; 0 is perfect, lower is better."""
        return score_of(self.cost, self.ref_tokens)

    @property
    def edits(self) -> int:
        """All edits."""
        return sum(self.counts.values())

    @property
    def taxonomy(self) -> dict[str, int]:
        """Errors of each category; a compound written apart is one."""
        return {name: int(n) for name, n in taxonomy_counts(self.errors).items()}

    @property
    def expected_taxonomy(self) -> dict[str, float]:
        """Expected errors of each category."""
        return taxonomy_counts(self.expected)

    @property
    def outside(self) -> float:
        """The share of the words of outputs that are not in the lexicon.

        Words that references have are not among them, whatever the lexicon lacks.
        """
        kinds = TAXONOMY["not in the lexicon"]
        count = sum(self.counts.get(kind, 0) for kind in kinds)
        return count / self.hyp_tokens if self.hyp_tokens else 0.0

    @property
    def kept(self) -> float | None:
        """The share of segments that keep the construction of the source."""
        known = sum(transfer.segments for transfer in self.transfers)
        return (
            sum(transfer.kept for transfer in self.transfers) / known if known else None
        )


def taxonomy_counts(counts: Mapping[Kind, float]) -> dict[str, float]:
    """Return counts by edit as counts by category.

    Examples
    --------
    >>> taxonomy_counts({Kind.UNKDEL: 2, Kind.UNKSUB: 1})["unknown words"]
    3
    """
    return {
        name: sum(counts.get(kind, 0) for kind in kinds)
        for name, kinds in TAXONOMY.items()
    }


def cost_of(counts: Mapping[Kind, float], costs: EditCosts) -> float:
    """Return what edits cost together, in ten-thousandths."""
    return sum(costs.of(kind) * count for kind, count in counts.items())


def system_results(
    records: Mapping[str, Sequence[SegmentRecord]],
    *,
    humans: frozenset[str] = frozenset(),
    bootstrap: Bootstrap | None = None,
    top: int = 20,
) -> tuple[tuple[SystemResult, ...], tuple[Difference, ...]]:
    """Return the results of systems on the same segments, and all differences.

    Parameters
    ----------
    records : dict of str to sequence of SegmentRecord
        By system, all in the same order of segments.
    humans : frozenset of str
        Which of them are people.
    bootstrap : Bootstrap, optional
        How intervals are computed.
    top : int
        How many recurring edits to keep.

    Returns
    -------
    tuple
        Systems in the order given; differences of the better minus the worse.
    """
    bootstrap = bootstrap or bootstrap_for(len(records))
    seen = (
        case
        for rows in records.values()
        for row in rows
        for change in row.best.changes
        if change.kind is Kind.CASESHIFT
        for case in change.label.split("-", 2)[1:]
    )
    cases = case_order(seen)
    sampled = sampled_scores(records, bootstrap)
    systems = tuple(
        _system(
            name,
            rows,
            human=name in humans,
            cases=cases,
            bounds=(
                interval(sampled[name], confidence=bootstrap.confidence)
                if name in sampled
                else None
            ),
            top=top,
        )
        for name, rows in records.items()
    )
    return systems, differences(
        {system.name: system.score for system in systems}, records, sampled, bootstrap
    )


def _system(
    name: str,
    records: Sequence[SegmentRecord],
    *,
    human: bool,
    cases: tuple[str, ...],
    bounds: tuple[float, float] | None,
    top: int,
) -> SystemResult:
    groups: dict[str, list[SegmentRecord]] = {}
    expected: dict[Kind, float] = {}
    errors: Counter[Kind] = Counter()
    for row in records:
        errors.update(row.errors)
        groups.setdefault(row.template, []).append(row)
        for kind, count in row.expected.items():
            expected[kind] = expected.get(kind, 0.0) + count
    templates = tuple(_template(template, rows) for template, rows in groups.items())
    counts: Counter[Kind] = Counter()
    for part in templates:
        counts.update(part.counts)
    return SystemResult(
        name=name,
        human=human,
        segments=len(records),
        exact=sum(part.exact for part in templates),
        unproven=sum(not row.proven for row in records),
        cost=sum(part.cost for part in templates),
        ref_tokens=sum(part.ref_tokens for part in templates),
        hyp_tokens=sum(len(row.tokens) for row in records),
        interval=bounds,
        counts=dict(sorted(counts.items())),
        errors=dict(sorted(errors.items())),
        expected=dict(sorted(expected.items())),
        cases=case_shifts(records, cases),
        recurrence=recurrence(records, top=top),
        transfers=transfers(records),
        ambiguity=ambiguity(records),
        ambiguity_by_edits=ambiguity_by_edits(records),
        templates=templates,
    )


def _template(template: str, records: Sequence[SegmentRecord]) -> TemplateResult:
    counts: Counter[Kind] = Counter()
    for row in records:
        counts.update(row.counts)
    return TemplateResult(
        template,
        len(records),
        sum(row.cost == 0 for row in records),
        sum(row.cost for row in records),
        sum(row.ref_len for row in records),
        dict(sorted(counts.items())),
    )
