# SPDX-License-Identifier: Apache-2.0
"""How far results depend on the cost of a move.

That cost is unknown: Nieminen (2018) does not give it, and the published scores only
bound it to about 0.4 to 0.9. So all outputs are corrected again with other costs, and
the resulting scores and ranks are reported next to the main ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["MOVES", "MoveSensitivity"]

#: Move costs to try, in ten-thousandths: the ends of the plausible range.
MOVES = (4_000, 9_000)


@dataclass(frozen=True)
class MoveSensitivity:
    """Scores with another move cost.

    Parameters
    ----------
    move : int
        The cost, in ten-thousandths.
    scores : dict of str to float
        By system.
    """

    move: int
    scores: Mapping[str, float]

    @property
    def ranking(self) -> list[str]:
        """The systems, the best first."""
        return sorted(self.scores, key=lambda name: (self.scores[name], name))
