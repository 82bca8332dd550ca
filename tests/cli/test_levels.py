# SPDX-License-Identifier: Apache-2.0
"""Rankings of whole segments and of parts of them, kept separate by every verb."""

from __future__ import annotations

import pytest

from tertium.cli import main
from tertium.judgements import Judgements, Place, Ranking, Rating, write_store


def ranking(segment, part, *systems):
    places = tuple(Place((name,), rank) for rank, name in enumerate(systems, start=1))
    return Ranking(places, segment, part, "j", langpair="en-cs")


WHOLE = [ranking(str(i), None, "A", "B", "C") for i in range(1, 4)]
PARTS = [ranking(str(i), f"part {i}", "C", "B", "A") for i in range(1, 4)]


@pytest.fixture
def store(tmp_path):
    def write(*records):
        write_store(Judgements.from_iterable(records), tmp_path / "store")
        return str(tmp_path / "store")

    return write


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "metric.tsv"
    rows = [f"{s}\t{i}\t{v}" for s, v in zip("ABC", (3, 2, 1), strict=True) for i in
            range(1, 4)]  # fmt: skip
    path.write_text("\n".join(["system\tsegment\tscore", *rows]) + "\n")
    return str(path)


def test_rank_never_counts_levels_together(store, run_json, capsys):
    result = run_json("rank", store(*WHOLE, *PARTS), "--bootstrap", "0")["rankings"]
    best = {each["level"]: each["systems"][0]["system"] for each in result}
    assert best == {"segments": "A", "parts": "C"}


@pytest.mark.parametrize(("choice", "best"), [("part=", "A"), ("part=*", "C")])
def test_only_chooses_a_level(store, run_json, choice, best):
    argv = ["rank", store(*WHOLE, *PARTS), "--bootstrap", "0", "--only", choice]
    (result,) = run_json(*argv)["rankings"]
    assert (result["systems"][0]["system"], result["level"]) == (best, None)


@pytest.mark.parametrize(
    ("records", "choice", "words"),
    [
        (WHOLE, "part=*", "no judgement has a part"),
        (PARTS, "part=", "no judgement lacks a part"),
        (PARTS, "party=", "no table has a column 'party'"),
        (PARTS, "party=*", "no table has a column 'party'"),
    ],
)
def test_a_level_that_is_not_there_is_an_error(store, capsys, records, choice, words):
    assert main(["rank", store(*records), "--only", choice]) == 2
    assert words in capsys.readouterr().err


def test_correlate_compares_systems_by_parts(store, scores, run_json):
    argv = ["correlate", "-J", store(*PARTS), "--scores", scores, "--coef", "pearson"]
    (result, *_) = run_json(*argv)["correlations"]
    assert result["value"] == pytest.approx(-1.0)


def test_correlate_asks_for_a_level_and_takes_it(store, scores, run_json, capsys):
    argv = ["correlate", "-J", store(*WHOLE, *PARTS), "--scores", scores]
    argv += ["--coef", "pearson"]
    assert main(argv) == 2
    assert "by part=* (--only)" in capsys.readouterr().err
    whole = run_json(*argv, "--only", "part=")["correlations"][0]["value"]
    parts = run_json(*argv, "--only", "part=*")["correlations"][0]["value"]
    assert (whole, parts) == (pytest.approx(1.0), pytest.approx(-1.0))


def test_segments_that_were_not_scored_do_not_stop_a_comparison_of_systems(
    store, scores, run_json, capsys
):
    odd = [Rating(s, v, "DA", f"d:{i}", "j", langpair="en-cs") for i in range(3)
           for s, v in (("A", 80 + i), ("B", 50 - i), ("C", 20))]  # fmt: skip
    argv = ["correlate", "-J", store(*odd), "--scores", scores, "--no-probes"]
    (result,) = run_json(*argv, "--coef", "pearson")["correlations"]
    assert result["value"] > 0.9
    assert main([*argv, "--coef", "pearson", "pearson:none"]) == 2
    assert "has no score for segment d:0 of A" in capsys.readouterr().err
