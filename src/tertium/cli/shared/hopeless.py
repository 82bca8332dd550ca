# SPDX-License-Identifier: Apache-2.0
"""Why a test could not show any difference, and what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium._messages import count

if TYPE_CHECKING:
    from tertium.stats.limits import Hopeless

__all__ = ["hopeless_note"]

_CORRECTIONS = {
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
}


def hopeless_note(
    hopeless: Hopeless,
    *,
    unit: str,
    flag: str,
    drawn: str = "resample",
    otherwise: str = "",
) -> str:
    """Return the reason in words, and the flag of the verb that helps.

    Parameters
    ----------
    hopeless : Hopeless
    unit : str
        What was resampled, such as ``segment``.
    flag : str
        The flag that sets the number of resamples.
    drawn : str
        What a resample is called.
    otherwise : str
        What helps where units are too few, besides more of them.
    """
    smallest = f"the smallest possible p is {hopeless.p:.2g}"
    if hopeless.correction in _CORRECTIONS and hopeless.tests > 1 and hopeless.p < 1:
        smallest += (
            f", and {hopeless.adjusted:.2g} after {_CORRECTIONS[hopeless.correction]} "
            f"over {hopeless.tests:,} pairs"
        )
    if hopeless.reason == "resamples":
        few = count(hopeless.resamples, drawn)
        cure = f"give {flag} {hopeless.needed}, or omit it"
    else:
        few = count(hopeless.units, unit)
        cure = f"test on more {unit}s" + f", or {otherwise}" * bool(otherwise)
    return f"no difference can be significant: with {few} {smallest}; {cure}"
