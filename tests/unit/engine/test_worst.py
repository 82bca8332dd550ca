# SPDX-License-Identifier: Apache-2.0
"""The worst segments of systems as a result."""

from __future__ import annotations

import json

import pytest

from tertium.engine.worst import worst_segments

REFS = ["a cat sat", "a dog ran", "the end", "so it is"]
HYPS = {"A": ["a cat sat", "a dog", "end", "x y z"], "B": REFS}


def test_the_worst_come_first_by_system_and_metric():
    result = worst_segments(HYPS, REFS, worst=2, metrics=["wer", "chrf"])
    assert [item.segment for item in result.of("A", "wer")] == [4, 3]
    assert result.of("A", "chrf")[0].segment == 4
    assert result.of("B", "wer") == []
    worst = result.of("A", "wer")[0]
    assert (worst.output, worst.references) == ("x y z", ("so it is",))


def test_perfect_segments_are_counted_in_notes():
    result = worst_segments(HYPS, REFS, worst=4, metrics="wer")
    assert [(note.code, note.values["system"]) for note in result.notes] == [
        ("perfect-omitted", "A"),
        ("perfect-only", "B"),
    ]
    assert [str(note) for note in result.notes] == [
        "1 segment with the best value left out",
        "no segment is above the best value, 0.0000",
    ]


@pytest.mark.parametrize("metrics", ["bleu", ["bleu"]])
def test_bleu_is_replaced_by_sentbleu_with_a_note(metrics):
    result = worst_segments(HYPS, REFS, worst=1, metrics=metrics)
    assert list(result.scores.metrics) == ["sentbleu"]
    assert result.notes[0].code == "sentbleu"


def test_the_json_has_metrics_and_texts():
    result = worst_segments(HYPS, REFS, worst=1, metrics="wer")
    out = json.loads(result.to_json())
    assert list(out) == ["tertium", "metrics", "worst"]
    assert out["worst"] == [
        {
            "metric": "wer",
            "system": "A",
            "segment": 4,
            "score": 1.0,
            "output": "x y z",
            "references": ["so it is"],
        }
    ]
