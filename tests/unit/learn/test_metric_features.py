# SPDX-License-Identifier: Apache-2.0
"""Other metrics as features."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from support.strategies import plain_lines
from tertium import InputError
from tertium.learn.features.blocks import block
from tertium.learn.features.metrics import Metrics


def test_scores_are_shares_and_more_is_better():
    metrics = Metrics(("chrf", "wer", "dted:flat=yes"))
    assert metrics.names == ("metric:chrf", "metric:wer", "metric:dted:flat=yes")
    assert metrics.groups == ("metric",) * 3
    hyps, refs = ["the cat sat", "a"], ["the cat sat", "the cat sat"]
    rows = metrics.features(hyps, refs)
    assert rows[0].tolist() == [1.0, 0.0, 1.0]
    chrf = tertium.metric("chrf").segment_scores(hyps, refs)
    assert rows[:, 0] == pytest.approx(chrf / 100)
    assert rows[1, 1] == -1.0
    assert set(metrics.layers) == {"links", "tree"}


@settings(max_examples=25)
@given(plain_lines, st.lists(plain_lines, min_size=1, max_size=8))
def test_signs_say_what_a_copy_has(ref, hyps):
    metrics = Metrics(
        ("chrf", "wer", "ter", "link-tau", "sentbleu", "aligned-percentage")
    )
    assert metrics.signs[-3] == 0
    copy = metrics.features([ref], [ref])[0]
    rows = metrics.features(hyps, [ref] * len(hyps))
    for sign, best, column in zip(metrics.signs, copy, rows.T, strict=True):
        assert (sign * column <= sign * best + 1e-12).all()


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        ([], "must not be empty"),
        (["blue"], "here: unknown metric 'blue'"),
        (["nist"], "all references together"),
    ],
)
def test_wrong_tables(specs, message):
    with pytest.raises(InputError, match=message):
        block({"kind": "metrics", "metrics": specs}, where="here")


def test_round_trip():
    result = block({"kind": "metrics", "metrics": ["CHRF:beta=2", "ter"]}, where="here")
    assert result.to_json() == {"kind": "metrics", "metrics": ["chrf", "ter"]}


@pytest.mark.parametrize(
    "spec",
    [
        "evalgen:analyser=command:touch started",
        "evalgen:analyser=tsv:/etc/passwd",
        "mean:(evalgen:analyser=command:touch started)*1+chrf*1",
        "dted:parser=spacy,model=folder",
        "kendall:match=synonym,synonyms=folder",
        "meteor:function_words=/etc/passwd",
        "beer:model=other.json",
    ],
)
def test_features_start_no_program_and_read_no_file(tmp_path, monkeypatch, spec):
    """A profile or a model may come from someone else."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"names a file or a program.*; leave it out"):
        block({"kind": "metrics", "metrics": [spec]}, where="here")
    assert not list(tmp_path.iterdir())


def test_specs_of_users_may_name_files_after_a_profile_was_read(tmp_path):
    block({"kind": "metrics", "metrics": ["chrf"]}, where="here")
    words = tmp_path / "words"
    words.write_text("the\n", encoding="utf-8")
    assert tertium.metric(f"meteor:function_words={words}").name == "meteor"
