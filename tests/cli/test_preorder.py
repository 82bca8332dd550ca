# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder`` as a user meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.preorder.unaligned import learn_unaligned
from tests.support.preordering import Reverser

SOURCE = ["she reads old books", "", "in Rome"]
LINKS = ["0-0 1-3 2-1 3-2", "", "0-1 1-0"]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch, write_lines):
    """Run in a folder with a text, its links and orders."""
    monkeypatch.chdir(tmp_path)
    write_lines("a.en", SOURCE)
    write_lines("a.links", LINKS)
    write_lines("a.orders", ["0 2 3 1", "", "0 1"])


@pytest.fixture
def model(monkeypatch):
    """Replace every model file by one that reverses sentences."""
    monkeypatch.setattr("tertium.preorder.model.load", lambda _path: Reverser())


def run(capsys, command: str, *, code: int = 0) -> str:
    """Return what a command prints."""
    assert main(["preorder", *command.split()]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


TEXT = "-s a.en --links a.links"


def test_gold_orders_are_written_in_three_formats(capsys):
    assert run(capsys, f"gold {TEXT}") == "0 2 3 1\n\n1 0\n"
    out = run(capsys, f"gold {TEXT} -f text")
    assert out == "she old books reads\n\nRome in\n"
    assert run(capsys, f"gold {TEXT} -f permutations") == "1 4 2 3\n\n2 1\n"


def test_links_may_count_from_one_and_have_a_backward_direction(capsys, write_lines):
    write_lines("one.links", ["1-1 2-4 3-2 4-3", "", "1-2 2-1"])
    out = run(capsys, "gold -s a.en --links one.links --one-based")
    assert out == "0 2 3 1\n\n1 0\n"
    out = run(capsys, f"gold {TEXT} --reduction intersection --backward a.links")
    assert out == "0 2 3 1\n\n1 0\n"


def test_scores_are_printed_as_json(run_json):
    data = run_json("preorder", "score", "a.orders", *TEXT.split())
    assert data["sentences"] == 3
    assert list(data["systems"]) == ["a", "identity"]
    assert data["systems"]["a"]["tau"]["score"] == pytest.approx(2 / 3)
    assert data["systems"]["identity"]["tau"]["score"] == pytest.approx((4 / 6 + 1) / 3)
    assert len(data["pairs"]) == 8


def test_scores_are_printed_as_a_table(capsys):
    out = run(capsys, f"score a.orders b=a.orders {TEXT} -m tau exact --baselines")
    assert "3 sentences, gold orders: mean" in out
    assert "tau: which systems differ" in out
    out = run(capsys, f"score a.orders {TEXT} -m tau -f tsv --resamples 0")
    assert out.splitlines()[0] == "system\tmeasure\tscore\tlow\thigh"


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("action", ["nbest", "lattice"])
def test_the_best_of_several_orders_is_scored(capsys, run_json, action):
    run(capsys, f"{action} model a.en -n 30 -f json -o {action}.jsonl")
    data = run_json("preorder", "score", f"{action}.jsonl", "a.orders", *TEXT.split())
    assert list(data["systems"]) == [action, "a", "identity", f"{action} oracle"]
    assert data["systems"][f"{action} oracle"]["tau"]["score"] == 1
    assert data["systems"][action]["tau"]["score"] < 1
    assert data["operators"]["gold"]["operators"] == {"21": 2, "12": 2}
    table = run(capsys, f"score {action}.jsonl {TEXT} -m tau")
    assert f"{action} oracle: the best of" in table
    assert "up to five" in table


def test_head_final_rules_are_a_baseline(run_json, write_lines):
    tree = (
        "1\tin\tin\tADP\t_\t_\t2\tcase\t_\t_",
        "2\tRome\tRome\tX\t_\t_\t0\troot\t_\t_",
    )
    flat = [line.replace("\t2\tcase\t", "\t0\troot\t") for line in tree]
    write_lines("b.conllu", [*tree, "", "# parse = 2", *flat, ""])
    for name, line in (("b.en", SOURCE[2]), ("b.links", LINKS[2]), ("b.orders", "0 1")):
        write_lines(name, [line])
    command = "preorder score b.orders -s b.en --links b.links --trees b.conllu"
    data = run_json(*command.split(), "--baselines", "head-final")
    assert data["systems"]["head-final"]["exact"]["score"] == 1
    assert data["systems"]["b"]["exact"]["score"] == 0


def test_a_corpus_is_described(capsys, run_json):
    out = run(capsys, f"extract {TEXT} --units units.jsonl")
    assert "binary operators only" in out
    first = json.loads(Path("units.jsonl").read_text().splitlines()[0])
    assert first == {"units": [[0, 1], [1, 2], [2, 3], [3, 4]], "ranks": [1, 4, 2, 3]}
    data = run_json("preorder", "extract", *TEXT.split())
    assert data["operators"] == {"21": 2, "12": 2}


def corpus(capsys) -> str:
    """Write the demo corpus, and return the options that name it."""
    run(capsys, "demo --corpus corpus")
    return "-s corpus/train.en --links corpus/train.links -j 1"


@pytest.mark.parametrize(
    "settings",
    ["--model btg --classes 2 3 4", "--model grammar --splits 2 1 --restarts 1"],
)
def test_a_model_is_trained_applied_and_scored(capsys, run_json, settings):
    command = f"train {corpus(capsys)} --iterations 2 {settings} -o model --log log.svg"
    run(capsys, command)
    assert Path("log.svg").read_text().startswith("<svg")
    run(capsys, "apply model corpus/test.en -f orders -o test.orders")
    command = "preorder score test.orders -s corpus/test.en --links corpus/test.links"
    systems = run_json(*command.split(), "--resamples", "0")["systems"]
    assert systems["test"]["tau"]["score"] > systems["identity"]["tau"]["score"]


def test_a_grammar_learns_with_priors_rounds_and_alternative_links(capsys):
    options = corpus(capsys)
    Path("other.links").write_text(Path("corpus/train.links").read_text())
    settings = "--model grammar --splits 3 1 --restarts 2 --iterations 2 --rounds 1"
    settings += " --prior 0.5 0.1 --height both"
    run(capsys, f"train {options} {settings} -o one")
    run(capsys, f"train {options} {settings} --links other.links -o two --log log.json")
    assert Path("one").read_bytes() == Path("two").read_bytes()
    rows = json.loads(Path("log.json").read_text())
    assert [(row["member"], row["number"]) for row in rows] == [
        (member, number) for member in (1, 2) for number in range(1, 11)
    ]
    error = run(capsys, f"train {options} --links other.links -o three", code=2)
    assert "only the model grammar learns from alternative links" in error


def test_the_log_of_a_combination_has_the_iterations_of_all_members(capsys):
    command = f"train {corpus(capsys)} --model combined --splits 2 1 --restarts 2"
    command += " --classes 2 3 4 --iterations 2"
    run(capsys, f"{command} -o model --log log.json")
    rows = json.loads(Path("log.json").read_text())
    assert [(row["member"], row["kind"], row["number"]) for row in rows] == [
        (member, kind, number)
        for member, kind in enumerate(("btg", "btg", "grammar", "grammar"), start=1)
        for number in (1, 2)
    ]
    assert all("objective" in row for row in rows[:4])
    assert all(row["perplexity"] > 1 for row in rows[4:])
    run(capsys, f"{command} -o model --log log.svg")
    assert "grammar: perplexity" in Path("log.svg").read_text()


def test_interrupted_training_goes_on_to_the_same_model(capsys, monkeypatch):
    command = f"train {corpus(capsys)} --model grammar --splits 2 1 --iterations 3"
    command = f"{command} --restarts 1 --checkpoint state"
    run(capsys, f"{command} -o whole")
    Path("state").unlink()

    def stop(_self, _what, done, _total=None):
        if done == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("tertium.cli.shared.progress.Progress.phase", stop)
        error = run(capsys, f"{command} -o model", code=130)
    assert "the same command goes on" in error
    assert not Path("model").exists()
    run(capsys, f"{command} -o model")
    assert Path("model").read_bytes() == Path("whole").read_bytes()


def test_training_needs_links_or_a_translation(capsys, write_lines):
    write_lines("b.ja", ["a b c", "", "d"])
    error = run(capsys, f"train {TEXT} -t b.ja -o model", code=2)
    assert "a.links:1: link 1-3" in error
    write_lines("c.ja", ["a b c"])
    error = run(capsys, f"train {TEXT} -t c.ja -o model", code=2)
    assert "3 source sentences and 1 translation" in error
    error = run(capsys, "train -s a.en -o model", code=2)
    assert "give --links, or a translation (-t)" in error
    error = run(capsys, f"train {TEXT} --model btg --variant pet -o model", code=2)
    assert "the model btg has no setting 'variant'" in error
    assert "(--variant)" in error


def test_the_demo_learns_writes_a_page_and_keeps_the_model(capsys):
    out = run(capsys, "demo --model btg -o page.html --save model -q")
    assert float(re.search(r"^btg +([0-9.]+)", out, re.MULTILINE)[1]) > 0.95
    assert "<svg" in Path("page.html").read_text()
    assert run(capsys, "apply model a.en -f orders").count("\n") == 3


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("text", "books old reads she\n\nRome in\n"),
        ("orders", "3 2 1 0\n\n1 0\n"),
        ("permutations", "4 3 2 1\n\n2 1\n"),
        ("trees", "(21 she reads old books)\n\n(21 in Rome)\n"),
    ],
)
@pytest.mark.usefixtures("model")
def test_a_model_is_applied(capsys, kind, expected):
    assert run(capsys, f"apply model a.en -f {kind}") == expected
    assert run(capsys, f"apply model a.en -f {kind} -o out") == ""
    assert Path("out").read_text() == expected


