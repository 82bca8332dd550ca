# SPDX-License-Identifier: Apache-2.0
"""The model of Hopkins and May (2013): normal abilities and a decision radius.

A translation is as good as its system, plus normal noise of its own, and a judge
sees it with normal noise. Two translations that seem closer than a radius d are a
tie, otherwise the better-looking one wins. Only the sum of the noises shows in
comparisons, so it sets the scale: the noise of a difference has variance 1, and

    P(i beats j) = Phi(a_i - a_j - d),
    P(tie) = Phi(d - a_i + a_j) - Phi(-d - a_i + a_j).

Abilities have a standard normal prior. Hopkins and May draw from the posterior by
Gibbs sampling; here it is maximised (it is log-concave: Pratt 1981), which is
deterministic, and its curvature gives the uncertainty. That one translation takes part
in several comparisons of a ranking is not modelled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.judgements.estimates import need_scipy
from tertium.judgements.ranking.pair_model import Array, Fit, Outcomes, fit_abilities

if TYPE_CHECKING:
    from tertium.judgements.comparisons import Wins

__all__ = ["HopkinsMay", "hopkins_may"]


@dataclass(frozen=True, eq=False)
class HopkinsMay:
    """Abilities under the model of Hopkins and May.

    Parameters
    ----------
    abilities : dict of str to float or None
        The most likely ones; None for a system without comparisons.
    radius : float
        The decision radius.
    covariance : array
        Of the abilities, from the curvature at the maximum.
    """

    abilities: dict[str, float | None]
    radius: float
    covariance: Array


def hopkins_may(wins: Wins, *, spread: float = 1.0) -> HopkinsMay:
    """Return the most likely abilities of systems that were compared.

    Parameters
    ----------
    wins : Wins
    spread : float
        Standard deviation of the prior.
    """
    if not 0 < spread < np.inf:
        raise InputError(f"spread must be above 0, not {spread}")
    fit = _fit(wins.wins[None], wins.ties[None], spread)
    met = (wins.wins + wins.wins.T + wins.ties).sum(-1) > 0
    return HopkinsMay(
        {
            name: float(ability) if known else None
            for name, ability, known in zip(
                wins.systems, fit.abilities[0], met, strict=True
            )
        },
        float(fit.tie[0]),
        np.linalg.inv(fit.information[0])[:-1, :-1],
    )


def abilities(wins: Array, ties: Array) -> Array:
    """Return abilities of many tables; NaN for systems without comparisons."""
    met = (wins + wins.swapaxes(-1, -2) + ties).sum(-1) > 0
    return np.where(met, _fit(wins, ties, 1.0).abilities, np.nan)


def information(difference: Array, radius: float) -> Array:
    """Return what one comparison tells about a difference (Fisher information)."""
    now = probit(np.asarray(difference), np.asarray(radius))
    parts = zip(now.chance, now.by_difference, strict=True)
    return np.asarray(sum(d * d / np.maximum(p, 1e-200) for p, d in parts))


def _fit(wins: Array, ties: Array, spread: float) -> Fit:
    need_scipy("ranking systems")
    from scipy.special import ndtri

    tied = ties.sum((-1, -2)) / 2
    decided = wins.sum((-1, -2))
    share = tied / np.maximum(tied + decided, 1.0)
    fixed = (tied == 0) | (decided == 0)
    # Among equals a share of ties 2 Phi(d) - 1 shows the radius.
    start = np.where(tied == 0, 0.0, ndtri((np.minimum(share, 0.999) + 1) / 2))
    prior = np.full(len(wins), spread**-2.0)
    return fit_abilities(wins, ties, probit, prior=prior, tie=start, fixed=fixed)


def probit(difference: Array, radius: Array) -> Outcomes:
    """Return the chances of win, loss and tie, with their derivatives."""
    from scipy.special import ndtr

    upper, lower = difference - radius, -difference - radius
    win, loss = ndtr(upper), ndtr(lower)
    at_upper, at_lower = (
        np.exp(-x * x / 2) / np.sqrt(2 * np.pi) for x in (upper, lower)
    )
    # 1 - win - loss loses digits where the tie is unlikely.
    tie = ndtr(radius - np.abs(difference)) - ndtr(-radius - np.abs(difference))
    return Outcomes(
        (win, loss, tie),
        (at_upper, -at_lower, at_lower - at_upper),
        (-at_upper, -at_lower, at_upper + at_lower),
    )
