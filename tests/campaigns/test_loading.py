# SPDX-License-Identifier: Apache-2.0
"""All of a file or nothing, and the configuration that names it."""

from __future__ import annotations

import json

import pytest

from support.campaign_data import ANSWER, make_member, write_config, write_set
from tertium.campaigns import loading
from tertium.campaigns.config import read_config
from tertium.campaigns.models import Campaign, Event, Item, Judgement, Origin
from tertium.campaigns.work import leases as work
from tertium.errors import InputError

# ---------------------------------------------------------------- configuration


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("[campaign", "not TOML"),
        ('[campaign]\nname = "x"', "add title"),
        ("campaign = 1", "write [campaign]"),
        ("[campaing]", "did you mean campaign"),
        ('HEAD\nnmae = "x"', "did you mean name?"),
        ("HEAD\nseed = 'a'", "give a number"),
        ("HEAD\nseed = true", "give a number"),
        ("HEAD\nseed = 99999999999999999999", "64 bits"),
        ("HEAD\nsource = 1", "give a text in quotes"),
        ('HEAD\nsource = "much-too-long-a-language"', "20 characters at most"),
        ('HEAD\nsource = "\\u0000"', "remove it"),
        ("HEAD\n[plan]\njudgements = 0", "give 1 to 1000"),
        ("HEAD\n[plan]\njudgements = 1.5", "give a number"),
        ("HEAD\n[plan]\nintra = 1.0", "give 0 or more, below 1"),
        ("HEAD\n[plan]\ninter = -0.1", "give 0 or more, below 1"),
        ("HEAD\n[plan]\nchecks = nan", "give 0 or more, below 1"),
        ("HEAD\n[plan]\nlease = 0", "give 1 to 1440"),
        ("HEAD\n[plan]\nlease = inf", "give 1 to 1440"),
        ('HEAD\n[plan]\norder = "sideways"', "give 'random', 'file' or 'active'"),
        ("HEAD\n[plan]\nleese = 3", "did you mean lease?"),
        ("NAME='Not An Address'", "use small letters"),
        ("TASK='pears'", "did you mean pairs"),
    ],
)
def test_a_wrong_configuration_names_the_file_and_the_cure(tmp_path, text, cure):
    head = '[campaign]\nname = "x"\ntitle = "X"\ntask = "pairs"\nitems = "i"'
    if text.startswith("NAME="):
        text = head.replace('"x"', text.removeprefix("NAME="))
    elif text.startswith("TASK="):
        text = head.replace('"pairs"', text.removeprefix("TASK="))
    path = tmp_path / "campaign.toml"
    path.write_text(text.replace("HEAD", head), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_config(path)
    assert str(path) in str(caught.value)
    assert cure in str(caught.value)


def test_a_configuration_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="campaign new"):
        read_config(tmp_path / "none.toml")
    with pytest.raises(InputError, match="give the path of a TOML file"):
        read_config(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not TOML"):
        read_config(tmp_path / "latin.toml")


def test_settings_of_the_task_are_checked(tmp_path):
    config = write_config(tmp_path, plan="[task]\nrefrence = true")
    with pytest.raises(InputError, match="did you mean reference") as caught:
        loading.check(config)
    assert str(config.path) in str(caught.value)
    config = write_config(tmp_path, plan="[task]\nreference = 1")
    with pytest.raises(InputError, match="give true or false"):
        loading.check(config)


# ---------------------------------------------------------------------- loading


@pytest.mark.django_db
def test_loading_makes_a_campaign(tmp_path):
    loaded = loading.load(write_config(tmp_path, segments=4))
    assert (loaded.new, loaded.added, loaded.known) == (True, 4, 0)
    campaign = Campaign.objects.get(name="small")
    assert campaign.instructions == "Read both.\n"
    assert sorted(campaign.items.values_list("position", flat=True)) == [0, 1, 2, 3]
    assert Origin.objects.filter(item__campaign=campaign).count() == 8
    for item in campaign.items.all():  # blind
        assert "alphasys" not in json.dumps([item.content, item.meta, item.key])
    assert Event.objects.get(campaign=campaign).action == "load"


@pytest.mark.django_db
def test_loading_again_adds_what_is_new(tmp_path):
    config = write_config(tmp_path, segments=4)
    campaign = loading.load(config).campaign
    before = list(campaign.items.order_by("pk").values("pk", "position", "content"))
    held = work.next_assignment(make_member(campaign))
    work.submit(held, ANSWER)
    again = loading.load(config)
    assert (again.new, again.added, again.known) == (False, 0, 4)
    write_set(tmp_path, 6)
    more = loading.load(config)
    assert (more.new, more.added, more.known) == (False, 2, 4)
    after = list(campaign.items.order_by("pk").values("pk", "position", "content"))
    assert after[:4] == before
    assert sorted(item["position"] for item in after) == list(range(6))
    assert Judgement.objects.filter(assignment__item__campaign=campaign).count() == 1


@pytest.mark.django_db
def test_a_system_that_joins_with_the_same_words_is_noted(tmp_path):
    config = write_config(tmp_path, segments=3)
    campaign = loading.load(config).campaign
    write_set(tmp_path, 3, gammasys="left {}")
    assert loading.load(config).added == 0
    result = Origin.objects.filter(item__campaign=campaign, system="gammasys")
    twin = Origin.objects.filter(item__campaign=campaign, system="alphasys")
    key = ("item", "candidate")
    assert set(result.values_list(*key)) == set(twin.values_list(*key))


@pytest.mark.django_db
def test_items_that_say_something_else_are_rejected_with_all_the_rest(
    tmp_path, monkeypatch
):
    config = write_config(tmp_path, segments=3)
    campaign = loading.load(config).campaign
    write_set(tmp_path, 5)
    text = (tmp_path / "set.jsonl").read_text().replace("source 1", "another source")
    (tmp_path / "set.jsonl").write_text(text)
    with pytest.raises(InputError, match="under another name"):
        loading.load(config)
    assert campaign.items.count() == 3
    assert "source 1" in {item.content["source"] for item in campaign.items.all()}


@pytest.mark.django_db
def test_all_or_nothing(tmp_path, monkeypatch):
    config = write_config(tmp_path, segments=3)

    def fail(*_):
        raise InputError("the last step failed")

    from tertium.campaigns.tasks.pairs import Pairs

    monkeypatch.setattr(Pairs, "prepare", fail)
    with pytest.raises(InputError, match="last step"):
        loading.load(config)
    assert not Campaign.objects.exists()
    assert not Item.objects.exists()
    assert not Event.objects.exists()


@pytest.mark.django_db
def test_another_task_under_the_same_name_is_rejected(tmp_path):
    config = write_config(tmp_path)
    loading.load(config)
    Campaign.objects.update(task="other")
    with pytest.raises(InputError, match="another name"):
        loading.load(config)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("src", "nul \0", "NUL character"),
        ("src", "half \ud83d", "half a surrogate pair"),
        ("id", "x" * 300, "longer than 200"),
        ("system", "y" * 300, "longer than 200"),
    ],
)
def test_what_no_database_keeps_is_rejected_by_name(tmp_path, key, value, message):
    config = write_config(tmp_path, segments=1)
    line = {"id": "s0", "src": "x", "ref": ["r"], "tgt": {"a": "one", "b": "two"}}
    if key == "system":
        line["tgt"] = {"a": "one", value: "two"}
    else:
        line[key] = value
    (tmp_path / "set.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(InputError) as caught:
        loading.check(config)
    assert message in str(caught.value)
    assert "set.jsonl" in str(caught.value)


def test_files_that_are_not_there(tmp_path):
    config = write_config(tmp_path)
    (tmp_path / "how.md").unlink()
    with pytest.raises(InputError, match=r"how\.md.*correct the path"):
        loading.check(config)
    (tmp_path / "set.jsonl").unlink()
    with pytest.raises(InputError, match=r"set\.jsonl"):
        loading.check(config)


def test_a_set_with_nothing_to_compare(tmp_path):
    config = write_config(tmp_path, head='systems = "alphasys"')
    with pytest.raises(InputError, match="two systems or more"):
        loading.check(config)
    config = write_config(tmp_path, head='systems = "alphasys,betasis"')
    with pytest.raises(InputError, match="did you mean betasys"):
        loading.check(config)