@pytest.mark.usefixtures("model")
def test_doubtful_sentences_are_reported(capsys):
    assert main(["preorder", "apply", "model", "a.en", "--unless-sure", "0.9"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "\n".join([*SOURCE, ""])
    assert captured.err.startswith("tertium: 2 sentences kept the source order")


@pytest.mark.usefixtures("model")
def test_constraints_are_respected(capsys, write_lines):
    out = run(capsys, "apply model a.en -f orders --max-displacement 0")
    assert out == "0 1 2 3\n\n0 1\n"
    write_lines("limits", ['{"walls": [2]}', "{}", '{"frozen": [[0, 2]]}'])
    out = run(capsys, "apply model a.en -f orders --constraints limits")
    assert out == "1 0 3 2\n\n0 1\n"


@pytest.mark.usefixtures("model")
def test_applied_models_explain_themselves_in_json(capsys):
    first = json.loads(run(capsys, "apply model a.en -f json").splitlines()[0])
    assert first["reordered"] == ["books", "old", "reads", "she"]
    assert first["expected"] == pytest.approx(0.6)


@pytest.mark.usefixtures("model")
def test_nbest_lists_and_lattices_are_written(capsys):
    out = run(capsys, "nbest model a.en -n 2").splitlines()
    assert out[0] == "0 ||| books old reads she ||| expected= 0.600000 ||| 0.600000"
    assert [line.split()[0] for line in out] == ["0", "0", "1", "2", "2"]
    content = json.loads(run(capsys, "nbest model a.en -n 2 -f json").splitlines()[2])
    assert [each["order"] for each in content["orders"]] == [[1, 0], [0, 1]]
    plf = run(capsys, "lattice model a.en -n 2").splitlines()
    assert plf[2].startswith("((('")
    final = json.loads(run(capsys, "lattice model a.en -f json").splitlines()[2])
    assert final["words"] == ["in", "Rome"]
    assert run(capsys, "lattice model a.en -f openfst").count("\n\n") == 3


class Prepositions(Reverser):
    """A reverser that knows that `in` has no counterpart."""

    unaligned = learn_unaligned([["in", "Rome"]] * 9, [[(1, 0)]] * 9)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("apply model a.en --unaligned drop", "books old reads she\n\nRome\n"),
        ("apply model a.en --unaligned drop -f orders", "3 2 1 0\n\n1\n"),
        ("apply model a.en --unaligned drop -f permutations", "4 3 2 1\n\n0 1\n"),
        (
            "apply model a.en --unaligned drop -f trees",
            "(21 she reads old books)\n\nRome\n",
        ),
        (
            "apply model a.en --unaligned mark -f trees",
            "(21 she reads old books)\n\n(21 in_null Rome)\n",
        ),
        (
            "apply model a.en --unaligned mark --marker |0",
            "books|- old|- reads|- she|-\n\nRome|- in|0\n",
        ),
        ("apply model a.en --unaligned drop --unaligned-above 1", None),
        (f"gold {TEXT.replace('a.links', 'c.links')} --unaligned drop", "0 3 1\n\n1\n"),
        (
            f"gold {TEXT.replace('a.links', 'c.links')} --unaligned mark -f text",
            "she old_null books reads\n\nin_null Rome\n",
        ),
    ],
)
def test_unaligned_words_are_marked_or_dropped(
    capsys, monkeypatch, write_lines, command, expected
):
    monkeypatch.setattr("tertium.preorder.model.load", lambda _path: Prepositions())
    write_lines("c.links", ["0-0 1-3 3-2", "", "1-0"])
    whole = run(capsys, "apply model a.en")
    assert run(capsys, command) == (expected or whole)


