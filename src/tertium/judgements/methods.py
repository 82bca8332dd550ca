# SPDX-License-Identifier: Apache-2.0
"""Names of the ways to rank systems; importing them costs no statistics."""

from __future__ import annotations

__all__ = [
    "CLUSTERS",
    "METHODS",
    "METHODS_BY_KIND",
    "PAIRINGS",
    "RATED",
    "TESTS",
    "UNITS",
]

#: Ranking methods with a description of their scores.
METHODS = {
    "wins": "ratio of wins: wins / (wins + losses), ties ignored",
    "wins-or-ties": "(wins + ties) / all comparisons",
    "expected-wins": "mean over opponents of the ratio of wins against each",
    "bradley-terry": "ability (a logarithm) by Bradley, Terry and Davidson",
    "trueskill": "mean skill by TrueSkill, comparisons as games of two; centred, "
    "on a scale of its own",
    "hopkins-may": "most likely ability in the model of Hopkins and May",
    "mean": "mean rating",
    "z": "mean rating relative to mean and deviation of each judge",
    "mqm": "less the weights of the errors marked",
}

#: Methods for ratings and error spans; the others are for rankings.
RATED = ("mean", "z", "mqm")

METHODS_BY_KIND = {
    "rankings": tuple(method for method in METHODS if method not in RATED),
    "ratings": ("mean", "z"),
    "spans": ("mqm",),
}

CLUSTERS = ("bootstrap", "pairwise")
#: Documents are for ratings and error spans, comparisons for rankings.
UNITS = ("ranking", "comparison", "document")
#: Pairwise tests of ratings and error spans.
TESTS = ("wilcoxon", "t", "wmt26")
#: What these tests pair.
PAIRINGS = ("auto", "screen", "segment", "none")
