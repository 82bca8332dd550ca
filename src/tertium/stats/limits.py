# SPDX-License-Identifier: Apache-2.0
"""How small p-values can become, and how many resamples a correction needs.

B random trials have p-values of at least 1 / (B + 1) (see
:func:`tertium.stats.paired.p_value`), n units that change sides at least 2 / 2^n, since
all of them may favour one side by chance. Corrections for many tests multiply these
floors. Where the product is not below alpha, a test is hopeless before it starts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tertium._messages import count
from tertium.stats.correction import adjust

__all__ = ["Hopeless", "enough_resamples", "hopeless"]

#: Nobody waits for more unless they ask for them.
MOST_RESAMPLES = 1_000_000

_CORRECTIONS = {
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
}


@dataclass(frozen=True)
class Hopeless:
    """Why no difference can be significant.

    Attributes
    ----------
    reason : {"units", "resamples"}
        What there is too little of.
    p : float
        The smallest p-value that a test can have.
    adjusted : float
        The same after correction, at least alpha.
    tests : int
        How many are corrected together.
    correction : str
        By which method.
    resamples, units : int
        How many there were.
    needed : int
        How many resamples are enough; more do not help where units are too few.
    """

    reason: str
    p: float
    adjusted: float
    tests: int
    correction: str
    resamples: int
    units: int
    needed: int

    def explain(
        self,
        *,
        unit: str,
        option: str = "resamples",
        sampled: str = "resample",
        otherwise: str = "",
    ) -> str:
        """Return the reason in words, and what helps.

        Parameters
        ----------
        unit : str
            What was resampled, such as ``segment``.
        option : str
            What sets the number of resamples where the reader is: an argument, a flag.
        sampled : str
            What a resample is called.
        otherwise : str
            What helps where units are too few, besides more of them.
        """
        smallest = f"the smallest possible p is {self.p:.2g}"
        if self.correction in _CORRECTIONS and self.tests > 1 and self.p < 1:
            smallest += (
                f", and {self.adjusted:.2g} after {_CORRECTIONS[self.correction]} "
                f"over {self.tests:,} pairs"
            )
        if self.reason == "resamples":
            few = count(self.resamples, sampled)
            cure = f"give {option} {self.needed}, or omit it"
        else:
            few = count(self.units, unit)
            cure = f"test on more {unit}s" + f", or {otherwise}" * bool(otherwise)
        return f"no difference can be significant: with {few} {smallest}; {cure}"


def enough_resamples(
    tests: int, alpha: float, *, correction: str = "holm", least: int = 1000
) -> int:
    """Return how many resamples keep a clear difference clear after correction.

    Holm's correction multiplies the smallest p-value by the number of tests, and so
    does Benjamini and Hochberg's if only one difference is clear. With the number
    returned the product is at most a fifth of `alpha`, unless that takes more than a
    million resamples.

    Parameters
    ----------
    tests : int
        How many are corrected together.
    alpha : float
        The threshold for significance.
    correction : {"holm", "bh", "none"}
    least : int
        How many there are in any case.

    Examples
    --------
    >>> enough_resamples(3, 0.05), enough_resamples(78, 0.05)
    (1000, 7800)
    """
    multiplier = 1 if correction == "none" else tests
    needed = math.ceil(round(5 * multiplier / alpha, 6))
    return max(least, min(needed, MOST_RESAMPLES))


def hopeless(
    tests: int,
    alpha: float,
    *,
    correction: str,
    resamples: int,
    units: int,
    swapped: bool,
) -> Hopeless | None:
    """Return why no difference can be significant; None if one can.

    Parameters
    ----------
    tests : int
        How many are corrected together.
    alpha : float
    correction : {"holm", "bh", "none"}
    resamples : int
    units : int
        How many segments, documents or systems are resampled or change sides.
    swapped : bool
        Whether they change sides, as in randomisation and permutation tests. For the
        bootstrap only a single unit is certainly too few.

    Examples
    --------
    >>> hopeless(
    ...     3, 0.05, correction="holm", resamples=1000, units=6, swapped=True
    ... ).reason
    'units'
    """
    needed = enough_resamples(tests, alpha, correction=correction)
    floors = {
        "units": 2.0 ** (1 - units) if swapped or units == 1 else 0.0,
        "resamples": 1 / (resamples + 1),
    }
    for reason, p in floors.items():
        adjusted = adjust([p] * max(1, tests), correction)[0]
        # All assignments of few units may be fewer than the resamples asked for.
        exact = reason == "resamples" and swapped and 2**units <= resamples
        if adjusted >= alpha and not exact:
            return Hopeless(
                reason, p, adjusted, tests, correction, resamples, units, needed
            )
    return None
