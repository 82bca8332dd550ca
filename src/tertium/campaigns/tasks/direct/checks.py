# SPDX-License-Identifier: Apache-2.0
"""Who reads what they score: attention checks of direct assessment, by annotator.

A damaged output should get less than its original, tested by Wilcoxon's signed-rank
test, one-sided; a copy of the reference should get much; a repeated item the same
again. Nobody is left out because of a check: managers decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from tertium.campaigns.tasks.base import ItemJudgement, by_judge
from tertium.campaigns.tasks.twins import BAD, COPY
from tertium.stats.signed_rank import signed_rank

if TYPE_CHECKING:
    from tertium.campaigns.models import Campaign

__all__ = ["ALPHA", "FEWEST", "CheckPair", "JudgeChecks", "checks", "judge_checks"]

#: The level at which somebody differs from chance.
ALPHA = 0.05
#: Pairs below which no test can reach that level: 1 / 2^4 is above it.
FEWEST = 5


@dataclass(frozen=True)
class CheckPair:
    """Scores of an original and of its twin, by one person.

    Parameters
    ----------
    item, base : str
        The keys of the twin and of the original.
    original : float
        Of the original; the mean where it was scored more than once.
    twin : float
        Of the twin.
    """

    item: str
    base: str
    original: float
    twin: float

    @property
    def passed(self) -> bool:
        """Whether the damaged twin got less."""
        return self.twin < self.original


@dataclass(frozen=True)
class JudgeChecks:
    """The attention checks of one annotator; None where a figure is undefined.

    Parameters
    ----------
    judge : str
        The pseudonym.
    scored : int
        Different items scored, checks left out.
    mean : float, optional
        Of these items: what the means below can be held against.
    bad : tuple of CheckPair
        Damaged outputs with their originals.
    copies : tuple of float
        Scores of copies of the reference.
    repeats : tuple of (float, float)
        First and last score of items that came again.
    p_value : float, optional
        How likely chance gives the damaged ones that much less; small is good. 1 when
        all of them got the same as their originals.
    """

    judge: str
    scored: int
    mean: float | None
    bad: tuple[CheckPair, ...] = ()
    copies: tuple[float, ...] = ()
    repeats: tuple[tuple[float, float], ...] = ()
    p_value: float | None = None

    @property
    def passed(self) -> int:
        """The number of damaged outputs that got less than their originals."""
        return sum(pair.passed for pair in self.bad)

    @property
    def share(self) -> float | None:
        """The share of damaged outputs that got less than their originals."""
        return self.passed / len(self.bad) if self.bad else None

    @property
    def original_mean(self) -> float | None:
        """The mean score of the originals of damaged outputs."""
        return _mean([pair.original for pair in self.bad])

    @property
    def bad_mean(self) -> float | None:
        """The mean score of damaged outputs."""
        return _mean([pair.twin for pair in self.bad])

    @property
    def copies_mean(self) -> float | None:
        """The mean score of copies of the reference."""
        return _mean(self.copies)

    @property
    def repeat_gap(self) -> float | None:
        """How far repeated scores lie from the first ones, on average."""
        return _mean([abs(one - other) for one, other in self.repeats])

    @property
    def reads(self) -> bool | None:
        """Whether the test says that the person sees damage; None with few pairs."""
        if self.p_value is None or len(self.bad) < FEWEST:
            return None
        return self.p_value < ALPHA


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def checks(campaign: Campaign) -> list[JudgeChecks]:
    """Return the attention checks of every annotator in a campaign, by pseudonym."""
    from tertium.campaigns.exchange.exporting import item_judgements

    return judge_checks(item_judgements(campaign))


def judge_checks(judgements: Iterable[ItemJudgement]) -> list[JudgeChecks]:
    """Return the attention checks of every annotator, from judgements, oldest first."""
    return [_checked(judge, theirs) for judge, theirs in by_judge(judgements).items()]


def _checked(judge: str, theirs: Sequence[ItemJudgement]) -> JudgeChecks:
    scores: dict[str, list[float]] = {}
    for one in theirs:
        if one.kind == "work":
            scores.setdefault(one.item, []).append(_score(one))
    bad, copies = [], []
    for one in theirs:
        if one.kind != "check":
            continue
        base = str(one.meta.get("base", ""))
        if one.meta.get("check") == COPY:
            copies.append(_score(one))
        elif one.meta.get("check") == BAD and base in scores:
            pair = CheckPair(one.item, base, fmean(scores[base]), _score(one))
            bad.append(pair)
    p_value = None
    if bad:
        tested = signed_rank([pair.original - pair.twin for pair in bad])
        p_value = 1.0 if tested is None else tested
    return JudgeChecks(
        judge=judge,
        scored=len(scores),
        mean=_mean([score for repeats in scores.values() for score in repeats]),
        bad=tuple(bad),
        copies=tuple(copies),
        repeats=tuple((g[0], g[-1]) for g in scores.values() if len(g) > 1),
        p_value=p_value,
    )


def _score(one: ItemJudgement) -> float:
    score = one.answer["score"]
    if not isinstance(score, int):
        raise TypeError
    return float(score)
