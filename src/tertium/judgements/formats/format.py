# SPDX-License-Identifier: Apache-2.0
"""What a format of judgements is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tertium.judgements.judgement import Bad, Judgement
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.judgements.tables import Judgements

__all__ = ["Format", "ImportOptions", "Numbered", "unnumbered"]

#: A line, from 1, and what it says.
Numbered: TypeAlias = "tuple[int, Judgement | Bad]"


class ImportOptions(NamedTuple):
    """What the user knows about a file: it overrules the file, except for the scale.

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
        ``read(path, options)`` yields judgements, and rows it cannot read as
        :class:`~tertium.judgements.judgement.Bad`.
    write : callable, optional
        ``write(judgements, path)``.
    kinds : tuple of str
        The tables that a file of this format can hold.
    loses : tuple of str
        What of them it has no place for, by names of
        :data:`~tertium.judgements.formats.losses.LOSSES`.
    numbered : callable, optional
        As `read`, with the line on which every judgement begins.
    """

    name: str
    fits: Callable[[str, Sequence[str]], bool]
    read: Callable[[str, ImportOptions], Iterator[Judgement | Bad]]
    write: Callable[[Judgements, str], None] | None = None
    kinds: tuple[str, ...] = ("rankings", "ratings", "spans")
    loses: tuple[str, ...] = ()
    numbered: Callable[[str, ImportOptions], Iterator[Numbered]] | None = None

    @property
    def about(self) -> Note:
        """What the format is, in one line."""
        return Note(f"format-{self.name}")


def unnumbered(
    read: Callable[[str, ImportOptions], Iterator[Numbered]],
) -> Callable[[str, ImportOptions], Iterator[Judgement | Bad]]:
    """Return a reader that tells no lines."""

    def plain(path: str, options: ImportOptions) -> Iterator[Judgement | Bad]:
        for _, judgement in read(path, options):
            yield judgement

    return plain
