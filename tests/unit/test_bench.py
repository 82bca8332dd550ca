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
