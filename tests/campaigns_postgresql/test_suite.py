# SPDX-License-Identifier: Apache-2.0
"""What depends on the database runs on PostgreSQL as it does on SQLite."""

from __future__ import annotations

from pathlib import Path

CAMPAIGNS = Path(__file__).resolve().parents[1] / "campaigns"
#: Locks and races, queries and sums, migrations, texts in and out.
ASKING = (
    "concurrency", "counts", "dashboard", "edit_items", "exchange", "exporting",
    "full_disk", "late_joiners", "lease_machine", "load", "loading", "ranked",
    "sampling", "security_races", "segranks", "setup", "submissions", "survey_crowd",
    "work",
)  # fmt: skip


def test_campaigns(tests_pass):
    tests_pass(*(CAMPAIGNS / f"test_{name}.py" for name in ASKING))
