# SPDX-License-Identifier: Apache-2.0
"""Scores that count wins: ratio of wins, wins or ties, expected wins.

Bojar et al. (2011) used wins or ties, Callison-Burch et al. (2012) the ratio of
wins, Bojar et al. (2013) expected wins. They differ in what a tie is worth, and in
whether an opponent met often counts for more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.judgements.comparisons import Wins

__all__ = ["expected_wins", "ratio_of_wins", "wins_or_ties"]

Array: TypeAlias = "NDArray[np.float64]"
#: From tables of wins and ties, of shape (..., systems, systems), to scores of
#: shape (..., systems), NaN where there is none.
CountScorer: TypeAlias = "Callable[[Array, Array], Array]"


def ratio_of_wins(wins: Wins) -> dict[str, float | None]:
    """Return wins / (wins + losses) of every system; ties are ignored.

    Systems that never won nor lost have no ratio.

    Examples
    --------
    >>> import numpy as np
    >>> table = Wins(("A", "B"), np.array([[0.0, 3.0], [1.0, 0.0]]), np.zeros((2, 2)))
    >>> ratio_of_wins(table)
    {'A': 0.75, 'B': 0.25}
    """
    return by_system(wins, win_ratios)


def wins_or_ties(wins: Wins) -> dict[str, float | None]:
    """Return (wins + ties) / (wins + losses + ties) of every system."""
    return by_system(wins, win_or_tie_ratios)


def expected_wins(wins: Wins) -> dict[str, float | None]:
    """Return the mean over opponents of wins / (wins + losses) against each.

    Opponents without a decided comparison are skipped.
    """
    return by_system(wins, expected_win_ratios)


def by_system(wins: Wins, scorer: CountScorer) -> dict[str, float | None]:
    """Return the scores of a scorer by system, None where there is none."""
    scores = scorer(wins.wins, wins.ties)
    return {
        name: float(score) if np.isfinite(score) else None
        for name, score in zip(wins.systems, scores, strict=True)
    }


def win_ratios(wins: Array, ties: Array) -> Array:  # noqa: ARG001
    """Return ratios of wins of many tables at once."""
    won, lost = wins.sum(-1), wins.sum(-2)
    return _share(won, won + lost)


def win_or_tie_ratios(wins: Array, ties: Array) -> Array:
    """Return shares of wins or ties of many tables at once."""
    won, lost, tied = wins.sum(-1), wins.sum(-2), ties.sum(-1)
    return _share(won + tied, won + lost + tied)


def expected_win_ratios(wins: Array, ties: Array) -> Array:  # noqa: ARG001
    """Return expected wins of many tables at once."""
    decided = wins + wins.swapaxes(-1, -2)
    shares = np.where(decided > 0, _share(wins, decided), 0.0)
    return _share(shares.sum(-1), (decided > 0).sum(-1))


def _share(part: Array, whole: Array | NDArray[np.int64]) -> Array:
    """Return part / whole, NaN where the whole is 0."""
    out = np.full(np.shape(whole), np.nan)
    return np.asarray(np.divide(part, whole, out=out, where=np.asarray(whole) > 0))
