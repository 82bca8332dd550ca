# SPDX-License-Identifier: Apache-2.0
"""What runs on SQLite runs on PostgreSQL, if it asks a database at all."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
#: What these test (arguments, headers, links, languages, file formats, damaged SQLite
#: files) does not depend on the database.
SAME = {
    f"test_{name}.py"
    for name in (
        "broken_places", "cli", "config_paths", "languages", "links", "security_blind",
        "security_fuzz", "security_input", "security_server", "server_log", "sheets",
        "spreadsheets", "testset_columns", "translations",
    )
}  # fmt: skip


def test_campaigns(tests_pass):
    files = sorted((TESTS / "campaigns").glob("test_*.py"))
    assert {file.name for file in files} >= SAME
    tests_pass(*(file for file in files if file.name not in SAME))
