# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign`` as people type it."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from support.campaign_data import write_config
from support.campaign_server import Server
from support.span_campaign import write_spans
from tertium.campaigns.config import read_config
from tertium.cli import main

#: A Python in which some packages are not installed.
WITHOUT = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
from tertium.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Return a database with a small campaign; nothing is served."""
    result = Server(tmp_path_factory.mktemp("cli"), ready=True)
    config = write_config(result.folder / "small", segments=4)
    result.links = result.load(config.path)
    return result


@pytest.fixture
def fresh(tmp_path):
    result = Server(tmp_path)
    yield result
    result.kill()


def rejected(server, *words):
    """Run what must be rejected, and return what is said."""
    done = server.run("campaign", *words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stderr.startswith("tertium: ") or "usage:" in done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_new_writes_files_once(fresh):
    config = fresh.new("pairs")
    assert config.exists()
    assert (config.parent / "instructions.md").exists()
    before = config.read_text()
    assert "already exists" in rejected(fresh, "new", config, "--task", "pairs")
    assert config.read_text() == before


@pytest.mark.parametrize("task", ["direct", "edits", "pairs", "ranking", "survey"])
def test_new_with_items_of_ones_own_can_be_loaded(fresh, task):
    """One command gives a configuration that works, wherever it is written."""
    data = fresh.folder / "data"
    data.mkdir()
    rows = [
        {"id": f"s{i}", "src": f"Quelle {i}", "ref": f"a b c d e f {i}",
         "tgt": {"A": f"b a c d e f {i}", "B": f"c b a d e f {i}"}}
        for i in range(900)
    ]  # fmt: skip
    (data / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    config = fresh.folder / "here" / "my.toml"
    out = fresh.tertium(
        "campaign", "new", config, "--task", task, "--name", "Můj test, 1",
        "--items", data / "mine.jsonl", "--source", "de", "--target", "en",
        "--seed", "7",
    )  # fmt: skip
    assert "sentences.jsonl" not in out
    result = read_config(config)
    assert (result.name, result.title) == ("muj-test-1", "Můj test, 1")
    assert (result.source, result.target, result.seed) == ("de", "en", 7)
    # It is the user who named a file elsewhere, so the command to load it says so.
    assert out.endswith(f"tertium campaign load {config} --allow-outside\n")
    load = ("campaign", "load", config, "--check")
    assert "lies outside" in fresh.tertium(*load, check=False)
    assert "nothing changed" in fresh.tertium(*load, "--allow-outside")


def test_paths_of_new_are_those_of_the_configuration(fresh, monkeypatch):
    (fresh.folder / "mine.jsonl").write_text('{"src": "a", "ref": "b", "tgt": {}}\n')
    monkeypatch.chdir(fresh.folder)
    for place, want in (
        ("a.toml", "mine.jsonl"),
        ("deep/er/a.toml", "../../mine.jsonl"),
    ):
        (fresh.folder / "instructions.md").unlink(missing_ok=True)
        assert main(["campaign", "new", place, "--task", "pairs",
                     "--items", "mine.jsonl"]) == 0  # fmt: skip
        assert read_config(place).items == want


def test_what_new_rejects(fresh):
    place = fresh.folder / "x.toml"
    assert "no file" in rejected(fresh, "new", place, "--items", "none.jsonl")
    assert "no name" in rejected(fresh, "new", place, "--name", "§")
    assert "no such file" in rejected(fresh, "new", place, "--from", "none.toml")
    config = fresh.new("pairs")
    assert "omit task (--task)" in rejected(
        fresh, "new", place, "--from", config, "--task", "edits"
    )
    assert "another one" in rejected(
        fresh, "new", place, "--from", config, "--name", "Two systems"
    )
    assert not place.exists()


@pytest.mark.parametrize("task", ["survey", "segranks", "direct"])
def test_a_campaign_is_cloned_without_its_people(tmp_path, task):
    fresh = Server(tmp_path, ready=True)
    config = fresh.new(task)
    if task == "survey":
        (config.parent / "codes.txt").write_text("r1\n")
        text = config.read_text().replace('rewards = ""', 'rewards = "codes.txt"')
        # What stands there by default is found from elsewhere too.
        config.write_text(text.replace('debrief = "debrief.md"', ""))
    fresh.tertium("campaign", "load", config)
    place = fresh.folder / "elsewhere" / "second.toml"
    fresh.tertium("campaign", "new", place, "--from", config, "--seed", "5")
    one, two = read_config(config), read_config(place)
    assert (two.name, two.seed) == (f"{one.name}-2", 5)
    assert two.plan == one.plan
    assert (two.title, two.source, two.target) == (one.title, one.source, one.target)
    assert "was created" in fresh.tertium("campaign", "load", place, "--allow-outside")
    if task == "survey":
        assert two.options["rewards"] == ""
    counts = json.loads(fresh.tertium("campaign", "status", "-f", "json"))["campaigns"]
    assert {row["items"] for row in counts} == {counts[0]["items"]}
    assert [row["annotators"] for row in counts] == [0, 0]


def test_check_changes_nothing(fresh):
    config = write_config(fresh.folder / "small", segments=3)
    before = sorted(fresh.folder.rglob("*"))
    out = fresh.tertium("campaign", "load", config.path, "--check")
    assert "3 items to judge; nothing changed" in out
    assert sorted(fresh.folder.rglob("*")) == before


def test_one_item_is_singular(fresh):
    line = {"id": "s", "doc": "d", "src": "a", "ref": ["b"], "tgt": {"x": "one two"}}
    config = write_spans(fresh.folder / "one", lines=[line])
    out = fresh.tertium("campaign", "load", config, "--check")
    assert ": 1 item to judge; nothing changed" in out
    out = fresh.tertium("campaign", "load", config, check=False)
    assert "was created: 1 item added\n" in out


def test_commands_say_what_they_did(fresh):
    config = fresh.new("direct")
    out = fresh.tertium("campaign", "load", config, "--check")
    assert "177 items to judge and 177 attention checks; nothing changed" in out
    out = fresh.tertium("campaign", "load", config, check=False)
    assert "354 items added, 177 attention checks among them\n" in out
    assert "created the database" in out
    assert "`tertium campaign serve`" in out
    words = ["campaign", "export", "direct-assessment", "-o", "a.jsonl"]
    out = fresh.tertium(*words, check=False)
    assert "wrote no judgement, as there is none yet, to a.jsonl" in out
    assert fresh.tertium(*words, "-q", check=False) == ""


def test_help_of_exports_lists_formats(fresh):
    out = fresh.tertium("campaign", "export", "--help")
    assert "  wmt-csv        WMT rankings" in out


def test_load_prints_links_once(server):
    assert set(server.links) == {"annotator", "manager"}
    config = server.folder / "small" / "campaign.toml"
    out = server.tertium("campaign", "load", config)
    assert "brought up to date: 0 items added, 4 already there" in out
    assert "/join/" not in out


def test_what_load_rejects(server, tmp_path):
    assert "campaign new" in rejected(server, "load", tmp_path / "none.toml")
    bad = tmp_path / "bad.toml"
    bad.write_text("[campaign\n")
    message = rejected(server, "load", bad)
    assert str(bad) in message
    assert "not TOML" in message


def test_invite(server):
    words = ["--most", "2", "--days", "7", "--role", "observer"]
    url = ["--url", "https://mt.example.org/"]
    out = server.tertium("campaign", "invite", "small", *words, *url)
    assert out.startswith("observer (2 people, 7 days): https://mt.example.org/join/")
    assert "did you mean small" in rejected(server, "invite", "smal")
    assert "must be above 0" in rejected(server, "invite", "small", "--days", "0")


@pytest.mark.parametrize("kind", ["table", "json", "tsv", "csv", "md", "latex"])
def test_status_in_all_formats(server, kind):
    out = server.tertium("campaign", "status", "small", "-f", kind)
    assert "small" in out
    if kind == "json":
        (one,) = json.loads(out)["campaigns"]
        assert (one["items"], one["judged"], one["wanted"]) == (4, 0, 4)
        assert one["seconds"] is None
    elif kind in ("csv", "tsv"):
        mark = "," if kind == "csv" else "\t"
        (row,) = csv.DictReader(io.StringIO(out), delimiter=mark)
        assert (row["campaign"], row["items"], row["seconds"]) == ("small", "4", "")


def test_unknown_names(server):
    assert "did you mean small" in rejected(server, "status", "smoll")
    assert "did you mean small" in rejected(server, "export", "smoll", "-o", "x")
    message = rejected(server, "export", "small", "-o", "x", "--format", "parkett")
    assert "did you mean parquet" in message
    assert "did you mean export" in rejected(server, "exprot")
    assert not (server.folder / "x").exists()


def test_export_of_nothing(server):
    server.tertium("campaign", "export", "small", "-o", "none.jsonl")
    assert (server.folder / "none.jsonl").read_bytes() == b""
    message = rejected(server, "export", "small", "-o", "x.csv", "--format", "wmt-csv")
    assert "has none" in message


def test_a_port_that_is_taken(server):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        message = rejected(server, "serve", "--port", taken.getsockname()[1])
    assert "choose another port (--port)" in message


def test_an_empty_database_says_what_to_do(fresh):
    fresh.start()
    fresh.stop()
    assert "load one first" in rejected(fresh, "status")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopping_leaves_a_sound_database(fresh, how):
    links = fresh.load(write_config(fresh.folder / "small").path)
    fresh.start()
    with urllib.request.urlopen(fresh.url + links["annotator"], timeout=10) as answer:
        assert answer.status == 200
    if not os.environ.get("TERTIUM_TEST_DATABASE"):
        files = list(fresh.folder.glob("campaigns.sqlite3*"))
        assert {file.name[17:] for file in files} == {"", "-wal", "-shm"}
        assert all(file.stat().st_mode & 0o777 == 0o600 for file in files)
    assert fresh.end(how) == 0
    log = (fresh.folder / "server.log").read_text()
    assert "stopped; everything is saved" in log
    assert "Traceback" not in log
    if not os.environ.get("TERTIUM_TEST_DATABASE"):
        import sqlite3

        base = sqlite3.connect(fresh.database)
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert base.execute("PRAGMA foreign_key_check").fetchall() == []
        assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        base.close()
        left = {path.name for path in fresh.folder.glob("campaigns.sqlite3*")}
        assert "campaigns.sqlite3-wal" not in left  # all is in the one file
    assert "small" in fresh.tertium("campaign", "status")


@pytest.mark.parametrize("words", [["status"], ["new", "x/c.toml", "--task", "pairs"]])
def test_without_django(fresh, words):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(names={"django"}), "campaign", *words],
        capture_output=True,
        text=True,
        env=fresh._environment(),
        cwd=fresh.folder,
    )
    assert done.returncode == 2
    assert "pip install 'tertium[web]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_psycopg(fresh):
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            WITHOUT.format(names={"psycopg", "psycopg2"}),
            *("campaign", "status", "--database", "postgresql://me@host/x"),
        ],
        capture_output=True,
        text=True,
        env=fresh._environment(),
        cwd=fresh.folder,
    )
    assert done.returncode == 2, done.stderr
    assert "pip install 'tertium[postgresql]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_help_needs_nothing(fresh):
    for words in ([], ["new"], ["load"], ["serve"], ["export"], ["demo"]):
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                WITHOUT.format(names={"django"}),
                *("campaign", *words, "--help"),
            ],
            capture_output=True,
            text=True,
            env=fresh._environment(),
            cwd=fresh.folder,
        )
        assert done.returncode == 0, done.stderr
        assert "usage: tertium campaign" in done.stdout
