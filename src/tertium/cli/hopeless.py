# SPDX-License-Identifier: Apache-2.0
"""What to say where no difference can be significant: why, and what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.stats.limits import Hopeless

__all__ = ["hopeless_note"]

_CORRECTIONS = {
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
}


def hopeless_note(
    hopeless: Hopeless,
    correction: object,
    *,
    units: int,
    unit: str,
    resamples: int,
    flag: str,
    otherwise: str = "",
) -> str:
    """Return the true reason, and the flag of this verb that helps.

    Parameters
    ----------
    hopeless : Hopeless
    correction : str
    units, unit : int, str
        How many segments, documents ... were resampled, and what one is called.
    resamples : int
        How many resamples there were.
    flag : str
        What sets their number.
    otherwise : str
        What helps where units are too few, besides more of them.
    """
    smallest = f"the smallest possible p is {hopeless.p:.2g}"
    if correction in _CORRECTIONS and hopeless.tests > 1 and hopeless.p < 1:
        smallest += (
            f", and {hopeless.adjusted:.2g} after {_CORRECTIONS[str(correction)]} over "
            f"{hopeless.tests:,} pairs"
        )
    if hopeless.reason == "resamples":
        plural = "" if resamples == 1 else "s"
        because = f"with {resamples:,} resample{plural} {smallest}"
        cure = f"give {flag} {hopeless.needed}, or omit it"
    else:
        plural = "" if units == 1 else "s"
        because = f"with {units:,} {unit}{plural} {smallest}"
        cure = f"test on more {unit}s" + f", or {otherwise}" * bool(otherwise)
    return f"no difference can be significant: {because}; {cure}"
