# SPDX-License-Identifier: Apache-2.0
"""Where the tests of the data room find their data."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def wmt_data() -> Path:
    """Return the folder of WMT files, or skip."""
    root = Path(__file__).resolve().parents[3]
    folder = Path(os.environ.get("TERTIUM_DATA", root.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}; set TERTIUM_DATA to the WMT files")
    return folder
