# SPDX-License-Identifier: Apache-2.0
"""``--normalise`` of ``tertium judgements``: scores on one scale from 0 to 1."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.judgements import Judgements

__all__ = ["add_normalise", "normaliser", "put_on_scale"]


def add_normalise(parser: argparse.ArgumentParser) -> None:
    """Add the option that puts scores on one scale."""
    parser.add_argument(
        "--normalise",
        metavar="HOW",
        help="scores from 0 to 1: likert[=BOXES] (5) or degree[=LARGEST] (18) for "
        "ratings; rank makes ratings of rankings, 1 - (rank - 1) / candidates, and "
        "leaves out other ratings; rank-zero divides by candidates - 1",
    )


def normaliser(wanted: str | None) -> tuple[str, int | None] | None:
    """Return how scores are put on one scale, and its number; None if not at all.

    Raises
    ------
    InputError
        If there is no such way, or its number is none.
    """
    from tertium.judgements.adjustment.normalised import NORMALISERS

    if wanted is None:
        return None
    how, equals, size = wanted.partition("=")
    if how not in NORMALISERS:
        raise UnknownNameError("normaliser", how, NORMALISERS)
    if equals and not (size.isascii() and size.isdigit() and len(size) < 7):
        raise InputError(f"--normalise {wanted}: {size!r} is no whole number")
    return how, int(size) if equals else None


def put_on_scale(
    args: argparse.Namespace, judgements: Judgements, wanted: tuple[str, int | None]
) -> Judgements:
    """Return judgements on one scale, with a remark on those that have no place."""
    from tertium.judgements.adjustment.normalised import normalised

    found = normalised(judgements, *wanted)
    before, after = judgements.counts(), found.counts()
    if before["rankings"] and not after["rankings"] and before["ratings"]:
        left = count(before["ratings"], "rating")
        remark(args, f"{left} left out: {wanted[0]} is of rankings only")
    return found
