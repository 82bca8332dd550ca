# SPDX-License-Identifier: Apache-2.0
"""``tertium tune batch``: files in, weights out."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from tertium.cli import main

LIST = """\
0 ||| a dog sat ||| lm= -1 tm= -3 -2 ||| -4
0 ||| the cat sat down ||| lm= -2 tm= -2 -2 ||| -4
0 ||| the cat sat here ||| lm= -3 tm= -1 -1 ||| -4
1 ||| it rains a lot ||| lm= -3 tm= -1 -2 ||| -4
1 ||| rain is it ||| lm= -1 tm= -4 -2 ||| -5
"""
REFERENCES = "the cat sat here\nit rains a lot\n"


@pytest.fixture
def files(tmp_path):
    nbest, refs = tmp_path / "list.nbest", tmp_path / "ref.txt"
    nbest.write_text(LIST)
    refs.write_text(REFERENCES)
    return ["tune", "batch", "-n", str(nbest), "-r", str(refs)]


@pytest.mark.parametrize("method", ["mert", "pro", "mira"])
def test_json_has_start_and_final(files, capsys, method):
    assert (
        main([*files, "-m", "bleu", "--method", method, "--seed", "1", "-f", "json"])
        == 0
    )
    result = json.loads(capsys.readouterr().out)
    assert result["final"]["score"] >= result["start"]["score"]
    assert list(result["final"]["weights"]) == ["lm", "tm_0", "tm_1"]
    assert result["method"] == method
    assert result["runs"][0]["seed"] == 1


def test_weights_are_written_for_moses_and_read_again(files, capsys, tmp_path):
    weights = tmp_path / "weights.ini"
    assert main([*files, "--restarts", "2", "-o", str(weights)]) == 0
    written = weights.read_text()
    assert written.startswith("[weight]\nlm= ")
    assert len(written.splitlines()[2].split()) == 3
    final = tmp_path / "weights.json"
    more = ["--start", str(weights), "--method", "mira", "-o", str(final), "-f", "json"]
    capsys.readouterr()
    assert main([*files, *more]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["start"]["score"] == pytest.approx(100)
    assert json.loads(final.read_text()) == result["final"]["weights"]


def test_tables_show_scores_weights_and_the_spread_over_seeds(files, capsys):
    assert main([*files, "-m", "ter", "--seeds", "2", "--restarts", "1"]) == 0
    out, err = capsys.readouterr()
    assert "ter, mert: 2 lists" in out
    assert "seed 12346" in out
    assert "standard deviation 0.00" in out
    assert "start: " in err
    assert main([*files, "--restarts", "1", "-q", "-f", "tsv"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "feature\tstart\tfinal"
    assert err == ""


def test_several_lists_are_merged(files, capsys, tmp_path):
    more = tmp_path / "more.nbest"
    more.write_text("0 ||| the cat ||| lm= -9 tm= -9 -9 ||| -9\n")
    arguments = [*files, "--restarts", "0", "-f", "json"]
    arguments.insert(4, str(more))
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["hypotheses"] == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--samples", "5"], "mert"),
        (["--method", "guess"], "guess"),
        (["--seeds", "0"], "0 is not between 1"),
        (["-m", "blue"], "bleu"),
        (["-o", "nowhere/weights.json"], "nowhere"),
        (["--method", "pro", "--strength", "0"], "above 0"),
    ],
)
def test_wrong_options_end_with_exit_2(files, capsys, arguments, message):
    assert main([*files, *arguments]) == 2
    assert message in capsys.readouterr().err


def test_weights_that_do_not_fit_are_named(files, capsys, tmp_path):
    start = tmp_path / "start.json"
    start.write_text('{"lm": 1, "tm_0": 2}')
    assert main([*files, "--start", str(start)]) == 2
    assert "no weight for tm_1" in capsys.readouterr().err


def test_help_shows_the_json(capsys):
    with pytest.raises(SystemExit):
        main(["tune", "batch", "--help"])
    assert '"length_ratio"' in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT")
def test_ctrl_c_writes_the_best_so_far(files, tmp_path):
    weights = tmp_path / "weights.json"
    start = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from tertium.tuning import mert\n"
        "climb = mert.Mert._climb\n"
        "def told(*arguments):\n"
        "    result = climb(*arguments)\n"
        "    print('climbed', file=sys.stderr, flush=True)\n"
        "    return result\n"
        "mert.Mert._climb = told\n"
        "from tertium.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    endless = ["--restarts", "1000000", "--patience", "1000000"]
    command = [*files, *endless, "-o", str(weights), "-f", "json"]
    with subprocess.Popen(
        [sys.executable, "-c", start, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "best weights so far" in err
    result = json.loads(out)
    assert result["interrupted"]
    assert json.loads(weights.read_text()) == result["final"]["weights"]
