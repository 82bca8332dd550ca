# SPDX-License-Identifier: Apache-2.0
"""A server in a real browser, on PostgreSQL.

A file of its own, so that it runs beside the rest in another process.
"""

from __future__ import annotations

from pathlib import Path

WEB = Path(__file__).resolve().parents[1] / "web"


def test_pages(tests_pass):
    # Other pages save answers in the same way, and looks do not depend on a database.
    tests_pass(WEB / "test_pairs.py")
