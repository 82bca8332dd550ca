# SPDX-License-Identifier: Apache-2.0
"""What a format of judgements is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tertium.judgements.records import Bad, Record
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.judgements.tables import Judgements

__all__ = ["Format", "Given", "Numbered", "unnumbered"]

#: A line, from 1, and what it says.
Numbered: TypeAlias = "tuple[int, Record | Bad]"


class Given(NamedTuple):
    """What the user says about a file that does not say it itself.

    Parameters
    ----------
    batches : str, optional
        A file of Appraise batches, for exports of that campaign.
    """

    langpair: str | None = None
    campaign: str | None = None
    scale: str | None = None
    batches: str | None = None


@dataclass(frozen=True)
class Format:
    """A format of judgements.

    Parameters
    ----------
    name : str
    fits : callable
        ``fits(path, first_lines)``: whether a file or folder has this format.
    read : callable
        ``read(path, given)`` yields records, and rows it cannot read as
        :class:`~tertium.judgements.records.Bad`.
    write : callable, optional
        ``write(judgements, path)``.
    kinds : tuple of str
        The tables that a file of this format can hold.
    loses : tuple of str
        What of them it has no place for, by names of
        :data:`~tertium.judgements.formats.losses.LOSSES`.
    numbered : callable, optional
        As `read`, with the line on which every record begins.
    """

    name: str
    fits: Callable[[str, Sequence[str]], bool]
    read: Callable[[str, Given], Iterator[Record | Bad]]
    write: Callable[[Judgements, str], None] | None = None
    kinds: tuple[str, ...] = ("rankings", "ratings", "spans")
    loses: tuple[str, ...] = ()
    numbered: Callable[[str, Given], Iterator[Numbered]] | None = None

    @property
    def about(self) -> Note:
        """What the format is, in one line."""
        return Note(f"format-{self.name}")


def unnumbered(
    read: Callable[[str, Given], Iterator[Numbered]],
) -> Callable[[str, Given], Iterator[Record | Bad]]:
    """Return a reader that tells no lines."""

    def plain(path: str, given: Given) -> Iterator[Record | Bad]:
        for _, record in read(path, given):
            yield record

    return plain
