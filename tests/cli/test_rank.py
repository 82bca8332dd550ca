# SPDX-License-Identifier: Apache-2.0
"""``tertium rank`` as a user meets it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tertium.cli import main

HEAD = "srclang,trglang,srcIndex,segmentId,judgeId,system1Id,system1rank,system2Id,"
HEAD += "system2rank,rankingID"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in an empty folder, so that `demo` is the bundled set."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def two_pairs(write_lines):
    """Write judgements of two language pairs, one row of which is bad."""
    rows = []
    for i in range(30):
        rows.append(f"ces,eng,{i},{i},j,A,1,B,2,{i}")
        rows.append(f"deu,eng,{i},{i},j,X,{1 + i % 2},Y,{2 - i % 2},{100 + i}")
    rows.append("deu,eng,7,7,j,X,one,Y,2,999")
    return str(write_lines("pairs.csv", [HEAD, *rows]))


def run(capsys, *arguments: str) -> tuple[str, str]:
    code = main(["rank", *arguments])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return captured.out, captured.err


def test_one_table_a_language_pair_with_lines_between_clusters(two_pairs, capsys):
    out, err = run(capsys, two_pairs, "--bootstrap", "100")
    assert "cs-en: expected-wins (30 rankings, 30 comparisons)" in out
    assert "de-en: expected-wins" in out
    lines = out.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("1  A"))
    assert set(lines[first + 1]) == {"-", " "}
    assert lines[first + 2].startswith("2  B")
    assert "pairs.csv: 1 row left out, the first at " in err
    assert "pairs.csv:62 (" in err
    out, _ = run(capsys, two_pairs, "-l", "de-en", "--bootstrap", "0")
    assert "cs-en" not in out
    assert "sign test" in out


def test_json_has_what_the_help_says(capsys, run_json):
    result = run_json("rank", "demo", "--method", "all", "--bootstrap", "50")
    methods = [each["method"] for each in result["rankings"]]
    assert methods == [
        "wins",
        "wins-or-ties",
        "expected-wins",
        "bradley-terry",
        "trueskill",
        "hopkins-may",
        "mean",
        "z",
    ]
    for each in result["rankings"]:
        assert set(each) == {
            "method",
            "langpair",
            "systems",
            "pairs",
            "run",
            "notes",
            "level",
        }
        assert each["systems"][0]["system"] == "good"
        assert each["run"]["seed"] == 12345
    planned = run_json("rank", "demo", "--plan", "0.8", "--next", "3")
    assert {p["needed"] for p in planned["plans"]["en-de"]["pairs"]} > {None}
    assert len(planned["next"]["en-de"]) == 3


def test_programs_get_one_table_with_all_digits(capsys):
    out, _ = run(capsys, "demo", "-f", "tsv", "--method", "wins", "z")
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert len(rows) == 8
    assert rows[0]["system"] == "good"
    assert float(rows[0]["low"]) < float(rows[0]["score"]) < float(rows[0]["high"])
    out, _ = run(capsys, "demo", "-f", "csv", "--next", "2")
    assert len(list(csv.DictReader(io.StringIO(out)))) == 2
    out, _ = run(capsys, "demo", "-f", "csv", "--plan", "0.9")
    assert len(list(csv.DictReader(io.StringIO(out)))) == 6


def test_the_matrix_shows_the_column_against_the_row(capsys):
    out, _ = run(capsys, "demo", "--matrix", "--bootstrap", "10")
    table = out[out.index("en-de: pairs") :].splitlines()
    assert table[1].split() == ["good", "order", "copy", "words"]
    assert table[4].split() == ["order", "0.83‡", "-", "0.31‡", "0.31‡"]
    assert "the column's system won against the row's" in out


def test_latex_has_a_rule_between_clusters(capsys):
    out, _ = run(capsys, "demo", "-f", "latex", "--method", "mean")
    assert out.count(r"\midrule") == 3


def test_a_file_can_be_written(capsys, tmp_path):
    run(capsys, "demo", "-f", "json", "-o", "out.json", "--bootstrap", "10")
    data = json.loads((tmp_path / "out.json").read_text())
    assert data["rankings"][0]["method"] == "expected-wins"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["demo", "--method", "mqm"], "error spans"),
        (["demo", "-l", "cs-en"], "there are en-de"),
        (["demo", "--plan", "2"], "power"),
        (["demo", "--confidence", "0"], "confidence"),
        (["demo", "--method", "elo"], "elo"),
        ([], "STORE"),
        (["nothing.csv"], "nothing.csv"),
    ],
)
def test_wrong_usage_is_explained(arguments, message, capsys):
    assert main(["rank", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.fixture
def two_levels(tmp_path):
    """Write a store with rankings of sentences and of their segments."""
    from tertium.judgements import Judgements, Place, Ranking, write_store

    def place(name, rank, text):
        return Place(tuple(name), rank, text=text)

    records = []
    for i in range(6):
        whole = (place("A", 1, None), place("B", 2, None), place("C", 3, None))
        records.append(Ranking(whole, str(i), langpair="en-cs"))
        part = (place("AB", 1 + i % 2, "obrovský objem"), place("C", 2, "objem"))
        records.append(Ranking(part, str(i), part="volume", langpair="en-cs"))
    path = str(tmp_path / "store")
    write_store(Judgements.from_iterable(records), path)
    return path


def test_levels_and_unseen_systems_are_shown(two_levels, capsys, run_json):
    out, _ = run(capsys, two_levels, "--levels", "2", "--unseen", "--bootstrap", "0")
    assert "en-cs: levels" in out
    assert "en-cs: left out" in out
    listed = out[out.index("largest disagreements") :].split("\n\n")[0].splitlines()
    assert len(listed) == 5
    result = run_json("rank", two_levels, "--levels", "--unseen", "--bootstrap", "0")
    levels = result["levels"]["en-cs"]
    assert levels["all"]["tau"] == 1.0
    assert any(each["infinite"] for each in levels["disagreements"]) is False
    unseen = {each["system"]: each for each in result["unseen"]["en-cs"]}
    assert unseen["A"]["hit_rate"] == 1.0
    assert unseen["C"]["by_distance"] == {"9": {"worse": 0, "equal": 3, "better": 3}}


def test_levels_as_a_page_have_texts_with_marked_segments(
    two_levels, capsys, write_lines
):
    lines = ["ref\tA\tB\tC", *["r\tobrovský objem je\tx\ty"] * 6]
    texts = str(write_lines("texts.tsv", lines))
    arguments = [two_levels, "--levels", "9", "--bootstrap", "0", "-f", "html"]
    out, _ = run(capsys, *arguments, "-t", texts)
    assert "en-cs: levels" in out
    assert "obrovský objem</mark> je" in out
    assert main(["rank", two_levels, "--levels", "-t", texts]) == 2
    assert "-f html" in capsys.readouterr().err


def test_levels_need_both_kinds(capsys):
    assert main(["rank", "demo", "--levels"]) == 2
    assert "with a part" in capsys.readouterr().err


def test_judgements_without_a_language_pair_are_a_group_of_their_own(
    tmp_path, capsys, run_json
):
    from tertium.judgements import Judgements, Place, Ranking, write_store

    def ranking(i, langpair):
        return Ranking((Place(("A",), 1), Place(("B",), 2)), str(i), langpair=langpair)

    records = [ranking(i, None if i < 4 else "en-cs") for i in range(10)]
    path = str(tmp_path / "store")
    write_store(Judgements.from_iterable(records), path)
    result = run_json("rank", path, "--bootstrap", "0")["rankings"]
    counts = {each["langpair"]: each["run"]["judgements"] for each in result}
    assert counts == {"en-cs": 6, None: 4}
    out, _ = run(capsys, path, "--bootstrap", "0")
    assert "unknown: expected-wins (4 rankings" in out
    out, _ = run(capsys, path, "--bootstrap", "0", "-l", "unknown")
    assert "en-cs" not in out


def test_ratings_of_unknown_judges_are_ranked_by_their_mean(tmp_path, capsys):
    from tertium.judgements import Judgements, Rating, write_store

    some = [Rating(s, v, "DA", n) for s, v, n in (("A", 0.5, "1"), ("B", -0.5, "2"))]
    store = tmp_path / "store"
    write_store(Judgements.from_iterable(some), store)
    assert main(["rank", str(store), "--bootstrap", "0"]) == 0
    assert "mean (2 judgements" in capsys.readouterr().out
    assert main(["rank", str(store), "--bootstrap", "0", "--method", "z"]) == 0
    assert "no judge is known, so z is relative to all ratings" in (
        capsys.readouterr().err
    )


def test_all_methods_go_without_z_where_no_judge_has_a_deviation(tmp_path, capsys):
    from tertium.judgements import Judgements, Rating, write_store

    path = str(tmp_path / "store")
    records = [
        Rating(system, score, "DA", "1", judge=judge)
        for judge, system, score in (("a", "A", 70.0), ("b", "B", 40.0))
    ]
    write_store(Judgements.from_iterable(records), path)
    out, err = run(capsys, path, "--method", "all", "--bootstrap", "0")
    assert "mean" in out
    assert "no z: z needs a judge who gave two different scores" in err
    assert main(["rank", path, "--method", "z"]) == 2
    assert "use the method mean (--method)" in capsys.readouterr().err
    out, err = run(capsys, path, "--bootstrap", "0")
    assert "mean" in out
    assert err.count("ranked by mean, as no judge gave two different scores") == 1


def test_pairwise_tests_without_a_chance_say_why_and_what_helps(write_lines, capsys):
    rows = [f"ces,eng,{i},{i},j,A,1,B,2,{i}" for i in range(5)]
    path = str(write_lines("few.csv", [HEAD, *rows]))
    _, err = run(capsys, path, "--clusters", "pairwise")
    assert (
        "cs-en: no difference can be significant: with 5 comparisons the smallest "
        "possible p is 0.062; test on more comparisons, or take ranges from --clusters "
        "bootstrap\n"
    ) in err
    rows.append("ces,eng,5,5,j,A,1,B,2,5")
    path = str(write_lines("more.csv", [HEAD, *rows]))
    assert "significant" not in run(capsys, path, "--clusters", "pairwise")[1]


def test_resamples_too_few_for_an_interval_are_remarked_on(two_pairs, capsys):
    _, err = run(capsys, two_pairs, "--bootstrap", "20")
    assert "20 resamples are too few for intervals of 95 %" in err
    assert "give --bootstrap 1000\n" in err
    assert "too few" not in run(capsys, two_pairs, "--bootstrap", "40")[1]
