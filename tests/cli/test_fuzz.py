# SPDX-License-Identifier: Apache-2.0
"""Damaged command lines end with a message; `tools/fuzz_command_line.py` runs more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "fuzz_command_line.py"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="processes are forked")
def test_damaged_command_lines_end_with_a_message():
    # Django's settings are those of the tests, but for other programs.
    known = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(
        [sys.executable, TOOL, "--runs", "40", "--seed", "1", "--jobs", "1"],
        env=known,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "40 passed, 0 failed" in done.stdout
