# SPDX-License-Identifier: Apache-2.0
"""Error spans of one output: overlap by character, matching by span, measures.

An :class:`Annotation` is what one annotator, human or metric, marked in one output.
Two of them are compared in two ways:

- **by character** (:func:`character_counts`): how many characters both marked. An
  annotator's overlapping spans count once per character, with their worst severity. A
  character marked with different severities gets half credit. So do the WMT23 quality
  estimation task (Blain et al. 2023), which gives full credit where any of several
  severities is shared (task2_evaluate.py of WMT-QE-Task/qe-eval-scripts, 96340b0), and
  WMT25's task 2, which counts overlapping spans one by one (``meta.spans.wmt25``);
- **by span** (:func:`match_exact`, :func:`match_overlap`): one-to-one, by equal
  positions or by the largest overlap.

Missing content has no place in the output. It takes no part in either and is counted
by :func:`missing_counts`.

**0/0.** Precision without predicted spans is 1, and so is recall without human spans:
nothing that was said is wrong, nothing that exists was missed. Two empty annotations
agree (all measures 1); with one empty side F is 0. Perrella et al. (2026) choose the
same.

References
----------
Blain et al. (2023), Findings of the WMT 2023 shared task on quality estimation.
Perrella, Morales Agostinho and Zaragoza (2026), Span-level machine translation
meta-evaluation, arXiv:2603.19921.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.judgements.judgement import NO_ERROR, Span

__all__ = [
    "SEVERITY_LEVELS",
    "Annotation",
    "Counts",
    "Mark",
    "MissingMark",
    "annotation_of",
    "character_counts",
    "character_levels",
    "match_exact",
    "match_overlap",
    "missing_counts",
    "overlapping",
    "severity_level",
    "span_counts",
]

#: Severities from mild to bad. Others, and unknown ones, count as minor.
SEVERITY_LEVELS = {"neutral": 1, "minor": 2, "major": 3, "critical": 4}
_UNKNOWN_LEVEL = 2
#: Credit for a character or span of different severity (Blain et al. 2023).
_PARTIAL = 0.5


class Mark(NamedTuple):
    """An error with a place: code points from 0, the end is exclusive."""

    start: int
    end: int
    severity: str = ""
    category: str = ""


class MissingMark(NamedTuple):
    """Content that the output lacks: an error without a place."""

    severity: str = ""
    category: str = ""


class Annotation(NamedTuple):
    """What one annotator marked in one output.

    Parameters
    ----------
    marks : tuple of Mark
        None if the output was judged and is free of errors.
    missing : tuple of MissingMark
    length : int, optional
        Code points of the output, if known. Marks are cut at it.
    """

    marks: tuple[Mark, ...] = ()
    missing: tuple[MissingMark, ...] = ()
    length: int | None = None

    @property
    def error_free(self) -> bool:
        """Whether nothing was marked."""
        return not self.marks and not self.missing


class Counts(NamedTuple):
    """Sums from which precision, recall and F follow. Counts of outputs add up.

    Parameters
    ----------
    precision_credit, recall_credit : float
        Credit of what was predicted, and of what people marked. They are equal where
        both sides are counted in the same unit.
    predicted, human : float
        How many characters or spans there are on either side.

    Examples
    --------
    >>> Counts(2, 2, 4, 2).precision, Counts(2, 2, 4, 2).recall
    (0.5, 1.0)
    >>> Counts(0, 0, 0, 0).f, Counts(0, 0, 3, 0).f
    (1.0, 0.0)
    """

    precision_credit: float
    recall_credit: float
    predicted: float
    human: float

    @property
    def precision(self) -> float:
        """Credited share of what was predicted; 1 if nothing was."""
        return self.precision_credit / self.predicted if self.predicted else 1.0

    @property
    def recall(self) -> float:
        """Credited share of what people marked; 1 if they marked nothing."""
        return self.recall_credit / self.human if self.human else 1.0

    @property
    def f(self) -> float:
        """Harmonic mean of precision and recall; 0 if both are 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def plus(self, other: Counts) -> Counts:
        """Return the counts of both, for micro-averages."""
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))


