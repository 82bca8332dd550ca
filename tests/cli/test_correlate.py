# SPDX-License-Identifier: Apache-2.0
"""``tertium correlate`` as a user meets it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tertium.cli import main


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in an empty folder, so that `demo` is the bundled set."""
    monkeypatch.chdir(tmp_path)


def run(capsys, *arguments: str) -> str:
    code = main(["correlate", *arguments])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return captured.out


def fails(capsys, *arguments: str) -> str:
    assert main(["correlate", *arguments]) == 2
    return capsys.readouterr().err


@pytest.fixture
def two_pairs(write_lines):
    """Write texts and rankings of two language pairs."""
    for pair in ("de-en", "fr-en"):
        rows = [f"{i}\tthe cat sat number {i}\tthe cat sat number {i}\ta cat {i}"
                for i in range(1, 31)]  # fmt: skip
        write_lines(f"{pair}.tsv", ["seg\treference\tA\tB", *rows])
        judged = [f"{i}\tA\tB" if i % 5 else f"{i}\tB\tA" for i in range(1, 31)]
        write_lines(f"{pair}.pairs.tsv", ["seg\tbetter\tworse", *judged])
    return ["de-en.tsv", "fr-en.tsv", "-J", "de-en.pairs.tsv", "fr-en.pairs.tsv"]


def test_every_coefficient_has_a_table_with_averages(two_pairs, capsys):
    out = run(
        capsys, *two_pairs, "-m", "wer", "chrf", "--coef", "tau-wmt14", "--no-probes"
    )
    head, _, first, *_ = out.splitlines()[1:]
    assert head.split() == ["metric", "de-en", "fr-en", "average"]
    assert first.split()[0] == "chrf"
    assert first.split()[-2] == "0.600"  # 24 right, 6 wrong
    assert "*0.600 ±" in first
    assert "human judgements: rankings, systems by expected-wins" in out


def test_averages_say_what_they_leave_out(two_pairs, capsys):
    out = run(
        capsys, *two_pairs, "-m", "wer", "--coef", "tau-wmt14", "--average-without",
        "fr-en",
    )  # fmt: skip
    assert "averages without fr-en" in out


def test_json_and_tsv_hold_every_figure(capsys):
    arguments = ["demo", "-m", "bleu", "chrf", "--resamples", "50", "--gap", "chrf"]
    data = json.loads(run(capsys, *arguments, "-f", "json"))
    values = {
        (each["metric"], each["coefficient"]): each for each in data["correlations"]
    }
    assert values["chrf", "tau-wmt14"]["n"] == 1212
    assert values["probe-length", "pearson"]["probe"] is True
    assert values["probe-constant", "pearson"]["value"] is None
    assert sum(gap["pairs"] for gap in data["gaps"]["chrf"]) == 5  # copies are tied
    rows = list(
        csv.DictReader(
            io.StringIO(run(capsys, *arguments[:-2], "-f", "tsv")), delimiter="\t"
        )
    )
    assert len(rows) == len(values)
    shown = {(row["metric"], row["coefficient"]): row["value"] for row in rows}
    assert float(shown["chrf", "tau-wmt14"]) == values["chrf", "tau-wmt14"]["value"]


def test_tests_mark_winners_and_show_a_matrix(capsys):
    out = run(
        capsys, "demo", "-m", "chrf", "ter", "--coef", "tau-wmt14", "--test",
        "bootstrap", "--resamples", "200",
    )  # fmt: skip
    assert "*!0.5" in out
    assert "tau-wmt14, en-de: adjusted p-values" in out


def test_scores_of_files_stand_beside_metrics_that_are_run(capsys, write_lines):
    main(["score", "demo", "-m", "chrf", "--segments", "-f", "json", "-o", "c.json"])
    capsys.readouterr()
    out = run(capsys, "demo", "--scores", "c.json", "--coef", "tau-wmt14")
    again = run(capsys, "demo", "-m", "chrf", "--coef", "tau-wmt14")
    assert out == again


@pytest.mark.parametrize("kind", ["json", "tsv", "csv"])
def test_scores_of_segments_go_there_and_back(kind, capsys):
    main(["score", "demo", "-m", "chrf", "--segments", "-f", kind, "-o", f"c.{kind}"])
    chosen = ["--no-probes", "--coef", "tau-wmt14", "-f", "json"]
    main(["correlate", "demo", "-m", "chrf", *chosen])
    ours = json.loads(capsys.readouterr().out)["correlations"]
    main(["correlate", "demo", "--scores", f"c.{kind}", *chosen])
    assert json.loads(capsys.readouterr().out)["correlations"] == ours


