# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on reports about systems."""

from __future__ import annotations

__all__ = ["ANALYSIS"]

#: English templates by code.
ANALYSIS = {
    "first-runs": "scores and tests use all runs of %(systems)s; groups, words, errors "
    "and segments are those of the first run",
    "stems-unknown": "the language of the texts is not known, so words in another form "
    "count as other words; name it",
    "stems-missing": "there is no stemmer for the language '%(language)s', so words in "
    "another form count as other words",
    "tests-hopeless": "no difference in %(table)s can be significant: with "
    "%(resamples)s resamples the smallest possible p is %(p).2g after Holm's "
    "correction over %(tests)s tests; give %(needed)s resamples",
    "values-many": "segments are not grouped by %(kind)s: there are %(values)s values "
    "for %(segments)s segments, and at most %(most)s make groups",
}
