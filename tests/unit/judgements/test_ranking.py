# SPDX-License-Identifier: Apache-2.0
"""Systems ranked from comparisons: oracles, peers, closed forms, laws."""

from __future__ import annotations

import math
from itertools import product

import choix
import numpy as np
import pytest
import trueskill as peer
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import rankings as oracle
from tertium import _core
from tertium.errors import InputError, UnknownNameError
from tertium.judgements import Comparisons, Judgements, Place, Ranking, Wins
from tertium.judgements.ranking import (
    METHODS,
    TrueSkill,
    bradley_terry,
    expected_wins,
    hopkins_may,
    rank_systems,
    ratio_of_wins,
    trueskill,
    wins_or_ties,
)
from tertium.judgements.ranking.ranks import sign_test
from tertium.judgements.ranking.resampling import resampled_wins
from tertium.notes import Note

NAMES = "ABCD"
COUNTED = ("wins", "wins-or-ties", "expected-wins", "bradley-terry", "hopkins-may")
COMPARED = (*COUNTED, "trueskill")


def rankings(*orders: dict[str, int]) -> Judgements:
    return Judgements.from_iterable(
        Ranking(tuple(Place((name,), rank) for name, rank in order.items()), str(i))
        for i, order in enumerate(orders)
    )


def table(games) -> Wins:
    names = sorted({name for game in games for name in game[:2]})
    wins, ties = np.zeros((2, len(names), len(names)))
    for first, second, outcome in games:
        i, j = names.index(first), names.index(second)
        if outcome == 0:
            ties[i, j] += 1
            ties[j, i] += 1
        else:
            winner, loser = (i, j) if outcome > 0 else (j, i)
            wins[winner, loser] += 1
    return Wins(tuple(names), wins, ties)


def as_rankings(games) -> Judgements:
    return rankings(*({a: 2 - x, b: 2 + x} for a, b, x in games))


game = st.tuples(
    st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from([1, 0, -1])
).filter(lambda g: g[0] != g[1])
games = st.lists(game, min_size=1, max_size=25)


# ------------------------------------------------------------------ counting wins


@given(games)
@settings(max_examples=30)
def test_counted_scores_equal_their_definitions(games):
    wins = table(games)
    for ours, theirs in (
        (ratio_of_wins, oracle.ratio_of_wins),
        (wins_or_ties, oracle.wins_or_ties),
        (expected_wins, oracle.expected_wins),
    ):
        scores = ours(wins)
        for name in wins.systems:
            expected = theirs(games, name)
            assert scores[name] == (
                None if expected is None else pytest.approx(expected)
            )


@given(games, st.sampled_from(NAMES), st.sampled_from(NAMES))
@settings(max_examples=30)
def test_one_more_win_never_lowers_the_ratio_of_wins(games, winner, loser):
    if winner == loser:
        return
    before = ratio_of_wins(table(games)).get(winner)
    after = ratio_of_wins(table([*games, (winner, loser, 1)]))[winner]
    assert after is not None
    assert before is None or after >= before


# -------------------------------------------------------------------- the models


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 40))
@settings(max_examples=30)
def test_bradley_terry_of_two_systems_has_a_closed_form(won, lost, tied):
    result = [("A", "B", 1)] * won + [("A", "B", -1)] * lost + [("A", "B", 0)] * tied
    fit = bradley_terry(table(result))
    assert fit.abilities["A"] == pytest.approx(math.log(won / lost) / 2, abs=1e-7)
    assert fit.abilities["B"] == pytest.approx(-math.log(won / lost) / 2, abs=1e-7)
    assert fit.tie == pytest.approx(tied / math.sqrt(won * lost), rel=1e-6)
    assert fit.prior == 0


