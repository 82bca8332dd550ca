# SPDX-License-Identifier: Apache-2.0
"""Items of span tasks from screens that were chosen beforehand."""

from __future__ import annotations

import json

import pytest

from tertium.campaigns.config import read_config
from tertium.campaigns.loading import check
from tertium.campaigns.tasks import get_task
from tertium.errors import FormatError


def drafts(folder, lines, *, task="cesa", more=""):
    folder.mkdir(exist_ok=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "items.jsonl").write_text(text)
    path = folder / "campaign.toml"
    path.write_text(
        f'[campaign]\nname = "c"\ntitle = "t"\ntask = "{task}"\nsource = "en"\n'
        f'target = "de"\nitems = "items.jsonl"\n[task]\nbad = false\n{more}\n'
    )
    return list(get_task(task).items(read_config(path)))


def screen(name, outputs, *, document="ferry", prefilled=None, check=None):
    paragraph = {"id": name, "src": f"source of {name}", "tgt": outputs}
    line = {"screen": name, "document": document, "paragraphs": [paragraph]}
    if prefilled:
        paragraph["prefilled"] = prefilled
    return line | ({"check": check} if check else {})


@pytest.mark.parametrize("number", range(5))
def test_a_document_keeps_its_columns(tmp_path, number):
    # What is first in the alphabet on one screen is last on the other.
    names = ["heron", "magpie", "wren"]
    one = {name: f"{letter}{number}" for name, letter in zip(names, "abc", strict=True)}
    two = {name: f"{letter}{number}" for name, letter in zip(names, "zyx", strict=True)}
    items = drafts(tmp_path, [screen("s1", one), screen("s2", two)])
    assert items[0].origins == items[1].origins
    assert items[0].content["keys"] == items[1].content["keys"] == ["a", "b", "c"]


def test_the_order_of_a_file_does_not_betray_a_system(tmp_path):
    texts = {"heron": "one", "magpie": "two", "wren": "three"}
    ways = [dict(sorted(texts.items(), reverse=back)) for back in (False, True)]
    items = [
        drafts(tmp_path / str(n), [screen("s1", way)]) for n, way in enumerate(ways)
    ]
    assert items[0] == items[1]


def test_equal_translations_leave_the_other_columns_as_they_are(tmp_path):
    one = {"heron": "a", "magpie": "b", "wren": "c"}
    two = {"heron": "same", "magpie": "same", "wren": "other"}
    first, second = drafts(tmp_path, [screen("s1", one), screen("s2", two)])
    key_of = {names[0]: key for key, names in first.origins.items()}
    merged = min(key_of["heron"], key_of["magpie"])
    assert set(second.origins) == {merged, key_of["wren"]}
    assert set(second.origins[merged]) == {"heron", "magpie"}
    assert second.content["keys"] == ["a", "b", "c"]


def test_a_damaged_copy_looks_like_its_original(tmp_path):
    texts = {name: f"text of {name}" for name in ("heron", "magpie", "owl", "wren")}
    damage = {"of": "s1", "damage": [["owl", 0, 0, 4]]}
    copy = screen("s1b", {**texts, "owl": "junk of owl"}, check=damage)
    *work, check = drafts(tmp_path, [screen("s1", texts), copy], more="systems = 2")
    assert len(work) == 2
    (base,) = [one for one in work if one.key == check.base]
    key = next(key for key, names in base.origins.items() if "owl" in names)
    assert check.content["keys"] == base.content["keys"]
    outputs = [one.content["paragraphs"][0]["outputs"] for one in (base, check)]
    assert outputs[1] == {**outputs[0], key: "junk of owl"}
    assert check.meta["damages"] == [[key, 0, 0, 4]]


def test_the_damaged_one_of_equal_translations_is_shown(tmp_path):
    damage = {"of": "s1", "damage": [["wren", 0, 0, 4]]}
    lines = [
        screen("s1", {"heron": "same text", "wren": "same text"}),
        screen("s1b", {"heron": "same text", "wren": "junk text"}, check=damage),
    ]
    work, check = drafts(tmp_path, lines, task="esa")
    assert set(work.origins["a"]) == {"heron", "wren"}
    assert check.base == work.key
    assert check.content["paragraphs"][0]["outputs"] == {"a": "junk text"}
    assert check.meta["damages"] == [["a", 0, 0, 4]]


def test_marks_that_no_answer_may_have_are_left_out(tmp_path):
    marks = [
        {"start": 1, "end": 2, "severity": "minor"},  # a space
        {"start": None, "end": None, "severity": "major"},
        {"start": 2, "end": 4, "severity": "minor"},
        {"start": 2, "end": 5, "severity": "minor"},
    ]
    line = screen("s1", {"wren": "a big one"}, prefilled={"wren": marks})
    (item,) = drafts(tmp_path, [line], task="esa", more="missing = false")
    kept = item.content["paragraphs"][0]["prefilled"]["a"]
    assert [(one["start"], one["end"]) for one in kept] == [(2, 4), (2, 5)]
    entry = {"marks": kept, "score": 50}
    task = get_task("esa")
    options = task.options(read_config(tmp_path / "campaign.toml"))
    task.check(item.content, {"outputs": {"a": [entry]}}, options)
    notes = check(read_config(tmp_path / "campaign.toml")).notes
    assert {one.code: one.values for one in notes} == {
        "prefilled-missing": {"count": 1}
    }


def test_a_special_mark_is_not_missing_content(tmp_path):
    marks = [
        {"start": None, "end": None, "severity": "major", "category": "fault"},
        {"start": 2, "end": 5, "severity": "minor", "category": "fault"},
    ]
    line = screen("s1", {"wren": "a big one"}, prefilled={"wren": marks})
    more = 'missing = false\nspecial = "fault"'
    (item,) = drafts(tmp_path, [line], task="esa", more=more)
    kept = item.content["paragraphs"][0]["prefilled"]["a"]
    assert [(one["start"], one["category"]) for one in kept] == [
        (None, "fault"),
        (2, ""),
    ]


def test_a_screen_with_an_unknown_severity_is_named(tmp_path):
    marks = [{"start": 0, "end": 1, "severity": "grave"}]
    line = screen("s1", {"wren": "a big one"}, prefilled={"wren": marks})
    with pytest.raises(FormatError, match="screen 's1': the severity 'grave'"):
        drafts(tmp_path, [line], task="esa")
