# SPDX-License-Identifier: Apache-2.0
"""Several runs of a system on the command line: NAME=FILE,FILE."""

from __future__ import annotations

import json

import pytest

from tertium.cli import main

REFS = ["the cat sat down", "a dog ran home", "birds sang all day", "rain fell again"]
RUNS = {
    "a1": ["the cat sat down", "a dog ran home", "birds sang a day", "rain fell again"],
    "a2": ["the cat sat up", "a dog ran home", "birds sang all day", "rain fell again"],
    "b1": ["a cat is up", "dogs ran far", "birds sing", "it rains again"],
    "b2": ["a cat is up", "dogs ran home", "birds sing", "rain again"],
}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in {"ref": REFS, **RUNS}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


SYSTEMS = ("-r", "ref.txt", "-i", "A=a1.txt,a2.txt", "B=b1.txt,b2.txt")


def output(capsys, *words):
    assert main(words) == 0
    return capsys.readouterr().out


def test_score_shows_means_and_spreads(capsys):
    text = output(capsys, "score", *SYSTEMS, "-m", "chrf")
    assert text.splitlines()[0].split() == ["system", "runs", "chrF2", "s_opt", "s_sel"]
    assert text.splitlines()[2].split()[:2] == ["A", "2"]
    assert "s_opt: standard deviation between runs" in text
    scores = json.loads(output(capsys, "score", *SYSTEMS, "-m", "chrf", "-f", "json"))
    chrf = scores["systems"]["A"]["chrf"]
    assert chrf["score"] == pytest.approx(sum(chrf["runs"]) / 2)
    assert {"runs", "sd_runs", "sd_segments"} <= set(chrf)


def test_programs_get_columns_of_their_own(capsys):
    text = output(capsys, "score", *SYSTEMS, "-m", "ter", "-f", "csv")
    assert text.splitlines()[0] == "system,runs,ter,ter s_opt,ter s_sel"


@pytest.mark.parametrize("shape", ["table", "html", "md", "latex", "json", "tsv"])
def test_compare_takes_runs_in_every_format(shape, capsys):
    words = ("compare", *SYSTEMS, "-m", "chrf", "-q", "-f", shape)
    text = output(capsys, *words)
    if shape == "json":
        assert json.loads(text)["run"]["sources"] == "runs and segments"
    elif shape != "tsv":
        assert "between runs" in text


def test_randomisation_says_what_it_swaps(capsys):
    words = ("compare", *SYSTEMS, "-m", "chrf", "-q", "--test", "randomisation")
    assert "paired randomisation over segments of every run" in output(capsys, *words)


def test_a_file_with_a_comma_is_one_file(files, capsys):
    (files / "a1.txt,a2.txt").write_text("\n".join(RUNS["b1"]) + "\n")
    text = output(capsys, "score", *SYSTEMS[:3], "A=a1.txt,a2.txt", "-m", "chrf")
    assert "s_opt" not in text


def test_runs_need_a_name_and_files(capsys):
    assert main(["score", "-r", "ref.txt", "-i", "a1.txt,a2.txt"]) == 2
    assert "give NAME=a1.txt,a2.txt" in capsys.readouterr().err
    assert main(["score", "-r", "ref.txt", "-i", "A=a1.txt,"]) == 2
    assert "names a run without a file" in capsys.readouterr().err
    assert main(["score", "-r", "ref.txt", "-i", "A=a1.txt,a9.txt"]) == 2
    assert "a9.txt" in capsys.readouterr().err
    assert main(["score", *SYSTEMS, "A=a1.txt,b1.txt"]) == 2
    assert "given twice" in capsys.readouterr().err


def test_worst_segments_are_those_of_one_run(capsys):
    assert main(["score", *SYSTEMS, "-m", "chrf", "--worst", "1"]) == 2
    message = "--worst lists segments of one run, and A has several; choose one"
    assert message in capsys.readouterr().err


def test_a_recorded_run_can_be_repeated(files, capsys):
    output(capsys, "score", *SYSTEMS, "-m", "chrf", "--record", "run.json")
    record = json.loads((files / "run.json").read_text())
    names = [each["path"] for each in record["inputs"]]
    assert names == ["a1.txt", "a2.txt", "b1.txt", "b2.txt", "ref.txt"]
    assert main(["repeat", "run.json"]) == 0


@pytest.mark.parametrize("verb", ["explain", "check"])
def test_other_verbs_say_that_they_take_one_run(verb, capsys):
    assert main([verb, *SYSTEMS]) == 2
    message = "system 'A' has several runs, which only score, compare and report take"
    assert message in capsys.readouterr().err
    assert main([verb, "-r", "ref.txt", "-i", "A=a9.txt,a8.txt"]) == 2
    assert "a9.txt,a8.txt" in capsys.readouterr().err


