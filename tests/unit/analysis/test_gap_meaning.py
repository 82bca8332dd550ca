# SPDX-License-Identifier: Apache-2.0
"""What a difference between two systems means."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest

import tertium
from tertium.analysis.gap_meaning import (
    gap_meaning,
    gap_meanings,
    gap_metrics,
    settings_of,
)
from tertium.errors import InputError, NotDefinedError
from tertium.stats.shares import wilson

TABLE = json.loads(files("tertium.analysis").joinpath("gaps.json").read_text("utf-8"))


@pytest.mark.parametrize("name", gap_metrics())
def test_shares_rise_from_one_half_and_follow_the_counts(name):
    entry = TABLE["metrics"][name]
    bins = entry["bins"]
    assert sum(each["pairs"] for each in bins) == entry["pairs"] >= 500
    assert bins[0]["low"] == 0
    assert bins[-1]["high"] is None
    for each, following in pairwise(bins):
        assert each["low"] < each["mean"] < each["high"] == following["low"]
        assert 0.5 <= each["share"] <= following["share"] <= 1
    for each in bins:
        assert each["pairs"] >= 100
        assert each["interval"] == pytest.approx(
            wilson(each["agreed"], each["pairs"]), abs=1e-5
        )
    # The rising estimate keeps the number of pairs that agree, but for the floor.
    assert sum(each["share"] * each["pairs"] for each in bins) == pytest.approx(
        sum(each["agreed"] for each in bins), rel=0.01
    )


@pytest.mark.parametrize("name", gap_metrics())
def test_the_table_was_made_with_the_metrics_as_they_are(name):
    """If this fails, a default changed: run ``python -m bench gaps --write``."""
    made = settings_of(tertium.metric(name))
    assert TABLE["metrics"][name]["settings"] == made


@pytest.mark.parametrize("name", gap_metrics())
def test_meanings_are_counts_of_the_range_that_a_difference_is_in(name):
    bins = TABLE["metrics"][name]["bins"]
    for each in bins:
        one = gap_meaning(name, -each["mean"])
        assert one.low <= one.delta < one.high
        inside = [b for b in bins if one.low <= b["low"] < one.high]
        assert one.pairs == sum(b["pairs"] for b in inside)
        assert one.agreed == sum(b["agreed"] for b in inside)
        assert one.share == pytest.approx(each["share"], abs=1e-5)
        assert one.interval[0] <= one.share <= one.interval[1] + 1e-9
    shares = [gap_meaning(name, d).share for d in np.linspace(0, 2 * one.low, 50)]
    assert shares == sorted(shares)
    assert gap_meaning(name, 1e9).to_dict()["range"][1] is None


def test_settings_count_and_spelling_does_not():
    assert gap_meaning("chrf:word_order=2", 1).metric == "chrf++"
    assert gap_meaning(tertium.metric("bleu"), 1) == gap_meaning("bleu", 1)
    with pytest.raises(NotDefinedError, match="bleu:lowercase=yes, only of bleu"):
        gap_meaning("bleu:lowercase=yes", 1)
    with pytest.raises(InputError, match="without a value"):
        gap_meaning("bleu", math.nan)


def test_metrics_without_judgements_are_left_out():
    deltas = {"bleu": 2.0, "chrf": 0.0, "nist": 1.0, "scores:file=none.tsv": 1.0}
    assert list(gap_meanings(deltas)) == ["bleu"]


def test_a_model_is_not_judged_on_years_it_was_trained_on():
    assert gap_meaning("beer", 0.01).sources == ("WMT14", "WMT17", "WMT23")
    assert len(gap_meaning("bleu", 1).sources) == 6
