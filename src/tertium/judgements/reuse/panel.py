# SPDX-License-Identifier: Apache-2.0
"""Judged outputs as arrays: who, what they got, and how similar they are.

Every annotation is a row with one place per system. Rows have as many places as the
largest annotation; the rest is empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.judgements.reuse.symptoms import SYMPTOMS, Symptoms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.judgements.reuse.annotations import Annotation, Stored
    from tertium.judgements.reuse.distances import Distances
    from tertium.judgements.reuse.nearest import Target

__all__ = ["REFERENCE_METRICS", "Panel", "panel_of"]

Array: TypeAlias = "NDArray[np.float64]"

#: What outputs are compared with references by.
REFERENCE_METRICS = ("chrf", "bleu", "ter", "beer")


@dataclass(frozen=True, eq=False)
class Panel:
    """Judged outputs of A annotations with K places each, and perhaps a new system.

    Parameters
    ----------
    systems : tuple of str
    member : array of int, A x K
        The system of every place; -1 where the place is empty.
    value : array, A x K
        Higher is better: ranks are negated. NaN where nothing was judged.
    distance : array, A x K x K
        Character edit distance of two outputs.
    chrf : array, A x K x K
        chrF (beta 1) of two outputs, from 0 to 1.
    reference : array, A x K x M
        Metric scores against the references, higher is better; NaN without any.
    length : array, A x K
        In code points.
    symptoms : array, A x K x 3
        Those of :mod:`.symptoms`; 0 for parts of segments.
    ranked : bool
        Whether values only order the outputs of an annotation.
    """

    systems: tuple[str, ...]
    member: NDArray[np.int64]
    value: Array
    distance: Array
    chrf: Array
    reference: Array
    length: Array
    symptoms: Array
    ranked: bool


def panel_of(
    stored: Stored,
    distances: Distances,
    *,
    target: Target | None = None,
    threads: int | None = None,
) -> Panel:
    """Return the arrays of stored judgements.

    Parameters
    ----------
    stored : Stored
    distances : Distances
    target : Target, optional
        A new system; its outputs take one more place.
    threads : int, optional
    """
    new = {} if target is None or target.left_out else _new_texts(target)
    names = (
        stored.systems
        if not new or target is None
        else (
            *stored.systems,
            target.system,
        )
    )
    number = {name: i for i, name in enumerate(names)}
    rows = [_row(each, number, new.get(each.key)) for each in stored.annotations]
    size = max(len(row) for row in rows)
    shape = len(rows), size
    member = np.full(shape, -1)
    value = np.full(shape, np.nan)
    length = np.full(shape, np.nan)
    texts: list[list[str]] = []
    for a, row in enumerate(rows):
        texts.append([text for _, text, _ in row])
        for k, (system, text, got) in enumerate(row):
            member[a, k] = system
            value[a, k] = -got if stored.ranked else got
            length[a, k] = len(text)
    distance, chrf = _similarities(texts, shape, distances, threads)
    reference = _to_references(stored, texts, shape, threads)
    return Panel(
        names,
        member,
        value,
        distance,
        chrf,
        reference,
        length,
        _symptoms(stored, names, rows, shape),
        stored.ranked,
    )


def _new_texts(target: Target) -> dict[int, str]:
    return {
        annotation.key: text
        for annotation, text in zip(target.annotations, target.texts, strict=True)
    }


def _row(
    annotation: Annotation, number: dict[str, int], new: str | None
) -> list[tuple[int, str, float]]:
    row = [
        (number[name], output.text, output.value)
        for output in annotation.outputs
        for name in output.systems
    ]
    if new is not None:
        row.append((len(number) - 1, new, np.nan))
    return row


def _similarities(
    texts: Sequence[Sequence[str]],
    shape: tuple[int, int],
    distances: Distances,
    threads: int | None,
) -> tuple[Array, Array]:
    from tertium.metrics import metric

    pairs: dict[tuple[str, str], int] = {}
    for row in texts:
        for a, b in combinations(sorted(set(row)), 2):
            pairs.setdefault((a, b), len(pairs))
    distances.prepare(pairs, threads=threads)
    firsts, seconds = [a for a, _ in pairs], [b for _, b in pairs]
    overlap = np.asarray(
        metric("chrf:beta=1").segment_scores(firsts, seconds, threads=threads)
        if pairs
        else []
    )
    distance = np.full((*shape, shape[1]), np.nan)
    chrf = distance.copy()
    for number, row in enumerate(texts):
        for i, first in enumerate(row):
            distance[number, i, i], chrf[number, i, i] = 0, 1
            for j, second in enumerate(row[:i]):
                same = first == second
                pair = (first, second) if first < second else (second, first)
                apart = 0 if same else distances(first, second)
                alike = 1.0 if same else overlap[pairs[pair]] / 100
                distance[number, i, j] = distance[number, j, i] = apart
                chrf[number, i, j] = chrf[number, j, i] = alike
    return distance, chrf


def _symptoms(
    stored: Stored,
    names: Sequence[str],
    rows: Sequence[Sequence[tuple[int, str, float]]],
    shape: tuple[int, int],
) -> Array:
    """Return the symptoms; parts of segments have no sources of their own."""
    symptoms = Symptoms(stored.testset)
    measured: dict[tuple[int, int, str], tuple[float, float, float]] = {}
    out = np.zeros((*shape, len(SYMPTOMS)))
    for a, (annotation, row) in enumerate(zip(stored.annotations, rows, strict=True)):
        line = annotation.line
        if line is None or annotation.is_part:
            continue
        for k, (system, text, _) in enumerate(row):
            key = line, system, text
            if key not in measured:
                measured[key] = symptoms.of(line, names[system], text)
            out[a, k] = measured[key]
    return out


def _to_references(
    stored: Stored,
    texts: Sequence[Sequence[str]],
    shape: tuple[int, int],
    threads: int | None,
) -> Array:
    """Return metric scores; parts of segments have no references of their own."""
    from tertium.metrics import metric

    references = stored.testset.references
    out = np.full((*shape, len(REFERENCE_METRICS)), np.nan)
    cells: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for a, (annotation, row) in enumerate(zip(stored.annotations, texts, strict=True)):
        line = annotation.line
        if line is None or annotation.is_part or not references[line]:
            continue
        for k, text in enumerate(row):
            cells.setdefault((line, text), []).append((a, k))
    if not cells:
        return out
    hyps = [text for _, text in cells]
    refs = [references[line] for line, _ in cells]
    for m, spec in enumerate(REFERENCE_METRICS):
        measure = metric(spec)
        sign = 0.01 if measure.higher_is_better else -0.01
        scores = measure.segment_scores(hyps, refs, threads=threads)
        for score, places in zip(scores, cells.values(), strict=True):
            for a, k in places:
                out[a, k, m] = sign * score
    return out
