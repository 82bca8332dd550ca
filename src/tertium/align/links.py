# SPDX-License-Identifier: Apache-2.0
"""Links between words."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

__all__ = ["Link", "Links"]


class Link(NamedTuple):
    """A word of one text and a word of another, counted from 0.

    Parameters
    ----------
    hyp, ref : int
        The word of the output (or source) and of the reference (or target).
    weight : float
        The probability of the link, where one is known.
    sure : bool
        Whether annotators were sure, in files that tell.
    """

    hyp: int
    ref: int
    weight: float = 1.0
    sure: bool = True


Links: TypeAlias = tuple[Link, ...]
