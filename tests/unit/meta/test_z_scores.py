# SPDX-License-Identifier: Apache-2.0
"""Ratings as z-scores beside the ratings as they were given."""

from __future__ import annotations

import numpy as np

from tertium.judgements import Judgements, Rating
from tertium.meta import human_judgements


def test_ratings_as_given_are_kept_beside_z_scores():
    rows = [("A", 80.0), ("B", 20.0), ("A", 70.0), ("B", 40.0)]
    records = [
        Rating(s, v, "DA", str(i // 2), "j", "d") for i, (s, v) in enumerate(rows)
    ]
    human = human_judgements(Judgements.from_iterable(records))
    np.testing.assert_array_equal(human.points, [[80, 70], [20, 40]])


def test_judges_without_z_scores_may_change_the_names_of_segments():
    varied = [Rating("A", 10.0 * i, "DA", str(i), "j", "d1") for i in range(3)]
    varied += [Rating("B", 5.0 * i, "DA", str(i), "j", "d1") for i in range(3)]
    # The same number in another document, by a judge who has no deviation.
    alone = [Rating(s, 7.0, "DA", "1", "k", "d2") for s in "AB"]
    human = human_judgements(Judgements.from_iterable([*varied, *alone]))
    assert human.segments == ("0", "1", "2")
    assert human.raw is None
    assert any("left out by z: k" in str(note) for note in human.notes)
