# SPDX-License-Identifier: Apache-2.0
"""How far results hang on the cost of a move.

Nobody knows that cost: the thesis does not print it, and its published scores only
bound it to about 0.4 to 0.9 (spec, 6.3 and 14). So all outputs are corrected again
with other costs, and the scores and ranks that come out stand beside the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["MOVES", "MoveSensitivity"]

#: Costs of a move that are tried, in ten-thousandths: the ends of what is plausible.
MOVES = (4_000, 9_000)


@dataclass(frozen=True)
class MoveSensitivity:
    """Scores with another cost of moves.

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