def test_metrics_that_usually_fall_are_remarked_on(capsys):
    main(["score", "demo", "-m", "ter", "-f", "tsv", "-o", "ter.tsv"])
    results = ["correlate", "demo", "--scores", "ter.tsv", "--coef", "pearson"]
    assert main(results) == 0
    assert "ter in score files is taken to fall with" in capsys.readouterr().err
    assert main([*results, "--lower-is-better", "ter"]) == 0
    low = capsys.readouterr()
    assert low.err == ""
    assert main([*results, "--higher-is-better", "ter"]) == 0
    high = capsys.readouterr()
    assert high.err == ""
    assert high.out != low.out
    assert main([*results, "--higher-is-better", "ter", "--lower-is-better", "ter"])
    assert "ter cannot both fall and rise" in capsys.readouterr().err


def test_slices_are_columns_of_their_own(capsys):
    out = run(capsys, "demo", "-m", "chrf", "--coef", "tau-wmt14", "--slice", "length")
    assert "words" in out.splitlines()[1]
    out = run(
        capsys, "demo", "-m", "chrf", "--coef", "tau-wmt14", "--slice", "document"
    )
    assert "en-de recipe" in out
    out = run(capsys, "demo", "-m", "chrf", "--coef", "tau-wmt14", "--slice", "judge")
    assert "en-de " in out


def test_ratings_are_sliced_by_judge_as_if_the_others_had_said_nothing(
    capsys, write_lines
):
    asked = ["demo", "-m", "chrf", "bleu", "--gold", "ratings", "-f", "json"]
    asked += ["--coef", "pearson", "tau-b:item", "--resamples", "50"]
    write_lines("groups.tsv", ["judge1\tmine", "judge2\tmine"])
    out = run(capsys, *asked, "--slice", "judge=groups.tsv")
    result = json.loads(out)["correlations"]
    assert {each["langpair"] for each in result} == {"en-de mine", "en-de others"}
    one = run(capsys, *asked, "--only", "judge=judge1", "judge=judge2")
    alone = json.loads(one)["correlations"]
    mine = [each for each in result if each["langpair"] == "en-de mine"]
    assert [each | {"langpair": "en-de"} for each in mine] == alone
    out = run(capsys, *asked, "--slice", "judge")
    names = {each["langpair"] for each in json.loads(out)["correlations"]}
    assert names == {f"en-de judge{i}" for i in range(1, 7)}


def test_any_column_of_the_test_set_makes_slices(capsys, write_lines):
    kinds = ("order", "swap", "phrase")  # of permutations
    rows = [f"{i}\t{kinds[i % 3]}\tthe cat sat {i}\tthe cat sat {i}\ta cat {i}"
            for i in range(1, 31)]  # fmt: skip
    write_lines("de-en.tsv", ["seg\tlayer:permutation\treference\tA\tB", *rows])
    judged = [f"{i}\tA\tB" if i % 5 else f"{i}\tB\tA" for i in range(1, 31)]
    write_lines("de-en.pairs.tsv", ["seg\tbetter\tworse", *judged])
    results = [
        "de-en.tsv",
        "-J",
        "de-en.pairs.tsv",
        "-m",
        "chrf",
        "--coef",
        "tau-wmt14",
    ]
    out = run(capsys, *results, "--slice", "permutation", "-f", "json")
    result = json.loads(out)["correlations"]
    assert {each["langpair"] for each in result} == {f"de-en {kind}" for kind in kinds}


def test_metrics_with_few_shared_outputs_can_be_left_out(capsys, write_lines):
    main(["score", "demo", "-m", "chrf", "--segments", "-f", "tsv", "-o", "all.tsv"])
    with open("all.tsv", encoding="utf-8") as file:
        some = [line.rstrip("\n").replace("chrf", "mine") for line in file][:41]
    write_lines("some.tsv", some)
    results = ["demo", "-m", "chrf", "--scores", "some.tsv", "--missing", "drop"]
    results += ["--coef", "tau-wmt14", "--no-probes", "-f", "csv"]
    assert ",mine," in run(capsys, *results)
    assert ",mine," in run(capsys, *results, "--least", "40")
    assert main(["correlate", *results, "--least", "41"]) == 0
    out, err = capsys.readouterr()
    assert ",mine," not in out
    assert "mine has scores of 40 judged outputs, fewer than 41; left out" in err


