# SPDX-License-Identifier: Apache-2.0
"""What scores consist of, in words."""

from __future__ import annotations

import json

import pytest

from tertium import explain, metric

HYP, REF = "yesterday old the dog walked home", "the old dog walked home again today"


def parts_of(spec, hyp=HYP, ref=REF):
    (parts,) = explain(hyp, ref, metrics=[spec]).parts
    return parts


@pytest.mark.parametrize("spec", ["mean:bleu+ter*2", "layered:flat=yes"])
def test_parts_of_a_mean_add_up_to_its_score(spec):
    parts = parts_of(spec)
    assert parts.score == pytest.approx(metric(spec).corpus_score([HYP], [REF]))
    assert sum(part.value for part in parts.parts) == pytest.approx(parts.score)
    assert len(parts.parts) == len(metric(spec).parts)


def test_amber_says_what_each_penalty_takes_off():
    first, *penalties = parts_of("amber").parts
    assert first.text.startswith("n-grams: AvgP 0.")
    values = [part.value for part in penalties]
    assert values == sorted(values)
    assert values[-1] < 0
    without = metric("amber:kendall=0").corpus_score([HYP], [REF])
    score = metric("amber").corpus_score([HYP], [REF])
    (kendall,) = [part.value for part in penalties if "Kendall" in part.text]
    assert kendall == pytest.approx(score - without)


def test_a_copy_has_no_penalties():
    parts = parts_of("amber", REF, REF)
    assert [part.value for part in parts.parts] == [1]


def test_semantic_esa_names_the_documents(tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("the ship sails\na dog barks\nbread and cake\n", encoding="utf-8")
    spec = f"semantic-esa:corpus={corpus}"
    first, *others = parts_of(spec, "a dog and a ship", "the dog barks").parts
    assert first.text == "document 2: 'a dog barks'"
    assert len(others) == 1
    total = first.value + sum(part.value for part in others)
    score = metric(spec).corpus_score(["a dog and a ship"], ["the dog barks"])
    assert total == pytest.approx(score)
    nothing = parts_of(spec, "cake", "ship").parts
    assert [part.text for part in nothing] == ["no document has words of both texts"]


def test_text_page_and_json_have_the_parts():
    explanation = explain(HYP, REF, metrics=["amber"])
    assert "what each penalty alone takes off" in explanation.to_text()
    assert "what each penalty alone takes off" in explanation.to_html()
    (parts,) = json.loads(explanation.to_json())["parts"]
    assert parts["metric"] == "amber"
    assert parts["parts"][0]["value"] > parts["score"]


def test_a_metric_in_one_piece_has_no_parts():
    assert explain(HYP, REF, metrics=["chrf"]).parts == ()
