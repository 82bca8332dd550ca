# SPDX-License-Identifier: Apache-2.0
"""New campaigns from Python, and campaigns by name."""

from __future__ import annotations

import pytest

from support.campaign_work import new_campaign
from tertium.campaigns.api.tokens import new_token
from tertium.campaigns.config import read_config
from tertium.campaigns.creating import create_campaign, create_demo
from tertium.campaigns.lookup import find_campaign, find_campaigns
from tertium.campaigns.models import Role
from tertium.campaigns.people.accounts import invite, join_url
from tertium.errors import InputError, UnknownNameError


def test_a_new_campaign_has_the_options_asked_for(tmp_path):
    place = tmp_path / "news" / "campaign.toml"
    created = create_campaign(place, task="direct", name="News in Czech", seed=7)
    config = read_config(created.config)
    assert (config.name, config.task, config.seed) == ("news-in-czech", "direct", 7)
    assert place in created.files
    assert not created.outside


def test_existing_files_are_not_overwritten(tmp_path):
    place = tmp_path / "campaign.toml"
    create_campaign(place)
    with pytest.raises(InputError, match="already exists"):
        create_campaign(place)


def test_the_root_folder_is_not_a_test_set(tmp_path):
    with pytest.raises(InputError, match="in this folder"):
        create_campaign(tmp_path / "campaign.toml", task="survey", items="/")


def test_a_campaign_like_another_keeps_its_task(tmp_path):
    first = create_campaign(tmp_path / "a" / "campaign.toml", task="pairs").config
    second = create_campaign(tmp_path / "b" / "campaign.toml", like=str(first))
    assert read_config(second.config, allow_outside=True).task == "pairs"
    assert second.outside
    with pytest.raises(InputError, match="has the task pairs"):
        create_campaign(tmp_path / "c.toml", like=str(first), task="direct")


def test_a_demo_keeps_the_files_that_exist(tmp_path):
    place = create_demo(tmp_path, "pairs")
    place.write_text("# changed\n", encoding="utf-8")
    assert create_demo(tmp_path, "pairs").read_text(encoding="utf-8") == "# changed\n"


@pytest.mark.django_db
def test_campaigns_are_found_by_name(tmp_path):
    with pytest.raises(InputError, match="no campaign yet"):
        find_campaigns()
    campaign = new_campaign(tmp_path)
    assert find_campaign(campaign.name) == campaign
    assert find_campaigns() == [campaign]
    with pytest.raises(UnknownNameError, match="unknown campaign 'other'"):
        find_campaigns([campaign.name, "other"])


@pytest.mark.django_db
def test_invitations_and_tokens_that_nobody_could_use_are_rejected(tmp_path):
    campaign = new_campaign(tmp_path)
    for wrong in ({"days": 0}, {"most": 0}):
        with pytest.raises(InputError, match="above 0"):
            invite(campaign, Role.ANNOTATOR, **wrong)
    with pytest.raises(InputError, match="at most 3650"):
        new_token(campaign, Role.OBSERVER, days=4000)
    link = join_url(invite(campaign, Role.ANNOTATOR), "https://mt.example.org")
    assert link.startswith("https://mt.example.org/join/")