def test_coins_are_tossed_for_every_run_and_copies_are_remarked_on(files, capsys):
    lines = {"three": REFS[:3], "wrong": ["dogs", "cats", "none"]}
    for name, texts in lines.items():
        (files / f"{name}.txt").write_text("\n".join(texts) + "\n")
    runs = ["A=" + ",".join(["three.txt"] * 3), "B=" + ",".join(["wrong.txt"] * 3)]
    words = ["compare", "-r", "three.txt", "-m", "chrf", "--test", "randomisation"]
    assert main([*words, "-f", "json", "-i", *runs]) == 0
    out, err = capsys.readouterr()
    [pair] = json.loads(out)["pairs"]
    assert 2**-8 / 2 < pair["p"] < 2**-8 * 2  # nine coins, both ways
    assert pair["better"] == "A"
    assert "can be significant" not in err
    assert "runs 1, 2 and 3 of A have the same scores" in err
    assert "of B have the same scores" in err
    assert main([*words, "-f", "html", "-i", *runs]) == 0
    assert "Runs 1, 2 and 3 of A have" in capsys.readouterr().out


def test_too_few_outputs_of_all_runs_are_remarked_on(files, capsys):
    for name in ("ref", *RUNS):
        texts = (files / f"{name}.txt").read_text().splitlines()[:2]
        (files / f"{name}.txt").write_text("\n".join(texts) + "\n")
    words = ("compare", *SYSTEMS, "-m", "chrf", "--test", "randomisation")
    assert main(words) == 0
    err = capsys.readouterr().err
    assert "with 4 outputs the smallest possible p is 0.12; test on more outputs" in err
    assert "same scores" not in err


def test_few_segments_of_several_runs_have_advice_of_their_own(capsys):
    assert main(["compare", *SYSTEMS, "-m", "chrf"]) == 0
    err = capsys.readouterr().err
    assert "only 4 segments were resampled" in err
    assert "test on more segments" in err
    assert "randomisation" not in err
    assert "bootstrap" not in err


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_intervals_stay_within_the_range_of_the_metric(verb, capsys):
    # Runs that differ as much as can be: t alone would reach far beyond.
    systems = ("-r", "ref.txt", "-i", "A=ref.txt,b1.txt", "B=b2.txt,ref.txt")
    options = ["--interval"] if verb == "score" else []
    for metric, unit in (("bleu", 100), ("wer", None)):
        words = (verb, *systems, "-m", metric, *options)
        result = json.loads(output(capsys, *words, "-f", "json"))
        low, high = result["systems"]["A"][metric]["interval"]
        assert low == 0
        assert high == unit if unit else high > 1
        for pair in result.get("pairs", ()):
            low, high = pair["interval"]
            assert (low, high) == (-100, 100) if unit else high > 1
    text = output(capsys, *words)
    assert "by Student's t, within the range of the metric" in text


def test_report_compares_runs_as_compare_does(capsys):
    words = (*SYSTEMS, "-m", "chrf", "-q", "-f", "json")
    compared = json.loads(output(capsys, "compare", *words))
    reported = json.loads(output(capsys, "report", *words))
    # Four segments are too few for p-values.
    untested = {"p": None, "p_adjusted": None, "better": None}
    assert reported["pairs"] == [{**pair, **untested} for pair in compared["pairs"]]
    assert reported["run"] == compared["run"]
    for name in "AB":
        theirs = compared["systems"][name]["chrf"]
        ours = reported["systems"][name]["chrf"]
        assert ours["runs"] == theirs["runs"]
        assert ours["sd_runs"] == theirs["sd_runs"]
    assert set(reported["length_ratios"]) == {"A", "B"}
    assert any("first run" in text for text in reported["cautions"])


def test_cautions_of_a_report_number_runs_and_do_not_invent_names(capsys):
    words = ("-r", "ref.txt", "-i", "A=a1.txt,a2.txt", "B=b1.txt,a2.txt", "-q")
    reported = json.loads(output(capsys, "report", *words, "-m", "chrf", "-f", "json"))
    cautions = " ".join(reported["cautions"])
    assert "A (run 2)" in cautions
    assert "B (run 2)" in cautions
    assert "#" not in cautions


def test_the_page_of_a_report_shows_the_spread_and_the_first_run(capsys, files):
    assert main(["report", *SYSTEMS, "-m", "chrf", "-q", "-o", "page.html"]) == 0
    page = (files / "page.html").read_text(encoding="utf-8")
    assert "Several runs of one system" in page
    assert "A (2 runs) and B (2 runs), this is the first run" in page
    assert ">a</mark> day" in page  # a1.txt only
    assert "95 % t intervals" in page


def test_report_says_how_outputs_were_cut(capsys, files):
    (files / "c.txt").write_text(" ".join(RUNS["a1"]) + "\n")
    words = ("report", "-r", "ref.txt", "-i", "B=b1.txt", "C=c.txt", "--resegment")
    result = json.loads(output(capsys, *words, "-m", "chrf", "-q", "-f", "json"))
    assert result["resegmented"]["C"]["unchanged"] is False
    assert "reseg:words" in result["metrics"]["chrf"]["signature"]
    assert any("was segmented again" in text for text in result["cautions"])
    assert main([*words, "-m", "chrf", "-q", "-o", "page.html"]) == 0
    page = (files / "page.html").read_text(encoding="utf-8")
    assert "Texts segmented again" in page
    assert "lines before" in page
