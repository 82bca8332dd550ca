# SPDX-License-Identifier: Apache-2.0
"""Outputs of a grammar evaluation as items of the task on edit positions."""

from __future__ import annotations

import json

from support.grammar_systems import evaluation
from tertium.campaigns import loading
from tertium.campaigns.config import read_config
from tertium.campaigns.tasks import get_task
from tertium.grammars.analysis.annotation import (
    annotation_items,
    compare_annotations,
    read_answers,
    write_items,
)


def test_items_go_to_a_campaign_and_answers_come_back(tmp_path):
    items = annotation_items(evaluation().segments)
    write_items(items, tmp_path / "items.jsonl")
    for name, text in get_task("edits").starter_files().items():
        one = text.replace('items = "demo"', 'items = "items.jsonl"')
        (tmp_path / name).write_text(one, encoding="utf-8")
    result = loading.check(read_config(tmp_path / "campaign.toml"))
    assert result.work == len(items)
    # Everybody marks the first token of everything.
    lines = [
        json.dumps(
            {
                "kind": draft.kind,
                "segment": draft.segment,
                "judge": "a1",
                "content": draft.content,
                "answer": get_task("edits").check(
                    draft.content, {"tokens": [0], "gaps": [], "none": False}, {}
                ),
            }
        )
        for draft in result.drafts
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines), encoding="utf-8")
    answers = read_answers(tmp_path / "answers.jsonl", items)
    report = compare_annotations(items, answers)
    assert report.pooled.segments == len(items)
    first = sum(0 in item.places.tokens for item in items)
    assert (report.pooled.right, report.pooled.missed) == (first, len(items) - first)
