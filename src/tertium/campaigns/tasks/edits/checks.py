# SPDX-License-Identifier: Apache-2.0
"""Who reads what they mark: attention checks of edit positions, by annotator.

Words from elsewhere should be marked; in a copy of the reference nothing need be; a
repeated item should be marked as before. Nobody is left out because of a check.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import cast

from tertium.campaigns.tasks.base import ItemJudgement, by_judge
from tertium.campaigns.tasks.twins import BAD, COPY
from tertium.judgements.agreement.positions import token_spans

__all__ = ["FEWEST", "MarkChecks", "mark_checks"]

#: Damaged outputs below which there is no verdict on a person.
FEWEST = 5


@dataclass(frozen=True)
class MarkChecks:
    """The attention checks of one annotator; None where a figure is undefined.

    Parameters
    ----------
    judge : str
        The pseudonym.
    items : int
        Different items, checks left out.
    marked : float, optional
        The share of words that they mark there: what `found` can be held against.
    found : tuple of float
        For every damaged output, the share of foreign words that were marked.
    alone : tuple of bool
        For every copy of the reference, whether nothing was marked.
    repeats : tuple of float
        For items that came again, marks common to both times among all of them.
    """

    judge: str
    items: int
    marked: float | None
    found: tuple[float, ...] = ()
    alone: tuple[bool, ...] = ()
    repeats: tuple[float, ...] = ()

    @property
    def reads(self) -> bool | None:
        """Whether foreign words are marked more often than others; None with few."""
        if len(self.found) < FEWEST or self.marked is None:
            return None
        return fmean(self.found) > self.marked


def mark_checks(judgements: Iterable[ItemJudgement]) -> list[MarkChecks]:
    """Return the attention checks of every annotator, from judgements, oldest first."""
    return [_checked(judge, theirs) for judge, theirs in by_judge(judgements).items()]


def _checked(judge: str, theirs: Sequence[ItemJudgement]) -> MarkChecks:
    times: dict[str, list[ItemJudgement]] = {}
    damaged, alone = [], []
    for one in theirs:
        if one.kind == "work":
            times.setdefault(one.item, []).append(one)
        elif one.meta.get("check") == COPY:
            alone.append(one.answer["none"] is True)
        elif one.meta.get("check") == BAD:
            start, end = cast("list[int]", one.meta["damage"])
            foreign = {
                token
                for token, (first, last) in enumerate(_spans(one))
                if first < end and start < last
            }
            damaged.append(len(_marks(one) & foreign) / len(foreign))
    work = [one for repeats in times.values() for one in repeats if _spans(one)]
    shares = [len(_marks(one)) / len(_spans(one)) for one in work]
    return MarkChecks(
        judge=judge,
        items=len(times),
        marked=fmean(shares) if shares else None,
        found=tuple(damaged),
        alone=tuple(alone),
        repeats=tuple(_alike(g[0], g[-1]) for g in times.values() if len(g) > 1),
    )


def _spans(one: ItemJudgement) -> Sequence[tuple[int, int]]:
    return token_spans(str(one.content["output"]))


def _marks(one: ItemJudgement) -> set[int]:
    return set(cast("list[int]", one.answer["tokens"]))


def _alike(first: ItemJudgement, last: ItemJudgement) -> float:
    one, other = _marks(first), _marks(last)
    return len(one & other) / len(one | other) if one | other else 1.0