@given(games)
@settings(max_examples=30)
def test_bradley_terry_equals_choix_without_ties(games):
    # Everyone beats everyone once, so that there is a maximum.
    decided = [g for g in games if g[2]]
    decided += [(a, b, 1) for a in NAMES for b in NAMES if a != b]
    pairs = [
        (NAMES.index(a), NAMES.index(b)) if x > 0 else (NAMES.index(b), NAMES.index(a))
        for a, b, x in decided
    ]
    expected = choix.opt_pairwise(4, pairs, tol=1e-12)
    fit = bradley_terry(table(decided))
    assert list(fit.abilities.values()) == pytest.approx(
        list(expected - expected.mean()), abs=1e-5
    )


@given(games, st.lists(st.floats(-1, 1), min_size=5, max_size=5))
@settings(max_examples=30)
def test_no_other_abilities_are_more_likely(games, moves):
    full = [
        *games,
        *((a, b, x) for a in NAMES for b in NAMES if a < b for x in (1, -1, 0)),
    ]
    wins = table(full)
    fit = bradley_terry(wins)
    best = oracle.davidson_likelihood(full, fit.abilities, fit.tie)
    other = {
        n: a + m / 10 for (n, a), m in zip(fit.abilities.items(), moves, strict=False)
    }
    tie = fit.tie * math.exp(moves[4] / 10)
    assert oracle.davidson_likelihood(full, other, tie) <= best + 1e-9
    model = hopkins_may(wins)
    best = oracle.hopkins_may_posterior(full, model.abilities, model.radius)
    other = {
        n: a + m / 10 for (n, a), m in zip(model.abilities.items(), moves, strict=False)
    }
    radius = max(1e-6, model.radius + moves[4] / 20)
    assert oracle.hopkins_may_posterior(full, other, radius) <= best + 1e-9


@given(games)
@settings(max_examples=60)
def test_abilities_exist_whatever_was_compared(games):
    fit = bradley_terry(table(games))
    assert all(a is not None and math.isfinite(a) for a in fit.abilities.values())
    model = hopkins_may(table(games))
    assert all(a is not None and math.isfinite(a) for a in model.abilities.values())


def test_a_system_that_never_loses_gets_a_prior_and_a_note():
    always = rankings(
        *[{"A": 1, "B": 2}] * 9, *[{"B": 1, "C": 2}, {"B": 2, "C": 1}] * 5
    )
    fit = bradley_terry(always.comparisons().wins())
    assert fit.prior > 0
    assert fit.abilities["A"] > 2 + max(fit.abilities["B"], fit.abilities["C"])
    assert rank_systems(always, method="bradley-terry").notes == (Note("prior"),)


def test_ties_alone_leave_all_systems_equal():
    result = rankings(*[{"A": 1, "B": 1}, {"B": 1, "C": 1}] * 3)
    for method in ("bradley-terry", "hopkins-may"):
        scores = rank_systems(result, method=method, resamples=20).scores()
        assert list(scores.values()) == pytest.approx([0, 0, 0], abs=1e-9)


def test_groups_that_never_met_are_ranked_with_a_prior():
    result = rankings(
        *[{"A": 1, "B": 2}] * 3,
        {"A": 2, "B": 1},
        *[{"C": 1, "D": 2}] * 3,
        {"C": 2, "D": 1},
    )
    fit = bradley_terry(result.comparisons().wins())
    assert fit.abilities["A"] == pytest.approx(fit.abilities["C"])
    assert fit.prior > 0


# ---------------------------------------------------------------------- TrueSkill


@given(games, st.sampled_from([(0.5, 0.25, 0.0, 0.25), (1.0, 0.1, 0.02, 0.1)]))
@settings(max_examples=30)
def test_trueskill_equals_the_package(games, numbers):
    sigma, beta, tau, draw = numbers
    environment = peer.TrueSkill(0.0, sigma, beta, tau, draw, "scipy")
    ratings = {name: environment.create_rating() for name in NAMES}
    for first, second, outcome in games:
        a, b = (first, second) if outcome >= 0 else (second, first)
        ratings[a], ratings[b] = peer.rate_1vs1(
            ratings[a], ratings[b], drawn=outcome == 0, env=environment
        )
    for name, (mean, deviation) in skills_of(games, TrueSkill(*numbers)).items():
        assert mean == pytest.approx(ratings[name].mu, abs=1e-9)
        assert deviation == pytest.approx(ratings[name].sigma, abs=1e-9)


