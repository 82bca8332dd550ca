# SPDX-License-Identifier: Apache-2.0
"""``tertium train`` as a user meets it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

import tertium
from tertium.cli import main
from tertium.learn.model import load_model

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in an empty folder, so that `demo` is the bundled set."""
    monkeypatch.chdir(tmp_path)


def run(capsys, *arguments: str) -> str:
    code = main(["train", *arguments])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return captured.out


def fails(capsys, *arguments: str) -> str:
    assert main(["train", *arguments]) == 2
    return capsys.readouterr().err


def golden(name: str, output: str) -> None:
    """Compare with a golden file; TERTIUM_UPDATE_GOLDEN=1 writes it anew."""
    shown = output.replace(tertium.__version__, "VERSION")
    path = GOLDEN / f"train-{name}.txt"
    if os.environ.get("TERTIUM_UPDATE_GOLDEN"):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


@pytest.fixture
def two_pairs(write_lines):
    """Write texts and lists of pairs of two language pairs; A is always better."""
    line = "the cat sat on a mat and two dogs ran home at night when it rained"
    words = line.split()
    for pair in ("de-en", "fr-en"):
        rows, judged = ["seg\treference\tA\tB"], ["seg\tbetter\tworse"]
        for i in range(1, 21):
            value = words[i % 7 : i % 7 + 8]
            rows.append(
                "\t".join(
                    [str(i), f"{' '.join(value)} {pair}{i}", " ".join(value),
                     " ".join(value[:3] + ["x"] * (1 + i % 4))]
                )
            )  # fmt: skip
            judged.append(f"{i}\tA\tB")
        write_lines(f"{pair}.tsv", rows)
        write_lines(f"{pair}.pairs.tsv", judged)
    return ["-t", "de-en.tsv", "fr-en.tsv", "-J", "de-en.pairs.tsv", "fr-en.pairs.tsv"]


def test_the_demo_set_trains_a_model_that_explains_itself(capsys):
    golden("demo", run(capsys, "-t", "demo", "-J", "demo", "-o", "my.json"))
    out = run(capsys, "--explain", "my.json", "-w", "1")
    out = re.sub(r"[0-9a-f]{64}", "SHA256", out)
    for line in (
        "profile         beer-4",
        "scaling         relative, a copy of the reference has 1",
        "a copy is best  yes",
        "sources         demo/en-de",
        "sha256          SHA256",
        "licence         as the training data",
        "Groups of features",
        "Weights",
    ):
        assert line in out
    assert "What moves the score" not in out
    texts = run(capsys, "--explain", "my.json", "-t", "demo")
    assert "What moves the score on these texts" in texts
    assert re.search(r"^good +0\.\d+", texts, re.MULTILINE)


def test_a_model_scores_what_the_metric_beer_scores(capsys):
    run(capsys, "-t", "demo", "-J", "demo", "-o", "my.json", "--valid", "none")
    explained = json.loads(
        run(capsys, "--explain", "my.json", "-t", "demo", "-f", "json")
    )
    mine = {each["system"]: each["score"] for each in explained["systems"]}
    assert main(["score", "demo", "-m", "beer:model=my.json", "-f", "json"]) == 0
    table = json.loads(capsys.readouterr().out)
    spec = "beer:model=my.json"
    scores = {name: one[spec]["score"] for name, one in table["systems"].items()}
    assert mine == pytest.approx(scores)


def test_json_holds_training_and_validation(two_pairs, capsys):
    arguments = [*two_pairs, "-o", "m.json", "-m", "chrf", "--valid", "0.3"]
    out = json.loads(run(capsys, *arguments, "-f", "json"))
    assert out["tertium"] == tertium.__version__
    assert out["model"] == "m.json"
    name = Path.cwd().name
    assert set(out["validation"]["trained"]) == {f"{name}/de-en", f"{name}/fr-en"}
    assert out["validation"]["chrf"][f"{name}/de-en"]["tau"] == 1.0
    assert out["training"]["pairs"] == 28
    assert load_model("m.json").training == out["training"]
    assert load_model("m.json").validation == out["validation"]
    explained = json.loads(run(capsys, "--explain", "m.json", "-f", "json"))
    assert explained["training"] == out["training"]
    assert len(explained["weights"]) == 40


@pytest.mark.parametrize(
    ("valid", "held"),
    [
        (["fr-en"], {"2015/fr-en"}),
        (["2015/de-en"], {"2015/de-en"}),
        (["0.5"], {"2015/de-en", "2015/fr-en"}),
        (["none"], set()),
    ],
)
def test_what_is_held_out_can_be_named(two_pairs, valid, held, capsys):
    arguments = [*two_pairs, "--names", "2015", "--valid", *valid, "-m"]
    run(capsys, *arguments, "-o", "m.json", "--learner", "logistic")
    model = load_model("m.json")
    assert set(model.validation.get("trained", {})) == held
    if len(held) == 1:
        assert not held & set(model.training["sources"])


