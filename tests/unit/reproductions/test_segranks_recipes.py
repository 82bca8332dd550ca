# SPDX-License-Identifier: Apache-2.0
"""The simulated campaigns of the SegRanks reproductions."""

from __future__ import annotations

from collections import Counter

import pytest

from tertium.judgements import Judgements
from tertium.judgements.agreement.pooled import pooled_agreement
from tertium.meta import MetricScores
from tertium.reproductions.recipes.segranks.judges import Part, parts_of
from tertium.reproductions.recipes.segranks.metrics_task import _kool
from tertium.reproductions.recipes.segranks.world import SHARE, annotate


def _parts(size: int) -> list[Part]:
    texts = ("red boat", "a red boat", "boats red", "ship")
    systems = (("A",), ("B", "C"), ("D",), ("E",))
    scores = (80.0, 60.0, 55.0, 5.0)
    return [Part(str(i), "0-2", texts, systems, scores) for i in range(size)]


def test_parts_have_the_words_that_systems_put_in_their_place():
    lines = {
        "": "we saw two red boats near the old bridge",
        "A": "we saw two red boats near an old bridge",
        "B": "we saw two red ships near the old bridge",
    }
    outputs = {name: [line.split()] for name, line in lines.items()}
    (reference,) = outputs.pop("")
    # Both have the first half in common, so that there is nothing to judge.
    (part,) = parts_of(["7"], [reference], outputs)
    assert (part.sentence, part.name) == ("7", "4-8")
    assert dict(zip(part.texts, part.systems, strict=True)) == {
        "boats near an old bridge": ("A",),
        "ships near the old bridge": ("B",),
    }


def test_equal_scores_and_close_ones_share_a_rank():
    part = _parts(1)[0]
    ranks = [
        place.rank for place in part.ranking([80.0, 60.0, 58.5, 5.0], tie=2.0).places
    ]
    assert ranks == [1, 2, 2, 3]


def test_sentences_are_ranked_once_or_twice():
    rankings = list(annotate(_parts(2000), [1000, 1000], seed=3, only_repeated=False))
    times = Counter(one.segment for one in rankings)
    assert set(times.values()) == {1, 2}
    twice = sum(count == 2 for count in times.values())
    assert twice / 2000 == pytest.approx(2 * SHARE, abs=0.03)
    repeated = list(annotate(_parts(2000), [1000, 1000], seed=3, only_repeated=True))
    assert {one.segment for one in repeated} == {s for s, n in times.items() if n == 2}


def test_judges_agree_more_with_themselves():
    rankings = annotate(_parts(4000), [1000] * 4, seed=5, only_repeated=True)
    agreement = pooled_agreement(Judgements.from_iterable(rankings))
    assert agreement.intra.value > agreement.inter.value > 0


def test_the_daring_probe_ties_all_but_the_clearest_segments():
    size = 200
    scores = {
        "A": {
            str(i): 0.5 + (0.4 if i == 7 else 0.2 if i == 9 else 0.0)
            for i in range(size)
        },
        "B": {str(i): 0.5 for i in range(size)},
    }
    probe = _kool(MetricScores("METEOR", {}, scores))
    preferred = [
        (name, segment)
        for name, row in probe.segment.items()
        for segment, value in row.items()
        if value
    ]
    assert sorted(preferred) == [("A", "7"), ("A", "9")]