def severity_level(severity: str) -> int:
    """Return how bad a severity is: a number of :data:`SEVERITY_LEVELS`.

    Examples
    --------
    >>> severity_level("Major") > severity_level("minor") == severity_level("odd")
    True
    """
    return SEVERITY_LEVELS.get(severity.strip().lower(), _UNKNOWN_LEVEL)


def annotation_of(spans: Iterable[Span], *, length: int | None = None) -> Annotation:
    """Return the annotation in one judge's spans of one output.

    Spans of the source side and spans of severity ``no-error`` mark nothing. A span
    with only one end, or whose end is not after its start, marks nothing either.

    Examples
    --------
    >>> minor = Span("a", "fluency", "minor", "1", start=3, end=9)
    >>> annotation_of([minor, minor._replace(start=None, end=None)], length=7)
    Annotation(marks=(Mark(start=3, end=7, severity='minor', category='fluency'),), \
missing=(MissingMark(severity='minor', category='fluency'),), length=7)
    """
    marks, missing = [], []
    for span in spans:
        if span.severity.strip().lower() in NO_ERROR or span.side != "target":
            continue
        if span.start is None and span.end is None:
            missing.append(MissingMark(span.severity, span.category))
        elif span.start is not None and span.end is not None:
            start = max(0, span.start)
            end = span.end if length is None else min(span.end, length)
            if start < end:
                marks.append(Mark(start, end, span.severity, span.category))
    return Annotation(tuple(marks), tuple(missing), length)


def character_levels(
    marks: Sequence[Mark], length: int | None = None
) -> npt.NDArray[np.int8]:
    """Return the worst severity level at every character; 0 where nothing is marked.

    Linear in the length of the output and of the spans.

    Parameters
    ----------
    marks : sequence of Mark
    length : int, optional
        Of the result; by default up to the last mark's end.

    Examples
    --------
    >>> character_levels([Mark(0, 3, "minor"), Mark(2, 4, "major")], 5).tolist()
    [2, 2, 3, 3, 0]
    """
    if length is None:
        length = max((mark.end for mark in marks), default=0)
    levels = np.zeros(length, dtype=np.int8)
    for mark in sorted(marks, key=lambda mark: severity_level(mark.severity)):
        levels[mark.start : mark.end] = severity_level(mark.severity)
    return levels


def character_counts(
    predicted: Annotation, human: Annotation, *, severity: str = "ignore"
) -> Counts:
    """Return how many characters were marked by both, and by each.

    Parameters
    ----------
    predicted, human : Annotation
    severity : {"ignore", "partial", "same"}
        The credit of a character that both marked with different severities: 1, 0.5 or
        0.

    Examples
    --------
    >>> one = Annotation((Mark(0, 4, "minor"),))
    >>> two = Annotation((Mark(2, 8, "major"),))
    >>> character_counts(one, two)
    Counts(precision_credit=2.0, recall_credit=2.0, predicted=4.0, human=6.0)
    >>> character_counts(one, two, severity="partial").precision
    0.25
    """
    ends = [mark.end for mark in (*predicted.marks, *human.marks)]
    length = max(ends, default=0)
    a = character_levels(predicted.marks, length)
    b = character_levels(human.marks, length)
    both = (a > 0) & (b > 0)
    credit = float(both.sum())
    if severity != "ignore":
        lost = 1 - _credit(severity)
        credit -= lost * float((both & (a != b)).sum())
    return Counts(credit, credit, float((a > 0).sum()), float((b > 0).sum()))


def match_exact(
    predicted: Sequence[Mark], human: Sequence[Mark]
) -> list[tuple[int, int]]:
    """Return pairs of marks with equal positions, one-to-one, as indices.

    Among several at the same place, those of equal severity and then of equal category
    go together first. Linear.

    Examples
    --------
    >>> match_exact([Mark(0, 2), Mark(3, 5)], [Mark(3, 5), Mark(0, 3)])
    [(1, 0)]
    """
    left = set(range(len(predicted)))
    right = set(range(len(human)))
    pairs = []
    for fields in (4, 3, 2):  # all; without the category; positions only
        places: dict[tuple[object, ...], list[int]] = {}
        for j in sorted(right, reverse=True):
            places.setdefault(_key(human[j], fields), []).append(j)
        for i in sorted(left):
            same = places.get(_key(predicted[i], fields))
            if same:
                j = same.pop()
                pairs.append((i, j))
                left.discard(i)
                right.discard(j)
    return sorted(pairs)


