# SPDX-License-Identifier: Apache-2.0
"""tertium.rank: language pairs, levels, methods, plans, and what JSON shows."""

from __future__ import annotations

import json

import pytest

import tertium
from tertium.errors import InputError
from tertium.judgements import Judgements, Place, Ranking, Rating
from tertium.judgements.methods import METHODS, METHODS_BY_KIND, RATED

SYSTEMS = ("A", "B", "C")


def ranking(segment: int, *, langpair="de-en", part=None, texts=False) -> Ranking:
    """Return a ranking that A mostly wins."""
    order = SYSTEMS if segment % 4 else SYSTEMS[::-1]
    places = [
        Place((system,), rank, text=f"{system} {segment}" if texts else None)
        for rank, system in enumerate(order, 1)
    ]
    return Ranking(tuple(places), str(segment), part, "anna", langpair=langpair)


def ratings(judge: str | None = "anna", langpair: str = "de-en") -> list[Rating]:
    return [
        Rating(system, 10.0 * (i + 1) + j, "DA", str(j), judge=judge, langpair=langpair)
        for i, system in enumerate(SYSTEMS)
        for j in range(10)
    ]


def judgements(*records) -> Judgements:
    return Judgements.from_iterable(records)


@pytest.fixture(scope="module")
def ranked() -> Judgements:
    return judgements(*(ranking(i) for i in range(20)))


def test_methods_are_divided_by_the_kind_of_judgements():
    assert [m for methods in METHODS_BY_KIND.values() for m in methods] == [*METHODS]
    assert set(RATED) == {*METHODS_BY_KIND["ratings"], *METHODS_BY_KIND["spans"]}


def test_language_pairs_are_ranked_separately():
    table = judgements(
        *(ranking(i) for i in range(9)),
        *(ranking(i, langpair="cs-en") for i in range(9)),
        *(ranking(i, langpair=None) for i in range(9)),
    )
    result = tertium.rank(table, resamples=0)
    assert list(result.rankings) == ["cs-en", "de-en", "unknown"]
    only = tertium.rank(table, resamples=0, langpair="de-en")
    assert only.rankings == {"de-en": result.rankings["de-en"]}
    with pytest.raises(InputError, match="no judgements of the language pair fr-en"):
        tertium.rank(table, langpair=["fr-en"])


def test_levels_are_ranked_separately():
    table = judgements(ranking(1), ranking(1, part="x"), ranking(2, part="y"))
    result = tertium.rank(table, resamples=0)
    assert list(result.rankings) == ["de-en segments", "de-en parts"]
    levels = [each.level for (each,) in result.rankings.values()]
    assert levels == ["segments", "parts"]


def test_rankings_give_expected_wins_by_default(ranked):
    result = tertium.rank(ranked, resamples=0)
    (first,) = result.rankings["de-en"]
    assert (first.method, first.level) == ("expected-wins", None)
    assert next(iter(first.scores())) == "A"
    assert result.notes == ()


def test_ratings_without_judges_fall_back_to_means_with_a_note():
    result = tertium.rank(judgements(*ratings(judge=None)), resamples=0)
    assert result.rankings["de-en"][0].method == "mean"
    (note,) = result.notes
    assert note.code == "fallback-method"
    assert str(note).startswith("de-en: ranked by mean, as ")


def test_all_methods_are_those_that_the_judgements_allow(ranked):
    result = tertium.rank(ranked, method="all", resamples=0)
    methods = [each.method for each in result.rankings["de-en"]]
    assert methods == list(METHODS_BY_KIND["rankings"])


def test_all_methods_go_without_z_scores_that_do_not_exist():
    # Every judge rates one output, so nobody has a deviation.
    once = [each._replace(judge=f"judge{i}") for i, each in enumerate(ratings())]
    table = judgements(*once)
    result = tertium.rank(table, method=["all"], resamples=0)
    assert [each.method for each in result.rankings["de-en"]] == ["mean"]
    assert [note.code for note in result.notes] == ["method-left-out"]
    with pytest.raises(InputError):
        tertium.rank(table, method="z", resamples=0)


def test_a_method_named_twice_is_used_once(ranked):
    result = tertium.rank(ranked, method=["wins", "wins"], resamples=0)
    assert len(result.rankings["de-en"]) == 1


def test_several_campaigns_are_noted(ranked):
    other = ranking(1)._replace(campaign="b")
    table = judgements(ranking(2)._replace(campaign="a"), other)
    assert [n.code for n in tertium.rank(table, resamples=0).notes] == [
        "several-campaigns"
    ]


def test_plans_and_next_items_follow_the_first_method(ranked):
    compared = tertium.rank(ranked, resamples=0, plan=0.8, next=3)
    assert (set(compared.plans), set(compared.rating_plans)) == ({"de-en"}, set())
    assert len(compared.next["de-en"]) == 3
    rated = tertium.rank(judgements(*ratings()), resamples=0, plan=0.8, next=2)
    assert (set(rated.plans), set(rated.rating_plans)) == (set(), {"de-en"})
    assert len(rated.next["de-en"]) == 2


def test_levels_and_unseen_systems_are_computed_if_asked_for():
    table = judgements(
        *(ranking(i, texts=True) for i in range(5)),
        *(ranking(i, part="x", texts=True) for i in range(5)),
    )
    result = tertium.rank(table, resamples=0, levels=True, unseen=True)
    assert {each.system for each in result.levels["de-en"].systems} == set(SYSTEMS)
    assert {each.system for each in result.unseen["de-en"]} == set(SYSTEMS)


def test_json_has_only_what_was_asked_for(ranked):
    plain = json.loads(tertium.rank(ranked, resamples=0).to_json())
    assert set(plain) == {"rankings"}
    more = json.loads(tertium.rank(ranked, resamples=0, plan=0.8, next=1).to_json())
    assert set(more) == {"rankings", "plans", "next"}


def test_progress_names_method_and_language_pair(ranked):
    reports = []
    tertium.rank(ranked, resamples=100, progress=lambda *args: reports.append(args))
    assert reports[-1] == ("resamples for expected-wins, de-en", 100, 100)
