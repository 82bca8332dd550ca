# SPDX-License-Identifier: Apache-2.0
"""Judgements selected by columns and by language pair."""

from __future__ import annotations

import pytest

from tertium.errors import InputError
from tertium.judgements import Judgements, Rating
from tertium.judgements.selection import (
    campaign_notes,
    langpairs,
    select,
    select_langpairs,
)


def judgements(*langpairs: str | None, campaigns=(None,)) -> Judgements:
    return Judgements.from_iterable(
        Rating("A", 1.0, "DA", "1", judge="anna", langpair=pair, campaign=campaign)
        for pair in langpairs
        for campaign in campaigns
    )


def ratings(part: Judgements) -> int:
    return part.counts()["ratings"]


@pytest.mark.parametrize(
    ("only", "number"),
    [
        ([], 3),
        (["langpair=de-en"], 1),
        (["langpair=de-en", "langpair=cs-en"], 2),
        (["langpair="], 1),
        (["langpair=*"], 2),
        (["langpair=*", "judge=anna"], 2),
    ],
)
def test_selections_keep_judgements_with_these_values(only, number):
    assert ratings(select(judgements("de-en", "cs-en", None), only)) == number


@pytest.mark.parametrize(
    ("only", "message"),
    [
        ("langpair", "is not COLUMN=VALUE"),
        ("langpair=fr-en", "choose from"),
        ("langpair=", "no judgement lacks a langpair"),
        ("document=*", "no judgement has a document"),
        ("nothing=1", "no table has a column"),
    ],
)
def test_selections_without_judgements_are_rejected(only, message):
    with pytest.raises(InputError, match=message):
        select(judgements("de-en"), [only])


def test_a_wrong_selection_names_the_argument():
    with pytest.raises(InputError) as error:
        select(judgements("de-en"), ["langpair"])
    assert error.value.options == ("only",)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (["de-en", "cs-en"], ["cs-en", "de-en"]),
        (["de-en", None], ["de-en", "unknown"]),
        ([None], [""]),
    ],
)
def test_all_language_pairs_are_listed(known, expected):
    assert langpairs(judgements(*known)) == expected


def test_language_pairs_asked_for_keep_their_order():
    table = judgements("de-en", "cs-en", None)
    assert langpairs(table, ["unknown", "de-en"]) == ["unknown", "de-en"]
    assert ratings(select_langpairs(table, ["unknown", "de-en"])) == 2
    assert ratings(select_langpairs(table, [""])) == 3


def test_several_campaigns_are_noted():
    assert campaign_notes(judgements("de-en", campaigns=["a"])) == []
    (note,) = campaign_notes(judgements("de-en", campaigns=["a", "b"]))
    assert str(note).startswith("judgements from a, b are analysed together")
