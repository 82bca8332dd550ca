# SPDX-License-Identifier: Apache-2.0
"""One rule says how systems are scored, wherever they are."""

from __future__ import annotations

import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.judgements import Judgements, Place, Ranking, Rating, Span, write_store
from tertium.judgements.agreement.overview import agree
from tertium.judgements.ranking import default_method
from tertium.meta import human_judgements

RANKING = Ranking((Place(("A",), 1), Place(("B",), 2)), "1", langpair="a-b")


def rated(*rows, judge="j"):
    return [
        Rating(s, score, "DA", str(i), judge, langpair="a-b")
        for i, (s, score) in enumerate(rows)
    ]


APART = rated(("A", 80), ("B", 20), ("A", 70), ("B", 40))
SPAN = Span("A", "x", "major", "1", judge="j", langpair="a-b")
CHECK = Rating("A", 5, "DA-control", "1", "j", langpair="a-b")


@pytest.mark.parametrize(
    ("records", "kind", "method"),
    [
        ([RANKING, *APART, SPAN], "rankings", "expected-wins"),
        ([*APART, SPAN], "ratings", "z"),
        (rated(("A", 5), ("B", 5)), "ratings", "mean"),
        (rated(("A", 5), ("B", 6), judge=None), "ratings", "mean"),
        ([SPAN], "spans", "mqm"),
        ([CHECK, SPAN], "spans", "mqm"),
        ([Ranking((Place(("A",), 1),), "1"), *APART], "ratings", "z"),
        ([Ranking((Place((), 1, text="x"), Place((), 2)), "1"), SPAN], "spans", "mqm"),
    ],
)
def test_the_method_follows_from_the_judgements(records, kind, method):
    result = default_method(Judgements.from_iterable(records))
    assert (result.kind, result.method) == (kind, method)
    assert bool(result.reason) == (method == "mean")


def test_the_scale_of_error_spans_asks_for_their_method():
    spans = Span("A", "x", "minor", "1", 0, 1, judge="j")
    both = Judgements.from_iterable([*rated(("A", 1), ("A", 2)), spans])
    assert default_method(both).method == "z"
    assert default_method(both, scale="MQM").method == "mqm"


def test_without_judgements_there_is_no_method():
    with pytest.raises(InputError, match="no judgements"):
        default_method(Judgements.from_iterable([]))


@pytest.mark.parametrize(
    "records", [APART, rated(("A", 5), ("B", 6), judge=None), [*APART, SPAN], [SPAN]]
)
def test_rank_correlate_and_the_dashboard_score_systems_alike(
    tmp_path, capsys, run_json, records
):
    from tertium.campaigns.dashboard.statistics import _systems

    judgements = Judgements.from_iterable(records)
    write_store(judgements, tmp_path / "store")
    (ranking,) = run_json("rank", str(tmp_path / "store"), "--bootstrap", "0")[
        "rankings"
    ]
    scores = {each["system"]: each["score"] for each in ranking["systems"]}
    human = human_judgements(judgements)
    assert human.scores == pytest.approx(scores)
    first = next(iter(_systems(judgements)))
    assert first.method == ranking["method"] == default_method(judgements).method
    assert first.ranking.scores() == pytest.approx(scores)


def test_correlate_prints_how_systems_are_scored(tmp_path, capsys):
    write_store(Judgements.from_iterable(APART), tmp_path / "store")
    (tmp_path / "m.tsv").write_text("system\tscore\nA\t2\nB\t1\n")
    argv = ["correlate", "-J", str(tmp_path / "store"), "--coef", "pearson"]
    argv += ["--scores", str(tmp_path / "m.tsv"), "--resamples", "0"]
    assert main(argv) == 0
    assert "human judgements: DA ratings as z-scores" in capsys.readouterr().out
    assert main([*argv, "--human", "mean"]) == 0
    assert "human judgements: DA ratings as means" in capsys.readouterr().out


def test_agreement_is_on_spans_where_ratings_name_no_judge():
    odd = rated(("A", 5), judge=None)
    again = SPAN._replace(judge="k")
    report = agree(Judgements.from_iterable([*odd, SPAN, again]))
    assert report.whole.ratings["MQM"].units == 1
