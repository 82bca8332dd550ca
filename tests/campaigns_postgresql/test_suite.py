# SPDX-License-Identifier: Apache-2.0
"""What runs on SQLite runs on PostgreSQL, if it asks a database at all."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def test_campaigns(tests_pass):
    tests_pass(*sorted((TESTS / "campaigns").glob("test_*.py")))
