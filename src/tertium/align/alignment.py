# SPDX-License-Identifier: Apache-2.0
"""The alignment of one pair of texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tertium.align.links import Link, Links
from tertium.errors import NotDefinedError

__all__ = ["Alignment", "WordMatch"]


class WordMatch(NamedTuple):
    """Adjacent words of one text, matched with adjacent words of another.

    Parameters
    ----------
    hyp, hyp_length : int
        The first word of the output, counted from 0, and the number of words.
    ref, ref_length : int
        The same for the reference.
    matcher : str
        The name of the matcher that found it.
    weight : float
        The probability of a link from a file, where one is known.
    """

    hyp: int
    hyp_length: int
    ref: int
    ref_length: int
    matcher: str
    weight: float = 1.0


@dataclass(frozen=True)
class Alignment:
    """Two texts and the matches between them.

    Parameters
    ----------
    hyp, ref : tuple of str
        The words.
    matches : tuple of WordMatch
        Ordered by first word of the output.
    """

    hyp: tuple[str, ...]
    ref: tuple[str, ...]
    matches: tuple[WordMatch, ...]

    def __iter__(self) -> Iterator[WordMatch]:
        return iter(self.matches)

    def __len__(self) -> int:
        return len(self.matches)

    @property
    def chunks(self) -> int:
        """Runs of matches that are adjacent and in the same order in both texts."""
        count, hyp, ref = 0, -1, -1
        for match in self.matches:
            count += (match.hyp, match.ref) != (hyp, ref)
            hyp, ref = match.hyp + match.hyp_length, match.ref + match.ref_length
        return count

    @property
    def covered(self) -> tuple[int, int]:
        """The numbers of matched words in the output and in the reference."""
        links = self.links()
        return len({link.hyp for link in links}), len({link.ref for link in links})

    def links(self) -> Links:
        """Return the alignment word by word; phrases link all words with all words."""
        return tuple(
            Link(hyp, ref, match.weight)
            for match in self.matches
            for hyp in range(match.hyp, match.hyp + match.hyp_length)
            for ref in range(match.ref, match.ref + match.ref_length)
        )

    def permutation(self) -> tuple[int, ...]:
        """Return the order of the aligned reference words in the output, from 1.

        Matches in the order of the output, each expanded to its reference words in
        their order, numbered over the aligned words.

        Raises
        ------
        NotDefinedError
            If a reference word is in several matches, as links from a file may be.

        Examples
        --------
        >>> from tertium.align import align
        >>> align("we meet at noon", "at noon , we meet").permutation()
        (3, 4, 1, 2)
        """
        places = [
            ref
            for match in self.matches
            for ref in range(match.ref, match.ref + match.ref_length)
        ]
        ranks = {ref: rank for rank, ref in enumerate(sorted(set(places)), start=1)}
        if len(ranks) < len(places):
            message = (
                "words are linked several times, so there is no single order; reduce "
                "the links to one per word first"
            )
            raise NotDefinedError(message)
        return tuple(ranks[ref] for ref in places)
