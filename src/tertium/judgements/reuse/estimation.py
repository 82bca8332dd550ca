# SPDX-License-Identifier: Apache-2.0
"""New systems scored by the judgements of a finished campaign."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.data.kept import Lazy
from tertium.errors import InputError, UnknownNameError
from tertium.judgements.reuse.annotations import (
    Annotation,
    RatedAnnotations,
    Stored,
    stored,
)
from tertium.judgements.reuse.nearest import Target
from tertium.judgements.reuse.results import Accuracy, Reuse, SystemEstimate
from tertium.judgements.reuse.run import Run, to_annotate
from tertium.judgements.reuse.spans import marks_of, with_spans
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements.tables import Judgements

__all__ = ["ESTIMATORS", "reuse"]

_CAUTIONS = {
    "exact": "caution-exact",
    "closest": "caution-closest",
    "model": "caution-model",
}
_FEW = 5  # systems, below which a model has too little to learn from
#: Ways to score a system without judgements.
ESTIMATORS = tuple(_CAUTIONS)

#: Called with what is done, how much of it, and the total.
Report: TypeAlias = Callable[[str, int, "int | None"], None]


def reuse(
    judgements: Judgements,
    testset: Testset,
    systems: Mapping[str, Sequence[str]] | None = None,
    *,
    by: str = "closest",
    intervals: bool = False,
    next: int | None = None,  # noqa: A002
    leave_one_out: bool = False,
    scale: str | None = None,
    langpair: str | None = None,
    segments: bool = True,
    seed: int = SEED,
    threads: int | None = None,
    progress: Report | None = None,
) -> Reuse:
    """Return scores of systems that nobody judged, from the judgements of others.

    Parameters
    ----------
    judgements : Judgements
        Rankings, ratings or error spans of other systems.
    testset : Testset
        The texts of the judged systems, and references if there are any.
    systems : mapping of str to sequence of str, optional
        Outputs of the new systems, one per segment of the test set. If some of them
        were judged since, the model starts from these; others ignore them.
    by : {"exact", "closest", "model"}
        Use judged outputs with the same text only; the nearest judged outputs; or a
        model of similarity to judged outputs and to references, trained on the judged
        systems.
    intervals : bool
        Add 95 % intervals.
    next : int, optional
        Say which outputs to annotate to shrink the intervals: a sample of so many, with
        more of those that are hard to predict.
    leave_one_out : bool
        Score every judged system as if it had not been judged, beside its judged
        score, instead of new systems.
    scale : str, optional
        The scale of ratings, where there are several; ``MQM`` for error spans.
    langpair : str, optional
        The language pair, where there are several.
    segments : bool
        Whether to keep the estimates of single outputs, with their texts. Without them,
        memory hardly grows with ratings or error spans, unless by the model or with
        intervals; `next` keeps them in any case.
    seed : int
        Of the sample to annotate.
    threads : int, optional
        All cores by default; the result is the same for any number.
    progress : callable, optional
        Called with what is done, the number of systems so far and in total.

    Raises
    ------
    InputError
        When judgements, texts and new outputs do not fit together.

    Notes
    -----
    The estimate is for the segments that were judged. Edit distances take
    O(systems x annotations x outputs x length^2 / 64).

    References
    ----------
    Macháček (2014): Human evaluation of machine translation by ranking of short
    segments. Section 3.2.

    Examples
    --------
    >>> from tertium import Judgements, Testset
    >>> from tertium.judgements import Rating
    >>> judged = [Rating("A", 90, "DA", "1"), Rating("B", 60, "DA", "1")]
    >>> testset = Testset([("a cat sat",)], {"A": ["a cat sat"], "B": ["cats"]})
    >>> result = reuse(
    ...     Judgements.from_iterable(judged), testset, {"C": ["a cat sits"]}
    ... )
    >>> result.systems[0].predicted, result.systems[0].hit_rate
    (90.0, 0.0)
    """
    if by not in ESTIMATORS:
        raise UnknownNameError("way to reuse judgements", by, ESTIMATORS)
    if next is not None and next < 1:
        raise InputError(f"next is {next}; give 1 or more", options=("next",))
    if next is not None and by != "model":
        message = f"next needs the intervals of the model, not of {by}; use by='model'"
        raise InputError(message, options=("next", "by"))
    known = stored(judgements, testset, scale=scale, langpair=langpair)
    targets = targets_of(known, systems or {}, leave_one_out=leave_one_out)
    segments = segments or next is not None
    run = Run(
        by,
        intervals=intervals or next is not None,
        segments=segments,
        threads=threads,
    )
    marks = marks_of(known.judgements) if segments else {}
    estimates, beliefs = [], []
    for done, (target, others) in enumerate(targets, start=1):
        estimate, belief = run.estimate(others, target)
        estimate = with_spans(estimate, target, marks)
        estimates.append(estimate)
        if belief is not None:
            beliefs.append((estimate, belief))
        if progress is not None:
            progress("systems", done, len(targets))
    return Reuse(
        by,
        known.kind,
        known.scale,
        tuple(estimates),
        known.scores(),
        leave_one_out,
        accuracy(estimates) if leave_one_out else None,
        () if next is None else tuple(to_annotate(beliefs, next, seed)),
        known.langpair,
        (_caution(estimates, by), *_remarks(known, estimates, by), *known.notes),
    )


def targets_of(
    known: Stored, systems: Mapping[str, Sequence[str]], *, leave_one_out: bool
) -> list[tuple[Target, Stored]]:
    """Return the systems to score, each with the judgements to score it by.

    Raises
    ------
    InputError
        When there are none, or their outputs do not fit the test set.
    """
    if leave_one_out:
        if systems:
            message = "leave_one_out scores judged systems; give no new ones"
            raise InputError(message, options=("leave_one_out", "systems"))
        if len(known.systems) < 2:
            message = (
                f"only {', '.join(known.systems)} was judged and has texts; "
                "leave_one_out needs two systems"
            )
            raise InputError(message, options=("leave_one_out",))
        return [(_left_out(known, name), known) for name in known.systems]
    if not systems:
        message = "no system to score; give outputs, or leave one out"
        raise InputError(message, options=("systems", "leave_one_out"))
    return [_new(known, name, texts) for name, texts in systems.items()]


def _left_out(known: Stored, name: str) -> Target:
    annotations = known.annotations
    if isinstance(annotations, RatedAnnotations):
        judged: Sequence[Annotation] = annotations.take(annotations.of(name))
    else:
        judged = tuple(each for each in annotations if each.of(name) is not None)
    texts = Lazy(len(judged), lambda place: _text(judged[place], name))
    return Target(name, judged, texts, left_out=True)


def _text(annotation: Annotation, name: str) -> str:
    output = annotation.of(name)
    return "" if output is None else output.text


def _new(known: Stored, name: str, texts: Sequence[str]) -> tuple[Target, Stored]:
    if len(texts) != len(known.testset):
        message = (
            f"system {name} has {len(texts):,} outputs, the test set "
            f"{len(known.testset):,} segments; give one output per segment"
        )
        raise InputError(message, options=("systems",))
    rated = isinstance(known.annotations, RatedAnnotations)
    if not rated and any(each.is_part for each in known.annotations):
        message = (
            "parts of segments were judged, and a new system has whole segments; "
            "choose judgements of segments by part="
        )
        raise InputError(message, options=("systems", "only"))
    others = known.without(name)
    if not others.annotations:
        raise InputError(f"only {name} was judged; there is nothing to score it by")
    rows: Sequence[Annotation] = others.annotations
    if isinstance(rows, RatedAnnotations):
        lines = rows.lines
    else:
        rows = tuple(each for each in rows if each.line is not None)
        lines = np.array([each.line for each in rows], np.int64)
    shares: dict[int, float | None] = {}
    if name in known.systems:
        shares = {
            each.key: _share(known, each, name, texts) for each in known.annotations
        }
    target = Target(
        name,
        rows,
        Lazy(len(rows), lambda place: texts[int(lines[place])]),
        left_out=False,
        known=tuple(shares[each.key] for each in rows) if shares else (),
    )
    return target, others


def _share(
    known: Stored, annotation: Annotation, name: str, texts: Sequence[str]
) -> float | None:
    """Return what the output of a new system got, if it was judged since."""
    output = annotation.of(name)
    if output is None or annotation.line is None:
        return None
    if output.text != texts[annotation.line]:
        return None  # another version of the system
    points = known.points(output.value, annotation, name)
    return points.won / points.weight if points.weight else None


def accuracy(estimates: Sequence[SystemEstimate]) -> Accuracy | None:
    """Return how near estimates came to judged scores; None without any."""
    pairs = [
        (each.predicted, each.true, each.interval)
        for each in estimates
        if each.predicted is not None and each.true is not None
    ]
    if not pairs:
        return None
    predicted = np.array([pair[0] for pair in pairs])
    true = np.array([pair[1] for pair in pairs])
    varies = len(pairs) > 1 and predicted.std() > 0 and true.std() > 0
    inside = [low <= y <= high for _, y, (low, high) in _with_interval(pairs)]
    return Accuracy(
        len(pairs),
        float(np.corrcoef(predicted, true)[0, 1]) if varies else None,
        float(np.abs(predicted - true).mean()),
        float((predicted - true).mean()),
        sum(inside) if inside else None,
    )


def _with_interval(
    pairs: Sequence[tuple[float, float, tuple[float, float] | None]],
) -> list[tuple[float, float, tuple[float, float]]]:
    return [(p, y, bounds) for p, y, bounds in pairs if bounds is not None]


def _caution(estimates: Sequence[SystemEstimate], by: str) -> Note:
    outputs = sum(each.outputs for each in estimates)
    hits = sum(each.hits for each in estimates)
    percent = 100 * hits / outputs if outputs else 0.0
    return Note(_CAUTIONS[by], {"percent": percent})


def _remarks(known: Stored, estimates: Sequence[SystemEstimate], by: str) -> list[Note]:
    notes = []
    if by == "model" and len(known.systems) < _FEW:
        notes.append(Note("few-judged-systems", {"count": len(known.systems)}))
    if nothing := [each.system for each in estimates if each.predicted is None]:
        notes.append(Note("nothing-to-reuse", {"systems": nothing}))
    return notes
