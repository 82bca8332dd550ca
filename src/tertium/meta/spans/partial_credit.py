# SPDX-License-Identifier: Apache-2.0
"""MPP: spans matched with partial overlap and partial credit (Perrella et al. 2026).

Predicted and human spans are matched one-to-one. A matched pair that shares o
characters gets o / (predicted length) for precision and o / (human length) for recall;
precision and recall are means over predicted and human spans. Of all matchings, the one
with the best F of the output counts; ties go to the larger P + R, then to the larger P.

Weighted by severity, a span counts as much as its weight, and a matched pair at most
as much as the lighter of the two.

F is not linear in the credits, so an assignment solver does not find the best matching.
A sweep over predicted spans keeps, for every set of human spans that later predictions
can still reach, the credits (precision, recall) that no other choice beats in both.
Where neither annotator's spans overlap each other a set has at most one element, and
the sweep is fast; the worst case, many spans on the same characters, is exponential.

References
----------
Perrella, Morales Agostinho and Zaragoza (2026), Span-level machine translation
meta-evaluation, arXiv:2603.19921, and its code (sted19/span-mt-metrics-eval, d42f003).
The definition was compared with that code: the objective and its ties, 0/0, weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tertium.judgements.spans.matching import Annotation, Counts, Mark, overlapping

__all__ = ["mpp_counts"]

_Credits = tuple[float, float]


def mpp_counts(
    predicted: Annotation,
    human: Annotation,
    *,
    weights: Mapping[str, float] | None = None,
) -> Counts:
    """Return the credits of the best matching, and the number or weight of the spans.

    Parameters
    ----------
    predicted, human : Annotation
    weights : mapping of str to float, optional
        By severity in lower case, such as ``{"minor": 1, "major": 5}``; others weigh 1.
        By default all spans count alike.

    Examples
    --------
    >>> from tertium.judgements.spans.matching import Mark
    >>> one, two = Annotation((Mark(0, 4),)), Annotation((Mark(2, 12),))
    >>> counts = mpp_counts(one, two)
    >>> counts.precision, counts.recall
    (0.5, 0.2)
    """
    left = [_weight(mark, weights) for mark in predicted.marks]
    right = [_weight(mark, weights) for mark in human.marks]
    total = sum(left), sum(right)
    links: dict[int, list[tuple[int, float, float]]] = {}
    for i, j, shared in overlapping(predicted.marks, human.marks):
        credit = shared * min(left[i], right[j])
        if credit > 0:
            link = (
                j,
                credit / _size(predicted.marks[i]),
                credit / _size(human.marks[j]),
            )
            links.setdefault(i, []).append(link)
    order = sorted(links, key=lambda i: predicted.marks[i])
    return Counts(*_best(_fronts(order, links), total), *total)


def _weight(mark: Mark, weights: Mapping[str, float] | None) -> float:
    return 1.0 if weights is None else weights.get(mark.severity.strip().lower(), 1.0)


def _size(mark: Mark) -> int:
    return mark.end - mark.start


def _fronts(
    order: Sequence[int], links: Mapping[int, Sequence[tuple[int, float, float]]]
) -> list[_Credits]:
    """Return the credits of matchings that no other beats in both numbers."""
    last = {j: step for step, i in enumerate(order) for j, _, _ in links[i]}
    states: dict[frozenset[int], list[_Credits]] = {frozenset(): [(0.0, 0.0)]}
    for step, i in enumerate(order):
        grown: dict[frozenset[int], list[_Credits]] = {}
        for used, front in states.items():
            for j, p, r in [(None, 0.0, 0.0), *links[i]]:
                if j is not None and j in used:
                    continue
                taken = used if j is None else used | {j}
                kept = frozenset(k for k in taken if last[k] > step)
                more = [(a + p, b + r) for a, b in front]
                grown.setdefault(kept, []).extend(more)
        states = {used: _undominated(front) for used, front in grown.items()}
    return _undominated(each for front in states.values() for each in front)


def _undominated(choices: Iterable[_Credits]) -> list[_Credits]:
    front: list[_Credits] = []
    for p, r in sorted(set(choices), reverse=True):
        if not front or r > front[-1][1]:
            front.append((p, r))
    return front


def _best(front: Iterable[_Credits], total: tuple[float, float]) -> _Credits:
    def key(choice: _Credits) -> tuple[float, float, float]:
        counts = Counts(*choice, *total)
        p, r = counts.precision, counts.recall
        # Rounded: credits summed in another order must not decide between matchings.
        return round(counts.f, 12), round(p + r, 12), round(p, 12)

    return max(front, key=key)
