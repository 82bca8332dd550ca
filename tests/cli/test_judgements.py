# SPDX-License-Identifier: Apache-2.0
"""``tertium judgements``: import, stats, export, merge."""

from __future__ import annotations

import json
import re
import sys

import pytest

from tertium.cli import main
from tertium.judgements import Judgements

BROKEN = "seg\tbetter\tworse\n1\tA\tB\n2\tB\n3\tC\tC\n4\tA\tC\n"


@pytest.fixture
def run(capsys):
    """Return a function that runs the verb: exit code, output, errors."""

    def runner(*arguments):
        code = main(["judgements", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return runner


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "de-en.pairs.tsv"
    path.write_text(BROKEN)
    return path


@pytest.mark.parametrize("name", ["store", "store.sqlite"])
def test_import_says_what_it_did(run, broken, tmp_path, name):
    store = tmp_path / name
    code, out, err = run("import", broken, "-o", store, "--campaign", "mine")
    assert (code, out) == (0, "")
    assert err == (
        f"tertium: wrote 2 rankings of 1 file (pairs) to {store}\n"
        f"tertium: 2 bad rows set aside in {store}.bad.tsv; the first is "
        f"{broken}:3: 2 fields where there should be 3\n"
    )
    assert len((tmp_path / f"{name}.bad.tsv").read_text().splitlines()) == 3
    judgements = Judgements.read(store)
    assert judgements.names("campaign") == ["mine"]
    assert judgements.names("langpair") == ["de-en"]


def test_selected_judgements_come_without_files_that_have_all(run, tmp_path):
    log = tmp_path / "log.jsonl"
    shown = {"item_id": "1", "src": "x", "tgt": {"A": "abc"}}
    answer = {"A": {"score": 1, "error_spans": []}}
    rows = [
        {"annotation": [answer], "item": [shown], "user_id": user, "item_i": 0}
        for user in ("u1", "u2")
    ]  # fmt: skip
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert run("import", log, "-o", tmp_path / "all")[0] == 0
    one = ("--only", "judge=u1")
    out = ("-o", tmp_path / "out")
    code, _, err = run("export", tmp_path / "all", *one, *out, "--format", "pearmut")
    assert (code, "omit --only" in err) == (2, True)
    code, _, err = run("merge", tmp_path / "all", *one, "-o", tmp_path / "some")
    assert (code, "left out, because of --only" in err) == (0, True)
    assert not any(
        b"u2" in path.read_bytes() for path in (tmp_path / "some").rglob("*")
    )
    assert Judgements.read(tmp_path / "some").names("judge") == ["u1"]


def test_rows_without_ranks_are_counted_separately(run, tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("seg\tsystem(s)=rank ...\n1\tA=1\tB=2\n2\tA=-1\tB=1\n")
    code, _, err = run("import", path, "-o", tmp_path / "s", "--strict")
    assert code == 0
    assert "1 row without a judgement set aside" in err


def test_strict_import_writes_nothing(run, broken, tmp_path):
    code, _, err = run("import", broken, "-o", tmp_path / "s", "--strict")
    assert code == 2
    assert err == (
        f"tertium: {broken}:3: 2 fields where there should be 3; correct it, or omit "
        "strict (--strict)\n"
    )
    assert list(tmp_path.iterdir()) == [broken]


@pytest.mark.parametrize(
    "words", [["export", "-o", "x"], ["merge", "-o", "x"], ["stats"]]
)
def test_verbs_that_set_no_rows_aside_name_the_one_that_does(run, broken, words):
    action, *rest = words
    code, _, err = run(action, broken, *rest)
    assert code == 2
    assert err == (
        f"tertium: {broken}:3: 2 fields where there should be 3; correct it, or set "
        "bad rows aside with `tertium judgements import`\n"
    )


def test_bad_rows_go_to_the_file_named(run, broken, tmp_path):
    aside = tmp_path / "aside.tsv"
    run("import", broken, "-o", tmp_path / "s", "--quarantine", aside, "-q")
    assert {p.name for p in tmp_path.iterdir()} == {broken.name, "s", "aside.tsv"}


def test_import_takes_format_and_language_pair(run, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("1 A B\n")
    code, _, err = run("import", path, "-o", tmp_path / "s")
    assert code == 2
    assert "no known format" in err
    options = ("--format", "pairs", "--langpair", "en-de", "-q")
    assert run("import", path, "-o", tmp_path / "s", *options) == (0, "", "")
    assert Judgements.read(tmp_path / "s").names("langpair") == ["en-de"]


def test_import_of_the_demo(run, tmp_path):
    _, _, err = run("import", "demo", "-o", tmp_path / "s")
    expected = "202 rankings and 400 ratings of 2 files (judged-tsv, tertium-jsonl)"
    assert expected in err


def test_import_attaches_systems(run, tmp_path):
    answers, systems = tmp_path / "answers.json", tmp_path / "systems.tsv"
    answers.write_text('{"1,a b": [{"x": 1, "y": 2}]}')
    systems.write_text("1\ta b\tA\tx\n1\ta b\tB\ty\n1\ta b\tC\ty\n")
    run("import", answers, "-o", tmp_path / "s", "--systems", systems)
    assert len(Judgements.read(tmp_path / "s").comparisons()) == 3


def test_import_into_a_full_folder_is_rejected(run, broken, tmp_path):
    code, _, err = run("import", broken, "-o", tmp_path)
    assert code == 2
    assert "is not empty" in err


def test_stats_of_the_demo(run):
    code, out, _ = run("stats", "demo")
    lines = [line.split() for line in out.splitlines()]
    assert code == 0
    assert lines[0][:3] == ["kind", "langpair", "campaign"]
    assert lines[2][:9] == (
        ["rankings", "en-de", "demo", "6", "4", "60", "202", "1212", "0.332"]
    )
    assert lines[3][0] == "ratings"


def test_stats_as_json(run):
    _, out, _ = run(
        "stats", "demo", "--by", "judge", "--only", "judge=judge6", "-f", "json"
    )
    data = json.loads(out)
    assert data["by"] == ["judge"]
    rankings, ratings = data["groups"]
    assert rankings["group"] == {"judge": "judge6"}
    assert rankings["judgements"] == 28
    assert rankings["first"].startswith("2024-")
    assert ratings["ties"] is None
    assert ratings["duration"] < 3


def test_stats_for_programs_have_all_digits(run):
    _, out, _ = run("stats", "demo", "-f", "tsv", "--by", "system")
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows[0][:4] == ["kind", "system", "judges", "systems"]
    assert rows[0][-5:] == ["ties", "garbage", "first", "last", "seconds"]
    assert len(rows) == 9
    assert float(rows[1][7]) == pytest.approx(276 / 606)


def test_stats_know_their_columns(run):
    code, _, err = run("stats", "demo", "--by", "colour")
    assert code == 2
    assert "langpair" in err


def test_export_and_import_are_inverse(run, tmp_path):
    whole = tmp_path / "all.jsonl"
    assert run("export", "demo", "-o", whole)[0] == 0
    judgements = Judgements.read(whole)
    assert list(judgements.iterate()) == list(Judgements.read("demo").iterate())


def test_export_tells_what_it_leaves_out(run, tmp_path):
    path = tmp_path / "pairs.tsv"
    code, _, err = run("export", "demo", "-o", path, "--format", "pairs")
    assert code == 0
    assert "400 ratings left out: pairs holds rankings only" in err
    assert "; 202 rankings lose times, durations, metadata, equal outputs" in err
    assert err.endswith("; tertium-jsonl keeps everything\n")
    assert err.count("\n") == 1
    assert Judgements.read(path).counts()["rankings"] == 1212


def test_export_is_silent_where_nothing_is_lost(run, tmp_path):
    assert run("export", "demo", "-o", tmp_path / "all.jsonl") == (0, "", "")
    (tmp_path / "a.tsv").write_text("seg\tbetter\tworse\n1\tA\tB\n")
    for name in ("pairs", "wmt-csv", "wmt-pairs-csv", "judged-tsv"):
        path = tmp_path / name
        code = run("export", tmp_path / "a.tsv", "-o", path, "--format", name)
        assert code == (0, "", "")
    quiet = run("export", "demo", "-o", path, "--format", "pairs", "-q")
    assert quiet == (0, "", "")


def test_export_says_which_formats_lose_what(capsys):
    with pytest.raises(SystemExit):
        main(["judgements", "export", "--help"])
    out = capsys.readouterr().out
    assert re.search(r"judged-tsv .*\n +loses texts, metadata except `hit`", out)


@pytest.mark.parametrize("name", ["pairs.csv", "pairs.TSV", "all.xml"])
def test_a_table_is_not_filled_with_json_lines(name, tmp_path, capsys):
    path = tmp_path / name
    assert main(["judgements", "export", "demo", "-o", str(path)]) == 2
    assert "would have JSON lines; name the format" in capsys.readouterr().err
    assert not path.exists()
    words = ["--format", "tertium-jsonl", "-q"]
    assert main(["judgements", "export", "demo", "-o", str(path), *words]) == 0
    assert path.read_text(encoding="utf-8").startswith("{")


def test_export_of_nothing_is_rejected(run, tmp_path):
    path = tmp_path / "ratings.jsonl"
    path.write_text(
        '{"kind": "rating", "system": "A", "score": 1, "scale": "DA", "segment": "1"}\n'
    )
    code, _, err = run("export", path, "-o", tmp_path / "x", "--format", "pairs")
    assert code == 2
    assert "nothing to write: pairs holds rankings, and there are 1 rating;" in err
    assert list(tmp_path.iterdir()) == [path]


def test_export_to_standard_output(capfd):
    code = main(
        ["judgements", "export", "demo", "-o", "-", "--only", "segment=recipe-2"]
    )
    out = capfd.readouterr().out
    assert code == 0
    assert out.splitlines()[0] == '{"tertium": "judgements", "version": 1}'


@pytest.mark.parametrize("action", ["import", "merge"])
def test_a_file_named_twice_is_rejected(run, action, tmp_path):
    file = tmp_path / "de-en.rank"
    file.write_text("1\tA\tB\n")
    again = tmp_path / "." / "x" / ".." / "de-en.rank"
    code, _, err = run(action, file, again, "-o", tmp_path / "store")
    assert code == 2
    assert "named twice" in err
    assert not (tmp_path / "store").exists()


def test_merge_keeps_all(run, broken, tmp_path):
    run("import", broken, "-o", tmp_path / "one", "-q")
    code, _, err = run("merge", tmp_path / "one", "demo", "-o", tmp_path / "both.db")
    assert code == 0
    assert "wrote 204 rankings and 400 ratings to" in err
    assert Judgements.read(tmp_path / "both.db").counts()["rankings"] == 204


@pytest.mark.parametrize(
    ("choice", "answer"),
    [
        ("judge", "is not COLUMN=VALUE"),
        ("colour=red", "no table has a column 'colour'; there are .*langpair"),
        ("judge=judg6", "unknown judge 'judg6'; did you mean judge6"),
        ("segment=0", "no judgement has segment '0'"),
    ],
)
def test_choices_are_checked(run, choice, answer):
    code, _, err = run("stats", "demo", "--only", choice)
    assert code == 2
    assert re.search(answer, err)


def test_polars_is_asked_for(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    code, _, err = run("stats", "demo")
    assert (code, "pip install 'tertium[meta]'" in err) == (2, True)


def test_actions_have_help(run, capsys):
    code, out, _ = run()
    assert (code, "stats" in out) == (2, True)
    code, _, err = run("imprt")
    assert (code, "did you mean import" in err) == (2, True)
    for action in ("import", "stats", "export", "merge"):
        with pytest.raises(SystemExit):
            main(["judgements", action, "--help"])
        assert "examples:" in capsys.readouterr().out


def test_import_says_if_systems_have_no_names(run, tmp_path):
    path = tmp_path / "sample.tsv"
    path.write_text("LP\ttranslation\tHUMAN_score\ncs-en\tA dog .\t-1.5\n")
    code, _, err = run("import", str(path), "-o", str(tmp_path / "store"))
    assert code == 0
    assert "1 rating of outputs without the names of their systems" in err
    path.write_text("LP DATA SYSTEM SID HUMAN\nde-en news A.1 7 -0.25\n")
    code, _, err = run("import", str(path), "-o", str(tmp_path / "other"))
    assert code == 0
    assert "without the names" not in err


def test_what_is_unknown_is_empty_for_programs(run):
    code, out, _ = run("stats", "demo", "-f", "csv")
    assert code == 0
    rows = [line.split(",") for line in out.splitlines()]
    ratings = dict(zip(rows[0], rows[2], strict=True))
    assert [ratings[name] for name in ("comparisons", "ties", "garbage")] == [""] * 3
    assert "n/a" not in out


ANSWERS = """{
 "1,the dog": [{"pes": 1, "psa": 2, "kočka": 3}],
 "2,it": [
  {"to": 1, "ono": 2},
  {"to": 2, "ono": 1}
 ]
}
"""
TABLE = "1\tthe dog\tA\tpes\n1\tthe dog\tB\tpsa\n2\tit\tA\tto\n"


def test_candidates_that_no_system_wrote_are_listed_and_nothing_is_stored(
    tmp_path, capsys
):
    (tmp_path / "answers.json").write_text(ANSWERS)
    (tmp_path / "systems.tsv").write_text(TABLE)
    argv = ["judgements", "import", str(tmp_path / "answers.json")]
    argv += ["-o", str(tmp_path / "s"), "--systems", str(tmp_path / "systems.tsv")]
    assert main(argv) == 2
    first, *listed = capsys.readouterr().err.splitlines()
    file = tmp_path / "answers.json"
    assert listed == [
        f"{file}:2: no system wrote 'kočka' (segment 1, part 'the dog')",
        f"{file}:3: no system wrote 'ono' (segment 2, part 'it')",
        f"{file}:3: no system wrote 'ono' (segment 2, part 'it')",
    ]
    assert "3 candidates without a system" in first
    assert "--keep-unmatched" in first
    assert not (tmp_path / "s").exists()
    assert main([*argv, "--keep-unmatched"]) == 0
    assert "3 candidates kept without a system" in capsys.readouterr().err
    assert Judgements.read(tmp_path / "s").counts()["rankings"] == 3


def test_keeping_candidates_needs_a_table_of_systems(tmp_path, capsys):
    argv = ["judgements", "import", "x", "-o", str(tmp_path), "--keep-unmatched"]
    assert main(argv) == 2
    assert "goes with --systems" in capsys.readouterr().err


def test_outputs_without_an_error_are_not_counted_as_spans(run, tmp_path):
    path = tmp_path / "mqm.tsv"
    path.write_text(
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
        "A\td\t1\t1\tr\ts\t<v>t</v>\tStyle\tMinor\n"
        "B\td\t1\t1\tr\ts\tt\tNo-error\tNo-error\n"
    )
    _, _, err = run("import", path, "-o", tmp_path / "store")
    assert "wrote 1 error span and 1 error-free output of 1 file" in err
