# SPDX-License-Identifier: Apache-2.0
"""Files that a campaign names: those of its folder, unless its user allows others."""

from __future__ import annotations

import pytest

from tertium.campaigns.config import read_config
from tertium.campaigns.loading import check
from tertium.errors import UntrustedError

CONFIG = """\
[campaign]
name = "news"
title = "News"
task = "ranking"
items = "{items}"
instructions = "{instructions}"
"""
ITEM = '{"src": "a", "ref": "b", "tgt": {"A": "c", "B": "d"}}\n'


@pytest.fixture
def place(tmp_path):
    """Write a campaign's files, and a secret outside its folder; return the folder."""
    folder = tmp_path / "news"
    folder.mkdir()
    (folder / "items.jsonl").write_text(ITEM, encoding="utf-8")
    (folder / "how.md").write_text("Rank them.", encoding="utf-8")
    (tmp_path / "secret").write_text("hunter2", encoding="utf-8")
    (folder / "link").symlink_to(tmp_path / "secret")
    return folder


def written(place, items="items.jsonl", instructions="how.md"):
    path = place / "campaign.toml"
    text = CONFIG.format(items=items, instructions=instructions)
    path.write_text(text, encoding="utf-8")
    return path


def test_files_of_the_folder_are_read(place):
    assert check(read_config(written(place))).instructions == "Rank them."


@pytest.mark.parametrize("name", ["../secret", "{}/secret", "link"])
def test_annotators_see_no_file_from_outside_the_folder(place, tmp_path, name):
    path = written(place, instructions=name.format(tmp_path))
    with pytest.raises(UntrustedError, match="lies outside the campaign's folder"):
        check(read_config(path))
    assert check(read_config(path, allow_outside=True)).instructions == "hunter2"


def test_items_from_outside_the_folder_need_permission(place, tmp_path):
    (place / "items.jsonl").rename(tmp_path / "items.jsonl")
    path = written(place, items="../items.jsonl")
    with pytest.raises(UntrustedError, match="lies outside the campaign's folder"):
        check(read_config(path))
    assert check(read_config(path, allow_outside=True)).work == 1
