# SPDX-License-Identifier: Apache-2.0
"""Order metrics on WMT14: what holds of the published pattern stays so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.wmt
@pytest.mark.study
def test_hamming_agrees_least_with_people_and_forests_no_less_than_trees(wmt_data):
    """Stanojević and Sima'an 2014, table 3 (there on WMT13)."""
    done = subprocess.run(
        [sys.executable, "-m", "bench", "order_metrics", "--years", "14"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    tables = done.stdout.split("###")
    rows = [line.split(" | ") for line in tables[1].splitlines() if " | " in line]
    head, *body = rows
    mean = head.index("avg τ")
    assert head[:6] == ["| metric", "cs-en", "de-en", "fr-en", "hi-en", "ru-en"]
    tau = {row[0].strip("| "): float(row[mean]) for row in body}
    assert min(tau, key=tau.get) == "HAMMING"
    assert tau["RECPEF"] >= tau["RECPET"]
    assert all(0.3 < value < 0.35 for value in tau.values())
