# SPDX-License-Identifier: Apache-2.0
"""Tuning with a decoder in the loop: the loop, its folder, its errors."""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tertium
from tertium.errors import InputError
from tertium.judgements import Judgements, Place, Ranking, write_store
from tertium.tuning.decoding import decoder
from tertium.tuning.decoding.decoder import Decoder
from tertium.tuning.decoding.loop import read_run, tune_decoder
from tests.support import toy_decoder

ROOT = Path(__file__).parents[3]
SCRIPT = Path(toy_decoder.__file__)
COMMAND = (
    f"{shlex.quote(sys.executable)} {shlex.quote(str(SCRIPT))} {{weights}} {{nbest}}"
)
START = {"lm": 0.1, "phrase": 1.0, "swap": 1.0, "words": -0.3}
OPTIONS = {"restarts": 2, "directions": 1}


def tuned(folder, command=COMMAND, **changes):
    settings = {
        "folder": folder,
        "start": START,
        "options": OPTIONS,
        "step": 0.5,
        "iterations": 4,
        "seed": 1,
        "threads": 1,
    }
    return tune_decoder(command, toy_decoder.REFERENCES, **{**settings, **changes})


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    return folder, tuned(folder)


# ------------------------------------------------------------------------- the loop


def test_tuning_raises_the_score_of_the_decoder(undisturbed):
    _, run = undisturbed
    assert run.final.score > run.start.score + 10
    assert run.start.weights == START
    assert [row.number for row in run.iterations] == list(range(len(run.iterations)))


def test_the_score_is_that_of_the_decoders_first_hypotheses(undisturbed):
    folder, run = undisturbed
    for row in run.iterations:
        hyps = [toy_decoder.nbest(s, dict(row.weights)) for s in toy_decoder.SOURCE]
        first = [each[0][0] for each in hyps]
        refs = list(toy_decoder.REFERENCES)
        assert row.score == tertium.metric("bleu").corpus_score(first, refs)
        words = sum(len(text.split()) for text in first)
        assert row.length_ratio == words / sum(len(text.split()) for text in refs)
        weights = json.loads(
            (folder / f"iteration-{row.number:02}/weights").read_text()
        )
        assert weights == row.weights


def test_lists_of_all_iterations_are_merged_without_duplicates(undisturbed):
    _, run = undisturbed
    known = set()
    for row in run.iterations:
        fresh = {
            (number, text, *features)
            for number, sentence in enumerate(toy_decoder.SOURCE)
            for text, features in toy_decoder.nbest(sentence, dict(row.weights))
        }
        assert row.new == len(fresh - known)
        known |= fresh
        assert row.hypotheses == len(known)


def test_every_iteration_starts_from_the_weights_tuned_before(undisturbed):
    _, run = undisturbed
    for before, row in zip(run.iterations, run.iterations[1:], strict=False):
        assert row.weights == before.tuned
    assert run.iterations[-1].tuned is None or run.stopped != "iterations"


