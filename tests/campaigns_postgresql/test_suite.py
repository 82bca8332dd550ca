# SPDX-License-Identifier: Apache-2.0
"""What runs on SQLite runs on PostgreSQL."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def test_campaigns(tests_pass):
    files = sorted((TESTS / "campaigns").glob("test_*.py"))
    # Translations ask no database.
    tests_pass(*(path for path in files if path.name != "test_translations.py"))
