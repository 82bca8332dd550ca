# SPDX-License-Identifier: Apache-2.0
"""Judgements of every kind with every field, hard to store."""

from __future__ import annotations

from datetime import datetime

from tertium.judgements.judgement import Judgement, Place, Ranking, Rating, Span

WHEN = datetime(2024, 2, 29, 23, 59, 59, 123456)
EXAMPLES: list[Judgement] = [
    Ranking(
        (
            Place(("A",), 1),
            Place(("B", "C"), 7, True, "Ünïcode 中文 \t\n\0'"),
            Place((), 2),
        ),
        "7",
        "the huge volume",
        "judge1",
        "doc",
        "de-en",
        "wmt",
        WHEN,
        0.1,
        '{"hit": "x"}',
    ),
    Ranking((Place(("A", "B"), 1),), "8"),
    Rating("A", 71.5, "DA", "7", "judge1", "doc", "de-en", "wmt", WHEN, 1e-3, "{}"),
    Rating("B", -1.0, "Likert", "8", time=datetime(2024, 1, 1)),
    Span("A", "Accuracy", "Major", "7", 0, 2**32 - 1, "source", "Text\u2028é"),
    Span("B", "", "no-error", "8", judge="judge2", time=WHEN, duration=3.0, meta="x"),
]