def test_unaligned_words_are_listed_in_json(capsys, monkeypatch, write_lines):
    monkeypatch.setattr("tertium.preorder.model.load", lambda _path: Prepositions())
    write_lines("c.links", ["0-0 1-3 3-2", "", "1-0"])
    links = "-s a.en --links c.links"
    for command in ("apply model a.en", "nbest model a.en", "lattice model a.en"):
        for way in ("keep", "drop"):
            out = run(capsys, f"{command} -f json --unaligned {way}").splitlines()
            assert [json.loads(line)["unaligned"] for line in out] == [[], [], [0]]
    out = run(capsys, f"gold {links} -f json --unaligned drop").splitlines()
    assert json.loads(out[2]) == {
        "words": ["in", "Rome"],
        "reordered": ["Rome"],
        "order": [1],
        "unaligned": [0],
    }
    assert "in_null" in run(capsys, "nbest model a.en --unaligned mark")
    assert "'in'" not in run(capsys, "lattice model a.en --unaligned drop")


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("action", ["apply", "nbest", "lattice"])
def test_old_models_cannot_drop_unaligned_words(capsys, action):
    error = run(capsys, f"{action} model a.en --unaligned drop", code=2)
    assert "model: this model has not learnt which words are unaligned" in error
    assert "train it again with this version (--unaligned)" in error
    assert run(capsys, f"{action} model a.en")


