# SPDX-License-Identifier: Apache-2.0
"""What to rate next."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from statistics import NormalDist

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.judgements import Judgements, Rating, write_store
from tertium.judgements.planning.rating_next import rate_next


def table(scores):
    """Return ratings of {system: scores of segments 1, 2, ...}; None is unrated."""
    return Judgements.from_iterable(
        Rating(system, float(score), "DA", str(n), judge="j", langpair="de-en")
        for system, one in scores.items()
        for n, score in enumerate(one, 1)
        if score is not None
    )


def worth(a, b):
    """Return H(p) / (n + 1), from the definition."""
    gaps = np.array([x - y for x, y in zip(a, b, strict=True)])
    p = NormalDist().cdf(gaps.mean() / (gaps.std(ddof=1) / np.sqrt(len(gaps))))
    return -sum(q * np.log2(q) for q in (p, 1 - p) if q > 0) / (len(gaps) + 1)


def test_the_least_certain_pair_comes_first_with_its_worth():
    rng = np.random.default_rng(2)
    scores = {
        name: rng.normal(quality, 3, 12)
        for name, quality in (("A", 60), ("B", 50), ("C", 49), ("D", 30))
    }
    expected = {(a, b): worth(scores[a], scores[b]) for a, b in combinations("ABCD", 2)}
    best = max(expected, key=expected.get)
    (item,) = rate_next(table(scores), 1, method="mean")
    assert (item.a, item.b) == best
    assert item.gain == pytest.approx(expected[best])


def test_a_segment_that_lacks_one_rating_is_taken_first():
    scores = {"A": [1, 2, 4, 3, None, None], "B": [2, 1, 3, 5, 4, None]}
    scores["C"] = [90, 91, 93, 90, 92, 91]
    result = rate_next(table(scores), 3, method="mean")
    assert [(item.a, item.b) for item in result] == [("A", "B")] * 3
    assert [item.segment for item in result[:2]] == ["5", "6"]
    assert result[2].segment in "123456"  # all have both by then
    assert result[0].gain > result[1].gain > result[2].gain


def test_equal_outputs_tell_nothing_and_unknown_pairs_most():
    same = {"A": [1, 5, 3], "B": [1, 5, 3]}
    assert rate_next(table(same), 1, method="mean")[0].gain == 0.0
    apart = {"A": [1, 5, 3, None, None], "B": [2, 3, 5, None, None]}
    apart["C"] = [None, None, None, 3, 4]
    result = rate_next(table(apart), 2, method="mean")
    assert all("C" in (item.a, item.b) for item in result)


def test_the_same_seed_gives_the_same_items():
    rng = np.random.default_rng(0)
    some = table({name: rng.normal(size=20) for name in "ABC"})
    assert rate_next(some, 9, method="mean") == rate_next(some, 9, method="mean")
    counts = Counter(item.segment for item in rate_next(some, 40, method="mean"))
    assert len(counts) > 10


def test_mistakes_are_explained():
    with pytest.raises(InputError, match="nothing to tell apart"):
        rate_next(table({"A": [1, 2]}), method="mean")
    with pytest.raises(InputError, match="0 or more"):
        rate_next(table({"A": [1], "B": [2]}), -1)
    with pytest.raises(InputError, match="method is z, mean or mqm"):
        rate_next(table({"A": [1], "B": [2]}), method="wins")


def test_rank_says_what_to_rate_next(tmp_path, capsys):
    write_store(table({"A": [1, 2, 4], "B": [2, 1, 3]}), tmp_path / "store")
    assert main(["rank", str(tmp_path / "store"), "--next", "2", "-f", "csv"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head == "langpair,segment,a,b,gain"
    assert [row.split(",")[2:4] for row in rows] == [["A", "B"]] * 2
