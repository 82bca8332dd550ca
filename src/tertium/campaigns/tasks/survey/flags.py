# SPDX-License-Identifier: Apache-2.0
"""What stands out about a participant (McCaffery 2017, chapter 6).

Flags are hints to look, never reasons to delete. Permutations of the kind ``choice``
leave the order of words alone, so the second question should find nothing wrong; the
more words other permutations move, the less they should get for order; people use more
than one box; and nobody reads two sentences in two seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean, median
from typing import NamedTuple

from django.utils.translation import gettext as _

from tertium.campaigns.models import Campaign, Judgement
from tertium.campaigns.tasks.survey.sampled import MOVING
from tertium.campaigns.tasks.survey.task import QUESTIONS
from tertium.judgements.adjustment.normalise import likert_score
from tertium.stats.correlation import spearman

__all__ = ["ParticipantFlags", "flag_participants"]

_FAST = 3.0  # seconds of an item
_FAST_SHARE = 0.25
_FEW = 5  # items before anything is said
_SAME_SHARE = 0.9  # of answers in one box
_FEW_CHOICE = 2
_LOW_CHOICE = 0.75  # mean score of order where only words were exchanged
_FEW_MOVED = 8  # permutations that move words
_MISSING_SHARE = 0.2


@dataclass(frozen=True)
class ParticipantFlags:
    """A participant with flags.

    Parameters
    ----------
    code : str
        The pseudonym.
    judged : int
        Items judged.
    missing : int
        Questions that were left without an answer.
    seconds : float, optional
        Median time of an item.
    boxes : dict of str to dict of int to int
        For every question, how often each box was used.
    choice_order : float, optional
        Mean score of word order, from 0 to 1, on permutations that leave it alone.
    damage : float, optional
        Spearman's rho of scores of word order and what is left of it, over
        permutations that move words; above 0 for somebody who reads.
    flags : tuple of str
        In words; empty if nothing stands out.
    """

    code: str
    judged: int
    missing: int
    seconds: float | None
    boxes: Mapping[str, Mapping[int, int]]
    choice_order: float | None
    damage: float | None
    flags: tuple[str, ...]


def flag_participants(campaign: Campaign) -> list[ParticipantFlags]:
    """Return everybody who has judged something, by pseudonym, with flags."""
    answers: dict[str, list[_Judgement]] = {}
    for code, answer, seconds, meta in Judgement.objects.filter(
        assignment__item__campaign=campaign
    ).values_list(
        "assignment__member__code", "answer", "seconds", "assignment__item__meta"
    ):
        answers.setdefault(code, []).append(_Judgement(answer, seconds, meta))
    return [
        _participant(code, judgements) for code, judgements in sorted(answers.items())
    ]


class _Judgement(NamedTuple):
    boxes: Mapping[str, object]
    seconds: float | None
    meta: Mapping[str, object]

    def order(self, *kinds: str) -> float | None:
        """Return the score of word order if the item is of one of some kinds."""
        box = self.boxes.get("order")
        wanted = isinstance(box, int) and self.meta.get("permutation") in kinds
        return likert_score(box) if wanted and isinstance(box, int) else None


def _damage(judgements: list[_Judgement]) -> float | None:
    """Return how scores of order follow the degree; its score is kept as quality."""
    pairs = [
        (float(str(one.meta["quality"])), score)
        for one in judgements
        if (score := one.order(*MOVING)) is not None
    ]
    if len(pairs) < _FEW_MOVED:
        return None
    return spearman([known for known, _ in pairs], [rating for _, rating in pairs])


def _participant(code: str, judgements: list[_Judgement]) -> ParticipantFlags:
    boxes = {
        name: dict(
            sorted(
                Counter(
                    b for a in judgements if isinstance(b := a.boxes.get(name), int)
                ).items()
            )
        )
        for name in QUESTIONS
    }
    times = [one.seconds for one in judgements if one.seconds is not None]
    missing = sum(
        one.boxes.get(name) is None for one in judgements for name in QUESTIONS
    )
    choice = [score for one in judgements if (score := one.order("choice")) is not None]
    damage = _damage(judgements)
    order = mean(choice) if choice else None
    names = {"adequacy": _("Adequacy"), "order": _("Word order")}
    flags = []
    if len(judgements) >= _FEW:
        fast = sum(time < _FAST for time in times)
        if fast >= _FAST_SHARE * len(judgements):
            flags.append(
                _("{fast} of {all} items took less than {seconds} seconds").format(
                    fast=fast, all=len(judgements), seconds=f"{_FAST:g}"
                )
            )
        for name, used in boxes.items():
            most = max(used.values(), default=0)
            if sum(used.values()) >= _FEW and most >= _SAME_SHARE * sum(used.values()):
                flags.append(
                    _("nearly always the same box for {question}").format(
                        question=names.get(name, name)
                    )
                )
        if missing >= _MISSING_SHARE * len(judgements) * len(QUESTIONS):
            flags.append(_("{missing} answers are missing").format(missing=missing))
    if order is not None and len(choice) >= _FEW_CHOICE and order < _LOW_CHOICE:
        flags.append(
            _("bad word order where only words were exchanged (mean {score})").format(
                score=f"{order:.2f}"
            )
        )
    if damage is not None and damage <= 0:
        flags.append(
            _(
                "word-order scores do not fall when more words are moved (rho {rho})"
            ).format(rho=f"{damage:.2f}")
        )
    return ParticipantFlags(
        code,
        len(judgements),
        missing,
        median(times) if times else None,
        boxes,
        order,
        damage,
        tuple(flags),
    )