def test_ids_that_start_anew_in_every_document_are_distinguished(capsys, write_lines):
    rows = [f"{doc}\t{i}\tthe cat sat {doc} {i}\tthe cat sat {doc} {i}\ta dog {i}"
            for doc in "xy" for i in range(1, 6)]  # fmt: skip
    write_lines("de-en.tsv", ["doc\tid\treference\tA\tB", *rows])
    judged = [
        {"kind": "ranking", "langpair": "de-en", "document": doc, "segment": str(i),
         "judge": "j", "places": [{"systems": [name], "rank": rank}
                                  for rank, name in enumerate(best_first, 1)]}
        for doc, best_first in (("x", "AB"), ("y", "BA")) for i in range(1, 6)
    ]  # fmt: skip
    head = '{"tertium": "judgements", "version": 1}'
    write_lines("j.jsonl", [head, *map(json.dumps, judged)])
    results = ["de-en.tsv", "-J", "j.jsonl", "--coef", "tau-wmt14", "--no-probes"]
    results += ["--slice", "document", "-f", "json"]
    out = run(capsys, *results, "-m", "chrf")
    result = json.loads(out)["correlations"]
    values = {each["langpair"]: each["value"] for each in result}
    assert values == {"de-en x": 1.0, "de-en y": -1.0}
    main(["score", "de-en.tsv", "-m", "chrf", "--segments", "-f", "csv", "-o", "s.csv"])
    assert run(capsys, *results, "--scores", "s.csv") == out
    write_lines("fr-en.tsv", ["id\treference\tA\tB", "1\ta\ta\tb", "1\tb\tb\ta"])
    write_lines("fr-en.pairs.tsv", ["seg\tbetter\tworse", "1\tA\tB"])
    message = fails(capsys, "fr-en.tsv", "-J", "fr-en.pairs.tsv", "-m", "chrf")
    assert "two segments have the id 1; give each its own" in message


def test_slices_come_from_files_and_columns(two_pairs, capsys, write_lines):
    rows = [f"{i}\t{'odd' if i % 2 else 'even'}" for i in range(1, 31)]
    write_lines("groups.tsv", rows)
    results = ["-m", "wer", "--coef", "tau-wmt14", "--no-probes", "--resamples", "0"]
    out = run(
        capsys, *two_pairs, *results, "-l", "de-en", "--slice", "segment=groups.tsv"
    )
    assert out.splitlines()[1].split("  ")[1:3] == ["de-en odd", "de-en even"]
    message = fails(capsys, *two_pairs, *results, "--slice", "domain")
    assert "unknown slice 'domain'" in message
    write_lines("bad.tsv", ["1"])
    message = fails(capsys, *two_pairs, *results, "--slice", "segment=bad.tsv")
    assert "bad.tsv:1: '1' is not a name and its group" in message


def test_ratings_have_their_own_coefficients(capsys):
    out = run(
        capsys, "demo", "--gold", "ratings", "-m", "chrf", "ter", "--resamples", "50"
    )
    assert "acc-eq:item (segments)" in out
    assert "ratings" in out


def test_official_scores_replace_those_of_the_judgements(capsys, write_lines):
    write_lines(
        "official.tsv",
        ["system\tscore", "good\t3", "order\t2", "words\t1", "copy\t1"],
    )
    out = run(
        capsys, "demo", "-m", "chrf", "--human-scores", "official.tsv", "--coef",
        "pearson",
    )  # fmt: skip
    assert "official scores" in out


def test_several_coefficients_stand_side_by_side(capsys):
    out = run(
        capsys, "demo", "-m", "bleu", "chrf", "ter", "--coef", "tau-wmt14", "tau-wmt12",
        "tau-hties", "--resamples", "0",
    )  # fmt: skip
    title, head, *_ = out.splitlines()
    assert title == "All coefficients of segments side by side"
    assert head.split() == ["metric", "tau-wmt14", "tau-wmt12", "tau-hties"]
    assert "tau-wmt12: human ties left out, ties of the metric punished" in out


