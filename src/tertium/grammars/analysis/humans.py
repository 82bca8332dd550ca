# SPDX-License-Identifier: Apache-2.0
"""People against machines: translators evaluated in the same way (spec, section 8).

A set of references that good translators do not meet is too small. So translators,
who do not know the grammar, translate the test set under the instructions below, and
their scores stand beside those of systems. What they are charged for most often are
gaps of the grammar: see :func:`gaps`.
"""

from __future__ import annotations

from dataclasses import dataclass

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.recurring import RecurringEdit

__all__ = ["INSTRUCTIONS", "Challenge", "Contestant", "challenge", "gaps"]

#: What translators are told, in order of importance.
INSTRUCTIONS = """\
Please translate every sentence on its own, one line for one line.

In order of importance:

1. Write correct, formal standard language.
2. Stay with the structure of the source sentence wherever that sounds natural.
3. Use nothing but the sentence itself: no knowledge of who or what may be meant.
4. If a sentence can still be understood in two ways, take the most common one.
5. Do not think long: your first good translation is the one we want.

Punctuation does not matter. Please do not use machine translation, and do not talk
about the sentences with others before everybody has finished.
"""


@dataclass(frozen=True)
class Contestant:
    """A translator or a system in the comparison.

    Parameters
    ----------
    name : str
    human : bool
    score : float
    interval : tuple of float, or None
    exact : float
        The share of outputs that need no edit.
    distinct, total : int
        Different edits, and all: people repeat a few gaps of the grammar, machines
        err in many ways.
    """

    name: str
    human: bool
    score: float
    interval: tuple[float, float] | None
    exact: float
    distinct: int
    total: int


@dataclass(frozen=True)
class Challenge:
    """People and systems side by side.

    Parameters
    ----------
    contestants : tuple of Contestant
        The best first.
    separated : bool or None
        Whether all people score better than all systems; None without both.
    """

    contestants: tuple[Contestant, ...]
    separated: bool | None


def challenge(evaluation: Evaluation) -> Challenge:
    """Return people and systems of an evaluation side by side."""
    found = tuple(
        Contestant(
            own.name,
            own.human,
            own.score,
            own.interval,
            own.exact / max(1, own.segments),
            own.recurrence.distinct,
            own.recurrence.total,
        )
        for own in evaluation.ranking
    )
    people = [own.score for own in found if own.human]
    systems = [own.score for own in found if not own.human]
    separated = max(people) < min(systems) if people and systems else None
    return Challenge(found, separated)


def gaps(evaluation: Evaluation) -> dict[str, tuple[RecurringEdit, ...]]:
    """Return what each translator is charged for again and again.

    If the translations are right, these are gaps of the grammar.
    """
    return {own.name: own.recurrence.top for own in evaluation.ranking if own.human}
