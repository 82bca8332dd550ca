# SPDX-License-Identifier: Apache-2.0
"""Which columns of a table become candidates of a campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.campaign_data import write_config
from support.campaign_server import Server
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


@pytest.mark.parametrize("task", ["pairs", "ranking", "direct", "edits"])
def test_loading_says_which_columns_were_left_out(tmp_path: Path, task: str) -> None:
    path = write_config(tmp_path).path
    table = "ref\tA\tB\tyears\nin 99\tin 98\tat 99\t1999\nsoon\tonce\tearly\t2000\n"
    (tmp_path / "a.tsv").write_text(table)
    result = path.read_text().replace("set.jsonl", "a.tsv").replace("pairs", task)
    plan = "checks = 0\n"
    for more, noted in (("", True), ('systems = "A, B"\n', False)):
        path.write_text(result.replace("source =", f"{more}source =") + plan)
        command = ("campaign", "load", "campaign.toml", "--check")
        message = Server(tmp_path).run(*command).stderr
        cure = 'set systems = "A, B, years" in campaign.toml'
        assert message.startswith("tertium: not read as systems: 'years' (") == noted
        assert (cure in message) == noted
        assert message.count("\n") == noted