def test_official_scores_are_enough_for_systems(capsys, write_lines):
    write_lines(
        "official.txt",
        [
            "newstest2099.good.en-de.txt 0.567 (1.0, 1.0)",
            "++++++++++",
            "newstest2099.order.en-de.txt 0.1 (2.0, 3.0)",
            "newstest2099.words.en-de.txt -0.3 (2.0, 3.0)",
        ],
    )
    main(["convert", "demo", "-o", "en-de.tsv"])
    capsys.readouterr()
    out = run(
        capsys, "en-de.tsv", "--human-scores", "official.txt", "-m", "chrf", "--coef",
        "pearson", "--resamples", "0",
    )  # fmt: skip
    assert "human judgements: no judgements, official scores of systems" in out


def test_campaigns_are_not_pooled(capsys, write_lines):
    for year in ("2098", "2099"):
        write_lines("en-de.pairs.tsv", ["seg\tbetter\tworse", "recipe-1\tgood\twords"])
        main(
            ["judgements", "import", "en-de.pairs.tsv", "-o", year, "--campaign", year]
        )
    capsys.readouterr()
    stores = ["-J", "2098", "2099"]
    message = fails(capsys, "demo", *stores, "-m", "chrf")
    assert "several campaigns (2098, 2099)" in message
    assert "choose one, such as campaign=2098 (--only)" in message
    out = run(
        capsys, "demo", *stores, "--only", "campaign=2098", "-m", "chrf", "--coef",
        "tau-wmt14", "--no-probes",
    )  # fmt: skip
    assert "1.000" in out


def test_two_test_sets_of_one_language_pair_are_rejected(
    two_pairs, capsys, write_lines
):
    write_lines("other.de-en.tsv", ["seg\treference\tA", "1\ta\ta"])
    message = fails(capsys, "other.de-en.tsv", *two_pairs, "-m", "wer")
    assert "other.de-en.tsv and de-en.tsv are both of de-en" in message


def test_methods_fit_the_kind_of_judgements(capsys):
    message = fails(
        capsys, "demo", "--gold", "ratings", "--human", "trueskill", "-m", "chrf"
    )
    assert "ratings cannot be scored by trueskill; by mean, z" in message
    plain, z = (
        run(
            capsys, "demo", "--gold", "ratings", "--human", method, "-m", "chrf", "ter",
            "--coef", "pearson", "--resamples", "0", "-f", "csv",
        )
        for method in ("mean", "z")
    )  # fmt: skip
    assert plain != z


def test_mistakes_are_explained(two_pairs, capsys, write_lines):
    assert "nothing to compare" in fails(capsys, "-J", "de-en.pairs.tsv")
    assert "no judgements; give files" in fails(capsys, "de-en.tsv", "-m", "wer")
    assert "there are no metric scores" in fails(capsys, *two_pairs, "--no-probes")
    assert "did you mean" in fails(
        capsys, *two_pairs, "-m", "wer", "--coef", "tau-wmt41"
    )
    write_lines("cs-en.tsv", ["seg\treference\tA", "1\ta\ta"])
    message = fails(capsys, "cs-en.tsv", "-J", "de-en.pairs.tsv", "-m", "wer")
    assert "judgements are of de-en, test sets of cs-en" in message
    assert "mtme needs a language pair" in fails(capsys, "--mtme", "folder")


def test_scores_of_several_test_sets_or_references_are_chosen_from(capsys, write_lines):
    lines = [
        f"mine\ten-de\t{testset}\tall\t{ref}\t{system}\t{score}"
        for testset in ("demo", "other")
        for ref in ("refA", "refB")
        for score, system in enumerate(("copy", "words", "order", "good"))
    ]
    write_lines("mine.sys.score", lines)
    call = ["demo", "--scores", "mine.sys.score", "--coef", "pearson"]
    message = fails(capsys, *call)
    assert (
        "more than one test set: demo, other; choose one by name (--test-set)"
        in message
    )
    message = fails(capsys, *call, "--test-set", "demo")
    assert (
        "more than one reference: refA, refB; choose one by name (--reference)"
        in message
    )
    out = run(capsys, *call, "--test-set", "demo", "--reference", "refB")
    assert "mine" in out
    message = fails(capsys, "demo", "-m", "chrf", "--domain", "news")
    assert "no score files to choose a domain from; give some (--scores)" in message