@pytest.mark.usefixtures("model")
def test_models_are_explained_as_text_page_and_diagram(capsys):
    out = run(capsys, "explain model a.en")
    assert "(21 she reads old books)" in out
    assert "2 of 3 sentences reordered" in out
    assert run(capsys, "explain model a.en -f html").startswith("<!DOCTYPE html>")
    for diagram in ("tree", "blocks", "heat"):
        command = f"explain model a.en -f svg --diagram {diagram} --sentences 3"
        assert run(capsys, command).startswith("<svg")
    assert json.loads(run(capsys, "explain model a.en -f json"))["kind"] == "reverser"
    error = run(capsys, "explain model a.en --sentences 4", code=2)
    assert "no sentence 4 in a text of 3" in error


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("gold -s a.en --links a.orders", "a.orders:1: '0' is not a link"),
        ("gold -s a.links --links a.en", "a.en:1: 'she' is not a link"),
        (f"gold {TEXT} --reduction intersection", "(--backward)"),
        (f"score a.links {TEXT}", "a.links:1: '0-0' is not a value"),
        (f"score a.orders a.orders {TEXT}", "two systems are called 'a'"),
        (f"score a.orders {TEXT} --baselines head-final", "(--trees)"),
        ("apply a.en a.en", "a.en: this is not a preordering model"),
        (f"gold {TEXT} -o a.en", "a.en is one of the inputs"),
        (f"gold {TEXT} --unaligned mark --marker=", "(--marker)"),
        ("golds", "did you mean gold"),
    ],
)
def test_wrong_input_names_file_line_and_cure(capsys, command, message):
    assert message in run(capsys, command, code=2)


