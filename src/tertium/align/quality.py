# SPDX-License-Identifier: Apache-2.0
"""Quality of an alignment, compared with manual links (Och and Ney 2003).

With links A, sure links S and possible links P (sure ones included):
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
    """Counts of links, and figures computed from them.

    Parameters
    ----------
    found, sure, possible : int
        The evaluated links; the sure and the possible manual links, sure ones
        included.
    found_sure, found_possible : int
        The evaluated links that are sure, and that are possible.
    """

    found: int
    sure: int
    possible: int
    found_sure: int
    found_possible: int

    @property
    def precision(self) -> float:
        """Share of evaluated links that are possible; 1 without links."""
        return self.found_possible / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of sure links that are among the evaluated ones; 1 if none is sure."""
        return self.found_sure / self.sure if self.sure else 1.0

    @property
    def aer(self) -> float:
        """Alignment error rate; 0 without evaluated and sure links."""
        size = self.found + self.sure
        return 1 - (self.found_sure + self.found_possible) / size if size else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.f(0.5)

    def to_dict(self) -> dict[str, float]:
        """Return counts and figures as JSON has them."""
        return {
            "links": self.found,
            "sure": self.sure,
            "possible": self.possible,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "aer": self.aer,
        }

    def f(self, alpha: float) -> float:
        """Return F with a weight `alpha` of precision (Fraser and Marcu 2007).

        Raises
        ------
        InputError
            When `alpha` is not between 0 and 1.
        """
        if not 0 <= alpha <= 1:
            raise InputError(
                f"alpha must be between 0 and 1, not {alpha}; 0.5 is usual"
            )
        if self.precision == 0 or self.recall == 0:
            return 0.0
        return 1 / (alpha / self.precision + (1 - alpha) / self.recall)


def alignment_quality(
    links: Sequence[Links], gold: Sequence[Links]
) -> AlignmentQuality:
    """Return the quality of links, compared with manual links.

    Parameters
    ----------
    links, gold : sequence of Links
        The links of each segment. Only those of `gold` may be sure or possible.

    Raises
    ------
    InputError
        When they differ in length.

    Examples
    --------
    >>> from tertium.align import parse_pharaoh
    >>> gold, links = parse_pharaoh("0-0 1p1 2-2"), parse_pharaoh("0-0 1-1 1-2")
    >>> quality = alignment_quality([links], [gold])
    >>> round(quality.precision, 3), quality.recall, quality.aer
    (0.667, 0.5, 0.4)
    """
    if len(links) != len(gold):
        raise InputError(
            f"there are links of {len(links)} segments, and manual links of "
            f"{len(gold)}; give links of the same segments"
        )
    counts = [0] * 5
    for segment, manual in zip(links, gold, strict=True):
        pairs = {link[:2] for link in segment}
        possible = {link[:2] for link in manual}
        sure = {link[:2] for link in manual if link.sure}
        sets = (pairs, sure, possible, pairs & sure, pairs & possible)
        counts = [total + len(part) for total, part in zip(counts, sets, strict=True)]
    return AlignmentQuality(*counts)
