# SPDX-License-Identifier: Apache-2.0
"""Leave-one-out on WMT23 en-de: estimates of 13 systems beside their MQM scores.

The figures of the closest output are those of an independent prototype: Pearson .836,
mean absolute error 1.49, bias +.49.
"""

from __future__ import annotations

import pytest

from tertium import Judgements, Testset
from tertium.judgements.reuse.estimation import reuse
from tertium.meta.files.mtme import read_mtme


@pytest.fixture(scope="module")
def mqm(wmt_data):
    folder = wmt_data / "wmt23-mtme"
    texts = read_mtme(folder, "en-de").testset
    systems = dict(texts.systems)
    del systems["synthetic_ref"]
    references = [(line,) for line in systems["refA"]]
    testset = Testset(references, systems, sources=texts.sources, langpair="en-de")
    return Judgements.read(folder), testset


@pytest.mark.wmt
def test_closest_outputs_of_wmt23_equal_the_prototype(mqm):
    accuracy = reuse(*mqm, leave_one_out=True, scale="mqm").accuracy
    assert accuracy.systems == 13
    assert accuracy.pearson == pytest.approx(0.836, abs=5e-4)
    assert accuracy.mean_absolute_error == pytest.approx(1.49, abs=5e-3)
    assert accuracy.bias == pytest.approx(0.49, abs=5e-3)


@pytest.mark.wmt
@pytest.mark.study
def test_the_model_beats_the_prototype_in_all_three_figures(mqm):
    pytest.importorskip("scipy")
    result = reuse(*mqm, by="model", intervals=True, leave_one_out=True, scale="mqm")
    accuracy = result.accuracy
    assert accuracy.pearson > 0.836
    assert accuracy.mean_absolute_error < 1.49
    assert abs(accuracy.bias) < 0.49
    assert accuracy.covered >= 0.9 * accuracy.systems
