# SPDX-License-Identifier: Apache-2.0
"""Bradley-Terry with ties, in the form of Davidson (1970).

i beats j with a chance proportional to e^(a_i), loses with e^(a_j), and ties with
v e^((a_i + a_j) / 2). The abilities a are logarithms of Bradley and Terry's (1952)
and sum to 0. Without ties v is 0, and this is their model.

The likelihood has a maximum if a chain of wins and ties leads from every system to
every other, and wins go round in a circle somewhere (otherwise a system that never
loses is infinitely good, or v infinite). Where it has none, abilities get a normal
prior with mean 0 and standard deviation 10.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.judgements.comparisons import Wins
from tertium.judgements.ranking.pair_model import (
    Array,
    Fit,
    Outcomes,
    fit_abilities,
    has_cycle,
    is_connected,
)

__all__ = ["BradleyTerry", "bradley_terry"]

#: One over the variance of the prior, where one is needed.
PRIOR = 0.01


@dataclass(frozen=True)
class BradleyTerry:
    """Abilities under the model of Bradley, Terry and Davidson.

    Parameters
    ----------
    abilities : dict of str to float or None
        None for a system without comparisons.
    tie : float
        Davidson's v: against an equal, a tie is v times as likely as a win.
    prior : float
        One over the variance of the prior that was used, 0 for none.
    steps : int
        Steps to the maximum.
    """

    abilities: dict[str, float | None]
    tie: float
    prior: float
    steps: int


def bradley_terry(wins: Wins, *, prior: float | None = None) -> BradleyTerry:
    """Return the abilities of systems that were compared.

    Parameters
    ----------
    wins : Wins
    prior : float, optional
        One over the variance of a normal prior; only where it is needed unless it
        is given.

    Examples
    --------
    >>> import numpy as np
    >>> table = Wins(("A", "B"), np.array([[0.0, 3.0], [1.0, 0.0]]), np.zeros((2, 2)))
    >>> round(bradley_terry(table).abilities["A"] * 2, 4)  # log(3/1)
    1.0986
    """
    if prior is not None and not 0 <= prior < np.inf:
        raise InputError(f"prior must be 0 or more, not {prior}")
    fit, priors = _fit(wins.wins[None], wins.ties[None], prior)
    met = (wins.wins + wins.wins.T + wins.ties).sum(-1) > 0
    return BradleyTerry(
        {
            name: float(ability) if known else None
            for name, ability, known in zip(
                wins.systems, fit.abilities[0], met, strict=True
            )
        },
        float(np.exp(fit.tie[0])) if wins.ties.any() else 0.0,
        float(priors[0]),
        fit.steps,
    )


def abilities(wins: Array, ties: Array) -> Array:
    """Return abilities of many tables; NaN for systems without comparisons."""
    met = (wins + wins.swapaxes(-1, -2) + ties).sum(-1) > 0
    return np.where(met, _fit(wins, ties, None)[0].abilities, np.nan)


def needs_prior(wins: Wins) -> bool:
    """Return whether the likelihood may have no maximum."""
    return bool(_lacks_maximum(wins.wins[None], wins.ties[None])[0])


def _lacks_maximum(wins: Array, ties: Array) -> NDArray[np.bool_]:
    met = (wins > 0) | (ties > 0)
    # Systems without comparisons take no part: link them both ways to all.
    alone = ~(met | met.swapaxes(-1, -2)).any(-1)
    free = alone[:, :, None] | alone[:, None, :]
    circle = has_cycle(wins > 0) | ~ties.any(axis=(-1, -2)) | ~wins.any(axis=(-1, -2))
    return np.asarray(~(is_connected(met | free) & circle))


def _fit(wins: Array, ties: Array, prior: float | None) -> tuple[Fit, Array]:
    if prior is None:
        lacks = _lacks_maximum(wins, ties)
        # A system that met nobody would make the equations singular; its ability
        # is not shown, and a prior on all moves the others.
        priors = np.where(lacks, PRIOR, 0.0)
    else:
        priors = np.full(len(wins), prior)
    tied = ties.sum((-1, -2)) / 2
    decided = wins.sum((-1, -2))
    # Without ties v is 0; with only ties all are equal, for any v.
    fixed = (tied == 0) | (decided == 0)
    start = np.where(
        tied == 0, -700.0, np.log(np.maximum(2 * tied, 1) / np.maximum(decided, 1))
    )
    return (
        fit_abilities(wins, ties, _davidson, prior=priors, tie=start, fixed=fixed),
        priors,
    )


def _davidson(difference: Array, tie: Array) -> Outcomes:
    half = difference / 2
    top = np.maximum(np.abs(half), tie)
    win, loss, draw = (np.exp(x - top) for x in (half, -half, tie + 0 * half))
    total = win + loss + draw
    win, loss, draw = win / total, loss / total, draw / total
    mean = (win - loss) / 2
    return Outcomes(
        (win, loss, draw),
        (win * (0.5 - mean), loss * (-0.5 - mean), draw * -mean),
        (-win * draw, -loss * draw, draw * (1 - draw)),
    )
