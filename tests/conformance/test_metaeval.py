# SPDX-License-Identifier: Apache-2.0
"""Published tables of meta-evaluation: Macháček (2014), chapters 3 and 4."""

from __future__ import annotations

import pytest

from tertium.stats import pearson, spearman

# Table 3.1: ratio of wins by segments (a) and of WMT14 (b), ten systems en-cs.
SEGMENTS = (
    *(0.5777, 0.5642, 0.5626, 0.5606, 0.5566),
    *(0.5498, 0.5007, 0.4485, 0.3992, 0.3492),
)
WMT14 = (
    *(0.6101, 0.5439, 0.5967, 0.6011, 0.5823),
    *(0.5285, 0.5039, 0.4473, 0.3617, 0.2780),
)

# Tables 4.6 and 4.7, average tau: WMT14, WMT12, WMT13.
TAUS = {
    "DISCOTK-PARTY-TUNED": (0.386, 0.386, 0.386),
    "BEER": (0.362, 0.358, 0.363),
    "REDCOMBSENT": (0.356, 0.346, 0.360),
    "METEOR": (0.354, 0.341, 0.359),
    "UPC-IPA": (0.342, 0.340, 0.343),
    "VERTA-W": (0.337, 0.320, 0.342),
    "AMBER": (0.316, 0.302, 0.321),
    "BLEU-NRC": (0.294, 0.267, 0.303),
    "SENTBLEU": (0.285, 0.258, 0.293),
    "APAC": (0.279, 0.243, 0.290),
    "DISCOTK-LIGHT": (0.234, 0.234, 0.234),
    "BEER, out of English": (0.319, 0.314, 0.320),
    "METEOR, out of English": (0.306, 0.283, 0.313),
    "AMBER, out of English": (0.295, 0.269, 0.303),
    "SENTBLEU, out of English": (0.269, 0.232, 0.280),
}


def test_two_ways_to_judge_systems_correlate():  # vector 16
    assert pearson(SEGMENTS, WMT14) == pytest.approx(0.9802, abs=5e-5)
    assert spearman(SEGMENTS, WMT14) == pytest.approx(0.9152, abs=5e-5)
    assert spearman(SEGMENTS, WMT14) == pytest.approx(1 - 6 * 14 / (10 * 99))


@pytest.mark.parametrize("metric", sorted(TAUS))
def test_published_taus_obey_the_identity_of_the_presets(metric):
    wmt14, wmt12, wmt13 = TAUS[metric]
    assert wmt13 == pytest.approx(wmt14 / (1 - wmt14 + wmt12), abs=0.0015)
