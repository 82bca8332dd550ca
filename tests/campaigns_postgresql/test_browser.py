# SPDX-License-Identifier: Apache-2.0
"""Servers in a real browser, on PostgreSQL.

A file of its own, so that it runs beside the rest in another process.
"""

from __future__ import annotations

import re
from pathlib import Path

WEB = Path(__file__).resolve().parents[1] / "web"
#: How pages look does not depend on the database.
LOOKS = {
    "test_accessibility.py",
    "test_dashboard.py",
    "test_guides.py",
    "test_languages.py",
    "test_security_browser.py",
}


def files_with_a_server() -> list[Path]:
    """Return the files of tests that ask for the fixture `server`, but for looks."""
    asks = re.compile(r"^def \w+\([^)]*\bserver\b", re.M)
    return [
        path
        for path in sorted(WEB.glob("test_*.py"))
        if path.name not in LOOKS and asks.search(path.read_text())
    ]


def test_pages(tests_pass):
    found = files_with_a_server()
    assert WEB / "test_pairs.py" in found
    tests_pass(*found)
