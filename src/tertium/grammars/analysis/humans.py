# SPDX-License-Identifier: Apache-2.0
"""Human translators and systems, evaluated in the same way.

A reference set that good translators miss is too small. So translators,
who do not know the grammar, translate the test set with the instructions below, and
their scores are compared with those of systems. Their most frequent edits are gaps of
the grammar: see :func:`gaps`.
"""

from __future__ import annotations

from dataclasses import dataclass

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.recurring import RecurringEdit

__all__ = ["INSTRUCTIONS", "Challenge", "Contestant", "challenge", "gaps"]

#: Instructions for translators, in order of importance.
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
        make many different errors.
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
    """Human translators and systems side by side.

    Parameters
    ----------
    contestants : tuple of Contestant
        Best first.
    separated : bool or None
        Whether all people score better than all systems; None without both.
    """

    contestants: tuple[Contestant, ...]
    separated: bool | None


def challenge(evaluation: Evaluation) -> Challenge:
    """Return people and systems of an evaluation side by side."""
    contestants = tuple(
        Contestant(
            system.name,
            system.human,
            system.score,
            system.interval,
            system.exact / max(1, system.segments),
            system.recurrence.distinct,
            system.recurrence.total,
        )
        for system in evaluation.ranking
    )
    people = [one.score for one in contestants if one.human]
    systems = [one.score for one in contestants if not one.human]
    separated = max(people) < min(systems) if people and systems else None
    return Challenge(contestants, separated)


def gaps(evaluation: Evaluation) -> dict[str, tuple[RecurringEdit, ...]]:
    """Return the recurring edits of each translator.

    If the translations are correct, these are gaps of the grammar.
    """
    return {
        system.name: system.recurrence.top
        for system in evaluation.ranking
        if system.human
    }
