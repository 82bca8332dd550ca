# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on scores and comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.notes import Template

__all__ = ["ENGINE"]

#: English templates by code.
ENGINE: dict[str, Template] = {
    "unread-sets": "none of %(metrics)s reads reference sets: the shortest sentence "
    "of each is the only reference; add evalgen to use them all",
    "mixed-links": "%(metric)s: some outputs bring word links and others are aligned "
    "here, so system scores may not be comparable; give alignments for every system",
    "degenerate": "%(metric)s: some segments have too few aligned words to measure "
    "(%(systems)s); `tertium metrics %(name)s` describes how they count",
    "undefined": "%(metric)s: some segments have no score (%(systems)s) and are left "
    "out of means; systems may be scored on different segments",
    "unused-systems": (
        "%(metric)s: %(count)s system of the file is not in the test set: %(names)s",
        "%(metric)s: %(count)s systems of the file are not in the test set: %(names)s",
    ),
    "unproven": "%(metric)s: some segments were too hard to search exhaustively "
    "(%(systems)s), so better scores may exist; split them into sentences",
    "few-units": "only %(units)s %(kind)s were resampled: with so few, bootstrap "
    "p-values are too small; the randomisation test is exact here",
    "few-units-runs": "only %(units)s %(kind)s were resampled: with so few, their "
    "variance and so p-values come out too small; test on more %(kind)s",
    "same-runs": "runs %(runs)s of %(system)s have the same scores: copies of one "
    "output count as more evidence than they are; give it once",
    "sentbleu": "segments are listed by sentbleu: bleu is 0 for texts of fewer than "
    "four words, even correct ones",
    "perfect-only": "no segment is %(side)s the best value, %(best)s",
    "perfect-omitted": "%(segments)s with the best value left out",
}