def test_the_log_has_one_line_per_iteration(undisturbed):
    folder, run = undisturbed
    lines = (folder / "log.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [r.to_dict() for r in run.iterations]
    assert json.loads((folder / "weights.json").read_text()) == run.final.weights
    assert read_run(folder).iterations == run.iterations
    assert json.loads(run.to_json())["final"]["score"] == run.final.score


def test_errors_are_minimised(tmp_path):
    run = tuned(tmp_path / "run", metric="ter", iterations=2)
    assert run.final.score < run.start.score
    assert run.final.score == min(row.score for row in run.iterations)


def test_a_run_ends_when_there_is_nothing_new(tmp_path):
    # This decoder ignores its weights.
    path = tmp_path / "fixed"
    toy_decoder.main(_file(tmp_path / "w", json.dumps(START)), str(path))
    run = tuned(tmp_path / "run", f"cp {path} {{nbest}} # {{weights}}", step=1.0)
    assert (run.stopped, len(run.iterations)) == ("no-new-hypotheses", 2)


def test_a_run_ends_when_weights_hardly_change(tmp_path):
    run = tuned(tmp_path / "run", tolerance=10.0)
    assert (run.stopped, len(run.iterations)) == ("converged", 1)


def test_a_run_ends_after_so_many_iterations_without_a_gain(tmp_path):
    # The first output of this decoder is its best, whatever the weights.
    line = "0 ||| $text ||| lm= {iteration} ||| 0"
    command = (
        'test {iteration} = 0 && text="a b c d" || text=q{iteration}; '
        f'echo "{line}" > {{nbest}} # {{weights}}'
    )
    run = tune_decoder(
        command,
        ["a b c d"],
        folder=tmp_path / "run",
        start={"lm": 1.0},
        metric="chrf",
        tolerance=-1.0,
        early_stop=2,
    )
    assert (run.stopped, len(run.iterations), run.final.number) == ("no-gain", 3, 0)


def test_an_ended_run_goes_on_with_more_iterations(tmp_path, undisturbed):
    short = tuned(tmp_path / "run", iterations=1)
    assert short.stopped == "iterations"
    assert len(short.iterations) == 2
    assert tuned(tmp_path / "run").iterations == undisturbed[1].iterations


def test_progress_reports_decoding_and_tuning(tmp_path, monkeypatch):
    monkeypatch.setattr(decoder, "_PAUSE", 0.05)
    reports = []
    tuned(
        tmp_path / "run",
        f"{COMMAND}; sleep 0.3",
        iterations=1,
        progress=lambda what, done, total: reports.append((what, done, total)),
    )
    assert ("iterations", 1, 1) in reports
    assert any(what == "kB of the n-best list" and done for what, done, _ in reports)
    assert len({what for what, _, _ in reports}) > 2


def test_the_middle_between_old_and_tuned_weights_is_taken(tmp_path):
    whole = tuned(tmp_path / "whole", step=1.0, iterations=1)
    half = tuned(tmp_path / "half", iterations=1)
    total = sum(map(abs, START.values()))
    for name, value in START.items():
        middle = (value / total + whole.iterations[0].tuned[name]) / 2
        assert half.iterations[0].tuned[name] == pytest.approx(middle, abs=1e-12)


def test_metrics_over_judgements_have_a_hit_rate(tmp_path):
    places = Place(("A",), 1, text="small"), Place(("B",), 2, text="tiny")
    store = tmp_path / "store"
    write_store(Judgements.from_iterable([Ranking(places, "1", "p")]), store)
    metric = f"exactmatch:judgements={store}"
    run = tuned(tmp_path / "run", metric=metric, iterations=2, step=1.0)
    # The start says little, which nobody judged; small beats tiny.
    assert (run.start.hit_rate, run.start.score) == (0.0, 0.0)
    assert (run.final.hit_rate, run.final.score) == (1.0, 1.0)


# ------------------------------------------------------------------------ resuming

_RUNNER = """
import sys
from tests.unit.tuning.test_decoding import tuned
tuned(sys.argv[1])
"""


def test_a_killed_run_goes_on_and_gets_the_same_weights(tmp_path, undisturbed):
    """Kill -9 at random points, once per start, until a run comes through."""
    folder, run = undisturbed
    chance = random.Random(7)
    place = tmp_path / "run"
    for kills in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", _RUNNER, str(place)], cwd=ROOT
        )
        # After some more files than there were; sooner or later after the last one.
        wanted = _files(place) + chance.randint(1, 4)
        while _files(place) < wanted and process.poll() is None:
            time.sleep(0.001)
        time.sleep(chance.random() * 0.03)
        process.kill()
        process.wait()
        assert kills or process.returncode == -signal.SIGKILL
    assert tuned(place).iterations == run.iterations
    _same_files(place, folder)


@pytest.mark.parametrize("step", range(6))
def test_a_run_goes_on_from_every_state_of_its_folder(tmp_path, undisturbed, step):
    """Stop where a file is written or renamed, before it and after it."""
    folder, run = undisturbed
    place = tmp_path / "run"
    replaced, number = os.replace, 2 * step + 1

    def stop(source, target):
        nonlocal number
        number -= 1
        if number == 0 and step % 2:
            raise KeyboardInterrupt
        replaced(source, target)
        if number == 0:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", stop)
        with pytest.raises(KeyboardInterrupt):
            tuned(place)
    assert tuned(place).iterations == run.iterations
    _same_files(place, folder)