def skills_of(
    games, model: TrueSkill, margin: float | None = None
) -> dict[str, tuple[float, float]]:
    """Return the skills after games in the order given."""
    comparisons = as_rankings(games).comparisons()
    columns = (comparisons.first, comparisons.second, comparisons.outcome)
    skills = _core.trueskill(
        *(np.ascontiguousarray(x, dtype=np.int32) for x in columns),
        starts=np.arange(len(games) + 1, dtype=np.int32),
        draws=np.arange(len(games), dtype=np.int32)[None],
        players=len(comparisons.systems),
        sigma=model.sigma,
        beta=model.beta,
        tau=model.tau,
        margin=model.margin if margin is None else margin,
        seed=0,
        first_run=0,
        threads=1,
    )[0]
    n = len(comparisons.systems)
    return {
        name: (skills[i], skills[n + i]) for i, name in enumerate(comparisons.systems)
    }


@given(games, st.sampled_from([(0.5, 0.25), (1.0, 0.02), (5.0, 0.5)]))
@settings(max_examples=15)
def test_trueskill_equals_moments_of_truncated_normals(games, numbers):
    model = TrueSkill(*numbers, tau=0.01, draw=0.2)
    expected = oracle.trueskill(games, model.sigma, model.beta, model.tau, model.margin)
    for name, (mean, deviation) in skills_of(games, model).items():
        assert (mean, deviation) == pytest.approx(expected[name], abs=1e-6)


@pytest.mark.parametrize("last", [("A", "C", 0), ("C", "A", 0), ("C", "A", 1)])
def test_trueskill_updates_are_right_far_out(last):
    """Every game here is more than 30 standard deviations off."""
    results = [("A", "B", 1), ("B", "C", 1), last]
    model = TrueSkill(0.01, 0.001)
    expected = oracle.trueskill(results, 0.01, 0.001, 0.0, 0.5)
    for name, skill in skills_of(results, model, margin=0.5).items():
        assert skill == pytest.approx(expected[name], abs=5e-6)


@pytest.mark.parametrize(
    "wrong",
    [
        {"draws": np.array([[1]], np.int32)},
        {"players": 1},
        {"starts": np.array([0, 2], np.int32)},
        {"sigma": 0.0},
        {"outcome": np.array([1, 1], np.int32)},
    ],
)
def test_the_core_rejects_games_that_do_not_exist(wrong):
    one = {
        "first": np.array([0], np.int32),
        "second": np.array([1], np.int32),
        "outcome": np.array([1], np.int32),
        "starts": np.array([0, 1], np.int32),
        "draws": np.array([[0]], np.int32),
        "players": 2,
        "sigma": 1.0,
        "beta": 1.0,
        "tau": 0.0,
        "margin": 0.1,
        "seed": 0,
        "first_run": 0,
        "threads": 1,
    }
    assert _core.trueskill(**one).shape == (1, 4)
    with pytest.raises(ValueError, match=r"out of range|lengths|above 0"):
        _core.trueskill(**{**one, **wrong})


def test_trueskill_is_the_same_for_any_number_of_threads():
    rng = np.random.default_rng(1)
    result = rankings(
        *(
            dict(zip(NAMES, rng.integers(1, 4, 4).tolist(), strict=True))
            for _ in range(50)
        )
    ).comparisons()
    one = trueskill(result, runs=9, threads=1)
    assert one == trueskill(result, runs=9, threads=3)
    assert one != trueskill(result, runs=9, seed=7)


def test_trueskill_survives_games_that_its_skills_rule_out():
    result = rankings(*[{"A": 1, "B": 2}] * 3000, *[{"A": 1, "B": 1}] * 3)
    skill = trueskill(result.comparisons(), model=TrueSkill(beta=0.001), runs=5)
    assert all(math.isfinite(s.mean) and s.deviation > 0 for s in skill.values())


