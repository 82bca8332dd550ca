# SPDX-License-Identifier: Apache-2.0
"""The noise of judges, and how it lowers correlations.

In a normal model, Pearson's r with noisy human scores is r with perfect ones times the
square root of the reliability of item means (Spearman 1904).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, NotDefinedError

if TYPE_CHECKING:
    from tertium.judgements.tables import Judgements

__all__ = ["JudgeNoise", "observed", "pilot_noise", "reliability"]

# Options of the command line that set the fields of JudgeNoise.
_OPTIONS = {
    "item": "item_sd",
    "judge": "judge_sd",
    "taste": "rest_sd",
    "repeat": "repeat_sd",
}


@dataclass(frozen=True)
class JudgeNoise:
    """Standard deviations of human scores, on any scale.

    Parameters
    ----------
    item : float
        Of the true scores of items.
    judge : float
        Of the severity of judges.
    taste : float
        Of what a judge thinks of an item, beyond severity; the same in a repeat.
    repeat : float
        Of what changes when the same judge sees the same item again.
    """

    item: float = 1.0
    judge: float = 0.0
    taste: float = 0.0
    repeat: float = 0.0

    def __post_init__(self) -> None:
        """Reject what is not a standard deviation."""
        for name, value in asdict(self).items():
            if not (value >= 0 and math.isfinite(value)):
                message = f"{name} is {value:g}; a standard deviation is 0 or more"
                raise InputError(message, options=(_OPTIONS[name],))
        if self.item == 0:
            message = "item is 0; there is nothing to correlate if all items are equal"
            raise InputError(message, options=(_OPTIONS["item"],))


def reliability(
    noise: JudgeNoise,
    *,
    per_item: int,
    repeats: int = 1,
    judges: int | None = None,
    adjusted: bool = False,
) -> float:
    """Return the reliability of item means.

    Parameters
    ----------
    noise : JudgeNoise
    per_item, repeats : int
        Judges of an item, and how often each judges it.
    judges : int, optional
        All judges. If they all judge every item, severity is the same for all items
        and does no harm. Any number by default.
    adjusted : bool
        Whether scores are adjusted for judges, so that severity does no harm.

    Examples
    --------
    >>> noise = JudgeNoise(item=1, judge=1, taste=1)
    >>> [round(reliability(noise, per_item=k), 3) for k in (1, 2, 8)]
    [0.333, 0.5, 0.8]
    >>> reliability(noise, per_item=2, judges=2) == 1 / 1.5
    True
    """
    severity = 0.0 if adjusted else noise.judge**2 / per_item
    if judges is not None:
        severity *= max(0.0, 1 - per_item / judges)
    rest = noise.taste**2 / per_item + noise.repeat**2 / (per_item * repeats)
    return noise.item**2 / (noise.item**2 + severity + rest)


def observed(rho: float, share: float, coefficient: str = "spearman") -> float:
    """Return the correlation that is observed with scores of some reliability.

    Examples
    --------
    >>> round(observed(0.6, 0.49, "pearson"), 3)
    0.42
    """
    if coefficient == "pearson":
        return rho * math.sqrt(share)
    r = 2 * math.sin(math.pi * rho / 6) * math.sqrt(share)
    return 6 / math.pi * math.asin(r / 2)


def pilot_noise(judgements: Judgements, *, scale: str | None = None) -> JudgeNoise:
    """Return the noise of the judges of a pilot study.

    What is neither item nor judge counts as taste: repeats would not lower it. That is
    on the safe side.

    Parameters
    ----------
    judgements : Judgements
        Ratings; some items need several judges.
    scale : str, optional
        May be left out where there is only one.

    Raises
    ------
    NotDefinedError
        When the ratings cannot tell items, judges and the rest apart.
    """
    from tertium.judgements.adjustment.effects import estimate_effects
    from tertium.judgements.agreement.ratings import rating_data

    data = rating_data(judgements, scale=scale).known()
    if not len(data):
        message = "the pilot has no ratings by known judges; give some with names"
        raise NotDefinedError(message)
    units = np.unique(data.unit, return_inverse=True)[1].reshape(-1)
    judges = np.unique(data.judge, return_inverse=True)[1].reshape(-1)
    effects = estimate_effects(data.score, judges, units)
    return JudgeNoise(
        effects.item_sd.value, effects.judge_sd.value, effects.residual_sd.value
    )
