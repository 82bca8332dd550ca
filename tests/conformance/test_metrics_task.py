# SPDX-License-Identifier: Apache-2.0
"""The WMT metrics tasks again: what is reproduced of the published figures stays so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*options: str) -> dict[str, list[list[str]]]:
    """Return the rows of every table by its title."""
    done = subprocess.run(
        [sys.executable, "-m", "bench", "metrics_task", *options],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    out = {}
    for part in done.stdout.split("### ")[1:]:
        title, *lines = part.splitlines()
        rows = [line for line in lines if line.startswith("| ")]
        out[title] = [[c.strip(" *") for c in row[1:-1].split("|")] for row in rows]
    return out


@pytest.mark.wmt
@pytest.mark.study
def test_a_sample_of_every_year_has_its_tables(wmt_data):
    path = ROOT / "bench" / "METRICS_TASK.md"
    before = path.read_bytes()
    tables = run("--quick")
    assert path.read_bytes() == before
    for year in ("12", "14", "15", "16"):
        start = f"WMT{year}, segments, τ "
        results = {t.removeprefix(start).split(":")[0] for t in tables if start in t}
        # The pairs of WMT14 have no ties of people.
        ties = set() if year == "14" else {"HTIES"}
        assert results == {"WMT12", "WMT13", "WMT14"} | ties
        assert f"WMT{year}, systems, Spearman with expected wins" in tables
    for year in ("15", "16"):
        title = f"WMT{year}, systems, Pearson with the official TrueSkill scores"
        assert title in tables
    assert any(title.startswith("WMT17, segments, Pearson") for title in tables)
    for title, (head, *rows) in tables.items():
        assert len(rows) == 15, title
        assert all(len(row) == len(head) for row in rows), title
        assert "nan" not in str(rows), title
