# SPDX-License-Identifier: Apache-2.0
"""Several metrics of one kind: each has its view, labelled by its spec."""

from __future__ import annotations

import json
import re

from tertium.report.explain import explain, explain_permutation, render_text
from tertium.report.explain.diagrams import DIAGRAMS, draw

HYP, REF = "at noon we shall meet him", "we meet him at noon today"
DTED = ["dted:variant=b,flat=yes", "dted:variant=cl,flat=yes"]
DERP = ["derp:flat=yes", "derp:flat=yes,normalise=spanning"]
RECPEF = ["recpef:beta=0.3", "recpef:beta=0.9"]


def test_every_metric_has_its_own_view():
    both = explain(HYP, REF, metrics=[*DTED, *DERP, *RECPEF])
    for specs, diagram, name in (
        (DTED, "dependencies", "dependencies"),
        (DERP, "derp", "paths"),
        (RECPEF, "forest", "order"),
        (RECPEF, "tree", "order"),
    ):
        result = both.each(diagram)
        assert [spec for spec, _ in result] == specs
        for spec, one in result:
            (alone,) = explain(HYP, REF, metrics=[spec]).each(diagram)
            assert getattr(one, name) == getattr(alone[1], name)
            assert getattr(one, name).metric == spec
            svg = draw(one, diagram, spec).to_svg()
            assert f">{spec}</text>" in svg
            assert f": {spec}</title>" in svg


def test_one_metric_of_a_kind_needs_no_label():
    result = explain(HYP, REF, metrics=[DTED[0], DERP[0], "recpef", "kendall"])
    assert result.others == ()
    for diagram in DIAGRAMS:
        assert result.each(diagram) == [("", result)]


def test_different_alignments_have_one_diagram_each():
    specs = ["meteor:match=exact", "meteor:match=exact+stem", "meteor:match=stem"]
    result = explain("a cat sat", "cats sat", metrics=specs)
    each = result.each("alignment")
    # The third sees what the second does, but for the names of matchers.
    assert [spec for spec, _ in each] == specs
    assert [len(one.matches) for _, one in each] == [1, 2, 2]
    same = explain("a cat sat", "a cat sat", metrics=specs[:2])
    assert same.each("alignment") == [("", same)]


def test_pages_texts_and_json_have_all():
    result = explain(HYP, REF, metrics=[*DTED, *RECPEF])
    page, text = result.to_html(), render_text(result)
    assert page.count('<figure class="diagram dependencies">') == 2
    assert page.count('<figure class="diagram forest">') == 2
    assert page.count('<figure class="diagram alignment">') == 1
    for spec in (*DTED, *RECPEF):
        assert f"<figcaption>{spec}. " in page
        assert re.search(rf"^{re.escape(spec)}$", text, re.MULTILINE)
    assert "DTED b: 6 operations" in text
    assert "DTED cl: 4 + 2 operations" in text
    others = json.loads(result.to_json())["others"]
    assert [(o["view"], o["metric"]) for o in others] == [
        ("dependencies", DTED[1]), ("order", RECPEF[1]),
    ]  # fmt: skip


def test_scores_that_share_a_label_are_named_by_their_specs():
    result = explain(HYP, REF, metrics=[*RECPEF, "chrf"])
    assert result.labels == [*RECPEF, "chrF2"]
    assert "recpef:beta=0.3 0.7" in render_text(result)
    assert "<dt>recpef:beta=0.9</dt>" in result.to_html()


def test_permutations_have_every_metric_of_a_kind():
    result = explain_permutation([3, 1, 2], metrics=[*RECPEF, "kendall"])
    assert [spec for spec, _ in result.each("forest")] == RECPEF
    scores = [one.order.forest.score for _, one in result.each("forest")]
    assert scores == [score.value for score in result.scores[:2]]
    assert scores[0] != scores[1]
