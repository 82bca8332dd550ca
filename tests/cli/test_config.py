# SPDX-License-Identifier: Apache-2.0
"""Options from tertium.toml: what they become, what wins, and what is not allowed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module

import pytest

from tertium.cli import VERBS, main
from tertium.cli.completion.verb import _levels
from tertium.cli.shared.config import HARMLESS, SHARED
from tertium.cli.shared.parsers import parser_of


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.txt").write_text("the cat sat\na dog ran\n")
    (tmp_path / "a.txt").write_text("the cat sat\na dog\n")
    (tmp_path / "b.txt").write_text("a cat\na dog ran\n")
    return tmp_path


@pytest.fixture
def configure(here):
    def write(text, name="tertium.toml"):
        (here / name).write_text(text)

    return write


def run(capsys, *words):
    code = main(words)
    done = capsys.readouterr()
    assert code == 0, done.err
    return done.out, done.err


def failure(capsys, *words):
    assert main(words) == 2
    return capsys.readouterr().err.removeprefix("tertium: ").strip()


def test_a_file_gives_the_options_of_its_verb(configure, capsys):
    configure(
        '[all]\nseed = 7\n[score]\nreferences = ["ref.txt"]\ninterval = true\n'
        'metrics = ["chrf", "ter"]\nresamples = 99\n'
        'systems = {A = "a.txt", B = ["a.txt", "b.txt"]}\n[compare]\nmetrics = ["wer"]'
    )
    out, err = run(capsys, "score", "-f", "json")
    result = json.loads(out)
    assert list(result["metrics"]) == ["chrf", "ter"]
    assert "|seed:7|" in result["metrics"]["chrf"]["signature"]
    assert "|bs:99|" in result["metrics"]["chrf"]["signature"]
    assert len(result["systems"]["B"]["chrf"]["runs"]) == 2
    assert err.startswith("tertium: tertium.toml adds --seed=7 --references ref.txt ")
    same = run(
        capsys,
        *("score", "--no-config", "-f", "json", "-r", "ref.txt", "--seed", "7", "-m"),
        *("chrf", "ter", "--interval", "--resamples", "99"),
        *("-i", "A=a.txt", "B=a.txt,b.txt"),
    )
    assert same == (out, "")


def test_a_file_says_which_scores_rise(configure, capsys, here):
    for name in "AB":
        (here / f"{name}.ter").write_text("0.5\n0.25\n")
    words = ["-r", "ref.txt", "-i", "A=a.txt", "B=b.txt", "-m", "chrf", "-f", "json"]
    scores = 'scores = ["A=A.ter", "B=B.ter"]\n'
    for more, higher in (("", False), ('higher-is-better = ["ter"]\n', True)):
        configure(f"[score]\n{scores}{more}")
        metrics = json.loads(run(capsys, "score", *words)[0])["metrics"]
        assert list(metrics.values())[1]["higher_is_better"] is higher


def test_what_is_typed_wins(configure, capsys):
    configure('[score]\nmetrics = ["chrf", "ter"]\nreferences = ["b.txt"]\nseed = 3\n')
    for words in (["-m", "wer"], ["--metrics", "wer"], ["-mwer"], ["--metrics=wer"]):
        out, err = run(capsys, "score", "-i", "a.txt", "-r", "ref.txt", *words)
        assert out.split()[:2] == ["system", "WER"]
        assert err == "tertium: tertium.toml adds --seed=3\n"


def test_a_test_set_is_found_among_the_words(configure, capsys):
    configure('[all]\nmetrics = ["chrf"]\n')
    out, err = run(capsys, "score", "demo", "-q")
    assert "chrF2" in out
    assert err == ""


def test_no_file_hides_what_it_adds(configure, capsys):
    for table in ("all", "score"):
        configure(f'[{table}]\nquiet = true\nmetrics = ["chrf"]\n')
        message = failure(capsys, "score", "demo")
        assert "toml:2: quiet may not come from a file that nobody named" in message
        err = run(capsys, "score", "demo", "--config", "tertium.toml")[1]
        assert err == "tertium: tertium.toml adds --quiet --metrics chrf\n"
    words = ("score", "demo", "--config", "tertium.toml")
    assert run(capsys, *words, "--quiet")[1] == ""
    assert run(capsys, *words, "-qftsv")[1] == ""


def test_only_a_file_is_a_file(here, capsys):
    (here / "tertium.toml").mkdir()
    assert "BLEU" in run(capsys, "score", "demo")[0]
    (here / "tertium.toml").rmdir()
    if not hasattr(os, "mkfifo"):
        return
    os.mkfifo(here / "tertium.toml")
    # Nobody writes into it: to read it would take for ever.
    command = [sys.executable, "-m", "tertium", "metrics"]
    done = subprocess.run(command, cwd=here, capture_output=True, timeout=60)
    assert done.returncode == 0


def test_a_common_format_is_one_of_tables(configure, capsys, here):
    configure('[all]\nformat = "json"\n')
    words = ("-r", "ref.txt", "-i", "a.txt")
    run(capsys, "resegment", *words, "--always", "-o", "m.txt")
    assert (here / "m.txt").read_text() == "the cat sat\na dog\n"
    assert json.loads(run(capsys, "score", *words)[0])
    configure('[all]\nformat = "md"\n')
    run(capsys, "report", *words, "b.txt", "-m", "wer", "-o", "page.html")
    assert "<html" in (here / "page.html").read_text()
    run(capsys, "explain", *words, "-m", "wer", "--segments", "2")
    configure('[all]\nformat = "xlsx"\n')
    run(capsys, "check", *words)
    configure('[all]\nformat = "tabel"\n')
    assert "invalid choice: 'tabel'" in failure(capsys, "score", *words)


def test_options_in_one_word_are_typed_too(configure, capsys):
    configure('[all]\nformat = "json"\nseed = 4\n')
    words = ("score", "-r", "ref.txt", "-i", "a.txt", "-m", "wer")
    out, err = run(capsys, *words, "-qftsv")
    assert out.startswith("system\twer")
    assert err == ""
    out, err = run(capsys, *words, "--seed", "0")
    assert err == "tertium: tertium.toml adds --format=json\n"


def test_an_option_that_excludes_one_of_the_file_wins(configure, capsys, here):
    configure("[all]\nno-cache = true\n")
    words = ("score", "-r", "ref.txt", "-i", "a.txt", "-m", "wer")
    assert run(capsys, *words, "--cache", "kept")[1] == ""
    assert run(capsys, *words)[1] == "tertium: tertium.toml adds --no-cache\n"
    configure('[all]\nno-cache = true\n[score]\ncache = "kept"\n')
    err = run(capsys, *words, "--config", "tertium.toml")[1]
    assert err == "tertium: tertium.toml adds --cache=kept\n"


def test_a_typed_test_set_replaces_all_texts_of_the_file(configure, capsys):
    configure('[score]\nreferences = ["ref.txt"]\nsystems = ["a.txt"]\nseed = 1\n')
    assert "a " in run(capsys, "score", "-m", "wer")[0]
    out, err = run(capsys, "score", "demo", "-m", "wer")
    assert "good" in out
    assert err == "tertium: tertium.toml adds --seed=1\n"


@pytest.mark.parametrize(
    "line",
    [
        'input-format = "jsonl"',
        'systems-columns = ["A"]',
        'scores = ["A=theirs.txt"]',
        'trees = ["A=a.conllu"]',
        'ref-trees = ["ref.conllu"]',
        'alignments = ["A=a.pharaoh"]\none-based = true\nsure-only = true',
        'sets = ["sets.txt"]',
        'reference = "refB"',
        'test-set = "wmt20"',
        'mtme = "folder"',
        'permutations = ["A=a.txt"]\nzero-based = true',
        'docs = "docs.txt"\nsource = "src.txt"',
    ],
)
def test_whatever_belongs_to_texts_is_replaced_with_them(configure, capsys, line):
    configure(f"[score]\nseed = 1\n{line}\n")
    words = ("score", "demo", "-m", "wer")
    assert run(capsys, *words)[1] == "tertium: tertium.toml adds --seed=1\n"
    # -m takes the test set first.
    assert run(capsys, "score", *words[2:], "demo") == run(capsys, *words)


def test_a_reference_without_an_option_is_typed(configure, capsys):
    configure('[score]\nreferences = ["b.txt"]\nseed = 1\n')
    out, err = run(capsys, "score", "ref.txt", "-i", "A=ref.txt", "-m", "wer")
    assert "0.0000" in out
    assert err == "tertium: tertium.toml adds --seed=1\n"


def test_a_downloaded_set_replaces_texts_and_keeps_outputs(
    configure, capsys, here, monkeypatch
):
    folder = here / "home" / "wmt20"
    folder.mkdir(parents=True)
    (folder / "wmt20.en-de.src").write_text("one\ntwo\n")
    (folder / "wmt20.en-de.ref").write_text("the cat sat\na dog ran\n")
    monkeypatch.setenv("SACREBLEU", str(here / "home"))
    configure(
        '[score]\nreferences = ["b.txt"]\nsource = "b.txt"\n'
        'input-format = "text"\nsystems = ["A=a.txt"]\n'
    )
    words = ("score", "-t", "wmt20", "-l", "en-de", "-m", "wer")
    out, err = run(capsys, *words, "-i", "B=ref.txt")
    assert "0.0000" in out
    assert "adds" not in err
    assert "tertium.toml adds --systems A=a.txt\n" in run(capsys, *words)[1]


def test_a_named_file_replaces_the_one_here(configure, capsys):
    configure("[score]\nnonsense = 1\n")
    configure('[score]\nmetrics = ["wer"]\n', "mine.toml")
    out, err = run(capsys, "score", "demo", "--config", "mine.toml")
    assert "WER" in out
    assert "mine.toml adds --metrics wer" in err
    assert "BLEU" in run(capsys, "score", "demo", "--no-config")[0]
    assert "nonsense" in failure(capsys, "score", "demo")
    assert "omit one" in failure(capsys, "score", "demo", "--config=x", "--no-config")
    assert "x.toml: cannot be read" in failure(
        capsys, "score", "demo", "--config", "x.toml"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[score]\n\nmetrcs = ['bleu']\n", "toml:3: unknown option of tertium score "),
        ("[score]\n\nmetrcs = ['bleu']\n", "did you mean metrics"),
        ("[scroe]\nseed = 1\n", "tertium.toml:1: unknown table 'scroe'; did you mean"),
        (
            "[all]\nseeed = 1\n",
            "toml:2: unknown key of [all] 'seeed'; did you mean seed",
        ),
        ("seed = 1\n", "toml:1: unknown table 'seed'"),
        ("score = 1\n", "toml:1: score is not a table; write [score]"),
        ("[score]\nsegments = 1\n", "toml:2: segments is either true or false"),
        ("[score]\nseed = true\n", "toml:2: seed needs a value"),
        ("[score]\nseed = [1, 2]\n", "toml:2: seed takes one value, not a list"),
        ("[score]\nmetrics = [[1]]\n", "unknown metric"),
        ("[score]\nsystems = [1979-05-27]\n", "takes texts and numbers, not date"),
        ("[score]\nsystems = ['--output']\n", "has '--output', an option"),
        ("[score\n", "tertium.toml: not TOML"),
        ("[score]\nseed = 'x'\n", "'x' is not an integer"),
    ],
)
def test_mistakes_name_file_line_and_near_names(configure, capsys, text, message):
    configure(text)
    assert message in failure(capsys, "score", "demo")


@pytest.mark.parametrize(
    "line",
    [
        'output = "x.txt"',
        'cluster = "local:2"',
        'checkpoint = "folder"',
        'cache = "folder"',
    ],
)
def test_a_file_that_nobody_named_neither_writes_nor_starts_anything(
    configure, capsys, here, line
):
    configure(f"[score]\n{line}\n")
    key = line.split()[0]
    message = failure(capsys, "score", "demo")
    assert (
        f"tertium.toml:2: {key} may not come from a file that nobody named" in message
    )
    assert f"type --{key}, or --config tertium.toml" in message
    # Typing the option does not make the file harmless.
    assert main(["score", "demo", "-o", "y.txt"]) == 2
    assert {path.name for path in here.iterdir()} == {
        "tertium.toml",
        "ref.txt",
        "a.txt",
        "b.txt",
    }


@pytest.mark.parametrize(
    "spec",
    [
        "evalgen:analyser=command:touch harm",
        "dted:parser=spacy",
        "beer:model=theirs.beer",
        "external:config=theirs.toml",
        "llm:config=theirs.toml",
        "mean:bleu+(external:config=theirs.toml)",
    ],
)
def test_nor_do_its_metrics(configure, capsys, here, spec):
    configure(f'[compare]\nmetrics = ["bleu", "{spec}"]\n')
    message = failure(capsys, "compare", "demo")
    assert message.startswith("tertium.toml:2: ")
    assert "names a file or a program" in message
    assert not (here / "harm").exists()


def test_a_file_that_is_named_may(configure, capsys, here):
    configure('[score]\noutput = "x.txt"\nmetrics = ["wer"]\n')
    run(capsys, "score", "demo", "--config", "tertium.toml")
    assert "WER" in (here / "x.txt").read_text()


#: Options that write, start or connect, whatever the verb.
HARMFUL = {"output", "record", "cluster", "checkpoint", "config", "allow-commands"}
HARMFUL |= {"allow-outside", "command", "decoder", "analyser", "parser", "cache"}


@pytest.mark.parametrize("verb", HARMLESS)
def test_harmless_options_neither_write_nor_start_nor_connect(verb):
    assert not (HARMLESS[verb] | SHARED) & HARMFUL


@pytest.mark.parametrize(
    ("verb", "harmful"),
    [
        ("score", {"cluster", "checkpoint"}),
        ("compare", {"cluster", "checkpoint"}),
        ("report", {"open"}),
    ],
)
def test_all_other_options_of_a_verb_are_harmless(verb, harmful):
    command = import_module(f"tertium.cli.{verb}").command
    known = {
        name[2:]
        for action in parser_of(command, [])._actions
        for name in action.option_strings
        if name.startswith("--")
    }
    rest = known - HARMLESS[verb] - SHARED - {"help", "no-config"}
    assert rest == {"output", "record", "cache", "config"} | harmful


def test_an_option_with_several_values_takes_a_list_of_them(configure, capsys):
    configure('[report]\nmetrics = ["chrf"]\nfocus = ["order", "copy"]\n')
    out, _ = run(capsys, "report", "demo", "-f", "json", "--resamples", "50")
    assert json.loads(out)["focus"] == ["order", "copy"]
    for wrong in ('"order copy"', '["order"]', '["order", "copy", "good"]'):
        configure(f"[report]\nfocus = {wrong}\n")
        message = failure(capsys, "report", "demo", "-f", "json")
        assert message == ("tertium.toml:2: focus takes a list of 2 values; correct it")
    configure("[preorder.train]\nprior = [1, 0.5]\n")
    message = failure(capsys, "preorder", "train", "--config", "tertium.toml")
    assert "adds --prior 1 0.5" in message


def test_shared_options_write_nothing_in_any_verb():
    for level in _levels():
        names = [name[2:] for option in level.options for name in option.names]
        if not SHARED & set(names):
            continue
        verb, *actions = level.path
        parser = parser_of(import_module(f"tertium.cli.{verb}").command, [*actions, ""])
        for action in parser._actions:
            if SHARED & {name[2:] for name in action.option_strings}:
                assert "write" not in str(action.help).split(";")[0], level.path


def test_an_option_of_another_verb_may_not_be_set(configure, capsys, here):
    configure('[permute]\npermutations = "x.txt"\n')
    message = failure(capsys, "permute", "--perm", "2 1", "--text", "a b")
    assert "permutations may not come from a file that nobody named" in message
    assert not (here / "x.txt").exists()


def test_actions_have_tables_of_their_own(configure, capsys):
    configure("[nbest.stats]\nnonsense = 1\n")
    assert "toml:2: unknown option of tertium nbest stats 'nonsense'" in failure(
        capsys, "nbest", "stats", "x.txt"
    )
    configure("[nbest]\nquiet = true\n")
    assert "toml:2: [nbest] has tables of actions, not quiet" in failure(
        capsys, "nbest", "stats", "x.txt"
    )
    assert main(["nbest"]) == 2
    assert capsys.readouterr().out.count("usage: tertium nbest") == 1


def test_help_works_and_tells_whatever_the_file_says(configure, capsys):
    configure("[score\n")
    with pytest.raises(SystemExit):
        main(["score", "--help"])
    assert "--config FILE" in capsys.readouterr().out
    assert main(["--help"]) == 0
    assert "tertium.toml" in capsys.readouterr().out


def test_sacrebleu_and_repetitions_ignore_the_file(configure, capsys):
    configure("[score\n")
    assert main(["sacrebleu", "ref.txt", "-i", "a.txt", "-b"]) == 0
    assert "has no configuration" in failure(capsys, "repeat", "--config", "x", "y")


def test_a_record_has_the_effective_command_line(configure, capsys, here):
    configure('[score]\nreferences = ["ref.txt"]\nmetrics = ["chrf"]\nseed = 9\n')
    run(capsys, "score", "-i", "a.txt", "--record", "run.json")
    record = json.loads((here / "run.json").read_text())
    assert record["command"] == [
        *("score", "-i", "a.txt", "--record", "run.json"),
        *("--references", "ref.txt", "--metrics", "chrf", "--seed=9"),
    ]
    configure('[score]\nmetrics = ["wer"]\n')  # It is the record that counts.
    out, _ = run(capsys, "repeat", "run.json")
    assert "equal" in out


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_says_what_is_wrong_beside_a_file(verb, configure, capsys):
    main([verb, "--no-such-option", "--no-config"])
    alone = capsys.readouterr().err
    configure('[all]\nthreads = 1\nmetrics = ["wer"]\n')
    main([verb, "--no-such-option"])
    assert capsys.readouterr().err.endswith(alone)


def test_how_outputs_are_cut_may_come_from_the_file(configure, capsys):
    configure('[resegment]\nby = "similarity"\n')
    words = ("resegment", "-r", "ref.txt", "-i", "a.txt", "--always")
    assert "adds --by=similarity" in run(capsys, *words)[1]
    configure('[resegment]\nmerge = "x.txt"\n')
    assert "merge may not come from a file" in failure(capsys, *words)
