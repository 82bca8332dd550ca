# SPDX-License-Identifier: Apache-2.0
"""What `python -m bench mwer` counts, without mweralign."""

from __future__ import annotations

import pytest

from bench.peers.mwer import PAGE, Tally, Task, own_edits, spaced

TASK = Task(
    "A",
    refs=["the old cat", "sat down", "it slept"],
    truth=["the cat", "sat down there", "it slept"],
    docs=["x", "x", "y"],
)


def test_lines_boundaries_and_characters_are_counted():
    tally = Tally()
    tally.add(TASK, ["the cat sat", "down there", "it slept"])
    # The boundary of x is wrong, so both of its lines are; "sat" is in the wrong one.
    assert (tally.right, tally.lines) == (1, 3)
    assert (tally.right_boundaries, tally.boundaries) == (0, 1)
    assert (tally.right_characters, tally.characters) == (22, 25)


def test_the_truth_is_all_right():
    tally = Tally()
    tally.add(TASK, TASK.truth)
    assert tally.cells() == ["100.0 %", "100.0 %", "100.0 %", "0.00"]


def test_lost_characters_are_an_error():
    with pytest.raises(SystemExit, match="lost"):
        Tally().add(TASK, ["the cat", "sat down", "it slept"])


def test_edits_are_those_of_whole_documents():
    # "old" is missing and "there" is extra in x; y is equal.
    assert own_edits(TASK) == [2, 0]
    assert TASK.joined() == ["the cat sat down there", "it slept"]
    assert own_edits(TASK.as_one()) == [2]


def test_words_without_spaces_are_recognised():
    japanese = Task("A", ["one", "今日は"], ["one", "今日"], ["x", "y"])
    assert spaced(japanese) == [True, False]


def test_page_and_guide_show_the_same_figures():
    page = PAGE.read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.partition("## Boundaries")[0].splitlines()
        if line.startswith("| WMT")
    ]
    assert len(rows) == 4
    for row in rows:
        assert row[-3] == row[-2]
        assert row[-1] == "0"
    documents = sum(int(row[3].replace(",", "")) for row in rows)
    guide = PAGE.parents[1] / "docs" / "guides" / "documents.md"
    text = guide.read_text(encoding="utf-8")
    assert f"On {documents:,} documents of" in text
    for way in ("Tertium", "mweralign, words", "mweralign, pieces"):
        shares = [
            line.split("|")[3].strip()
            for line in page.splitlines()
            if line.partition(": ")[2].startswith(f"{way} |")
        ]
        assert f"| {' | '.join(shares)} |" in text
