# SPDX-License-Identifier: Apache-2.0
"""Names of scales that are not about the output of a system for a segment."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["CONTROL", "DOCUMENT", "is_rating", "system_scales"]

#: Ends the scale of ratings that check the judge, not a system.
CONTROL = "-control"
#: Ends the scale of ratings of whole documents.
DOCUMENT = "-document"


def is_rating(scale: str) -> bool:
    """Return whether a scale is about systems and segments.

    Examples
    --------
    >>> is_rating("DA"), is_rating("DA-control"), is_rating("DA-document")
    (True, False, False)
    """
    return not scale.endswith((CONTROL, DOCUMENT))


def system_scales(scales: Iterable[str]) -> list[str]:
    """Return the scales to choose from, sorted: those about systems and segments.

    Where there are no such scales, all of them are returned: somebody may want them.

    Examples
    --------
    >>> system_scales(["DA-control", "DA"]), system_scales(["DA-control"])
    (['DA'], ['DA-control'])
    """
    known = sorted(scales)
    return [scale for scale in known if is_rating(scale)] or known
