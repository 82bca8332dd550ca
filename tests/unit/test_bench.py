# SPDX-License-Identifier: Apache-2.0
"""Every program of ``bench`` is started in one way, by its name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.__main__ import programs

ROOT = Path(__file__).resolve().parents[2]


def bench(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_programs_are_listed_with_what_they_do():
    listed = dict(
        line.split(maxsplit=1) for line in bench("--list").stdout.splitlines()
    )
    assert set(listed) == set(programs())
    assert listed["campaign_load"].startswith("Many annotators")
    # Names of programs tell them apart, whatever folder they are in.
    files = [path.stem for path in (ROOT / "bench").glob("*/*.py")]
    assert len(files) - files.count("__init__") == len(set(files) - {"__init__"})


@pytest.mark.slow
def test_a_program_gets_its_options():
    done = bench("evalgen")
    assert done.returncode == 0, done.stderr
    assert "|" in done.stdout


def test_an_unknown_program_is_an_error():
    done = bench("nothing")
    assert done.returncode == 1
    assert done.stderr == "there is no program nothing; see python -m bench --list\n"


@pytest.mark.skipif(sys.platform != "linux", reason="reads peaks from /proc")
def test_memory_is_measured_once_and_estimated_beyond_the_limit(tmp_path):
    from bench.load.memory import Cell, Results, Verb, growth, measure, table

    verb = Verb("metrics", "metrics")
    results = Results(tmp_path / "results.json")
    measure([verb], [10], tmp_path, results, lambda _: True)
    assert results[verb][10].megabytes > 1
    known = Results(tmp_path / "results.json")
    assert known[verb] == results[verb]
    known.add(verb, 10, Cell(100.0, 2.0))
    known.add(verb, 1_000_000, Cell(101.0, 3.0))
    measure([verb], [10, 10_000_000], tmp_path, known, lambda _: False)
    assert set(known[verb]) == {10, 1_000_000}
    assert round(growth(known[verb]), 3) == 1.049
    expected = known.estimate(verb, 10_000_000)
    assert (round(expected.megabytes), expected.seconds) == (110, 30.0)
    lines = table([verb], [10, 1_000_000, 10_000_000], known).splitlines()
    assert lines[-1] == (
        "| metrics | 100 MB, 2.0 s | 101 MB, 3.0 s | "
        "not run: about 110 MB, 30 s | 1 B |  |"
    )


def test_every_verb_has_a_row_of_memory_or_a_reason():
    from bench.load.generated import INPUTS, Files
    from bench.load.memory import OTHERS, VERBS
    from bench.load.page import table_rows
    from tertium.cli import VERBS as NAMES

    measured = {verb.words.split()[0] for verb in VERBS}
    assert measured | set(OTHERS) == set(NAMES)
    rows = table_rows("Memory of the verbs by size")
    for verb in VERBS:
        name = verb.name if verb.unit == "segments" else f"{verb.name} ({verb.unit})"
        assert rows[name].count(" MB, ") >= 2, name
    assert len({verb.name for verb in VERBS}) == len(VERBS)
    assert all(hasattr(Files, f"_{name}") for name in INPUTS)


def test_rows_of_verbs_that_are_not_measured_stay(tmp_path):
    from bench.load.memory import Cell, Results, Verb, table

    verbs = [Verb("one", ""), Verb("two", "", unit="lists"), Verb("three", "")]
    results = Results(tmp_path / "results.json")
    results.add(verbs[0], 10, Cell(5.0, 1.0))
    earlier = {"one": "| one | old |", "two (lists)": "| two (lists) | old |"}
    lines = table(verbs, [10], results, earlier=earlier).splitlines()
    assert lines[2:] == [
        "| one | 5 MB, 1.0 s |  |  |",
        "| two (lists) | old |",
        "| three |  |  |  |",
    ]


def test_inputs_that_were_cut_off_are_made_again(tmp_path):
    from bench.load.generated import Files

    (tmp_path / "part-new.txt").write_text("half\n")
    path = Files(tmp_path, 20)["new"]
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert len(lines) == 20
    assert all(len(line.split()) == 14 for line in lines)
    assert [each.name for each in tmp_path.iterdir()] == ["new.txt"]
