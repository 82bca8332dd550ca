# SPDX-License-Identifier: Apache-2.0
"""How good an alignment is, against one made by hand (Och and Ney 2003).

With links found A, sure links S and possible links P (sure ones included):
precision = |A & P| / |A|, recall = |A & S| / |S|, alignment error rate
AER = 1 - (|A & S| + |A & P|) / (|A| + |S|), all over the whole corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.align.links import Links
from tertium.errors import InputError

__all__ = ["AlignmentQuality", "alignment_quality"]


@dataclass(frozen=True)
class AlignmentQuality:
    """Counts of links, and the figures made of them.

    Parameters
    ----------
    found, sure, possible : int
        The links found; the sure and the possible ones by hand, sure ones included.
    found_sure, found_possible : int
        Those found that are sure, and that are possible.
    """

    found: int
    sure: int
    possible: int
    found_sure: int
    found_possible: int

    @property
    def precision(self) -> float:
        """The share of links found that are possible; 1 if none is found."""
        return self.found_possible / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """The share of sure links that are found; 1 if none is sure."""
        return self.found_sure / self.sure if self.sure else 1.0

    @property
    def aer(self) -> float:
        """The alignment error rate; 0 if nothing is found and nothing sure."""
        size = self.found + self.sure
        return 1 - (self.found_sure + self.found_possible) / size if size else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.f(0.5)

    def f(self, alpha: float) -> float:
        """Return F with a weight `alpha` of precision (Fraser and Marcu 2007).

        Raises
        ------
        InputError
            When `alpha` does not lie between 0 and 1.
        """
        if not 0 <= alpha <= 1:
            raise InputError(f"alpha lies between 0 and 1, not {alpha}; 0.5 is usual")
        if self.precision == 0 or self.recall == 0:
            return 0.0
        return 1 / (alpha / self.precision + (1 - alpha) / self.recall)


def alignment_quality(
    found: Sequence[Links], gold: Sequence[Links]
) -> AlignmentQuality:
    """Return how well links agree with links made by hand.

    Parameters
    ----------
    found, gold : sequence of Links
        The links of every segment. Whether a link is sure is asked of `gold` only.

    Raises
    ------
    InputError
        When they differ in length.

    Examples
    --------
    >>> from tertium.align import parse_pharaoh
    >>> gold, found = parse_pharaoh("0-0 1p1 2-2"), parse_pharaoh("0-0 1-1 1-2")
    >>> quality = alignment_quality([found], [gold])
    >>> round(quality.precision, 3), quality.recall, quality.aer
    (0.667, 0.5, 0.4)
    """
    if len(found) != len(gold):
        raise InputError(
            f"links of {len(found)} segments are found, {len(gold)} are made by hand; "
            "give links of the same segments"
        )
    counts = [0] * 5
    for ours, theirs in zip(found, gold, strict=True):
        ours_at = {link[:2] for link in ours}
        possible = {link[:2] for link in theirs}
        sure = {link[:2] for link in theirs if link.sure}
        sets = (ours_at, sure, possible, ours_at & sure, ours_at & possible)
        counts = [total + len(part) for total, part in zip(counts, sets, strict=True)]
    return AlignmentQuality(*counts)
