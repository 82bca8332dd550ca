# SPDX-License-Identifier: Apache-2.0
"""Judgements out of the database: complete, once, under pseudonyms."""

from __future__ import annotations

import json

import pytest

from support.campaign_data import make_campaign, make_member, write_config
from tertium.campaigns.exchange import exporting
from tertium.campaigns.loading import load
from tertium.campaigns.work import leases as work
from tertium.errors import InputError
from tertium.judgements import read_store

pytestmark = pytest.mark.django_db

FIELDS = {
    "tertium-answers", "campaign", "task", "langpair", "item", "kind", "segment",
    "document", "judge", "why", "time", "seconds", "answer", "content", "systems",
    "meta", "base", "id",
}  # fmt: skip


@pytest.fixture
def campaign(tmp_path):
    """Return a campaign with six judgements by two people, two of them repeated."""
    plan = "intra = 0.5\ninter = 0.5"
    result = load(write_config(tmp_path / "files", segments=3, plan=plan)).campaign
    for member in (make_member(result), make_member(result)):
        for better in ("a", "b", "equal", "a"):
            if (held := work.next_assignment(member)) is not None:
                work.submit(held, {"better": better})
    return result


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_answers_are_complete(campaign, tmp_path):
    path = tmp_path / "answers.jsonl"
    exporting.write_export(campaign, str(path))
    result = lines(path)
    judged = [j for m in campaign.members.all() for j in m.assignments.all()]
    assert len(result) == sum(one.state == "done" for one in judged) > 3
    for line in result:
        assert set(line) == FIELDS
        assert line["judge"] in set(campaign.members.values_list("code", flat=True))
        assert line["systems"] == {"a": ["alphasys"], "b": ["betasys"]}
        assert line["langpair"] == "en-cs"
    assert {line["why"] for line in result} >= {"first", "intra"}
    assert [line["time"] for line in result] == sorted(line["time"] for line in result)
    names = {member.person.name for member in campaign.members.all()}
    assert not any(name in path.read_text("utf-8") for name in names)


def test_checks_are_in_the_answers_and_not_in_the_tables(tmp_path):
    campaign = make_campaign(4, twins=4, checks=0.5)
    member = make_member(campaign)
    while (held := work.next_assignment(member)) is not None:
        work.submit(held, {"better": "a"})
    results = [json.loads(line) for line in exporting.raw_lines(campaign)]
    assert sum(line["kind"] == "check" for line in results) == 2
    assert len(results) == 6
    assert len(list(exporting.records(campaign))) == 4


def test_a_store_is_read_by_the_other_commands(campaign, tmp_path):
    for name, kind in (("store", "parquet"), ("s.sqlite", "sqlite")):
        exporting.write_export(campaign, str(tmp_path / name), kind)
        result = read_store(str(tmp_path / name))
        number = len(list(exporting.raw_lines(campaign)))
        assert result.counts()["rankings"] == number


def test_every_format_works_or_says_why_not(campaign, tmp_path):
    worked, rejected = set(), {}
    for name in exporting.formats():
        ending = ".sqlite" if name == "sqlite" else ""
        try:
            exporting.write_export(campaign, str(tmp_path / f"x-{name}{ending}"), name)
        except InputError as error:
            rejected[name] = str(error)
        else:
            worked.add(name)
    assert {"answers", "parquet", "sqlite", "wmt-csv"} <= worked
    assert all("; " in text for text in rejected.values())  # what, and the cure


def test_wrong_formats_are_rejected(campaign, tmp_path):
    with pytest.raises(InputError, match="did you mean parquet"):
        exporting.write_export(campaign, str(tmp_path / "x"), "parkett")
    with pytest.raises(InputError, match=r"ends in \.sqlite"):
        exporting.write_export(campaign, str(tmp_path / "x.sqlite"), "parquet")
    assert list(tmp_path.glob("x*")) == []


def test_an_empty_campaign_gives_an_empty_file(tmp_path):
    path = tmp_path / "none.jsonl"
    exporting.write_export(make_campaign(2), str(path))
    assert path.read_bytes() == b""
