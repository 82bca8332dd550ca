# SPDX-License-Identifier: Apache-2.0
"""What predicted scores show, in words."""

from __future__ import annotations

from collections.abc import Iterator

from tertium._messages import count
from tertium.judgements.reuse.results import Accuracy, Reuse, SystemEstimate

__all__ = [
    "METHODS",
    "accuracy",
    "caution",
    "cautions",
    "headline",
    "lead",
    "score_name",
]

#: How each estimator uses the judgements.
METHODS = {
    "exact": "Only outputs that equal a judged one count; they get what that one got.",
    "closest": "Every output gets what the nearest judged outputs of its segment got: "
    "the mean, if several are equally near.",
    "model": "An output that equals a judged one gets what that one got; a model "
    "trained on the judged systems predicts all others from what similar outputs of "
    "their segment got and from metric scores.",
}


def score_name(result: Reuse) -> str:
    """Return what kind of score the systems have."""
    if result.kind == "rankings":
        return "ratio of wins"
    return f"mean {result.scale}" if result.scale else "mean rating"


def usual_digits(result: Reuse) -> int:
    """Return the decimal places of scores, unless a reader wants others."""
    return 3 if result.kind == "rankings" else 2


def caution(result: Reuse) -> str:
    """Return the caution that goes with every prediction."""
    return str(result.notes[0]).rstrip(".")


def cautions(result: Reuse) -> list[str]:
    """Return what readers should know before they trust the scores, as sentences."""
    return [_sentence(str(note)) for note in result.notes]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def accuracy(each: Accuracy, digits: int) -> str:
    """Return how near predictions of judged systems came."""
    parts = []
    if each.pearson is not None:
        parts.append(f"Pearson {each.pearson:.3f}")
    parts.append(f"mean absolute error {each.mean_absolute_error:.{digits}f}")
    parts.append(f"bias {each.bias:+.{digits}f}")
    if each.covered is not None:
        parts.append(f"{each.covered} of {each.systems} inside their intervals")
    return f"{count(each.systems, 'system')}: {', '.join(parts)}."


def column_notes(result: Reuse) -> list[str]:
    """Return what the columns of the systems table mean."""
    if result.leave_one_out:
        notes = ["Every system is predicted from the judgements of the others."]
    else:
        notes = ["Systems without a judged score are predicted from the others'."]
    notes.append(
        "hit rate: outputs that equal a judged one. distance: mean character edit "
        "distance to the nearest judged one."
    )
    if result.leave_one_out:
        notes.append(
            "worse, equal, better: what the nearest judged outputs got, against the "
            "judgement, where none is identical."
        )
    if any(each.interval for each in result.systems):
        notes.append(
            "interval: where a judged score is expected, with 95 % confidence."
        )
    return notes


def headline(result: Reuse, digits: int) -> str:
    """Return the most important result."""
    if result.leave_one_out:
        if result.accuracy is None:
            return "Judged systems, each predicted from the others"
        error = f"{result.accuracy.mean_absolute_error:.{digits}f}"
        return f"Predictions of judged systems are off by {error} on average"
    return "; ".join(_predicted(each, result, digits) for each in result.systems)


def _predicted(each: SystemEstimate, result: Reuse, digits: int) -> str:
    if each.predicted is None:
        return f"{each.system} cannot be scored: no output equals a judged one"
    better = sum(score > each.predicted for score in result.judged.values())
    text = f"{each.system} would be {_ordinal(better + 1)} of {len(result.judged) + 1}"
    shown = f"{each.predicted:.{digits}f}"
    if each.interval is not None:
        low, high = (f"{end:.{digits}f}" for end in each.interval)
        shown += f", {low} to {high}"
    return f"{text} ({shown})"


def _ordinal(number: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    tens = number // 10 % 10 == 1
    return f"{number}{'th' if tens else endings.get(number % 10, 'th')}"


def lead(result: Reuse, digits: int) -> str:
    """Return how many outputs were judged before, and how scores were predicted."""
    return " ".join(_lead(result, digits))


def _lead(result: Reuse, digits: int) -> Iterator[str]:
    total = result.all
    if total.hit_rate is not None:
        yield (
            f"{100 * total.hit_rate:.1f} % of {count(total.outputs, 'output')} equal "
            "one that was judged."
        )
    yield METHODS[result.by]
    if result.accuracy is not None:
        yield accuracy(result.accuracy, digits)
