# SPDX-License-Identifier: Apache-2.0
"""The span model on WMT23 en-de: documents that it was not trained on.

Figures and the division of documents are those of bench/SPANS.md.
"""

from __future__ import annotations

import pytest

from bench.studies.span_model import is_held_out, segments_of, single_reference, trained
from tertium.judgements import Judgements
from tertium.learn.spans import find_span_model, mark_testset, predictions
from tertium.meta.files.mtme import read_mtme
from tertium.meta.spans import correlate_spans

pytestmark = [pytest.mark.wmt, pytest.mark.study]


@pytest.fixture(scope="module")
def held_out(wmt_data):
    texts = read_mtme(wmt_data / "wmt23-mtme", "en-de").testset
    return segments_of(single_reference(texts), held_out=True)


@pytest.fixture(scope="module")
def marked(held_out):
    return mark_testset(held_out)


@pytest.fixture(scope="module")
def result(wmt_data, held_out, marked):
    human = Judgements.read(wmt_data / "esa" / "wmt23.en-de.mqm.merged.seg.rating.gz")
    metric = {"spans-1": predictions(marked, langpair="en-de")}
    return correlate_spans(metric, human, testset=held_out, probes=True, resamples=0)


def test_the_test_documents_were_held_out(held_out):
    assert "SHA-256" in find_span_model().training["held_out"]
    assert held_out.docs
    assert all(map(is_held_out, held_out.docs))
    assert "refA" not in held_out.systems


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("character:micro-f", 0.347),
        ("character-severity:micro-f", 0.277),
        ("mpp:micro-f", 0.266),
        ("score:pearson", 0.647),
    ],
)
def test_figures_are_those_of_the_page(result, measure, value):
    assert result.get("spans-1", measure).value == pytest.approx(value, abs=5e-4)


@pytest.mark.parametrize(
    "measure",
    ["overlap:micro-f", "character:micro-f", "character-severity:micro-f",
     "mpp:micro-f", "mpp:macro-f", "error-free:f1", "error-free:mcc", "score:pearson"],
)  # fmt: skip
def test_the_baseline_is_above_words_that_the_reference_lacks(result, measure):
    metric, probe = (
        result.get(name, measure).value for name in ("spans-1", "PROBE-absent")
    )
    assert metric > probe


def test_training_again_gives_the_same_model(wmt_data):
    again, model = trained(), find_span_model()
    assert again.thresholds == model.thresholds
    assert again.training == model.training
    assert again.validation == model.validation
    for name in ("error", "major", "missing"):
        one, two = getattr(again, name), getattr(model, name)
        # Sums in another order, as another machine may take them, change last digits.
        assert one.weights == pytest.approx(two.weights, rel=1e-6, abs=1e-9)


def test_spans_lie_within_real_texts(marked):
    for each in marked:
        end = 0
        for span in each.output.spans:
            if span.start is not None:
                assert end <= span.start < span.end <= len(each.output.text)
                end = span.end


def test_threads_change_nothing(held_out, marked):
    number = 2 * len(held_out.systems)
    outputs = [(each.segment, each.system) for each in marked[:number]]
    one, two = (
        mark_testset(held_out, outputs=outputs, threads=threads) for threads in (1, 2)
    )
    assert one == two