def test_the_list_of_a_decoder_that_was_interrupted_is_not_used(tmp_path):
    slow = f"echo half > {{nbest}}; echo {{weights}}; touch {tmp_path}/there; sleep 60"
    code = (
        "from tests.unit.tuning.test_decoding import tuned\n"
        f"tuned({str(tmp_path / 'run')!r}, {slow!r})"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stderr=subprocess.DEVNULL
    )
    while not (tmp_path / "there").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.wait(20)
    left = [path.name for path in (tmp_path / "run" / "iteration-00").iterdir()]
    assert sorted(left) == ["decoder.log", "weights"]


# -------------------------------------------------------------------------- errors


def test_a_folder_with_other_settings_is_rejected(undisturbed):
    folder, _ = undisturbed
    with pytest.raises(InputError, match="other settings: seed was 1, now it is 2"):
        tuned(folder, seed=2)
    with pytest.raises(InputError, match='metric was "bleu"'):
        tuned(folder, metric="chrf")


def test_a_folder_with_other_files_is_rejected(tmp_path):
    _file(tmp_path / "thesis.tex", "x")
    with pytest.raises(InputError, match="not a tuning run; give a new folder"):
        tuned(tmp_path)


def test_two_runs_cannot_share_a_folder(tmp_path):
    def again(_):
        with pytest.raises(InputError, match="another process tunes in"):
            tuned(tmp_path / "run")

    tuned(tmp_path / "run", iterations=1, watch=again)


def test_a_failing_decoder_is_reported_with_its_last_lines(tmp_path):
    command = "echo one; echo out of memory >&2; exit 3 # {weights} {nbest}"
    with pytest.raises(InputError) as caught:
        tuned(tmp_path / "run", command)
    assert "failed with exit code 3" in str(caught.value)
    assert str(caught.value).endswith("\n  one\n  out of memory")
    with pytest.raises(InputError, match="was ended by signal 9"):
        tuned(tmp_path / "other", "kill -9 $$ # {weights} {nbest}")


def test_a_decoder_without_a_list_is_reported(tmp_path):
    with pytest.raises(InputError, match="wrote no n-best list"):
        tuned(tmp_path / "run", "true {weights} {nbest}")


def test_a_broken_list_is_reported_with_its_line(tmp_path):
    with pytest.raises(InputError, match="unchecked:1: "):
        tuned(tmp_path / "run", "echo nonsense > {nbest} # {weights}")


def test_a_decoder_whose_list_was_broken_runs_again(tmp_path, undisturbed):
    flag = tmp_path / "fixed"
    command = f"test -e {flag} && {COMMAND} || echo nonsense > {{nbest}}"
    with pytest.raises(InputError):
        tuned(tmp_path / "run", command)
    flag.touch()
    run = tuned(tmp_path / "run", command, iterations=1)
    assert run.start == undisturbed[1].start


def test_settings_may_change_before_there_is_a_list(tmp_path):
    with pytest.raises(InputError):
        tuned(tmp_path / "run", "false {weights} {nbest}")
    assert tuned(tmp_path / "run", iterations=1).stopped == "iterations"


def test_features_without_a_start_weight_are_reported(tmp_path):
    with pytest.raises(InputError, match="one start weight per feature"):
        tuned(tmp_path / "run", "echo '0 ||| a ||| x= 1 ||| 0' > {nbest} # {weights}")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("decode {weights}", "has no {nbest}"),
        ("decode", "has no {weights} and no {nbest}"),
        ("decode {weights} {nbest} < {source}", "there is no source"),
    ],
)
def test_a_command_needs_its_places(command, message):
    with pytest.raises(InputError) as caught:
        Decoder(command)
    assert message in str(caught.value)


def test_other_braces_of_a_command_stay():
    line = Decoder("awk '{print}' {weights} {iteration} > {nbest}").line(
        weights="w", nbest="n", iteration=7
    )
    assert line == "awk '{print}' w 7 > n"


@pytest.mark.parametrize("share", [0.0, 1.5, float("nan")])
def test_step_is_a_share(tmp_path, share):
    with pytest.raises(InputError, match="step is"):
        tuned(tmp_path / "run", step=share)


def _file(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def _files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


def _same_files(folder: Path, other: Path) -> None:
    """Check that two runs have the same files with the same content."""

    def content(place: Path) -> dict[str, bytes]:
        return {
            str(path.relative_to(place)): path.read_bytes()
            for path in sorted(place.rglob("*"))
            if path.is_file() and not path.name.startswith((".tertium-", "decoding-"))
        }

    assert content(folder) == content(other)
