# SPDX-License-Identifier: Apache-2.0
"""The vectors on rankings of systems, and the official rankings of WMT."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest

from tertium.judgements import (
    Judgements,
    Place,
    Ranking,
    Rating,
    import_judgements,
)
from tertium.judgements.formats.names import system_name
from tertium.judgements.ranking import (
    expected_wins,
    rank_systems,
    ratio_of_wins,
    trueskill,
    wins_or_ties,
)
from tertium.judgements.reuse.unseen import edit_distance

# Macháček (2014), tables 3.1a and 3.1b: ratio of wins over segments and at WMT14.
TABLE_31 = {
    "cu-depfix": (0.5777, 0.6101),
    "onlineB": (0.5642, 0.5439),
    "uedin-uncon.": (0.5626, 0.5967),
    "cu-bojar": (0.5606, 0.6011),
    "cu-funky": (0.5566, 0.5823),
    "uedin-wmt14": (0.5498, 0.5285),
    "onlineA": (0.5007, 0.5039),
    "CU-TectoMT": (0.4485, 0.4473),
    "commercial1": (0.3992, 0.3617),
    "commercial2": (0.3492, 0.2780),
}


def test_a_candidate_counts_for_every_system_that_produced_it():
    others = tuple(
        name for name in TABLE_31 if name not in ("CU-TectoMT", "commercial1")
    )
    places = (
        Place(("CU-TectoMT",), 1, text="velkému objemu"),
        Place(("commercial1",), 5, garbage=True, text="obrovské hlasitosti"),
        Place(others[:4], 2, text="obrovský objem"),
        Place(others[4:], 2, text="obrovské množství"),
    )
    comparisons = Judgements.from_iterable(
        [Ranking(places, "1", part="0")]
    ).comparisons()
    assert len(comparisons) == 45
    wins = comparisons.wins()
    counted = {
        name: (
            int(wins.wins[i].sum()),
            int(wins.wins[:, i].sum()),
            int(wins.ties[i].sum()),
        )
        for i, name in enumerate(wins.systems)
    }
    assert counted.pop("CU-TectoMT") == (9, 0, 0)
    assert counted.pop("commercial1") == (0, 9, 0)
    assert set(counted.values()) == {(1, 1, 7)}
    ratios = ratio_of_wins(wins)
    assert (ratios["CU-TectoMT"], ratios["commercial1"]) == (1.0, 0.0)
    assert ratios["onlineB"] == 0.5


def test_aggregators_of_the_spec():
    games = ["AB"] * 3 + ["BA", "A=B"] + ["AC"] * 4 + ["BC", "CB"] + ["B=C"] * 2
    wins = Judgements.from_iterable(map(_game, games)).comparisons().wins()
    for scorer, expected in (
        (ratio_of_wins, (0.8750, 0.3333, 0.1667)),
        (wins_or_ties, (0.8889, 0.5556, 0.3750)),
        (expected_wins, (0.875, 0.375, 0.250)),
    ):
        assert tuple(scorer(wins).values()) == pytest.approx(expected, abs=5e-5)


def _game(text: str) -> Ranking:
    first, second = text[0], text[-1]
    return Ranking((Place((first,), 1), Place((second,), 1 if "=" in text else 2)), "1")


_FAVOUR = "se dokumenty favorizovat doprovod hradu"


@pytest.mark.parametrize(
    ("pair", "distance"),
    [
        ("videokonference|videokonferenci", 1),
        ("popřel užívání kokainu a|popřela užívání kokainu a", 1),
        ("ze 120 domova m2|z 120 m2 domova", 7),
        ("vaše ústa ohřívá protein|vaše ústa zahřívání bílkovin", 10),
        ("v Liverpoolském porotním soudu|Liverpool Korunního soudu", 11),
        ("je nesmysl v gravitaci filmu|Je nesmysl ve filmu gravitace", 15),
        (
            " hradu|".join(("s dokumenty upřednostňujícím doprovodem", _FAVOUR)),
            18,
        ),
        ("Pak 64,23 % oprávněných voličů|pak 64,23 % oprávněných voličů", 1),
        ("podle DPA agentury|podle DPA agentury té", 3),
        ("přibližně šedesát- drah kilometru|přibližně šedesát-dráha kilometru", 3),
    ],
)
def test_distances_of_table_36(pair, distance):
    assert edit_distance(*pair.split("|")) == distance


def test_segment_scores_correlate_with_official_ones_as_stated():
    from scipy.stats import pearsonr, spearmanr

    segments, official = zip(*TABLE_31.values(), strict=True)
    assert pearsonr(segments, official).statistic == pytest.approx(0.9802, abs=5e-5)
    assert spearmanr(segments, official).statistic == pytest.approx(0.9152, abs=5e-5)


# ------------------------------------------------------------------- official WMT

LANGUAGES = {
    "ces": "cs",
    "cze": "cs",
    "deu": "de",
    "eng": "en",
    "fin": "fi",
    "fre": "fr",
    "ron": "ro",
    "rus": "ru",
    "tur": "tr",
}


class Official(NamedTuple):
    score: float
    rank: tuple[int, int]
    cluster: int


def read_official(path: Path) -> dict[str, Official]:
    """Return the published TrueSkill scores, rank ranges and clusters."""
    result, cluster = {}, 1
    for line in path.read_text().splitlines():
        if line.startswith("+"):
            cluster += 1
            continue
        name, score, best, worst = re.fullmatch(
            r"(\S+) (\S+) \((\d+)\.0, (\d+)\.0\)", line
        ).groups()
        name = system_name(name.removeprefix("newsdiscusstest2015."))
        result[name] = Official(float(score), (int(best), int(worst)), cluster)
    return result


@pytest.fixture(scope="module")
def campaigns(wmt_data):
    """Return comparisons and official results of WMT15 and WMT16."""
    results = []
    for year in ("wmt15", "wmt16"):
        for path in sorted((wmt_data / year / "official").glob("*.txt")):
            source, target = path.name.split(".")[1].split("-")
            pair = f"{LANGUAGES[source]}-{LANGUAGES[target]}"
            judged = Judgements.read(wmt_data / year / f"{pair}.rankings.tsv.gz")
            results.append((judged.comparisons(), read_official(path)))
    assert len(results) == 22
    return results


# Mean and least correlation with the official scores over 22 language pairs as it was
# measured, cut to three digits. The model of the official scores is TrueSkill; the
# others share its judgements.
MEASURED = {
    "wins": (0.994, 0.974, 0.939),
    "expected-wins": (0.994, 0.974, 0.950),
    "bradley-terry": (0.998, 0.988, 0.956),
    "hopkins-may": (0.998, 0.995, 0.956),
    "trueskill": (0.998, 0.994, 0.956),
}


@pytest.mark.wmt
@pytest.mark.slow
@pytest.mark.parametrize("method", MEASURED)
def test_scores_correlate_with_the_official_ones(campaigns, method):
    from scipy.stats import pearsonr, spearmanr

    pearson, spearman = [], []
    for comparisons, official in campaigns:
        if method == "trueskill":
            skills = trueskill(comparisons, runs=10)
            scores = {name: skill.mean for name, skill in skills.items()}
        else:
            scores = rank_systems(comparisons, method=method, resamples=0).scores()
        assert scores.keys() == official.keys()
        pair = [(scores[name], official[name].score) for name in official]
        pearson.append(pearsonr(*zip(*pair, strict=True)).statistic)
        spearman.append(spearmanr(*zip(*pair, strict=True)).statistic)
    mean, least, least_rank = MEASURED[method]
    assert sum(pearson) / 22 >= mean
    assert min(pearson) >= least
    assert min(spearman) >= least_rank


@pytest.mark.wmt
@pytest.mark.slow
def test_clusters_agree_with_the_official_ones(campaigns):
    """Resampling comparisons, as WMT did, gives as many clusters as WMT had.

    Rankings as units give fewer: comparisons of a ranking depend on each other.
    """
    number, agreement = {}, {}
    for unit in ("comparison", "ranking"):
        clusters = same = pairs = overlapping = 0
        for comparisons, official in campaigns:
            ranking = rank_systems(comparisons, method="wins", unit=unit, resamples=200)
            clusters += len(ranking.clusters())
            ours = {each.system: each for each in ranking.systems}
            for a, b in combinations(official, 2):
                pairs += 1
                together = ours[a].cluster == ours[b].cluster
                same += together == (official[a].cluster == official[b].cluster)
            for name, (_, (best, worst), _) in official.items():
                low, high = ours[name].rank
                overlapping += low <= worst and best <= high
        number[unit], agreement[unit] = clusters, same / pairs
    expected = sum(
        max(o.cluster for o in official.values()) for _, official in campaigns
    )
    assert expected == 134
    assert abs(number["comparison"] - expected) <= 8  # 136 measured
    assert number["ranking"] < number["comparison"]  # 106 measured
    assert agreement["comparison"] > 0.9  # 0.918 measured
    assert agreement["ranking"] > 0.85  # 0.872 measured
    assert overlapping >= 255  # of 259 systems; 258 measured


@pytest.mark.wmt
def test_mean_mqm_and_ratings_equal_those_of_mt_metrics_eval(wmt_data):
    """Segment scores of a mt-metrics-eval folder average to its system scores."""
    folder = wmt_data / "wmt23-mtme" / "human-scores"
    for kind in ("mqm", "da-sqm"):
        with gzip.open(folder / f"en-de.{kind}.seg.score.gz", "rt") as file:
            rows = [line.split() for line in file]
        counted = Counter[str]()
        records = []
        for system, score in rows:
            counted[system] += 1
            if score != "None":
                records.append(Rating(system, float(score), kind, str(counted[system])))
        ranking = rank_systems(
            Judgements.from_iterable(records), method="mean", resamples=0
        )
        with gzip.open(folder / f"en-de.{kind}.sys.score.gz", "rt") as file:
            official = dict(line.split() for line in file)
        for system, score in ranking.scores().items():
            assert score == pytest.approx(float(official[system]), abs=1e-9)


@pytest.mark.wmt
def test_wmt12_rankings_win_as_often_as_their_lists_of_pairs_say(wmt_data):
    folder = wmt_data / "wmt12"
    result = import_judgements([folder / "wmt12.RNK_results.csv.gz"]).judgements
    assert len(result.names("langpair")) == 8
    for pair in result.names("langpair"):
        won, lost = Counter[str](), Counter[str]()
        with gzip.open(folder / f"{pair}.pairs.tsv.gz", "rt") as file:
            for line in file:
                _, better, worse = line.split()
                if better != "better":
                    won[better] += 1
                    lost[worse] += 1
        ratios = ratio_of_wins(result.filter(langpair=pair).comparisons().wins())
        assert ratios == pytest.approx(
            {name: won[name] / (won[name] + lost[name]) for name in won | lost}
        )