def test_groups_of_test_sets_stand_with_their_judgements(two_pairs, capsys):
    run(
        capsys, "-t", "de-en.tsv", "-J", "de-en.pairs.tsv", "-t", "de-en.tsv", "-J",
        "de-en.pairs.tsv", "--names", "2012", "2015", "--valid", "2015", "-o", "m.json",
        "-m",
    )  # fmt: skip
    model = load_model("m.json")
    assert list(model.training["sources"]) == ["2012/de-en"]
    assert list(model.validation["trained"]) == ["2015/de-en"]


def test_cross_validation_trains_without_what_it_tests(two_pairs, capsys):
    out = run(
        capsys, *two_pairs, "--names", "2015", "--cross-validate", "language", "-m",
        "chrf",
    )  # fmt: skip
    golden("cross-validate", out)
    assert not list(Path.cwd().glob("*.json"))


def test_ratings_train_and_scale(capsys):
    run(
        capsys, "-t", "demo", "--profile", "beer-2.0", "--pairs", "ratings", "--gap",
        "20", "--learner", "logistic", "--regularisation", "1", "-o", "m.json", "-m",
        "--licence", "CC0",
    )  # fmt: skip
    model = load_model("m.json")
    assert model.training["recipe"]["scaling"] == "linear"
    assert model.licence == "CC0"
    assert model.training["scaled_on"]["texts"] > 100


def test_nbest_lists_train_the_model_on_itself(two_pairs, write_lines, capsys):
    write_lines("a.nbest", ["0 ||| the cat ||| f ||| 1", "0 ||| a dog sat ||| f ||| 2",
                            "1 ||| it rained", "1 ||| rained all day"])  # fmt: skip
    write_lines("ref", ["the cat sat", "it rained all day"])
    run(
        capsys, *two_pairs, "-o", "m.json", "-m", "--nbest", "a.nbest",
        "--nbest-references", "ref", "--self-training", "self", "--learner", "logistic",
        "--regularisation", "1", "--sampling", "extremes",
    )  # fmt: skip
    record = load_model("m.json").training["fit"]["self_training"]
    assert (record["mode"], record["lists"]) == ("self", 2)
    out = run(capsys, "--explain", "m.json")
    assert re.search(r"^n-best list +a\.nbest \(2 sentences, 4 texts\)$", out, re.M)
    assert re.search(r"^self-training +self, extremes; kept \d of 3 rounds", out, re.M)
    err = fails(capsys, *two_pairs, "-o", "m.json", "--nbest", "a.nbest")
    assert "1 n-best list and 0 reference files; give" in err
    write_lines("ref", ["the cat sat"])
    err = fails(capsys, *two_pairs, "-o", "m.json", "--nbest", "a.nbest",
                "--nbest-references", "ref")  # fmt: skip
    assert "a.nbest has 2 sentences, ref has 1 line; give one" in err


def test_explain_compares_raw_values_with_those_of_copies(capsys):
    """Scores are cut at that of a copy, so that they could not tell."""
    loose = ["--profile", "beer-1.1", "--regularisation", "1e-8"]
    run(capsys, "-t", "demo", "-J", "demo", *loose, "-o", "loose.json", "-m")
    out = run(capsys, "--explain", "loose.json")
    assert re.search(r"^a copy is best +no: [\d,]+ of [\d,]+ probed texts", out, re.M)
    assert re.search(r"^one-word score +at most 1\.000$", out, re.M)
    out = run(capsys, "--explain", "loose.json", "-t", "demo")
    assert re.search(r"^a copy is best +\w.* 240 these texts", out, re.M)
    data = json.loads(
        run(capsys, "--explain", "loose.json", "-t", "demo", "-f", "json")
    )
    assert data["copy_is_best"] is False
    assert {one["texts"] for one in data["systems"]} == {60}
    run(capsys, "-t", "demo", "-J", "demo", *loose[:2], "-o", "firm.json", "-m")
    out = run(capsys, "--explain", "firm.json")
    assert re.search(r"^a copy is best +on all [\d,]+ probed texts", out, re.M)


