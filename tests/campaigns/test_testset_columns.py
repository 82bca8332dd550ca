# SPDX-License-Identifier: Apache-2.0
"""Which columns of a table become candidates of a campaign."""

from __future__ import annotations

from pathlib import Path

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.tasks.testsets import read_shown

TABLE = "LP\tref\tA\tyears\ncs-en\tin 99\t99\t1999\ncs-en\tsoon\tat once\t2000\n"


def candidates(folder: Path, systems: str) -> list[list[str]]:
    (folder / "a.tsv").write_text(TABLE)
    config = CampaignConfig(
        folder / "campaign.toml", "c", "C", "rank", "a.tsv", systems=systems
    )
    return [list(shown.candidates) for shown in read_shown(config)]


def test_columns_that_are_not_systems_are_not_judged(tmp_path: Path) -> None:
    assert candidates(tmp_path, "") == [["99"], ["at once"]]


def test_columns_that_are_named_are_judged(tmp_path: Path) -> None:
    assert candidates(tmp_path, "A, years") == [["99", "1999"], ["at once", "2000"]]
