# SPDX-License-Identifier: Apache-2.0
"""Databases and folders that cannot be used: what is wrong, and the cure."""

from __future__ import annotations

import sqlite3

import pytest
from django.db import DatabaseError, OperationalError, connections

from support.campaign_data import write_config
from support.campaign_server import Server
from tertium.campaigns.site import setup
from tertium.campaigns.site.database import secret_key
from tertium.cli import main
from tertium.errors import InputError


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return a folder with a campaign in ``good.sqlite3``, and broken databases."""
    folder = tmp_path_factory.mktemp("broken")
    server = Server(folder)
    server.database = str(folder / "good.sqlite3")
    server.config = write_config(folder / "small", segments=2).path
    server.load(server.config)
    whole = (folder / "good.sqlite3").read_bytes()
    with sqlite3.connect(folder / "good.sqlite3") as known:
        (size,) = known.execute("PRAGMA page_size").fetchone()
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = known.execute(query, ["campaigns_campaign"]).fetchone()
    start = (page - 1) * size
    (folder / "damaged.sqlite3").write_bytes(
        whole[:start] + b"\xff" * size + whole[start + size :]
    )
    (folder / "text.sqlite3").write_text("this is a letter, and not a database")
    (folder / "folder.sqlite3").mkdir()
    with sqlite3.connect(folder / "songs.sqlite3") as other:
        other.execute("CREATE TABLE songs (name)")
    return server


def said(server, database, *words):
    """Run a command that must be rejected; return what it says."""
    done = server.run("campaign", *words, "--database", database)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stderr.startswith("tertium: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_a_damaged_table_is_reported(small):
    for words in (["status"], ["export", "small", "-o", "x.jsonl"]):
        text = said(small, "damaged.sqlite3", *words)
        assert "damaged.sqlite3 is damaged" in text
        assert "restore a backup" in text
    assert not (small.folder / "x.jsonl").exists()


def test_a_file_that_is_no_database_is_reported(small):
    assert "not a database of Tertium" in said(small, "text.sqlite3", "invite", "small")
    assert "is a folder" in said(small, "folder.sqlite3", "serve", "--port", "0")


def test_a_database_of_another_program_is_left_alone(small):
    before = (small.folder / "songs.sqlite3").read_bytes()
    text = said(small, "songs.sqlite3", "load", small.config)
    assert "a database of another program (it has the table songs)" in text
    assert (small.folder / "songs.sqlite3").read_bytes() == before


@pytest.mark.parametrize("words", [["token", "small"], ["import", "small", "x.jsonl"]])
def test_a_wrong_name_makes_no_database(small, words):
    assert "there is no database" in said(small, "typo.sqlite3", *words)
    assert not (small.folder / "typo.sqlite3").exists()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (DatabaseError("database disk image is malformed"), "restore a backup"),
        (OperationalError("database or disk is full"), "free space"),
        (OperationalError("attempt to write a readonly database"), "you may write"),
        (OperationalError("disk I/O error"), "check the disk"),
    ],
)
def test_problems_of_databases_have_a_cure(error, words, monkeypatch):
    monkeypatch.setattr(connections["default"], "vendor", "sqlite")
    result = setup.database_problem(error)
    assert isinstance(result, InputError)
    assert words in str(result)
    assert setup.database_problem(ValueError("x")) is None


@pytest.fixture
def file(tmp_path):
    """Return a file: nothing can be made below it, whoever asks."""
    place = tmp_path / "file"
    place.write_text("x")
    return place


@pytest.mark.parametrize(
    "words",
    [
        ["new", "{file}/campaign.toml"],
        ["new", "{file}/deeper/campaign.toml"],
        ["demo", "--folder", "{file}"],
        ["demo", "--folder", "{file}/deeper"],
    ],
)
def test_folders_that_cannot_be_made_are_reported(file, words, capsys):
    assert main(["campaign", *(word.format(file=file) for word in words)]) == 2
    text = capsys.readouterr().err
    assert text.startswith("tertium: cannot create the folder")
    assert str(file) in text


def test_a_folder_that_cannot_be_written_is_reported(tmp_path, monkeypatch, capsys):
    def forbidden(*_arguments, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tertium._files.open", forbidden, raising=False)
    assert main(["campaign", "new", str(tmp_path / "campaign.toml")]) == 2
    text = capsys.readouterr().err
    assert "Permission denied" in text
    assert "campaign.toml" in text
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_searched_is_reported(tmp_path, monkeypatch, capsys):
    def forbidden(*_arguments, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.mkdir", forbidden)
    assert main(["campaign", "new", str(tmp_path / "x" / "campaign.toml")]) == 2
    assert "you may write to" in capsys.readouterr().err


def test_keys_that_cannot_be_used_are_reported(tmp_path, file):
    with pytest.raises(InputError, match="cannot read or write the key"):
        secret_key(file / "key")
    with pytest.raises(InputError, match="cannot read or write the key"):
        secret_key(tmp_path)
    with pytest.raises(InputError, match="cannot read or write the key"):
        secret_key(tmp_path / "none" / "key")
    (tmp_path / "binary").write_bytes(b"\xff" * 60)
    with pytest.raises(InputError, match="holds no key"):
        secret_key(tmp_path / "binary")
