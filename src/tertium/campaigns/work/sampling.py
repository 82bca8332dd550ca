# SPDX-License-Identifier: Apache-2.0
"""Which kind of item somebody gets next (SegRanks; Macháček 2014).

With A items that a person judged: they get one of their own again while fewer than
a share of A was judged twice; else one that only others judged, while fewer than a
share of A is theirs and others'; else a new one. A pool that is empty is passed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tertium.campaigns.config import Plan

__all__ = ["Counts", "due"]


@dataclass(frozen=True)
class Counts:
    """What a person has judged so far, in items.

    Parameters
    ----------
    mine : int
        Different items judged.
    again : int
        Those of them judged twice or more.
    shared : int
        Those of them that others judged too.
    checks : int
        Attention checks answered.
    """

    mine: int = 0
    again: int = 0
    shared: int = 0
    checks: int = 0


def due(plan: Plan, counts: Counts) -> tuple[str, ...]:
    """Return the reasons for which an item may be handed out, the first one first."""
    wanted = [
        ("check", counts.checks, plan.checks),
        ("intra", counts.again, plan.intra),
        ("inter", counts.shared, plan.inter),
    ]
    reasons = [why for why, n, share in wanted if n < _floor(share, counts.mine)]
    return (*reasons, "first")


def _floor(share: float, number: int) -> int:
    # As the share is written: 0.29 of 100 is 29, though 0.29 * 100 is below it.
    return int(Fraction(str(share)) * number)
