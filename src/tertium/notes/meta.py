# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on what metrics are compared with, and trained on."""

from __future__ import annotations

__all__ = ["META"]

#: English templates by code.
META = {
    "pair-without-testset": "no test set for %(langpairs)s; left out",
    "pair-without-judgements": "no judgements of %(langpairs)s; left out",
    "pair-without-comparisons": (
        "%(langpairs)s: no two systems were judged; nothing to compare"
    ),
    "metric-taken-to-rise": (
        "%(metric)s in score files is taken to rise with quality; if it falls, name it "
        "as one that does"
    ),
    "source-note": "%(source)s: %(note)s",
}
