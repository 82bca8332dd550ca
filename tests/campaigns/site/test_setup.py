# SPDX-License-Identifier: Apache-2.0
"""A database is brought up to date, or rejected with a reason."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.campaign_data import write_config
from support.campaign_server import TERTIUM, Server

PREPARE = """
from tertium.campaigns.site.setup import prepare, start
start()
print(prepare(change={change}))
"""


LATER = """
from tertium.campaigns.site.setup import start
start()
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
MigrationRecorder(connection).record_applied("campaigns", "0099_later")
"""

EARLIER = """
from tertium.campaigns.site.setup import start
start()
from django.core.management import call_command
call_command("migrate", "campaigns", "0001", verbosity=0, interactive=False)
"""


@pytest.fixture
def server(tmp_path):
    return Server(tmp_path)


def prepare(server, *, change=True, database=None):
    """Return exit code and output of a process that prepares the database."""
    env = {} if database is None else {"TERTIUM_DATABASE": database}
    done = server.run("-c", PREPARE.format(change=change), env=env)
    return done.returncode, done.stdout + done.stderr


def test_a_fresh_database_is_made_and_then_up_to_date(server):
    code, message = prepare(server)
    assert code == 0, message
    assert "campaigns.0001_initial" in message
    assert prepare(server) == (0, "[]\n")
    assert prepare(server, change=False) == (0, "[]\n")


def test_a_database_of_before_images_keeps_its_campaigns(server, tmp_path):
    config = write_config(tmp_path).path
    server.tertium("campaign", "load", config)
    before = server.tertium("campaign", "status", "-f", "json")
    done = server.run("-c", EARLIER)
    assert done.returncode == 0, done.stderr
    code, message = prepare(server)
    assert (code, message) == (0, "['campaigns.0002_image']\n")
    assert server.tertium("campaign", "status", "-f", "json") == before
    again = server.tertium("campaign", "load", config)
    assert "0 items added, 4 already there" in again


def test_several_processes_prepare_at_once(server):
    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda _: prepare(server), range(3)))
    assert [code for code, _ in results] == [0] * 3, results
    assert prepare(server) == (0, "[]\n")


def test_a_newer_database_is_rejected_and_not_touched(server):
    assert prepare(server)[0] == 0
    done = server.run("-c", LATER)
    assert done.returncode == 0, done.stderr
    for change in (True, False):
        code, message = prepare(server, change=change)
        assert code != 0
        assert "made by a newer Tertium (it has 0099_later)" in message
        assert "pip install -U" in message
    for words in (["status"], ["serve", "--port", "0"]):
        out = server.tertium("campaign", *words, check=False)
        assert "made by a newer Tertium" in out
        assert "Traceback" not in out


@pytest.mark.parametrize(
    "database",
    [
        "no/such/folder/x.sqlite3",
        "postgresql://nobody@127.0.0.1:9/none",
        "postgresql://nobody@/none?host=/no/such/folder",
    ],
)
def test_a_database_out_of_reach(server, database):
    code, message = prepare(server, database=database)
    assert code != 0
    assert "InputError: cannot use the database" in message
    cure = "check the address" if "://" in database else "check that its folder exists"
    assert cure in message


def test_a_file_that_is_no_database(server):
    (server.folder / "text.sqlite3").write_text("not a database at all " * 50)
    code, message = prepare(server, database="text.sqlite3")
    assert code != 0
    assert "is damaged, or not a database of Tertium" in message


@pytest.mark.parametrize(
    ("database", "cure"),
    [
        ("mysql://me@host/x", "give a path, or postgresql://"),
        ("postgresql://me@host", "names none"),
    ],
)
def test_addresses_that_are_none(server, database, cure):
    out = server.run("campaign", "status", "--database", database)
    assert out.returncode == 2
    assert cure in out.stderr
    assert "Traceback" not in out.stderr


def test_looking_makes_no_file(server):
    if os.environ.get("TERTIUM_TEST_DATABASE"):
        database = "elsewhere.sqlite3"
    else:
        database = server.database
    for words in (["status"], ["invite", "x"]):
        out = server.tertium("campaign", *words, "--database", database, check=False)
        assert "there is no database" in out
    assert list(server.folder.glob("*.sqlite3*")) == []


@pytest.mark.parametrize("module", ["somebody.elses.settings", "json"])
def test_settings_of_another_project_in_the_environment_are_ignored(tmp_path, module):
    server = Server(tmp_path, ready=True)
    env = server._environment() | {"DJANGO_SETTINGS_MODULE": module}
    wsgi = [sys.executable, "-c", "import tertium.campaigns.site.wsgi"]
    server.load(write_config(server.folder / "small", segments=2).path)
    for command in ([*TERTIUM, "campaign", "status"], wsgi):
        done = subprocess.run(
            command, capture_output=True, text=True, env=env, cwd=server.folder
        )
        assert (done.returncode, done.stderr) == (0, "")