@pytest.mark.parametrize(
    "wrong", [{"sigma": 0}, {"beta": -1}, {"draw": 1}, {"tau": -1}]
)
def test_trueskill_rejects_numbers_out_of_range(wrong):
    with pytest.raises(InputError, match="sigma and beta"):
        TrueSkill(**wrong)


def test_trueskill_without_draws_rejects_ties():
    model = TrueSkill(draw=0)
    decided = rankings(*[{"A": 1, "B": 2}] * 5)
    skill = trueskill(decided.comparisons(), model=model, runs=5)
    assert skill["A"].mean > skill["B"].mean
    tied = rankings({"A": 1, "B": 2}, {"A": 1, "B": 1})
    with pytest.raises(InputError, match=r"there are ties.*give draw above 0"):
        trueskill(tied.comparisons(), model=model, runs=5)
    with pytest.raises(InputError, match="there are ties"):
        rank_systems(tied, method="trueskill", model=model, resamples=5)


# ------------------------------------------------------------------ rank_systems


def world(seed=3, judgements=150) -> Judgements:
    """Return judgements of four systems, of which C and D are equally good."""
    rng = np.random.default_rng(seed)
    quality = np.array([1.4, 0.5, -0.4, -0.4])
    orders = []
    for _ in range(judgements):
        seen = quality + rng.normal(size=4)
        ranks = 1 + (np.round(seen.max() - seen, 0)).astype(int)
        orders.append(dict(zip(NAMES, ranks.tolist(), strict=True)))
    return rankings(*orders)


@pytest.mark.parametrize("method", COMPARED)
def test_every_method_finds_the_order_of_a_simulated_world(method):
    ranking = rank_systems(world(), method=method, resamples=200)
    assert [s.system for s in ranking.systems][:2] == ["A", "B"]
    assert ranking.clusters()[0] == ["A"]
    assert ranking.clusters()[-1] in (["C", "D"], ["D", "C"])
    for each in ranking.systems:
        low, high = each.interval
        assert low <= each.score <= high
        assert each.rank[0] <= each.rank[1]


@pytest.mark.parametrize("method", COMPARED)
def test_renaming_systems_changes_nothing_but_names(method):
    names = {"A": "z", "B": "y", "C": "x", "D": "w"}
    result = world(judgements=40)
    records = [
        {names[row["system"]]: row["rank"] for row in group}
        for group in _groups(result)
    ]
    ours = rank_systems(result, method=method, resamples=0).scores()
    renamed = rank_systems(rankings(*records), method=method, resamples=0).scores()
    tolerance = 1e-3 if method == "trueskill" else 1e-9
    assert {names[n]: s for n, s in ours.items()} == pytest.approx(
        renamed, abs=tolerance
    )


def _groups(games: Judgements):
    rows = games.rankings.collect().to_dicts()
    return [rows[i : i + 4] for i in range(0, len(rows), 4)]


@pytest.mark.parametrize("method", COUNTED)
def test_the_order_of_judgements_does_not_matter(method):
    orders = [
        {r["system"]: r["rank"] for r in g} for g in _groups(world(judgements=40))
    ]
    one = rank_systems(rankings(*orders), method=method, resamples=0).scores()
    two = rank_systems(rankings(*reversed(orders)), method=method, resamples=0).scores()
    assert one == pytest.approx(two, abs=1e-9)


def test_a_run_is_determined_by_its_seed():
    result = world(judgements=60)
    for method in ("wins", "trueskill"):
        one = rank_systems(result, method=method, resamples=100)
        assert one == rank_systems(result, method=method, resamples=100)
        other = rank_systems(result, method=method, resamples=100, seed=1)
        assert [s.interval for s in one.systems] != [s.interval for s in other.systems]


def test_equal_systems_share_a_cluster_and_a_range():
    result = Judgements.from_iterable(
        Ranking((Place(("A", "B"), 1), Place(("C",), 2)), str(i)) for i in range(30)
    )
    for clusters, method in product(("bootstrap", "pairwise"), COMPARED):
        ranking = rank_systems(result, method=method, clusters=clusters, resamples=100)
        assert list(map(sorted, ranking.clusters())) == [["A", "B"], ["C"]]
        assert [s.rank for s in ranking.systems] == [(1, 2), (1, 2), (3, 3)]