def match_overlap(
    predicted: Sequence[Mark], human: Sequence[Mark]
) -> list[tuple[int, int]]:
    """Return pairs of overlapping marks, one-to-one, as indices.

    The pair with the largest overlap goes first; ties go to the pair that differs least
    in length, then to equal severities, then to the earlier marks. Sorting makes it
    O(k log k) in the number k of overlapping pairs.

    Examples
    --------
    >>> match_overlap([Mark(0, 9), Mark(4, 8)], [Mark(3, 8)])
    [(0, 0)]
    >>> match_overlap([Mark(2, 9), Mark(3, 8)], [Mark(3, 8)])
    [(1, 0)]
    """
    candidates = []
    for i, j, overlap in overlapping(predicted, human):
        a, b = predicted[i], human[j]
        differs = abs((a.end - a.start) - (b.end - b.start))
        other = severity_level(a.severity) != severity_level(b.severity)
        candidates.append((-overlap, differs, other, i, j))
    left: set[int] = set()
    right: set[int] = set()
    pairs = []
    for *_, i, j in sorted(candidates):
        if i not in left and j not in right:
            left.add(i)
            right.add(j)
            pairs.append((i, j))
    return sorted(pairs)


def overlapping(
    predicted: Sequence[Mark], human: Sequence[Mark]
) -> Iterable[tuple[int, int, int]]:
    """Yield the indices of overlapping marks and how many characters they share.

    A sweep over starts: O(n log n) and the number of pairs.

    Examples
    --------
    >>> list(overlapping([Mark(0, 4), Mark(4, 6)], [Mark(2, 5)]))
    [(0, 0, 2), (1, 0, 1)]
    """
    events = [(mark.start, 0, i) for i, mark in enumerate(predicted)]
    events += [(mark.start, 1, j) for j, mark in enumerate(human)]
    marks = (predicted, human)
    open_: tuple[list[int], list[int]] = ([], [])
    for start, side, index in sorted(events):
        for each in (0, 1):
            open_[each][:] = [k for k in open_[each] if marks[each][k].end > start]
        mark = marks[side][index]
        for other in open_[1 - side]:
            overlap = min(mark.end, marks[1 - side][other].end) - start
            yield (index, other, overlap) if side == 0 else (other, index, overlap)
        open_[side].append(index)


def span_counts(
    predicted: Annotation,
    human: Annotation,
    *,
    matching: str = "overlap",
    severity: str = "ignore",
) -> Counts:
    """Return how many spans were matched one-to-one, and how many there are.

    Parameters
    ----------
    predicted, human : Annotation
    matching : {"exact", "overlap"}
    severity : {"ignore", "partial", "same"}
        The credit of a matched pair of different severities: 1, 0.5 or 0.

    Examples
    --------
    >>> one = Annotation((Mark(0, 4, "minor"),))
    >>> two = Annotation((Mark(2, 8, "major"),))
    >>> span_counts(one, two).f, span_counts(one, two, matching="exact").f
    (1.0, 0.0)
    """
    match = match_exact if matching == "exact" else match_overlap
    credit = 0.0
    for i, j in match(predicted.marks, human.marks):
        a, b = predicted.marks[i].severity, human.marks[j].severity
        same = severity == "ignore" or severity_level(a) == severity_level(b)
        credit += 1.0 if same else _credit(severity)
    return Counts(credit, credit, len(predicted.marks), len(human.marks))


def missing_counts(predicted: Annotation, human: Annotation) -> Counts:
    """Return how many marks of missing content two annotations share.

    They have no place, so that any two of them match.

    Examples
    --------
    >>> one = Annotation(missing=(MissingMark("major"),))
    >>> missing_counts(one, one).f, missing_counts(one, Annotation()).recall
    (1.0, 1.0)
    """
    shared = float(min(len(predicted.missing), len(human.missing)))
    return Counts(shared, shared, len(predicted.missing), len(human.missing))


def _credit(severity: str) -> float:
    return _PARTIAL if severity == "partial" else 0.0


def _key(mark: Mark, fields: int) -> tuple[object, ...]:
    level = severity_level(mark.severity)
    return (mark.start, mark.end, level, mark.category)[:fields]