def test_a_failed_action_leaves_the_output_alone(capsys):
    Path("out").write_text("before")
    run(capsys, "gold -s a.en --links a.orders -o out", code=2)
    assert Path("out").read_text() == "before"
    assert not list(Path().glob(".tertium-*"))


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("block", [2, 3])
@pytest.mark.parametrize(
    "command",
    [
        "gold -s b.en --links b.links",
        "gold -s b.en --links b.links -f json --reduction minphrase",
        "gold -s b.en --links b.links --reduction intersection --backward b.links",
        "apply model b.en --unless-sure 0.5",
        "apply model b.en -f json --constraints b.limits",
        "apply model b.en --checkpoint chunks",
        "nbest model b.en -n 2 --constraints b.limits",
        "lattice model b.en -n 2",
    ],
)
def test_outputs_do_not_depend_on_blocks(
    capsys, write_lines, monkeypatch, command, block
):
    write_lines("b.en", [*SOURCE, "one", *SOURCE])
    write_lines("b.links", [*LINKS, "", *LINKS])
    write_lines("b.limits", ['{"walls": [2]}', "{}", "{}", "{}", "", "{}", "{}"])
    main(["preorder", *command.split()])
    whole = capsys.readouterr()
    assert whole.out
    for module in ("data.kept.BLOCK", "preorder.gold._BLOCK"):
        monkeypatch.setattr(f"tertium.{module}", block)
    for module in ("_PART", "_FAR_PART"):
        monkeypatch.setattr(f"tertium.preorder.application.{module}", block)
    for _ in range(2):  # from a checkpoint, the second time
        main(["preorder", *command.split()])
        assert capsys.readouterr() == whole


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("gold -s a.en --links c.links", "c.links:3: link 9-9"),
        ("gold -s c.en --links a.links", "a.links: there are 3 lines for 4 sentences"),
        ("apply model c.en --constraints limits", "there are 3 lines for 4 sentences"),
        ("apply model a.en --constraints c.limits", "c.limits:4: the text has only 3"),
    ],
)
@pytest.mark.usefixtures("model")
def test_a_late_error_leaves_no_output(
    capsys, write_lines, monkeypatch, command, message
):
    for module in ("data.kept.BLOCK", "preorder.gold._BLOCK"):
        monkeypatch.setattr(f"tertium.{module}", 1)
    write_lines("c.en", [*SOURCE, "more"])
    write_lines("c.links", [*LINKS[:2], "9-9"])
    write_lines("limits", ["{}"] * 3)
    write_lines("c.limits", ["{}"] * 4)
    for place in ("", " -o out"):
        assert main(["preorder", *f"{command}{place}".split()]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert message in captured.err
    assert not Path("out").exists()
    assert not list(Path().glob(".tertium-*"))


def test_an_interrupted_model_leaves_no_output(capsys, monkeypatch):
    class Interrupted(Reverser):
        def apply(self, sentences, **settings):
            if sentences == [["in", "Rome"]]:
                raise KeyboardInterrupt
            return super().apply(sentences, **settings)

    monkeypatch.setattr("tertium.preorder.model.load", lambda _path: Interrupted())
    monkeypatch.setattr("tertium.preorder.application._PART", 1)
    for place in ("", " -o out"):
        assert main(["preorder", *f"apply model a.en{place}".split()]) == 130
        assert capsys.readouterr().out == ""
    assert not Path("out").exists()
    assert not list(Path().glob(".tertium-*"))