def test_an_interrupted_run_leaves_the_old_file(two_pairs, capsys, monkeypatch):
    Path("m.json").write_text("old")

    def interrupt(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("tertium.learn.training._fit", interrupt)
    assert main(["train", *two_pairs, "-o", "m.json"]) == 130
    assert "nothing was written" in capsys.readouterr().err
    assert Path("m.json").read_text() == "old"
    assert {path.name for path in Path.cwd().iterdir()} == {
        "m.json", "de-en.tsv", "fr-en.tsv", "de-en.pairs.tsv", "fr-en.pairs.tsv",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no file for the model; name one with -o"),
        (["-o", "m.json"], "nothing to learn from; give test sets (-t) and"),
        (["-t", "de-en.tsv", "-o", "m.json"],
         "1 group of test sets and 0 groups of judgements"),
        (["-t", "demo", "-o", "."], "cannot write .: it is a folder"),
        (["-t", "demo", "-o", "no/m.json"], "there is no folder"),
        (["-t", "de-en.tsv", "-J", "demo", "-o", "de-en.tsv"], "one of the inputs"),
        (["-t", "demo", "-o", "m", "--names", "a", "b"], "2 names for 1 group"),
        (["-t", "demo", "-o", "m", "--valid", "fr"], "unknown source to hold out 'fr'"),
        (["-t", "demo", "-o", "m", "--valid", "demo"], "holds out everything"),
        (["-t", "demo", "-o", "m", "--profile", "bear"], "unknown profile"),
        (["-t", "demo", "-o", "m", "--resource", "x"], "is not KEY=VALUE"),
        (["-t", "demo", "-o", "m", "--resource", "x=y"], "unknown resource 'x'"),
        (["-t", "demo", "-o", "m", "--objective", "joint", "--learner", "svm"],
         "joint cannot be learnt by svm"),
        (["-t", "demo", "-o", "m", "--cross-validate", "year"], "keeps no model"),
        (["-t", "demo", "--cross-validate", "year"], "one campaign, demo; give more"),
        (["-t", "de-en.tsv", "-J", "fr-en.pairs.tsv", "-o", "m"],
         "judgements are of fr-en, test sets of de-en"),
        (["-t", "de-en.tsv", "de-en.tsv", "-J", "de-en.pairs.tsv", "-o", "m"],
         "are both of de-en"),
        (["-t", "de-en.tsv", "-J", "de-en.pairs.tsv", "-t", "de-en.tsv", "-J",
          "de-en.pairs.tsv", "-o", "m"], "group of test sets a name (--names)"),
        (["-t", "demo", "-o", "m", "--rounds", "3"], "rounds is for n-best lists"),
        (["-t", "demo", "-o", "m", "--sampling", "uniform"], "give some (--nbest)"),
        (["-t", "demo", "-o", "m", "--self-training", "self"],
         "self-training is for n-best lists"),
        (["-t", "demo", "-o", "m", "-r", "a", "-i", "b"], "are for --explain; name"),
        (["-t", "demo", "-o", "m", "--restarts", "2"], "leave out restarts, or choose"),
        (["-t", "demo", "-o", "m", "--profile", "beer-3.0", "--bags", "2"],
         "linear has no bags"),
        (["-t", "demo", "-o", "m", "--profile", "beer-3.0", "--mix", "2"],
         "mix is 2; give the share"),
        (["-t", "demo", "-o", "m", "--gap", "20"], "the gap (--pairs, --gap)"),
        (["-t", "demo", "-o", "m", "--gap", "20", "--pairs", "rankings"],
         "a gap is for ratings"),
        (["-t", "demo", "-o", "m", "--resource", "synonyms=x"],
         "no feature of beer-4 reads the resource synonyms"),
        (["--explain", "beer-3.0", "-o", "m"], "--explain trains nothing; omit"),
        (["--explain", "beer-3.0", "--resource", "parser=udpipe"],
         "no feature of beer-3.0 reads the resource parser"),
        (["--explain", "beer-matched.en", "-t", "demo", "--resource", "synonyms=none",
          "paraphrases=none"], "none: "),
        (["--explain", "beer-3.0", "--rounds", "3"], "are for --nbest; omit them"),
        (["--explain", "beer-3.0", "--gap", "2", "--pairs", "rankings"],
         "--gap is for ratings"),
        (["--explain", "none.json"], "none.json: no such file"),
        (["--explain", "de-en.tsv"], "de-en.tsv:1: no complete JSON"),
    ],
)  # fmt: skip
def test_errors_say_what_where_and_cure(two_pairs, arguments, message, capsys):
    err = fails(capsys, *arguments)
    assert message in err
    assert err.count("\n") <= 4  # what was read before, at most
    assert "Traceback" not in err


def test_explaining_on_texts_needs_both_sides(two_pairs, write_lines, capsys):
    run(capsys, *two_pairs, "-o", "m.json", "-m", "--valid", "none")
    write_lines("ref.txt", ["the cat sat"])
    write_lines("A.txt", ["a cat sat"])
    err = fails(capsys, "--explain", "m.json", "-r", "ref.txt")
    assert "needs references (-r) and systems (-i)" in err
    out = run(
        capsys, "--explain", "m.json", "-r", "ref.txt", "-i", "A.txt", "-f", "tsv"
    )
    head, row = out.splitlines()
    assert head.split("\t")[:2] == ["system", "score"]
    assert row.startswith("A\t0.")
    run(capsys, *two_pairs, "-o", "net.json", "-m", "--learner", "ranknet",
        "--restarts", "1", "--valid", "none")  # fmt: skip
    assert "ranker          network" in run(capsys, "--explain", "net.json")
    err = fails(capsys, "--explain", "net.json", "-r", "ref.txt", "-i", "A.txt")
    assert "network ranker" in err


def test_help_says_what_sampling_of_extremes_costs(capsys):
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    message = " ".join(capsys.readouterr().out.split())
    assert "tau on WMT15 fell by 0.012, with uniform by 0.004" in message
