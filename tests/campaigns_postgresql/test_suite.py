# SPDX-License-Identifier: Apache-2.0
"""What depends on the database runs on PostgreSQL as it does on SQLite."""

from __future__ import annotations

from pathlib import Path

CAMPAIGNS = Path(__file__).resolve().parents[1] / "campaigns"
#: Locks and races, queries and sums, migrations, texts in and out.
ASKING = (
    "dashboard/test_counts",
    "dashboard/test_pages",
    "exchange/test_exporting",
    "exchange/test_importing",
    "site/security/test_races",
    "site/test_full_disk",
    "site/test_load",
    "site/test_setup",
    "tasks/survey/test_crowd",
    "tasks/test_edit_items",
    "tasks/test_ranked",
    "tasks/test_segranks",
    "test_images",
    "test_loading",
    "work/test_concurrency",
    "work/test_late_joiners",
    "work/test_lease_machine",
    "work/test_leases",
    "work/test_sampling",
    "work/test_submissions",
)


def test_campaigns(tests_pass):
    tests_pass(*(CAMPAIGNS / f"{name}.py" for name in ASKING))
