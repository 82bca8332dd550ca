# SPDX-License-Identifier: Apache-2.0
"""Metrics over stored rankings on the rankings of WMT12."""

from __future__ import annotations

import pytest

import tertium
from tertium.tuning.judged.metrics import hit_rate

pytestmark = pytest.mark.wmt


def test_rankings_of_sentences_score_the_systems_that_were_ranked(wmt_data):
    folder = wmt_data / "wmt12"
    texts = folder / "en-cs.tsv.gz"
    store = f"judgements={folder / 'wmt12.RNK_results.csv.gz'},testset={texts}"
    store += ",langpair=en-cs"
    testset = tertium.read(texts)
    segranks = f"segranksbleu:{store}"
    table = tertium.score(testset, metrics=[segranks])
    assert len(table.systems) == 13
    for scores in table.systems.values():
        assert scores[segranks].score > scores["bleu"].score
    unknown = tertium.metric(f"penalizeunknown:{store}")
    exact = tertium.metric(f"exactmatch:{store}")
    for hyps in list(testset.systems.values())[:3]:
        rows = exact.statistics(hyps, testset.references).sum(axis=0)
        assert 0.2 < hit_rate(exact, rows) < 1  # five systems per ranking were shown
        other = unknown.statistics(hyps, testset.references).sum(axis=0)
        assert list(other[[0, 2, 3]]) == list(rows[[0, 2, 3]])
        assert unknown.from_statistics(other) < exact.from_statistics(rows)
