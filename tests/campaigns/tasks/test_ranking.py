# SPDX-License-Identifier: Apache-2.0
"""Ranking of sentences: fair draws, merged outputs."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.campaigns.config import read_config
from tertium.campaigns.tasks import get_task
from tertium.campaigns.tasks.ranking.sampler import SystemSampler
from tertium.errors import TertiumError


@pytest.mark.parametrize(
    ("systems", "size", "segments", "screens"),
    [(6, 3, 60, 1), (6, 5, 60, 1), (11, 5, 100, 2), (10, 2, 90, 1), (4, 3, 40, 3)],
)
def test_every_two_systems_meet_about_equally_often(systems, size, segments, screens):
    names = [f"s{n}" for n in range(systems)]
    draws = SystemSampler(names, size, 1)
    met = Counter()
    for _ in range(segments):
        sets = list(draws.sample(screens))
        assert len(set(sets)) == screens
        met.update(pair for one in sets for pair in combinations(sorted(one), 2))
    times = [met[pair] for pair in combinations(sorted(names), 2)]
    mean = segments * screens * size * (size - 1) / (systems * (systems - 1))
    assert sum(times) / len(times) == pytest.approx(mean)
    assert max(times) - min(times) <= 3


@settings(max_examples=30)
@given(st.integers(2, 12), st.integers(2, 9), st.integers(1, 5), st.integers())
def test_draws_are_sets_of_their_size_and_repeatable(systems, size, screens, seed):
    names = [f"s{n}" for n in range(systems)]
    results = [list(SystemSampler(names, size, seed).sample(screens)) for _ in range(2)]
    assert results[0] == results[1]
    for one in results[0]:
        assert len(set(one)) == len(one) == min(size, systems)


@pytest.fixture
def config(tmp_path):
    def write(lines, more=""):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / "set.jsonl").write_text(text)
        starter = get_task("ranking").starter_files()["campaign.toml"]
        starter = starter.replace('"demo"', '"set.jsonl"').replace(
            'instructions = "instructions.md"', ""
        )
        (tmp_path / "campaign.toml").write_text(starter + more)
        return read_config(tmp_path / "campaign.toml")

    return write


def line(number, texts):
    systems = dict(zip("abcdefg", texts, strict=False))
    return {"id": f"s{number}", "src": f"src {number}", "ref": ["ref"], "tgt": systems}


def test_equal_outputs_are_one_candidate(config):
    task = get_task("ranking")
    (draft,) = task.items(config([line(1, ["same", "one", "same", "two", "one"])]))
    assert draft.content["candidates"] == {"0-0": "one", "0-1": "same", "0-2": "two"}
    assert draft.origins == {"0-0": ("b", "e"), "0-1": ("a", "c"), "0-2": ("d",)}


def test_a_screen_has_as_many_systems_as_a_row_of_wmt(config):
    task = get_task("ranking")
    # The first six mostly write the same: a draw without the seventh shows nothing.
    lines = [line(n, ["t"] * (7 - n % 7) + ["u"] * (n % 7)) for n in range(1, 30)]
    drafts = list(task.items(config(lines)))
    assert len(drafts) == sum(n % 7 > 0 for n in range(1, 30))
    assert len({draft.key for draft in drafts}) == len(drafts)
    for draft in drafts:
        assert sum(len(names) for names in draft.origins.values()) == 5
        assert len(draft.content["candidates"]) > 1


def test_more_screens_show_other_systems(config):
    task = get_task("ranking")
    result = config([line(n, "tuvwxyz") for n in range(4)])
    result.options["screens"] = 3
    drafts = list(task.items(result))
    assert len(drafts) == 12
    shown = {(d.segment, frozenset(d.content["candidates"].values())) for d in drafts}
    assert len(shown) == 12


def test_segments_on_which_all_agree_are_left_out(config):
    task = get_task("ranking")
    with pytest.raises(TertiumError, match="two different outputs"):
        list(task.items(config([line(1, ["same", "same"])])))


def test_impossible_settings_are_rejected(config):
    result = config([line(1, "ab")])
    result.options["candidates"] = 10
    with pytest.raises(TertiumError, match="9 or less"):
        get_task("ranking").options(result)
