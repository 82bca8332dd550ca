# SPDX-License-Identifier: Apache-2.0
"""The line protocol of tuners."""

from __future__ import annotations

import pytest

import tertium
from tertium.tuning.protocol import answers

EVAL = "EVAL ||| the cat sat ||| a cat sat ||| the cat sits on it"


@pytest.mark.parametrize("spec", ["beer", "bleu", "chrf", "ter"])
def test_statistics_add_up_to_the_score_of_a_corpus(spec):
    metric = tertium.metric(spec)
    hyps = ["the cat sat on the mat", "a dog"]
    refs = [("the cat sat on a mat", "a cat sat"), ("the dog", "a dog barks")]
    asked = [
        f"STATS ||| {h} ||| {' ||| '.join(r)}" for h, r in zip(hyps, refs, strict=True)
    ]
    rows = [[float(x) for x in a.split()] for a in _answers(metric, asked)]
    total = " ".join(repr(sum(column)) for column in zip(*rows, strict=True))
    (score,) = _answers(metric, [f"SCORE ||| {total}"])
    assert float(score) == pytest.approx(metric.corpus_score(hyps, refs), abs=1e-9)


def test_the_best_error_rate_is_the_lowest():
    ter = tertium.metric("ter")
    both, best = _answers(ter, [EVAL, EVAL.replace("EVAL", "EVAL BEST")])
    assert float(best) == min(map(float, both.split()))
    (answer,) = _answers(ter, ["MARGIN ||| a ||| b"])
    assert answer == "ERROR ter has no raw values before scaling; send EVAL"


def test_metrics_of_whole_corpora_are_rejected():
    with pytest.raises(tertium.InputError, match="weights words by all references"):
        answers(tertium.metric("nist"), [])


def _answers(metric, lines):
    return list(answers(metric, [f"{line}\n".encode() for line in lines]))
