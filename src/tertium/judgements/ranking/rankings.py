# SPDX-License-Identifier: Apache-2.0
"""Everything that :func:`tertium.rank` finds, as one result that JSON can show."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from tertium._notebook import Shown

if TYPE_CHECKING:
    from tertium.judgements.parts.against_sentences import Levels, Tau
    from tertium.judgements.planning.comparisons import Item, Plan
    from tertium.judgements.planning.rating_plans import RatingPlan
    from tertium.judgements.ranking.results import SystemRanking
    from tertium.judgements.reuse.unseen import UnseenSystem
    from tertium.notes import Note

__all__ = ["Rankings"]


@dataclass(frozen=True)
class Rankings(Shown):
    """Systems ranked by human judgements, one group per language pair.

    A group is named after its language pair, ``""`` if none is known. Where whole
    segments and parts of them were ranked, each level is a group of its own, such as
    ``de-en parts``.

    Parameters
    ----------
    rankings : dict of str to list of SystemRanking
        By group, one ranking per method.
    plans : dict of str to Plan
        How many rankings are needed, if asked for and systems are ranked by rankings.
    rating_plans : dict of str to list of RatingPlan
        How many rated segments are needed, if systems are ranked by ratings.
    next : dict of str to list of Item
        What to judge next, if asked for.
    levels : dict of str to Levels
        Judgements of parts compared with those of sentences, by language pair, if
        asked for.
    unseen : dict of str to list of UnseenSystem
        Systems scored without their own judgements, by language pair, if asked for.
    notes : tuple of Note
        What a reader should know; each ranking has notes of its own.
    """

    rankings: dict[str, list[SystemRanking]]
    plans: dict[str, Plan] = field(default_factory=dict)
    rating_plans: dict[str, list[RatingPlan]] = field(default_factory=dict)
    next: dict[str, list[Item]] = field(default_factory=dict)
    levels: dict[str, Levels] = field(default_factory=dict)
    unseen: dict[str, list[UnseenSystem]] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows; see ``tertium rank --help``."""
        optional: dict[str, dict[str, object]] = {
            "plans": {name: asdict(plan) for name, plan in self.plans.items()},
            "rating_plans": {
                name: list(map(asdict, plans))
                for name, plans in self.rating_plans.items()
            },
            "next": {
                name: list(map(asdict, items)) for name, items in self.next.items()
            },
            "levels": {name: _levels(levels) for name, levels in self.levels.items()},
            "unseen": {
                name: [system.to_dict() for system in systems]
                for name, systems in self.unseen.items()
            },
        }
        return {
            "rankings": [
                ranking.to_dict()
                for rankings in self.rankings.values()
                for ranking in rankings
            ],
            **{name: values for name, values in optional.items() if values},
        }

    def to_json(self) -> str:
        """Return the JSON that ``tertium rank -f json`` writes."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)


def _levels(levels: Levels) -> dict[str, object]:
    def tau(value: Tau) -> dict[str, object]:
        return {**asdict(value), "tau": value.tau, "agreement": value.agreement}

    return {
        "systems": [
            {
                "system": each.system,
                "better": tau(each.better),
                "worse": tau(each.worse),
                "all": tau(each.all),
            }
            for each in levels.systems
        ],
        "all": tau(levels.all),
        "disagreements": [
            {
                **asdict(each),
                # JSON has no infinity.
                "quotient": None if each.infinite else each.quotient,
                "infinite": each.infinite,
            }
            for each in levels.disagreements
        ],
    }
