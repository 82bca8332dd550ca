# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar annotate`` with the commands of a campaign between its steps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.campaigns import loading
from tertium.campaigns.config import read_config
from tertium.campaigns.tasks import get_task
from tertium.cli import main

REFERENCES = "ball\t{the|a} ball is {red|green}\ndog\tthe dog {sleeps|is asleep} now\n"
OUTPUTS = {
    "A": ["the balls is red", "the dog sleeps now"],
    "B": ["a ball red", "cats were not here at all today"],
}


@pytest.fixture
def here(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("all.refs").write_text(REFERENCES, encoding="utf-8")
    for name, lines in OUTPUTS.items():
        Path(f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    line = "grammar annotate items --references all.refs -i A=A.txt B=B.txt -o ask"
    assert main(line.split()) == 0
    message = capsys.readouterr().err
    assert "wrote 3 items" in message
    assert "tertium campaign new ask/campaign.toml --task edits" in message
    return capsys


def answers(marked: dict[str, list]) -> None:
    """Load the items as a campaign would, and write judgements of them."""
    line = "campaign new ask/campaign.toml --task edits --items ask/items.jsonl"
    assert main(line.split()) == 0
    drafts = loading.check(read_config("ask/campaign.toml")).drafts
    task = get_task("edits")
    lines = []
    for judge, choose in marked.items():
        for draft in drafts:
            tokens, gaps = choose(draft.segment)
            columns = {"tokens": tokens, "gaps": gaps, "none": not tokens + gaps}
            row = {
                "kind": draft.kind,
                "segment": draft.segment,
                "judge": judge,
                "content": draft.content,
                "answer": task.check(draft.content, columns, {}),
            }
            lines.append(json.dumps(row))
    Path("answers.jsonl").write_text("\n".join(lines), encoding="utf-8")


def right(segment: str) -> tuple[list[int], list[int]]:
    return {"ball#1": ([1], []), "ball#2": ([], [2]), "dog": ([], [])}[segment]


def test_items_have_few_edits_and_hide_who_wrote_them(here):
    text = Path("ask/items.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    assert [row["id"] for row in rows] == ["ball#1", "ball#2", "dog"]
    assert all(list(row["tgt"]) == ["output"] for row in rows)


def test_annotators_are_compared_with_corrections(here):
    answers({"ann": right, "bob": lambda _: ([0], [])})
    here.readouterr()
    line = ["grammar", "annotate", "compare", "ask", "answers.jsonl"]
    assert main([*line, "-f", "json"]) == 0
    data = json.loads(here.readouterr().out)
    assert data["items"] == 3
    assert data["annotators"]["ann"]["f"] == 1.0
    bob = data["annotators"]["bob"]
    assert (bob["precision"], bob["recall"], bob["missed"]) == (0.0, 0.0, 3)
    assert (data["together"]["precision"], data["together"]["recall"]) == (0.5, 0.4)
    assert data["among"]["outputs"] == 3
    assert main(line) == 0
    out = here.readouterr().out
    for word in ("ann", "bob", "together", "among each other", "precision"):
        assert word in out


def test_what_annotate_rejects(here):
    def rejected(line: str) -> str:
        assert main(["grammar", "annotate", *line.split()]) == 2
        return here.readouterr().err

    Path("none.jsonl").write_text("", encoding="utf-8")
    assert "no answer on the items" in rejected("compare ask none.jsonl")
    assert "not an item key" in rejected("compare ask/items.jsonl none.jsonl")
    assert "did you mean items?" in rejected("item")
    answers({"ann": right})
    rows = Path("ask/key.jsonl").read_text(encoding="utf-8")
    Path("ask/key.jsonl").write_text(rows.replace("ball red", "ball"), encoding="utf-8")
    assert "another output" in rejected("compare ask answers.jsonl")
    Path("A.txt").write_text("x y z u v w\nx y z u v w\n", encoding="utf-8")
    assert "allow more (--most)" in rejected(
        "items --references all.refs -i A.txt --most 0 -o other"
    )
