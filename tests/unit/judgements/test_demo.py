# SPDX-License-Identifier: Apache-2.0
"""The bundled judgements are those that the script makes."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import tertium

ROOT = Path(__file__).resolve().parents[3]
DEMO = Path(tertium.__file__).parent / "demo"


def test_the_script_makes_the_files(tmp_path):
    path = ROOT / "tools" / "make_demo_judgements.py"
    spec = importlib.util.spec_from_file_location("make_demo_judgements", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    shutil.copy(DEMO / "demo.jsonl", tmp_path)
    script.DEMO = tmp_path
    script.main()
    for name in ("rankings.tsv", "ratings.jsonl"):
        assert (tmp_path / name).read_bytes() == (DEMO / name).read_bytes()
