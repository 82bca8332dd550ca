# SPDX-License-Identifier: Apache-2.0
"""The guide for users of 0.1: old names are gone, new ones are there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import tertium
from tertium.cli import main

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "upgrading.md"
ROW = re.compile(
    r"^\| `(tertium\.[\w.]+)`( \([\w ]+\))? \| `(tertium\.[\w.]+)` \|$", re.M
)
ROWS = ROW.findall(GUIDE.read_text(encoding="utf-8"))


def resolve(name: str) -> object:
    """Return the module, class, function or method of a dotted name."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing: object = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            thing = getattr(thing, part)
        return thing
    raise AttributeError(name)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_names_of_the_guide_moved(row):
    old, remark, new = row
    assert resolve(new) is not None
    if not remark:
        with pytest.raises(AttributeError):
            resolve(old)


def test_the_guide_lists_names():
    assert len(ROWS) > 15


@pytest.mark.parametrize(
    ("old", "new"), [("segments", "parts"), ("tuner", "tune serve")]
)
def test_old_verbs_name_the_new_ones(old, new, capsys):
    assert main([old]) == 2
    assert f"is now called {new}" in capsys.readouterr().err


def test_the_version_is_that_of_the_guide():
    assert f"version:tertium-{tertium.__version__}" in GUIDE.read_text("utf-8")
