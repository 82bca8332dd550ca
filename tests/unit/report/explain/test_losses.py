# SPDX-License-Identifier: Apache-2.0
"""What trained metrics lost, in every format of an explanation."""

from __future__ import annotations

import json
import re

import pytest

from tertium.report.explain import explain, render_page, render_text

REF = "The council repaired the old bridge before the winter ."
HYP = "The council repairs old Brücke before winter ."
ENGLISH = "beer:language=en"


def test_the_text_has_a_section_for_every_trained_metric():
    explanation = explain(HYP, REF, metrics=[ENGLISH, "beer:profile=beer-2.0", "chrf"])
    text = explanation.to_text()
    score = explanation.scores[0].shown
    assert f"\n{ENGLISH} {score}  what it lost\n" in text
    assert "  a word that is not English: Brücke (1 of 8 words)\n" in text
    assert re.search(
        r"\nbeer:profile=beer-2\.0 0\.\d{4}  shares of what it lost\n", text
    )
    assert re.search(r"\n  \d\d %  character n-grams: mainly char", text)
    assert "chrf 0" not in text


def test_the_numbers_of_the_text_sum_to_what_the_score_lacks():
    explanation = explain(HYP, REF, metrics=[ENGLISH])
    section = explanation.to_text().split("what it lost\n")[1].split("\n\n")[0]
    amounts = [float(x) for x in re.findall(r"^  (\d\.\d{3})  ", section, re.M)]
    assert sum(amounts) == pytest.approx(1 - explanation.scores[0].value, abs=0.004)


def test_tiny_losses_are_joined_unless_all_are_wanted():
    hyp = REF.replace("repaired", "Zqxwv")
    explanation = explain(hyp, REF, metrics=[ENGLISH])
    (lost,) = explanation.losses
    large, tiny = lost.split(tiny=0.2)
    assert len(large) > 0
    assert len(tiny) > 1
    texts = [render_text(explanation, relations=number) for number in (6, None)]
    counts = [len(re.findall(r"^  \d\.\d{3}  ", text, re.M)) for text in texts]
    assert counts[1] == len([loss for loss in lost.losses if loss.loss])
    assert counts[0] <= counts[1]


def test_several_references_are_named():
    explanation = explain(HYP, ["A bridge .", REF], metrics=["chrf", ENGLISH])
    assert "what it lost, against reference 2" in explanation.to_text()
    assert explanation.losses[0].reference == 1


def test_other_metrics_and_copies_have_no_losses():
    assert explain(HYP, REF, metrics=["chrf"]).losses == ()
    copy = explain(REF, REF, metrics=[ENGLISH])
    assert copy.losses == ()
    assert "lost" not in copy.to_text()


def test_json_has_notes_as_data():
    explanation = explain(HYP, REF, metrics=[ENGLISH])
    (lost,) = json.loads(explanation.to_json())["losses"]
    assert list(lost) == ["metric", "score", "reference", "losses"]
    assert lost["metric"] == ENGLISH
    by_group = {loss["group"]: loss for loss in lost["losses"]}
    unknown = by_group["unknown"]
    assert list(unknown) == ["group", "loss", "share", "points", "note", "words"]
    assert unknown["words"] == ["Brücke"]
    assert unknown["note"] == {
        "code": "loss-unknown",
        "values": {"language": "English", "listed": ["Brücke"], "count": 1, "total": 8},
        "text": "a word that is not English: Brücke (1 of 8 words)",
    }
    points = sum(loss["points"] for loss in lost["losses"])
    assert points == pytest.approx(1 - lost["score"], abs=1e-9)


def test_the_page_has_a_table_for_every_trained_metric():
    explanation = explain(HYP, REF, metrics=[ENGLISH, "beer:profile=beer-2.0"])
    page = render_page([explanation], diagrams=[])
    assert f"{ENGLISH} {explanation.scores[0].shown}: what it lost" in page
    assert "a word that is not English: Brücke (1 of 8 words)" in page
    assert "shares of what it lost" in page
