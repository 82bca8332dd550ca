# SPDX-License-Identifier: Apache-2.0
"""Minimum Bayes risk equals mbrs 0.1.8 and fastchrf 0.2.1.

Numbers of mbrs: ``DecoderMBR(DecoderMBR.Config(), metric).decode(texts, texts)`` with
``MetricChrF``, ``MetricBLEU`` and ``MetricTER`` as they are, over the lists of Moses; a
text that comes several times is numbered by its first place. TER takes mbrs half a
minute per list, so it has only the first lists.

Numbers of fastchrf: ``pairwise_chrf([TEXTS], [TEXTS])``, ``aggregate_chrf([TEXTS],
[TEXTS])``, the latter also with ``eps_smoothing=True``.
"""

from __future__ import annotations

import numpy as np
import pytest

import tertium
from tertium.tuning.mbr import mbr
from tertium.tuning.mbr.utilities import expected_scores, pair_scores
from tertium.tuning.reading import read_nbest

MBRS = {
    "chrf": """
        1 0 2 0 0 0 0 8 4 28 0 32 0 1 1 0 1 3 2 0 6 4 5 0 6 2 0 48 12 59 14 0 1
        3 9 36 40 6 32 28 28 2 5 0 37 0 0 1 46 15 3 0 0 1 23 16 0 1 0 4 1 0 0 1
        0 2 0 4 0 8 1 6 26 23 0 0 91 3 0 2 0 0 0 1 0 0 5 10 13 0 0 2 0 0 49 41 0
        22 1 0
    """,
    "bleu": """
        2 0 0 0 0 0 0 8 1 1 0 2 0 2 0 0 1 0 2 4 1 4 0 0 1 2 0 0 1 15 14 0 3 0 0
        3 0 1 4 28 7 0 5 0 10 0 2 1 0 15 0 0 0 0 6 0 0 0 0 0 1 0 0 1 0 0 0 4 0 0
        1 6 52 0 0 0 14 0 0 6 0 0 0 1 0 0 0 10 1 0 0 2 0 0 0 41 0 0 1 0
    """,
    "ter": """
        1 0 7 0 59 0 0 8 1 1 0 2 0 0 9 0 0 4 2 54 1 4 0 0 1 2 0 0 1 15 0 83 3 0
        7 3 0 5 0 28 35 0 5 0 10 0 15 1 2 15 0 4 0 22 6 0 0 0 0
    """,
}
MBRS_PICKS = {spec: [int(n) for n in text.split()] for spec, text in MBRS.items()}

TEXTS = [
    "",
    "a",
    "ab",
    "abc abc",
    "the cat sat on the mat",
    "the cat sat on a mat",
    "é—ü",
]
PAIRWISE = [
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 100.0, 55.555555556, 20.0, 7.246376812, 8.196721311, 0.0],
    [0.0, 83.333333333, 100.0, 31.25, 3.571428571, 4.032258065, 0.0],
    [0.0, 50.0, 64.516129032, 100.0, 4.587063473, 5.15503876, 0.0],
    [0.0, 23.80952381, 10.0, 8.418442866, 100.0, 72.084831731, 0.0],
    [0.0, 26.315789474, 10.869565217, 8.866666667, 65.97965991, 100.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 100.0],
]
AGGREGATE = [
    0.0,
    19.12568306,
    17.937219731,
    16.799684318,
    54.465884693,
    54.856407956,
    5.786436227,
]
AGGREGATE_SMOOTHED = [
    0.0,
    3.187613843,
    5.958291956,
    16.608127405,
    54.315653699,
    54.755631752,
    2.872571981,
]


@pytest.mark.wmt
@pytest.mark.parametrize("spec", MBRS)
def test_picks_are_those_of_mbrs(spec, wmt_data):
    path = wmt_data / "nbest" / "moses-europarl.100x100.nbest.gz"
    lists = read_nbest(path)[: len(MBRS_PICKS[spec])]
    result = mbr(lists, spec)
    assert [each.best[0].index for each in result.lists] == MBRS_PICKS[spec]


def test_pairs_score_as_in_fastchrf():
    scores = pair_scores(tertium.metric("chrf"), TEXTS, TEXTS)
    assert scores == pytest.approx(np.array(PAIRWISE), abs=1e-8)
    weights = np.full(len(TEXTS), 1 / len(TEXTS))
    [means] = expected_scores(tertium.metric("chrf"), [TEXTS], [TEXTS], [weights])
    assert means == pytest.approx(np.mean(PAIRWISE, axis=1), abs=1e-8)


@pytest.mark.parametrize(
    ("spec", "scores"),
    [("chrf", AGGREGATE), ("chrf:eps_smoothing=yes", AGGREGATE_SMOOTHED)],
)
def test_aggregates_score_as_in_fastchrf(spec, scores):
    weights = np.full(len(TEXTS), 1 / len(TEXTS))
    [means] = expected_scores(
        tertium.metric(spec), [TEXTS], [TEXTS], [weights], aggregate=True
    )
    assert means == pytest.approx(np.array(scores), abs=1e-8)


@pytest.mark.wmt
def test_aggregates_rarely_choose_another_text(wmt_data):
    lists = read_nbest(wmt_data / "nbest" / "moses-europarl.100x100.nbest.gz")
    for spec, most in (("chrf", 10), ("bleu", 7)):
        exact, aggregate = mbr(lists, spec), mbr(lists, spec, aggregate=True)
        texts = zip(exact.texts, aggregate.texts, strict=True)
        assert sum(one != other for one, other in texts) <= most
