# SPDX-License-Identifier: Apache-2.0
"""Drawings and tables explain the very metric that was named."""

from __future__ import annotations

import pytest

import tertium

HYP = "at noon we will meet her , not"
REF = "we will not meet her at noon ."


@pytest.mark.parametrize(
    "spec",
    [
        "derp:flat=yes",
        "derp:flat=yes,normalise=spanning",
        "derp:flat=yes,normalise=dependency",
        "derp:flat=yes,ignore_punct=yes",
    ],
)
def test_the_spanning_tree_has_the_score_of_the_metric(spec):
    found = tertium.explain(HYP, REF, metrics=[spec])
    score = tertium.metric(spec).corpus_score([HYP], [REF])
    assert found.paths.score == pytest.approx(score)
    assert f"{score:.4f}" in found.paths.equation
    assert found.paths.equation in found.to_text()
    assert f"{score:.4f}" in found.to_svg("derp")


@pytest.mark.parametrize(
    "spec",
    [
        "dted:flat=yes,variant=cl,weighting=inverse",
        "dted:flat=yes,variant=co,mismatch=2",
        "dted:flat=yes,variant=c,ignore_punct=yes",
    ],
)
def test_the_edit_script_has_the_score_of_the_metric(spec):
    found = tertium.explain(HYP, REF, metrics=[spec])
    score = tertium.metric(spec).corpus_score([HYP], [REF])
    assert found.dependencies.score == pytest.approx(score)
