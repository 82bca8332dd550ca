# SPDX-License-Identifier: Apache-2.0
"""``tertium correlate``: p-values, wins over language pairs, files of a task."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.meta import Correlations, Difference, Tally
from tertium.meta.results import Correlation


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def run(capsys, *arguments: str) -> str:
    code = main(["correlate", *arguments])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return captured.out


@pytest.fixture
def pairs(write_lines):
    """Write texts and rankings of pairs to, from and without English."""
    names = ("de-en", "fr-en", "en-cs", "fr-de")
    for pair in names:
        rows = [f"{i}\tthe cat sat number {i}\tthe cat sat number {i}\ta cat {i}"
                f"\tno {i}" for i in range(1, 31)]  # fmt: skip
        write_lines(f"{pair}.tsv", ["seg\treference\tA\tB\tC", *rows])
        judged = [f"{i}\tA\tB" if i % 5 else f"{i}\tB\tA" for i in range(1, 31)]
        judged += [f"{i}\tB\tC" for i in range(1, 31)]
        write_lines(f"{pair}.pairs.tsv", ["seg\tbetter\tworse", *judged])
    # Wrong of every comparison.
    wrong = [
        f"wrong\t{pair}\tnews\t{system}\t{i}\t{score}"
        for pair in names
        for i in range(1, 31)
        for system, score in zip("ABC", (1, 2, 3), strict=True)
    ]
    write_lines("wrong.seg.score", wrong)
    texts = [f"{pair}.tsv" for pair in names]
    people = [f"{pair}.pairs.tsv" for pair in names]
    return [*texts, "-J", *people, "-m", "wer", "--scores", "wrong.seg.score",
            "--no-probes"]  # fmt: skip


# ------------------------------------------------------------------------ p-values


def test_values_have_p_values_as_scipys(capsys):
    stats = pytest.importorskip("scipy.stats")
    call = ["demo", "--gold", "ratings", "-m", "chrf", "--no-probes", "--resamples"]
    call += ["0", "--coef", "all", "-f"]
    results = {
        each["coefficient"]: each
        for each in json.loads(run(capsys, *call, "json"))["correlations"]
    }
    have = {name for name, each in results.items() if each["p"] is not None}
    assert have == {"pearson", "spearman", "kendall", "pearson:none", "spearman:none",
                    "tau-b:none", "tau-c:none"}  # fmt: skip
    value, n = results["pearson"]["value"], results["pearson"]["n"]
    t = value * np.sqrt((n - 2) / (1 - value**2))
    assert results["pearson"]["p"] == pytest.approx(2 * stats.t.sf(t, n - 2))
    rows = csv.DictReader(io.StringIO(run(capsys, *call, "csv")))
    for row in rows:
        p = results[row["coefficient"]]["p"]
        assert row["p"] == ("" if p is None else repr(p))


def test_undefined_values_have_no_p_value(capsys):
    out = run(capsys, "demo", "-m", "chrf", "--coef", "pearson", "-f", "json")
    results = {each["metric"]: each for each in json.loads(out)["correlations"]}
    assert results["probe-constant"]["value"] is results["probe-constant"]["p"] is None
    assert 0 < results["chrf"]["p"] < 0.05


def test_tables_show_p_values_on_demand(capsys):
    call = ["demo", "-m", "chrf", "ter", "--coef", "pearson", "tau-wmt14"]
    call += ["--no-probes", "--resamples", "0"]
    assert " p " not in run(capsys, *call)
    out = run(capsys, *call, "--p-values")
    assert "*0.988 p 0.012‡" in out
    assert "0.424 p 0.576\n" in out
    assert out.count("two-sided test against 0, without correction; below 0.05: ‡") == 1
    assert r"\ddagger" in run(capsys, *call, "--p-values", "-f", "latex")


# --------------------------------------------------------------------------- tallies


def test_tallies_count_wins_and_draws():
    tests = [
        ("de-en", "a", "b", "a"),
        ("fr-en", "b", "a", "a"),
        ("en-cs", "a", "b", "b"),
    ]
    tests += [("fr-de", "a", "b", None), ("de-en", "a", "c", "c")]
    result = Correlations(
        (),
        tuple(Correlation("de-en", name, "tau", 0.1, None, 9) for name in "abc"),
        dict.fromkeys(("de-en", "fr-en", "en-cs", "fr-de"), "rankings"),
        {},
        {},
        tuple(
            Difference(pair, "tau", a, b, 0.1, 0.1, 0.1, better)
            for pair, a, b, better in tests
        ),
    )
    assert result.tallies() == [
        Tally("tau", "a", "b", 2, 1, 1),
        Tally("tau", "a", "c", 0, 1, 0),
    ]
    assert result.tallies(exclude=["en-cs"])[0] == Tally("tau", "a", "b", 2, 0, 1)
    assert result.to_dict()["tallies"][0] == {
        "coefficient": "tau", "a": "a", "b": "b", "a_wins": 2, "b_wins": 1, "draws": 1,
    }  # fmt: skip


def test_wins_over_language_pairs_are_shown(pairs, capsys):
    call = [*pairs, "--coef", "tau-wmt14", "--test", "bootstrap"]
    result = json.loads(run(capsys, *call, "-f", "json"))["tallies"]
    assert [(each.pop("a"), each.pop("b")) for each in result] == [("wer", "wrong")]
    assert result == [
        {"coefficient": "tau-wmt14", "a_wins": 4, "b_wins": 0, "draws": 0}
    ]
    out = run(capsys, *call)
    assert "tau-wmt14: wins, losses and draws over language pairs" in out
    table = out.split("draws over language pairs\n")[1].splitlines()
    assert table[2].split() == ["1", "wer", "4-0-0"]
    assert table[3].split() == ["2", "wrong", "0-4-0"]
    out = run(capsys, *call, "--average-without", "fr-de")
    assert "3-0-0" in out
    assert "Without fr-de." in out
    assert "draws over" not in run(capsys, *call, "-l", "de-en")


# ------------------------------------------------------------------------ task files


def read(path: str) -> list[dict[str, str]]:
    text = Path(path).read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_files_of_a_task_are_by_level_and_direction(pairs, capsys):
    call = [*pairs, "--coef", "pearson", "tau-wmt14", "tau-wmt12", "--resamples", "0"]
    shown = run(capsys, *call)
    assert run(capsys, *call, "--task-files", "out/wmt") == shown
    assert sorted(path.name for path in Path("out/wmt").iterdir()) == [
        f"{level}.correlations.{direction}"
        for level in ("segment", "system")
        for direction in ("fromEn", "other", "toEn")
    ]
    rows = read("out/wmt/segment.correlations.toEn")
    assert list(rows[0]) == ["coefficient", "metric", "de-en", "fr-en", "average",
                             "pairs"]  # fmt: skip
    assert [(row["coefficient"], row["metric"]) for row in rows] == [
        ("tau-wmt14", "wer"),
        ("tau-wmt14", "wrong"),
        ("tau-wmt12", "wer"),
        ("tau-wmt12", "wrong"),
    ]
    # Of 60 comparisons 54 are wrong.
    assert rows[1]["de-en"] == rows[1]["average"] == "-0.800"
    assert {row["pairs"] for row in rows} == {"2"}
    system = read("out/wmt/system.correlations.fromEn")
    assert list(system[0]) == ["coefficient", "metric", "en-cs", "average", "pairs"]
    assert [row["metric"] for row in system] == ["wer", "wrong"]


def test_files_of_a_task_have_intervals_and_lack_what_is_not_there(pairs, capsys):
    call = [*pairs, "-l", "de-en", "fr-en", "--coef", "tau-wmt14", "-w", "2"]
    call += ["--average-without", "fr-en"]
    run(capsys, *call, "--task-files", "out")
    assert [path.name for path in Path("out").iterdir()] == [
        "segment.correlations.toEn"
    ]
    row = read("out/segment.correlations.toEn")[1]
    assert row["de-en"] == row["average"] == "-0.80"
    assert 0 < float(row["de-en ±"]) == float(row["average ±"]) < 0.3
    assert row["pairs"] == "1"


def test_files_of_a_task_say_which_metrics_are_incomplete(pairs, capsys, write_lines):
    call = [*pairs, "-l", "de-en", "fr-en", "--coef", "tau-wmt14", "--resamples", "0"]
    run(capsys, *call, "--task-files", "whole")
    assert "incomplete" not in read("whole/segment.correlations.toEn")[0]
    # Right of every comparison, but of half the segments of one pair only.
    half = [
        f"half\t{pair}\tnews\t{system}\t{i}\t{score}"
        for pair in ("de-en", "fr-en")
        for i in range(1, 31 if pair == "fr-en" else 16)
        for system, score in zip("ABC", (3, 2, 1), strict=True)
    ]
    write_lines("half.seg.score", half)
    call.insert(call.index("wrong.seg.score"), "half.seg.score")
    run(capsys, *call, "--missing", "drop", "--task-files", "part")
    rows = read("part/segment.correlations.toEn")
    assert [row["metric"] for row in rows] == ["wer", "wrong", "half"]
    assert [row["incomplete"] for row in rows] == ["", "", "† de-en 30 of 60"]
    assert float(rows[2]["de-en"]) == float(rows[2]["fr-en"]) == 0.8  # still numbers


def test_a_folder_that_cannot_be_is_explained(pairs, capsys, write_lines):
    write_lines("taken", ["x"])
    call = [*pairs, "--coef", "tau-wmt14", "--task-files", "taken"]
    assert main(["correlate", *call]) == 2
    assert "cannot make the folder taken" in capsys.readouterr().err


# ------------------------------------------------------------------ undefined outputs


@pytest.fixture
def undefined(tmp_path, monkeypatch):
    """Write texts and judgements; one output has no word of its reference."""
    monkeypatch.chdir(tmp_path)
    texts, judged = ["id\tref\tA\tB\tC"], ["system\tsegment\tjudge\tscore\tscale"]
    for i in range(4):
        words = [f"w{i}{j}" for j in range(5)]
        outputs = [words, words[1:] + words[:1], words[::-1] if i else ["zz"]]
        cells = [str(i), *(" ".join(text) for text in (words, *outputs))]
        texts.append("\t".join(cells))
        for system, score in (("A", 90), ("B", 60), ("C", 30)):
            judged.append(f"{system}\t{i}\tj\t{score + i}\tDA")
    Path("set.tsv").write_text("\n".join(texts) + "\n")
    Path("judged.tsv").write_text("\n".join(judged) + "\n")
    return ["set.tsv", "-J", "judged.tsv", "-m", "link-tau", "chrf", "--resamples", "0"]


def test_tables_of_systems_name_metrics_that_are_undefined_for_outputs(
    undefined, capsys
):
    note = "undefined for some judged outputs, which are left out: link-tau (1)\n"
    alone = run(capsys, *undefined, "--coef", "pearson")
    assert alone.count(note) == 1
    both = run(capsys, *undefined, "--coef", "pearson", "accuracy", "tau-b:item")
    # Side by side and a table each; tables of segments have it in their cells.
    assert both.count(note) == 3
    assert "(11 of 12)" in both.partition("tau-b:item (segments)")[2]


def test_programs_get_the_number_of_undefined_outputs(undefined, capsys):
    call = [*undefined, "--coef", "pearson", "--no-probes", "-f"]
    result = json.loads(run(capsys, *call, "json"))["correlations"]
    assert {one["metric"]: one["undefined"] for one in result} == {
        "link-tau": 1,
        "chrf": 0,
    }
    rows = csv.DictReader(io.StringIO(run(capsys, *call, "csv")))
    assert {row["metric"]: row["undefined"] for row in rows} == {
        "link-tau": "1",
        "chrf": "0",
    }


def test_slices_count_their_own_undefined_outputs(undefined, capsys):
    lines = Path("set.tsv").read_text().splitlines()
    kinds = ["kind", "x", "x", "y", "y"]
    table = [f"{line}\t{kind}" for line, kind in zip(lines, kinds, strict=True)]
    Path("set.tsv").write_text("\n".join(table) + "\n")
    call = [*undefined, "--systems-columns", "A", "B", "C", "--slice", "kind"]
    out = run(capsys, *call, "--coef", "pearson", "--no-probes", "-f", "json")
    results = {
        one["langpair"]: one["undefined"]
        for one in json.loads(out)["correlations"]
        if one["metric"] == "link-tau"
    }
    assert sorted(results.values()) == [0, 1]
