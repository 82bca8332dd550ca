# SPDX-License-Identifier: Apache-2.0
"""Progress: how far long work is, how fast it goes, and how long it will take."""

from __future__ import annotations

import argparse
import importlib
import io
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tertium._executor import Estimate
from tertium.cli import main
from tertium.cli.shared import progress as progress_module
from tertium.cli.shared import remarks as remarks_module
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.data.lines import write_lines


class Terminal(io.StringIO):
    """A terminal that keeps what is written."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that goes on by a second whenever it is looked at."""
    times = iter(range(10**6))
    monkeypatch.setattr(progress_module.time, "monotonic", lambda: float(next(times)))


@pytest.fixture
def terminal(monkeypatch, clock):
    """Return a terminal for stderr."""
    return attach(monkeypatch, Terminal())


def attach(monkeypatch, stream):
    """Let progress and remarks go to a stream; pytest takes sys.stderr back."""
    for module in (progress_module, remarks_module):
        monkeypatch.setattr(
            module, "sys", SimpleNamespace(stdout=sys.stdout, stderr=stream)
        )
    return stream


def lines(terminal: Terminal) -> list[str]:
    parts = terminal.getvalue().split("\r")
    return [part.removesuffix("\x1b[K") for part in parts if part not in ("", "\x1b[K")]


def test_progress_shows_rate_and_time_left(terminal):
    with Progress("segments") as progress:
        for done in (10, 20, 30, 40):
            progress(done, 100)
    assert lines(terminal) == [
        "20 of 100 segments (10/s, 8 s left)",
        "30 of 100 segments (10/s, 7 s left)",
        "40 of 100 segments (10/s, 6 s left)",
    ]
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_every_phase_has_its_own_rate(terminal):
    with Progress() as progress:
        progress.phase("segments", 100, 300)
        progress.phase("segments", 300, 300)
        progress.phase("resamples", 1000, 3000)
    assert lines(terminal) == [
        "300 of 300 segments (150/s, 0 s left)",
        "1,000 of 3,000 resamples (1,000/s, 2 s left)",
    ]


