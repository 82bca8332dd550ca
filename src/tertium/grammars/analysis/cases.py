# SPDX-License-Identifier: Apache-2.0
"""Case shifts: which case was used where another one was needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.morphology.base import CASES
from tertium.grammars.search.edits import Kind

__all__ = ["MAIN", "CaseShifts", "case_order", "case_shifts"]

#: The cases of Finnish that are always shown, if any of the last ten is seen.
MAIN = CASES[:12]
_COMMON = frozenset({"NOM", "GEN"})  # Other languages have these as well.


@dataclass(frozen=True)
class CaseShifts:
    """How often each case was used in place of each other.

    Parameters
    ----------
    cases : tuple of str
        In the order of rows and columns.
    counts : tuple of tuple of int
        One row per case used, one column per case needed.
    """

    cases: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def total(self) -> int:
        """All case shifts."""
        return sum(map(sum, self.counts))

    def count(self, used: str, needed: str) -> int:
        """Return how often one case stood where the other was needed."""
        if used not in self.cases or needed not in self.cases:
            return 0
        return self.counts[self.cases.index(used)][self.cases.index(needed)]


def case_order(seen: Iterable[str]) -> tuple[str, ...]:
    """Return the cases of a matrix: those of Finnish in order, then others seen.

    Where only cases of other languages are seen, there are only these.

    Examples
    --------
    >>> case_order({"DAT", "NOM"}), case_order({"ADE", "COM"})[-2:]
    (('NOM', 'DAT'), ('ABE', 'COM'))
    """
    seen = set(seen)
    finnish = bool(seen & (set(MAIN) - _COMMON))
    shown = set(MAIN) | seen if finnish else seen
    known = [case for case in CASES if case in shown]
    return (*known, *sorted(shown - set(CASES)))


def case_shifts(
    records: Iterable[SegmentRecord], cases: tuple[str, ...] | None = None
) -> CaseShifts:
    """Return the matrix of case shifts.

    Parameters
    ----------
    records : iterable of SegmentRecord
    cases : tuple of str, optional
        The order; those of the records by default. Give it to compare systems.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for record in records:
        for change in record.best.changes:
            if change.kind is Kind.CASESHIFT:
                _, used, needed = change.label.split("-", 2)
                counts[used, needed] += 1
    if cases is None:
        cases = case_order(case for pair in counts for case in pair)
    return CaseShifts(
        cases,
        tuple(tuple(counts[used, needed] for needed in cases) for used in cases),
    )
