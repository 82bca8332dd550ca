# SPDX-License-Identifier: Apache-2.0
"""Remarks on stderr: what a user should know about a result that is not an error."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared.progress import clear_line
from tertium.cli.shared.values import Remarks

if TYPE_CHECKING:
    from typing import Protocol

    from tertium.notes import Note

    class HasNotes(Protocol):
        """A result of the library that carries notes."""

        @property
        def notes(self) -> Iterable[Note]:
            """What a user should know about it."""


__all__ = ["remark", "remark_few", "remark_note", "remark_notes"]


def remark(options: Remarks, text: str) -> None:
    """Write a remark to stderr, unless the user wants quiet."""
    if not options.quiet:
        sys.stdout.flush()  # In a log, what was written first comes first.
        clear_line()
        sys.stderr.write(f"tertium: {text}\n")


def remark_note(options: Remarks, note: Note) -> None:
    """Write a note of the library to stderr, with the flags of the verb."""
    from tertium.cli.shared.advice import note_text

    remark(options, note_text(note))


def remark_notes(options: Remarks, result: HasNotes, *codes: str) -> None:
    """Write the notes of a result, or those with certain codes."""
    for note in result.notes:
        if not codes or note.code in codes:
            remark_note(options, note)


def remark_few(options: Remarks, resamples: int, confidence: float, flag: str) -> None:
    """Remark that there are too few resamples for an interval to leave any out.

    Parameters
    ----------
    options : Remarks
    resamples : int
        How many there are; with 0 there is no interval.
    confidence : float
    flag : str
        The flag that sets their number.
    """
    if not resamples or resamples * (1 - confidence) / 2 > 1 - 1e-9:
        return
    from tertium.stats.resample import interval_resamples

    remark(
        options,
        f"{count(resamples, 'resample')} {'is' if resamples == 1 else 'are'} "
        f"too few for intervals of {100 * confidence:g} %, which reach from the lowest "
        f"to the highest score sampled; give {flag} {interval_resamples(confidence)}",
    )