def test_an_estimated_total_is_about(terminal):
    with Progress("segments") as progress:
        for done, total in ((10, 1), (100_000, 199_996), (199_999, 200_002)):
            progress(done, Estimate(total))
        progress(200_001, 200_001)
    assert [line.partition(" segments")[0] for line in lines(terminal)] == [
        "100,000 of about 200,000",
        "199,999 of about 200,000",
        "200,001 of 200,001",
    ]


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("verb", ["score", "compare"])
def test_streamed_files_show_the_time_left(
    verb, suffix, terminal, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    write_lines(f"a.txt{suffix}", [f"line {n} of a" for n in range(40_000)])
    write_lines(f"b.txt{suffix}", [f"line {n} of b" for n in range(40_000)])
    command = f"{verb} -r a.txt{suffix} -i a.txt{suffix} b.txt{suffix} -o out.txt"
    assert main(command.split()) == 0
    shown = [line for line in lines(terminal) if " segments (" in line]
    assert shown
    assert all(" left)" in line for line in shown)
    totals = [line.partition(" segments")[0].rpartition(" ")[2] for line in shown]
    assert {int(total.replace(",", "")) // 10_000 for total in totals} <= {3, 4}


def test_shards_show_the_time_left(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines("a.txt", [f"line {n}" for n in range(40_000)])
    words = "convert -r a.txt -i a.txt -o shards --rows-per-shard 5000 -q"
    assert main(words.split()) == 0
    assert main(["score", "shards", "-m", "bleu", "-o", "out.txt"]) == 0
    shown = [line for line in lines(terminal) if " segments (" in line]
    assert shown
    assert all(" of 40,000 segments (" in line for line in shown), shown


@pytest.fixture
def parquet(terminal, tmp_path, monkeypatch):
    """Return a test set of 25,000 segments in one Parquet file."""
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        write_lines(f"{name}.txt", [f"line {n} of {name}" for n in range(25_000)])
    assert (
        main(
            ["convert", "-r", "a.txt", "-i", "a.txt", "b.txt", "-o", "a.parquet", "-q"]
        )
        == 0
    )
    return "a.parquet"


@pytest.mark.parametrize(
    "command",
    [
        "score {} -m bleu -o out.txt",
        "compare {} -m bleu -o out.txt --baseline a",
        "check {} --only empty -o out.txt",
        "convert {} -o out.tsv",
        "convert {} -o out --rows-per-shard 9000",
    ],
)
def test_parquet_shows_the_time_left(parquet, command, terminal):
    main(command.format(parquet).split())
    shown = [line for line in lines(terminal) if " segments (" in line]
    assert shown
    assert all(" of 25,000 segments (" in line for line in shown), shown


@pytest.mark.parametrize("verb", ["check", "convert"])
def test_check_and_convert_show_the_time_left(verb, terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines("a.txt", [f"line {n} of a" for n in range(25_000)])
    main(f"{verb} -r a.txt -i a.txt -o out.tsv".split())
    shown = [line for line in lines(terminal) if " segments (" in line]
    assert shown
    assert all(" left)" in line for line in shown), shown


def test_the_second_look_of_check_knows_its_total(parquet, terminal):
    main(f"check {parquet} -o out.txt".split())
    shown = [line for line in lines(terminal) if " segments again (" in line]
    assert shown[-1].startswith("25,000 of 25,000 segments again (")


@pytest.mark.parametrize("ending", ["xlsx", "parquet.gz"])
def test_files_that_are_read_at_once_have_no_total(
    ending, terminal, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    write_lines("a.txt", [f"line {n} of a" for n in range(25_000)])
    assert main(f"convert -r a.txt -i a.txt -o a.{ending} -q".split()) == 0
    assert main(["score", f"a.{ending}", "-m", "bleu", "-o", "out.txt"]) == 0
    shown = [line for line in lines(terminal) if " segments (" in line]
    assert shown
    assert not any(" of " in line for line in shown), shown


def test_without_a_total_there_is_only_a_rate(terminal):
    with Progress("lines") as progress:
        progress(1)
        progress(2)
    assert lines(terminal) == ["2 lines (1/s)"]


@pytest.mark.parametrize("quiet", [True, False])
def test_progress_is_silent_where_nobody_looks(quiet, monkeypatch, clock):
    stream = attach(monkeypatch, Terminal() if quiet else io.StringIO())
    with Progress("lines", quiet=quiet) as progress:
        for done in range(10):
            progress(done, 10)
    assert stream.getvalue() == ""


def test_remarks_do_not_stand_in_a_line_of_progress(terminal):
    with Progress("lines") as progress:
        progress(1, 9)
        progress(2, 9)
        remark(argparse.Namespace(quiet=False), "a remark")
        remark(argparse.Namespace(quiet=False), "another")
    assert terminal.getvalue() == (
        "\r2 of 9 lines (1/s, 7 s left)\x1b[K\r\x1b[K"
        "tertium: a remark\ntertium: another\n"
    )


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("compare demo -m bleu", "1,000 of 1,000 resamples for bleu ("),
        (
            "compare demo -m bleu --test randomisation",
            "10,000 of 10,000 assignments for bleu (",
        ),
        ("rank demo", "1,000 of 1,000 resamples for expected-wins, en-de ("),
        (
            "rank demo --method trueskill --bootstrap 200",
            "200 of 200 resamples for trueskill, en-de (",
        ),
        ("rank demo --plan 0.8 --bootstrap 100", "6 of 6 campaign sizes ("),
        ("correlate demo -m bleu chrf", "60 of 60 segments ("),
        (
            "correlate demo -m bleu chrf --coef tau-wmt14 --test bootstrap",
            "intervals for tau-wmt14, en-de (",
        ),
        (
            (
                "correlate demo -m bleu chrf --gold ratings --coef tau-b:item "
                "--test permutation --resamples 0"
            ),
            "1,000 of 1,000 trials for tau-b:item, en-de (",
        ),
    ],
)
def test_verbs_show_how_far_they_are(
    command, expected, terminal, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tertium.meta.scores._CHUNK", 20)
    assert main([*command.split(), "-o", "out.txt"]) == 0
    shown = [line for line in lines(terminal) if expected in line]
    assert shown, lines(terminal)
    assert all(" left)" in line and "/s, " in line for line in shown)


def test_training_shows_how_far_it_is(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tertium.learn.matrices._PART", 50)
    command = "train -t demo -J demo --learner ranknet --restarts 2 -o model.json"
    assert main(command.split()) == 0
    shown = lines(terminal)
    assert any(" texts (" in line and " left)" in line for line in shown), shown
    assert any("of 600 steps of learning (" in line for line in shown), shown


def test_parts_between_reports_change_no_ranking(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    result = []
    for size in (7, 10**6):
        for name in ("resampling", "trueskill"):
            module = importlib.import_module(f"tertium.judgements.ranking.{name}")
            monkeypatch.setattr(module, "_PART", size)
        call = "rank demo --method expected-wins trueskill --bootstrap 50 -f json -q"
        assert main(call.split()) == 0
        result.append(capsys.readouterr().out)
    assert result[0] == result[1]


def test_parts_between_reports_change_no_scores(demo, monkeypatch):
    from tertium.meta.scores import run_metrics

    whole = run_metrics(demo, ["bleu", "nist"])
    monkeypatch.setattr("tertium.meta.scores._CHUNK", 7)
    assert run_metrics(demo, ["bleu", "nist"]) == whole


def test_parts_between_reports_change_no_features(demo, monkeypatch):
    from tertium.learn.matrices import TextRows
    from tertium.learn.profile import profile as find_profile

    texts = TextRows()
    texts.add(demo.systems["good"], demo.references)
    profile = find_profile("beer-3.0").fitted(
        [r for refs in demo.references for r in refs]
    )
    whole = texts.features(profile)
    monkeypatch.setattr("tertium.learn.matrices._PART", 7)
    assert np.array_equal(texts.features(profile), whole)