def test_the_unit_of_resampling_is_chosen_and_shown(capsys):
    call = ["demo", "-m", "chrf", "ter", "--coef", "pearson", "tau-wmt14"]
    for over in ("judgements", "segments", "systems"):
        out = run(capsys, *call, "--over", over)
        assert (
            out.count(f"±: half of the 95 % interval, 1,000 resamples of {over}") == 2
        )
        data = json.loads(run(capsys, *call, "--over", over, "-f", "json"))
        assert data["run"]["over"] == over
        units = {each["over"] for each in data["correlations"] if each["interval"]}
        assert units == {over}
    assert run(capsys, *call) == run(capsys, *call, "--over", "judgements")
    message = fails(
        capsys, "demo", "-m", "chrf", "--gold", "ratings", "--over", "judgements"
    )
    assert "judgements cannot be resampled: ratings are means over judges" in message
    message = fails(capsys, *call, "--over", "systems", "--resamples", "0")
    assert "nothing to resample systems for" in message


def test_latex_sets_the_best_in_bold(capsys):
    out = run(capsys, "demo", "-m", "chrf", "ter", "--coef", "tau-wmt14", "-f", "latex")
    assert r"chrf & \textbf{0.583} $\pm$" in out
    assert out.count("textbf") == 1
    assert "*" not in out.replace("probe-*", "")
    assert "best of a column: bold" in out


def test_csv_holds_the_tests(capsys):
    call = ["demo", "-m", "bleu", "chrf", "ter", "--coef", "tau-wmt14", "--test"]
    rows = list(
        csv.DictReader(io.StringIO(run(capsys, *call, "bootstrap", "-f", "csv")))
    )
    data = json.loads(run(capsys, *call, "bootstrap", "-f", "json"))
    by_metric = {row["metric"]: row for row in rows}
    assert [by_metric[m]["cluster"] for m in ("chrf", "bleu", "ter")] == ["1", "2", "2"]
    assert (by_metric["chrf"]["wins"], by_metric["chrf"]["losses"]) == ("2", "0")
    assert (by_metric["ter"]["wins"], by_metric["ter"]["losses"]) == ("0", "1")
    for each in data["differences"]:
        for a, b in ((each["a"], each["b"]), (each["b"], each["a"])):
            assert float(by_metric[a][f"p:{b}"]) == each["p_adjusted"]
    assert by_metric["chrf"]["p:chrf"] == by_metric["probe-length"]["wins"] == ""


def test_incomplete_metrics_come_last_with_their_number(two_pairs, capsys, write_lines):
    rows = [
        f"half\tde-en\tnews\t{system}\t{i}\t{score}"
        for i in range(1, 11)
        for system, score in ((("A", 1), ("B", 0)) if i % 5 else (("A", 0), ("B", 1)))
    ]
    write_lines("half.seg.score", rows)  # right wherever it has a score
    call = [*two_pairs, "-l", "de-en", "-m", "wer", "chrf", "--scores"]
    call += ["half.seg.score", "--missing", "drop", "--coef", "tau-wmt14", "tau-wmt12"]
    out = run(capsys, *call, "--no-probes")
    side, first, _ = out.split("\n\n", 5)[0::2]
    assert [line.split()[0] for line in first.splitlines()[3:]] == [
        "chrf",
        "wer",
        "half",
    ]
    assert first.splitlines()[-1].split() == [
        "half",
        "†1.000",
        "±0.000",
        "(10",
        "of",
        "30)",
    ]
    assert "*0.600" in first
    assert "†≀1.000" in side
    assert "incomplete (scored, of all that was judged): †" in out
    tsv = list(
        csv.DictReader(io.StringIO(run(capsys, *call, "-f", "tsv")), delimiter="\t")
    )
    assert {(row["metric"], row["n"], row["of"]) for row in tsv} >= {
        ("half", "10", "30"),
        ("wer", "30", "30"),
    }


def test_a_test_of_metrics_without_a_chance_says_why_and_what_helps(capsys):
    call = ["demo", "-m", "bleu", "chrf", "ter", "--coef", "tau-wmt14"]
    call += ["--test", "bootstrap"]
    assert main(["correlate", *call, "--trials", "10"]) == 0
    assert (
        "en-de: bootstrap: no difference can be significant: with 10 trials the "
        "smallest possible p is 0.091, and 0.27 after Holm's correction over 3 pairs; "
        "give --trials 1000, or omit it\n"
    ) in capsys.readouterr().err
    assert main(["correlate", *call, "-f", "json"]) == 0
    captured = capsys.readouterr()
    assert "significant" not in captured.err
    assert json.loads(captured.out)["run"]["trials"] == 1000
