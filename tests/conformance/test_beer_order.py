# SPDX-License-Identifier: Apache-2.0
"""Ordering features of BEER 1.x: the worked values of its permutation features."""

from __future__ import annotations

import pytest

from tertium.learn.features.order import Order

ROWS = [
    ("12345", (1, 1, 1, 0, 0, 0)),
    ("45312", (0.2, 1 / 13, 0.5, 0.5, 0, 0)),
    ("12354", (0.9, 4 / 13, 0.75, 0.25, 0, 0)),
    ("4321", (0, 1, 0, 1, 0, 0)),
    ("2413", (0.5, 0, 0, 0, 1, 0)),
    ("31524", (0.6, 0, 0, 0, 0, 1)),
    # Edge cases: no word, one word, two words.
    ("", (0, 0, 0, 0, 0, 0)),
    ("1", (0, 1, 0, 0, 0, 0)),
    ("12", (1, 1, 1, 0, 0, 0)),
    ("21", (0, 0, 0, 1, 0, 0)),
]


@pytest.mark.parametrize(("perm", "expected"), ROWS)
def test_permutation_features(perm, expected):
    ref = [f"w{i}" for i in range(1, len(perm) + 1)]
    hyp = [ref[int(value) - 1] for value in perm]
    result = Order().features([" ".join(hyp)], [" ".join(ref)])[0]
    assert result == pytest.approx(expected, abs=1e-12)


def test_kendall_of_a_full_matching_is_the_share_of_skip_bigrams():
    hyp, ref = "he left because it rained", "it rained because he left"
    assert Order(("kendall",)).features([hyp], [ref])[0, 0] == pytest.approx(0.2)
