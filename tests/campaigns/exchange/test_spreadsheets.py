# SPDX-License-Identifier: Apache-2.0
"""Downloads that spreadsheets open: no cell is a formula, no name is another."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client

from support.campaign_world import World, jsonl, make_world, write_pairs
from tertium.campaigns.config import read_config
from tertium.campaigns.exchange.exporting import tables, write_export
from tertium.campaigns.exchange.spreadsheets import check_cells, dangerous, defuse_cells
from tertium.campaigns.loading import load
from tertium.campaigns.models import Role
from tertium.campaigns.people.accounts import invite, join
from tertium.errors import InputError
from tertium.judgements import Judgements

TABLES = ["wmt-csv", "wmt-pairs-csv", "judged-tsv", "pairs"]
NASTY = "=HYPERLINK(1)"


@pytest.mark.parametrize(
    "cell",
    [
        "=1+1", "+1+1", "-1+1", "@SUM(1)", "=cmd|' /C calc'!A0", "\t=1", "\r=1", "\n=1",
        " =1", "＝1+1", "＋A1", "－A1", "＠A1", "-A", "--1", "+-1", "a;=1+1", "a; =1+1",
        "1;-A1",
    ],
)  # fmt: skip
def test_formulas_are_found(cell):
    assert dangerous(cell)


@pytest.mark.parametrize(
    "cell",
    ["", "a", "a=1", "-1", "+1", "-0.5", "1e-3", "-1.5E+3", "=", "-", "<", "a-b", "'=1",
     "s+t", "2026-01-01T00:00:00", "-.5"],
)  # fmt: skip
def test_names_and_numbers_are_left_alone(cell):
    assert not dangerous(cell)


def test_a_semicolon_parts_no_cells_of_tabs():
    assert not dangerous("one; -two", separator="\t")


@pytest.fixture
def nasty(tmp_path, db):
    """Return a campaign with a system that is called like a formula."""
    config = write_pairs(tmp_path / "n", "nasty")
    line = {"id": "1", "src": "s", "ref": ["r"], "tgt": {NASTY: "a", "betasys": "b"}}
    config.with_name("set.jsonl").write_text(jsonl([line]))
    campaign = load(read_config(config)).campaign
    world = World(campaign)
    world.joined["annotator"] = join(invite(campaign, Role.ANNOTATOR))
    world.judge()
    return world


def download(world, query):
    reply = Client().get(
        f"/api/v1/campaigns/{world.campaign.name}/export?{query}",
        headers=world.bearer(),
    )
    body = b"".join(reply.streaming_content) if reply.streaming else reply.content
    return reply.status_code, body


@pytest.mark.parametrize("name", ["wmt-csv", "wmt-pairs-csv", "pairs"])
def test_a_formula_is_rejected_or_made_harmless(nasty, name):
    status, body = download(nasty, f"format={name}")
    assert status == 422
    assert b"cells=apostrophe" in body
    status, body = download(nasty, f"format={name}&cells=apostrophe")
    assert status == 200
    separator = "," if "csv" in name else "\t"
    rows = list(csv.reader(io.StringIO(body.decode()), delimiter=separator))
    cells = [cell for row in rows for cell in row]
    assert f"'{NASTY}" in cells
    assert not any(dangerous(cell, separator=separator) for cell in cells)
    if name == "wmt-csv":
        assert "-1" in cells  # numbers stay numbers


def test_a_formula_before_its_rank_is_found(nasty):
    status, _ = download(nasty, "format=judged-tsv")
    assert status == 422


@pytest.mark.parametrize("name", ["answers", "tertium-jsonl", "parquet", "sqlite"])
def test_formats_that_no_spreadsheet_opens_lose_nothing(nasty, name):
    status, body = download(nasty, f"format={name}")
    assert status == 200
    if name in ("answers", "tertium-jsonl"):
        assert NASTY.encode() in body
        assert f"'{NASTY}".encode() not in body


@pytest.mark.django_db
@pytest.mark.parametrize("name", TABLES)
def test_what_is_harmless_reads_back_as_it_was(tmp_path, name):
    world = make_world(tmp_path, "plain")
    world.judge(times=3)
    status, body = download(world, f"format={name}")
    assert status == 200
    place = tmp_path / f"{name}.{name[-3:] if name != 'pairs' else 'tsv'}"
    place.write_bytes(body)
    results = {
        (one.segment, place.systems, place.rank)
        for one in Judgements.read(place).iterate("rankings")
        for place in one.places
    }
    assert results == {
        (one.segment, place.systems, place.rank)
        for one in tables(world.campaign).iterate("rankings")
        for place in one.places
    }
    # Asked for or not: where nothing is dangerous, nothing changes.
    assert download(world, f"format={name}&cells=apostrophe") == (200, body)


def test_the_command_line_writes_names_as_they_are(nasty, tmp_path):
    """For tertium, which would take an apostrophe for a part of the name."""
    place = tmp_path / "out.csv"
    write_export(nasty.campaign, str(place), "wmt-csv")
    systems = {
        name
        for one in Judgements.read(place).iterate("rankings")
        for entry in one.places
        for name in entry.systems
    }
    assert systems == {NASTY, "betasys"}


def test_quotes_do_not_hide_a_formula(tmp_path):
    place = tmp_path / "x.csv"
    place.write_text('a,"=1+1"\n"x;=2","-1"\n')
    with pytest.raises(InputError, match="row 1"):
        check_cells(place, ",", quoted=True)
    assert defuse_cells(place, ",", quoted=True) == 2
    check_cells(place, ",", quoted=True)
    assert place.read_text() == "a,'=1+1\n'x;'=2,-1\n"
