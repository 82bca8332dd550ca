# SPDX-License-Identifier: Apache-2.0
"""The vectors on rankings of systems, and the official rankings of WMT."""

from __future__ import annotations

import pytest

from tertium.judgements import Judgements, Place, Ranking
from tertium.judgements.ranking import (
    expected_wins,
    ratio_of_wins,
    wins_or_ties,
)
from tertium.judgements.unseen import edit_distance

# Macháček (2014), tables 3.1a and 3.1b: ratio of wins over segments and at WMT14.
TABLE_31 = {
    "cu-depfix": (0.5777, 0.6101),
    "onlineB": (0.5642, 0.5439),
    "uedin-uncon.": (0.5626, 0.5967),
    "cu-bojar": (0.5606, 0.6011),
    "cu-funky": (0.5566, 0.5823),
    "uedin-wmt14": (0.5498, 0.5285),
    "onlineA": (0.5007, 0.5039),
    "CU-TectoMT": (0.4485, 0.4473),
    "commercial1": (0.3992, 0.3617),
    "commercial2": (0.3492, 0.2780),
}


def test_a_candidate_counts_for_every_system_that_produced_it():
    others = tuple(
        name for name in TABLE_31 if name not in ("CU-TectoMT", "commercial1")
    )
    places = (
        Place(("CU-TectoMT",), 1, text="velkému objemu"),
        Place(("commercial1",), 5, garbage=True, text="obrovské hlasitosti"),
        Place(others[:4], 2, text="obrovský objem"),
        Place(others[4:], 2, text="obrovské množství"),
    )
    comparisons = Judgements.from_records(
        [Ranking(places, "1", part="0")]
    ).comparisons()
    assert len(comparisons) == 45
    wins = comparisons.wins()
    counted = {
        name: (
            int(wins.wins[i].sum()),
            int(wins.wins[:, i].sum()),
            int(wins.ties[i].sum()),
        )
        for i, name in enumerate(wins.systems)
    }
    assert counted.pop("CU-TectoMT") == (9, 0, 0)
    assert counted.pop("commercial1") == (0, 9, 0)
    assert set(counted.values()) == {(1, 1, 7)}
    ratios = ratio_of_wins(wins)
    assert (ratios["CU-TectoMT"], ratios["commercial1"]) == (1.0, 0.0)
    assert ratios["onlineB"] == 0.5


def test_aggregators_of_the_spec():
    games = ["AB"] * 3 + ["BA", "A=B"] + ["AC"] * 4 + ["BC", "CB"] + ["B=C"] * 2
    wins = Judgements.from_records(map(_game, games)).comparisons().wins()
    for scorer, expected in (
        (ratio_of_wins, (0.8750, 0.3333, 0.1667)),
        (wins_or_ties, (0.8889, 0.5556, 0.3750)),
        (expected_wins, (0.875, 0.375, 0.250)),
    ):
        assert tuple(scorer(wins).values()) == pytest.approx(expected, abs=5e-5)


def _game(text: str) -> Ranking:
    first, second = text[0], text[-1]
    return Ranking((Place((first,), 1), Place((second,), 1 if "=" in text else 2)), "1")


_FAVOUR = "se dokumenty favorizovat doprovod hradu"


@pytest.mark.parametrize(
    ("pair", "distance"),
    [
        ("videokonference|videokonferenci", 1),
        ("popřel užívání kokainu a|popřela užívání kokainu a", 1),
        ("ze 120 domova m2|z 120 m2 domova", 7),
        ("vaše ústa ohřívá protein|vaše ústa zahřívání bílkovin", 10),
        ("v Liverpoolském porotním soudu|Liverpool Korunního soudu", 11),
        ("je nesmysl v gravitaci filmu|Je nesmysl ve filmu gravitace", 15),
        (
            " hradu|".join(("s dokumenty upřednostňujícím doprovodem", _FAVOUR)),
            18,
        ),
        ("Pak 64,23 % oprávněných voličů|pak 64,23 % oprávněných voličů", 1),
        ("podle DPA agentury|podle DPA agentury té", 3),
        ("přibližně šedesát- drah kilometru|přibližně šedesát-dráha kilometru", 3),
    ],
)
def test_distances_of_table_36(pair, distance):
    assert edit_distance(*pair.split("|")) == distance


def test_segment_scores_correlate_with_official_ones_as_stated():
    from scipy.stats import pearsonr, spearmanr

    segments, official = zip(*TABLE_31.values(), strict=True)
    assert pearsonr(segments, official).statistic == pytest.approx(0.9802, abs=5e-5)
    assert spearmanr(segments, official).statistic == pytest.approx(0.9152, abs=5e-5)


# ------------------------------------------------------------------- official WMT
