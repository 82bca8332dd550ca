# SPDX-License-Identifier: Apache-2.0
"""What a metric found in an output, what it missed, and its false alarms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tertium.judgements.spans.matching import (
    Annotation,
    Mark,
    MissingMark,
    match_overlap,
)

__all__ = ["Finding", "findings"]


class Finding(NamedTuple):
    """A human mark, a predicted one, or two that were matched.

    Parameters
    ----------
    human, predicted : Mark or MissingMark, optional
        At least one of them.
    judge : str
        Who made the human mark; empty without one, and if the name is unknown.
    """

    human: Mark | MissingMark | None
    predicted: Mark | MissingMark | None
    judge: str = ""

    @property
    def kind(self) -> str:
        """``match``, ``miss`` or ``false alarm``."""
        if self.human is None:
            return "false alarm"
        return "miss" if self.predicted is None else "match"


def findings(
    human: Mapping[str, Annotation], predicted: Sequence[Annotation]
) -> list[Finding]:
    """Return the matches, misses and false alarms in one output, by position.

    Predicted spans are matched with each judge's as in the measure ``overlap``:
    one-to-one, the largest overlap first. Marks of missing content match any other. A
    false alarm matches no judge's mark. Marks without a place come last.

    Examples
    --------
    >>> people = {"anna": Annotation((Mark(0, 4, "major"), Mark(8, 9)))}
    >>> metric = [Annotation((Mark(2, 6, "minor"), Mark(20, 22)))]
    >>> [each.kind for each in findings(people, metric)]
    ['match', 'miss', 'false alarm']
    """
    marks = [mark for each in predicted for mark in each.marks]
    missing = [mark for each in predicted for mark in each.missing]
    results = []
    used: set[int] = set()
    used_missing = 0
    for judge, annotation in human.items():
        pairs = {j: i for i, j in match_overlap(marks, annotation.marks)}
        used |= set(pairs.values())
        for j, mark in enumerate(annotation.marks):
            match = marks[pairs[j]] if j in pairs else None
            results.append(Finding(mark, match, judge))
        for j, lack in enumerate(annotation.missing):
            partner = missing[j] if j < len(missing) else None
            results.append(Finding(lack, partner, judge))
        used_missing = max(used_missing, len(annotation.missing))
    results += [Finding(None, mark) for i, mark in enumerate(marks) if i not in used]
    results += [Finding(None, lack) for lack in missing[used_missing:]]
    return sorted(results, key=_place)


def _place(finding: Finding) -> tuple[float, float, str]:
    mark = finding.predicted if finding.human is None else finding.human
    if not isinstance(mark, Mark):
        return float("inf"), 0, finding.judge
    return mark.start, mark.end, finding.judge