def test_pairs_show_shares_and_sign_tests():
    result = rankings(
        *[{"A": 1, "B": 2}] * 8, *[{"A": 2, "B": 1}] * 2, {"A": 1, "B": 1}
    )
    pairs = rank_systems(result, method="wins", resamples=0).pairs
    assert pairs.values == [[None, 0.8], [0.2, None]]
    assert pairs.p[0][1] == pytest.approx(0.109375)
    assert not pairs.better("A", "B")
    assert pairs.better("A", "B", alpha=0.2)
    assert not pairs.better("B", "A", alpha=0.2)


def test_a_system_without_decided_comparisons_has_no_ratio():
    result = rankings({"A": 1, "B": 2}, {"A": 1, "C": 1})
    ranking = rank_systems(result, method="wins", resamples=10)
    assert ranking.scores() == {"A": 1.0, "B": 0.0, "C": None}
    assert ranking.systems[-1].rank is None
    assert ranking.notes[0] == Note("no-score", {"systems": ["C"]})


def test_wrong_input_is_explained():
    with pytest.raises(UnknownNameError, match="ranking method"):
        rank_systems(world(), method="elo")
    with pytest.raises(UnknownNameError, match="clusters"):
        rank_systems(world(), clusters="some")
    with pytest.raises(UnknownNameError, match="unit"):
        rank_systems(world(), unit="judge")
    with pytest.raises(InputError, match="ratings"):
        rank_systems(world(), method="mean")
    with pytest.raises(InputError, match="confidence"):
        rank_systems(world(), confidence=2)
    with pytest.raises(InputError, match="resamples"):
        rank_systems(world(), resamples=-1)
    with pytest.raises(InputError, match="error spans"):
        rank_systems(world(), method="mqm")
    with pytest.raises(InputError, match="needs comparisons"):
        rank_systems(Judgements.from_iterable([]))
    two = [
        Ranking((Place(("A",), 1), Place(("B",), 2)), "1", langpair=pair)
        for pair in ("cs-en", "de-en")
    ]
    with pytest.raises(InputError, match="cs-en, de-en"):
        rank_systems(Judgements.from_iterable(two))


def test_methods_are_those_that_run():
    assert set(COMPARED) | {"mean", "z", "mqm"} == set(METHODS)


# --------------------------------------------------------------------- resampling


def test_resampled_tables_have_the_right_means_for_rankings_and_pairs():
    result = world(judgements=30).comparisons()
    pairs = result.select(np.arange(len(result)))
    alone = Comparisons(
        **{**vars(pairs), "ranking": np.arange(len(result), dtype=np.int32)}
    )
    for each in (result, alone):
        rng = np.random.default_rng(0)
        parts = list(resampled_wins(each, resamples=4000, rng=rng))
        wins = np.concatenate([part[0] for part in parts])
        ties = np.concatenate([part[1] for part in parts])
        assert wins.mean(axis=0) == pytest.approx(each.wins().wins, abs=0.6)
        assert ties.mean(axis=0) == pytest.approx(each.wins().ties, abs=0.6)
        total = wins.sum(axis=(1, 2)) + ties.sum(axis=(1, 2)) / 2
        assert set(total) == {float(len(result))}


def test_sign_test_is_exact():
    from scipy.stats import binomtest

    for won, lost in ((0, 0), (3, 3), (7, 2), (1, 12), (200, 150)):
        expected = binomtest(won, won + lost).pvalue if won + lost else 1.0
        p = sign_test(np.array([float(won)]), np.array([float(lost)]))[0]
        assert p == pytest.approx(expected)


def test_sentences_and_parts_together_are_remarked():
    both = Judgements.from_iterable(
        Ranking((Place(("A",), 1), Place(("B",), 2)), "1", part=part)
        for part in (None, "x")
    )
    (note,) = rank_systems(both, method="wins", resamples=0).notes
    assert note == Note("mixed-levels")
