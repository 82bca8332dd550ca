# SPDX-License-Identifier: Apache-2.0
"""Names of segments: the same for all kinds of judgements, and one for each."""

from __future__ import annotations

import numpy as np
import pytest

from tertium.judgements import Judgements, Place, Ranking, Rating
from tertium.judgements.parts.against_sentences import compare_levels
from tertium.judgements.ranking import rating_scores


def ranking(segment, *, better="A", worse="B", **where):
    return Ranking((Place((better,), 1), Place((worse,), 2)), segment, **where)


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([("c", "d", "1"), ("c", "e", "2")], ["1", "2"]),
        ([(None, None, "1"), (None, None, "2")], ["1", "2"]),
        ([("c", "d", "1"), ("c", "e", "1"), ("c", "e", "2")], ["d/1", "e/1", "e/2"]),
        ([("c", None, "1"), ("c", "e", "1")], ["1", "e/1"]),
        ([("c", "d", "1"), ("k", "d", "1"), ("k", "d", "2")], None),
        ([("c", None, "1"), ("k", None, "1")], ["c/1", "k/1"]),
        # Slashes of their own: still three segments, whatever they are called.
        ([("c", "d", "1"), ("c", None, "d/1"), (None, "c", "d/1")], 3),
    ],
)
def test_segments_of_other_documents_and_campaigns_are_others(places, expected):
    if expected is None:
        expected = ["c/d/1", "k/d/1", "k/d/2"]
    rows = [dict(zip(("campaign", "document"), p, strict=False)) for p in places]
    result = Judgements.from_iterable(
        [ranking(p[2], **row) for p, row in zip(places, rows, strict=True)]
        + [
            Rating("A", float(i), "DA", p[2], **row)
            for i, (p, row) in enumerate(zip(places, rows, strict=True))
        ]
    )
    comparisons, ratings = result.comparisons(), rating_scores(result)
    assert comparisons.segments == ratings.segments
    if isinstance(expected, int):
        assert len(comparisons.segments) == expected
        return
    assert list(comparisons.segments) == expected
    # Every comparison is of its own segment, and so is every rating.
    assert [comparisons.segments[i] for i in comparisons.segment] == expected
    assert ratings.scores.tolist() == [list(map(float, range(len(places))))]


def test_parts_are_named_below_their_segment():
    result = Judgements.from_iterable(
        [ranking("1", part="x"), ranking("1"), ranking("1", part="y", document="d")]
    ).comparisons()
    assert result.segments == ("1", "1/x", "1/y")
    assert len(np.unique(result.segment)) == 3


def test_levels_meet_in_the_same_document():
    result = Judgements.from_iterable(
        [
            ranking("1", document="d", campaign="whole"),
            ranking("1", document="e", campaign="whole", better="B", worse="A"),
            ranking("1", document="d", part="x", campaign="parts"),
            ranking("1", document="e", part="x", campaign="parts", better="B",
                    worse="A"),
        ]
    )  # fmt: skip
    levels = compare_levels(result)
    assert (levels.all.concordant, levels.all.discordant) == (2, 0)
