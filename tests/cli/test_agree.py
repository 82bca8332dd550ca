# SPDX-License-Identifier: Apache-2.0
"""``tertium agree`` as a user meets it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tertium import Judgements
from tertium.cli import main
from tertium.judgements import Span, demo_files, import_judgements, write_store

HEAD = "srclang,trglang,srcIndex,segmentId,judgeId,system1Id,system1rank,"
HEAD += "system2Id,system2rank,rankingID"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in an empty folder, so that `demo` is the bundled set."""
    monkeypatch.chdir(tmp_path)


def run(capsys, *arguments):
    code = main(["agree", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def write_rankings(path, *lines):
    Path(path).write_text("\n".join([HEAD, *lines]) + "\n")


def test_the_demo_shows_who_is_careless(capsys):
    code, out, _ = run(capsys, "demo")
    assert code == 0
    for title in ("Agreement on rankings", "ratings: DA", "Judges", "Flagged"):
        assert title in out
    seen = out.partition("Flagged")[2]
    assert "judge6" in seen
    assert not any(
        name in seen for name in ("judge1", "judge2", "judge3", "judge4", "judge5")
    )


def test_every_format_can_be_written(capsys):
    for name in ("table", "md", "latex", "html", "tsv", "csv"):
        code, out, _ = run(capsys, "demo", "-f", name, "--adjust", "z", "--pairs")
        assert code == 0
        assert len(out.splitlines()) > 10


def test_json_has_the_promised_shape(capsys):
    arguments = ["demo", "-f", "json", "--by", "langpair", "--pairs"]
    arguments += ["--adjust", "judge", "--intervals", "--resamples", "50"]
    code, out, _ = run(capsys, *arguments)
    data = json.loads(out)
    assert code == 0
    assert [group["name"] for group in data["groups"]] == ["all", "en-de"]
    whole = data["groups"][0]
    inter = whole["rankings"]["inter"]
    assert inter["interval"][0] < inter["value"] < inter["interval"][1]
    assert inter["band"] == "fair"
    assert inter["observed"] == inter["agreed"] / inter["compared"]
    assert set(whole["rankings"]["outcomes"]) == {"alpha", "fleiss"}
    assert len(whole["ratings"]["DA"]["icc"]) == 6
    assert len(data["judges"]) == 6
    assert {f["kind"] for f in data["judges"][-1]["flags"]} >= {"fast", "chance"}
    assert len(data["pairs"]) == 15
    assert data["adjusted"]["DA"]["test"]["p"] > 0
    assert data["bootstrap"] == {"resamples": 50, "seed": 12345, "confidence": 0.95}
    assert "NaN" not in out


def test_a_store_gives_the_figures_of_its_files(capsys):
    write_store(import_judgements(demo_files()).judgements, "store")
    write_store(import_judgements(demo_files()).judgements, "store.sqlite")
    outputs = [run(capsys, name, "-f", "json")[1] for name in ("store", "store.sqlite")]
    assert outputs[0] == outputs[1] == run(capsys, "demo", "-f", "json")[1]


def test_tables_for_programs(capsys):
    *judges, everybody = rows(run(capsys, "demo", "--by", "judge", "-f", "csv")[1])
    spent = sum(float(row["total_seconds"]) for row in judges)
    assert everybody["judge"] == ""
    assert float(everybody["total_seconds"]) == pytest.approx(spent)
    assert int(everybody["judgements"]) == sum(int(row["judgements"]) for row in judges)
    assert [row["judge"] for row in judges][-1] == "judge6"
    assert float(judges[-1]["inter"]) < 0.1
    assert "no better than chance" in judges[-1]["flags"]
    pairs = rows(run(capsys, "demo", "--pairs", "-f", "csv", "-w", "2")[1])
    assert len(pairs) == 15
    assert all(len(row["kappa"].lstrip("-")) == 4 for row in pairs)
    result = rows(run(capsys, "demo", "--by", "time", "--slices", "2", "-f", "csv")[1])
    assert {row["coefficient"] for row in result} >= {"inter-kappa", "ICC(2,1)"}
    assert len({row["group"] for row in result}) == 5


def test_one_judge_and_no_overlap_are_explained(capsys):
    write_rankings("one.csv", "deu,eng,1,1,j,A,1,B,2,1", "deu,eng,2,2,j,A,1,B,2,2")
    code, out, _ = run(capsys, "one.csv")
    assert code == 0
    assert "n/a" in out
    assert "inter κ is n/a where no two judges ranked the same" in out
    result = rows(run(capsys, "one.csv", "-f", "csv")[1])
    assert result[0]["value"] == ""
    assert result[0]["reason"]


def test_what_has_nothing_to_work_on_is_said(capsys):
    write_rankings("one.csv", "deu,eng,1,1,j,A,1,B,2,1")
    assert "no ratings to adjust" in run(capsys, "one.csv", "--adjust", "z")[2]
    ratings = demo_files()[1]
    assert "no pairs of judges" in run(capsys, ratings, "--pairs")[2]


def test_bad_rows_are_counted(capsys):
    write_rankings("bad.csv", "deu,eng,1,1,j,A,1,B,2,1", "deu,eng,1,1,k,A,x,B,2,2")
    code, _, err = run(capsys, "bad.csv")
    assert code == 0
    assert "bad.csv: 1 row left out, the first at bad.csv:" in err
    assert "bad.csv:3" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.csv"], "missing.csv"),
        (["demo", "--scale", "MQM"], "no ratings on the scale 'MQM'"),
        (["demo", "--confidence", "2", "--intervals"], "confidence"),
        (["demo", "--by", "moon"], "invalid choice"),
        (["de-en.rank"], "no judgement names its judge"),
        ([], "required"),
    ],
)
def test_mistakes_are_explained(arguments, message, capsys, write_lines):
    write_lines("de-en.rank", ["1\tA\tB", "2\tB\tA"])
    code, out, err = run(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert message in err


def test_a_language_pair_chooses_judgements(capsys):
    results = [f"deu,eng,{i},{i},{j},A,1,B,2,{i}" for i in range(3) for j in "ab"]
    other = [f"ces,eng,{i},{i},{j},A,1,B,2,{i}" for i in range(5) for j in "cd"]
    write_rankings("two.csv", *results, *other)

    def shown(*arguments):
        code, out, err = run(capsys, *arguments, "-f", "json")
        assert code == 0, err
        data = json.loads(out)
        return data["groups"][0]["rankings"]["rankings"], [
            each["judge"] for each in data["judges"]
        ]

    assert shown("two.csv", "-l", "de-en") == (6, ["a", "b"])
    assert shown("two.csv", "-l", "de-en", "cs-en")[0] == 16
    code, _, err = run(capsys, "two.csv", "-l", "fr-en")
    assert code == 2
    assert "no judgements of the language pair fr-en; there are cs-en, de-en" in err
    # A file that names none is taken to be of the one that is asked for.
    lines = ["segment\tjudge\ta\tb\trelation", "1\tx\tA\tB\t<", "1\ty\tA\tB\t<"]
    Path("plain.txt").write_text("\n".join(lines) + "\n")
    assert shown("plain.txt", "-l", "fr-en") == (2, ["x", "y"])
    assert shown("plain.txt", "two.csv", "-l", "de-en")[0] == 8


def test_ratings_that_no_two_judges_share_have_no_rows_of_nothing(capsys):
    table = "system\tsegment\tjudge\tscore\tscale\n"
    for judge, segment in (("a", 1), ("a", 2), ("b", 3), ("b", 4)):
        table += f"A\t{segment}\t{judge}\t{10 * segment}\tESA\n"
    table += "A\t1\ta\t12\tESA\nA\t2\ta\t25\tESA\n"  # rated again
    Path("esa.tsv").write_text(table)
    code, out, err = run(capsys, "esa.tsv")
    assert (code, err) == (0, "")
    agreement, _, judges = out.partition("Judges\n")
    assert "No output was rated by two judges" in agreement
    assert not any(part in out for part in ("k is", "ICC", "α interval"))
    assert "n/a:" not in out
    shown = [line.split() for line in agreement.splitlines()]
    assert ["units", "0"] in shown
    assert ["intra", "n", "2"] in shown
    assert "r" not in judges.splitlines()[0].split()
    whole = json.loads(run(capsys, "esa.tsv", "-f", "json")[1])["groups"][0]
    assert whole["ratings"]["ESA"]["repeated"] == 2


def test_reasons_for_missing_figures_name_the_figures(capsys):
    table = "system\tsegment\tjudge\tscore\tscale\n"
    Path("esa.tsv").write_text(f"{table}A\t1\ta\t1\tESA\nA\t1\tb\t1\tESA\n")
    _, out, _ = run(capsys, "esa.tsv")
    assert "ICC n/a: fewer than two units were judged twice.\n" in out
    assert "α, Fleiss n/a: all judgements are the same, " in out
    assert "intra α n/a: no judge rated an output twice.\n" in out


def test_spans_are_compared(capsys, tmp_path):
    spans = [
        Span("A", "", "minor", str(i), 0, 4 + i % 2 * (judge == "ben"), judge=judge)
        for i in range(8)
        for judge in ("anna", "ben")
    ]
    write_store(Judgements.from_iterable(spans), tmp_path / "store")
    code, out, err = run(capsys, "store", "--spans", "-f", "json")
    assert code == 0
    result = json.loads(out)
    assert result["inter"]["outputs"] == 8
    assert result["inter"]["character_f1"]["value"] == 2 * 32 / (32 + 36)
    assert [row["judge"] for row in result["judges"]] == ["anna", "ben"]
    assert "largest end" in err
    code, out, _ = run(capsys, "store", "--spans", "--unit", "segment")
    assert code == 0
    assert "char α" in out


def test_no_resamples_give_no_intervals(capsys):
    words = ["agree", "demo", "--intervals", "--resamples", "0", "-f", "json", "-q"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["bootstrap"] is None
