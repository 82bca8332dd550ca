# SPDX-License-Identifier: Apache-2.0
"""Judgements to compare metrics with: tables, or files and stores that hold them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from tertium.errors import InputError
from tertium.judgements import Judgements
from tertium.judgements.selection import select

if TYPE_CHECKING:
    from tertium.meta.inputs.testsets import OnNote
    from tertium.stats.resample import Report

__all__ = ["JudgementsLike", "one_campaign", "read_judged"]

#: Judgements, or where they are: files, stores, or ``demo``.
JudgementsLike: TypeAlias = (
    "Judgements | str | os.PathLike[str] | Sequence[str | os.PathLike[str]]"
)


def read_judged(
    judgements: JudgementsLike,
    *,
    only: Sequence[str] = (),
    on_note: OnNote,
    progress: Report | None = None,
) -> Judgements:
    """Return judgements, read if need be.

    Parameters
    ----------
    judgements : Judgements or paths
    only : sequence of str
        ``COLUMN=VALUE``, as in :meth:`tertium.Judgements.read`.
    on_note : callable
        Called with a note on rows that were left out.
    progress : callable, optional
    """
    if isinstance(judgements, Judgements):
        return select(judgements, only)

    def report(done: int) -> None:
        if progress is not None:
            progress("judgements", done, None)

    table = Judgements.read(judgements, only=only, progress=report)
    for note in table.notes:
        on_note(note)
    return table


def one_campaign(judgements: Judgements) -> None:
    """Raise an error if judgements are of several campaigns or levels.

    Raises
    ------
    InputError
        Segments of two campaigns are not the same, and metrics score whole segments
        only.
    """
    campaigns = judgements.names("campaign")
    if len(campaigns) > 1:
        message = (
            f"judgements of several campaigns ({', '.join(campaigns)}), whose segments "
            f"are not the same; choose one, such as campaign={campaigns[0]}"
        )
        raise InputError(message, options=("only",))
    if len(judgements.levels()) > 1:
        message = (
            "there are rankings of whole segments and of their parts; choose those of "
            "segments by part=, or those of parts by part=*"
        )
        raise InputError(message, options=("only",))
