# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/guides/campaign-server.md, run by a shell as they stand.

PostgreSQL's, and those that install software or reach another machine, are not.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import missing

pytestmark = pytest.mark.slow

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "campaign-server.md"
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def block(sign: str) -> str:
    """Return the one block with a sign, as far as it is about SQLite."""
    [text] = [text for text in BLOCKS if sign in text]
    return text.partition("\n\n")[0]


@pytest.fixture
def shell(tmp_path):
    """Return a function that runs commands in a folder with a campaign, `news`."""
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "tertium"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tertium "$@"\n')
    program.chmod(0o755)
    known = {k: v for k, v in os.environ.items() if not k.startswith("TERTIUM_")}
    known.pop("DJANGO_SETTINGS_MODULE", None)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"

    def run(script):
        done = subprocess.run(
            ["sh", "-e", "-c", script],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=known | {"PATH": path},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("tertium campaign new news/campaign.toml --task ranking")
    config = tmp_path / "news" / "campaign.toml"
    text = config.read_text()
    config.write_text(re.sub('^name = ".*"', 'name = "news"', text, flags=re.M))
    run("tertium campaign load news/campaign.toml")
    run.folder, run.env = tmp_path, known | {"PATH": path}
    return run


@pytest.fixture
def served(shell):
    """Serve the campaign, and return the address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tertium", "campaign", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=shell.folder,
        env=shell.env,
    )
    with process:
        for line in process.stdout:
            if match := re.search(r"serving (http://[^ /]*:\d+)", line):
                yield match[1]
                break
        process.terminate()


def need(program: str) -> None:
    if shutil.which(program) is None:
        missing(f"no {program}; apt install {program}")


def test_a_backup_made_while_the_server_runs_restores_it(shell, served):
    need("sqlite3")
    before = shell("tertium campaign status")
    assert "news" in before
    shell(block(".backup"))
    copies = [shell.folder / f"backup.sqlite3{end}" for end in ("", ".key")]
    for copy in copies:
        assert copy.stat().st_mode & 0o077 == 0
    key = copies[1].read_bytes()
    for path in shell.folder.glob("campaigns.sqlite3*"):
        path.unlink()
    (shell.folder / "campaigns.sqlite3-wal").write_bytes(b"of the lost database")
    shell(block("rm -f campaigns.sqlite3-wal"))
    assert shell("tertium campaign status") == before
    assert (shell.folder / "campaigns.sqlite3.key").read_bytes() == key
    with sqlite3.connect(shell.folder / "campaigns.sqlite3") as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_tokens_are_made_listed_and_revoked(shell):
    *made, revoke = block("campaign token").splitlines()
    listed = shell("\n".join(made))
    ids = re.findall(r"\b[0-9a-f]{12}\b", listed)
    assert len(set(ids)) == 2
    assert "manager" in listed
    assert "observer" in listed
    assert "0123456789ab" in revoke
    shell(revoke.replace("0123456789ab", ids[0]))
    left = shell("tertium campaign token news --list")
    assert "revoked" in left or ids[0] not in left


def test_the_api_answers_what_the_guide_asks(shell, served):
    need("curl")
    [token, *_] = block("campaign token").splitlines()
    address, *asked = block("api=").replace("\\\n", " ").splitlines()
    # The others change the campaign, or need files or answers.
    others = (" -X ", "@", " -o ")
    asked = [line for line in asked if not any(sign in line for sign in others)]
    assert len(asked) == 4
    address = address.replace("https://mt.example.org", served)
    strict = [line.replace("curl ", "curl -sSf -w '\\n' ", 1) for line in asked]
    answers = shell("\n".join([token, address, *strict])).splitlines()
    assert len([json.loads(answer) for answer in answers if answer]) == 4
