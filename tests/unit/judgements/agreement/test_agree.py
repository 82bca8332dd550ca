# SPDX-License-Identifier: Apache-2.0
"""tertium.agree: options, notes, and what JSON shows."""

from __future__ import annotations

import json

import pytest

import tertium
from tertium.errors import InputError
from tertium.judgements import Judgements, Rating


@pytest.fixture(scope="module")
def demo() -> Judgements:
    return Judgements.read("demo")


def rating(judge: str | None, segment: str = "1", *, campaign=None) -> Rating:
    score = 50.0 + len(judge or "") + int(segment)
    return Rating("A", score, "DA", segment, judge=judge, campaign=campaign)


def codes(report: tertium.AgreementReport) -> list[str]:
    return [note.code for note in report.notes]


def test_there_are_no_intervals_unless_asked_for(demo):
    report = tertium.agree(demo)
    assert report.bootstrap is None
    assert report.whole.rankings.inter.interval is None


def test_intervals_are_computed_as_the_options_say(demo):
    options = {"resamples": 20, "confidence": 0.9, "seed": 7}
    report = tertium.agree(demo, intervals=True, **options)
    assert report.to_dict()["bootstrap"] == options
    low, high = report.whole.rankings.inter.interval
    assert low < report.whole.rankings.inter.value < high


@pytest.mark.parametrize(
    "options", [{"resamples": 0}, {"confidence": 1.0}, {"seed": -1}]
)
def test_intervals_without_meaning_are_rejected(demo, options):
    with pytest.raises(InputError, match=next(iter(options))):
        tertium.agree(demo, intervals=True, **options)


def test_several_campaigns_are_noted_unless_they_are_the_groups():
    table = Judgements.from_iterable(
        rating(judge, campaign=campaign) for judge in "ab" for campaign in ("x", "y")
    )
    assert codes(tertium.agree(table)) == ["several-campaigns"]
    assert codes(tertium.agree(table, by="campaign")) == []


def test_ratings_without_a_judge_are_noted():
    table = Judgements.from_iterable([rating("a"), rating("bb"), rating(None)])
    report = tertium.agree(table)
    assert [str(note) for note in report.notes] == [
        "1 ratings have no judge and were left out"
    ]


def test_options_without_effect_are_noted():
    table = Judgements.from_iterable([rating("a"), rating("bb")])
    assert codes(tertium.agree(table, by="time", pairs=True)) == [
        "no-times",
        "no-judge-pairs",
    ]


def test_json_holds_notes_as_text_and_the_version(demo):
    report = tertium.agree(demo, pairs=True)
    shown = json.loads(report.to_json())
    assert shown == {
        "tertium": tertium.__version__,
        **json.loads(json.dumps(report.to_dict())),
    }
    assert shown["remarks"] == []
    assert shown["pairs"]
