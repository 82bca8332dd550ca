# SPDX-License-Identifier: Apache-2.0
"""A real annotation server for tests: the command line in a process of its own.

With ``TERTIUM_TEST_DATABASE`` (an address of PostgreSQL) every server gets a fresh
database there, else a file of SQLite.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import uuid
from functools import cache
from pathlib import Path

from support.warm_start import WarmProcess, run

TERTIUM = [sys.executable, "-m", "tertium"]


class Server:
    """A server on a port of its own; it can be killed and started again.

    Parameters
    ----------
    folder : Path
    ready : bool
        Whether the tables of its database are there; else the first command makes them.
    """

    def __init__(self, folder: Path, *, ready: bool = False) -> None:
        self.folder = folder
        self.database = _new_database(folder, ready=ready)
        self.process: WarmProcess | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def tertium(self, *words: str | Path, check: bool = True) -> str:
        """Run the command line on this server's database and return its output."""
        done = self.run(*words)
        if check:
            assert done.returncode == 0, done.stderr
        return done.stdout if check else done.stdout + done.stderr

    def run(
        self, *words: str | Path, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run the command line on this server's database, however it ends."""
        env = self._environment() | (env or {})
        return run(list(map(str, words)), env=env, cwd=self.folder)

    def new(self, task: str) -> Path:
        """Write the starter files of a task and return its configuration."""
        config = self.folder / task / "campaign.toml"
        self.tertium("campaign", "new", config, "--task", task)
        return config

    def load(self, config: Path) -> dict[str, str]:
        """Load a campaign and return its invitations by role, as paths."""
        out = self.tertium("campaign", "load", config)
        return dict(re.findall(r"^(\w+) \(.*(/join/\S+)$", out, re.M))

    def invite(self, name: str, role: str = "annotator") -> str:
        """Return the path of one more invitation."""
        out = self.tertium("campaign", "invite", name, "--role", role)
        return re.search(r"/join/\S+", out).group()

    def start(self, *options: str) -> str:
        """Start the server, and return what it prints; later on the same port."""
        with (self.folder / "server.log").open("a") as log:
            reading, writing = os.pipe()
            self.process = WarmProcess(
                ["campaign", "serve", "--port", str(self.port), *options],
                stdout=writing,
                stderr=log.fileno(),
                # Of a server whose disk is full, compiled modules would be cut short.
                env=self._environment() | {"PYTHONDONTWRITEBYTECODE": "1"},
                cwd=self.folder,
            )
            os.close(writing)
        self._printed = os.fdopen(reading)
        printed = ""
        for line in self._printed:
            printed += line
            if match := re.search(r"serving http://[^ ]*:(\d+)", line):
                self.port = int(match[1])
                return printed
        message = (self.folder / "server.log").read_text()
        raise AssertionError(f"the server did not start:\n{message}")

    def kill(self) -> None:
        """Kill the server as a power cut would."""
        self.end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop the server as Ctrl-C does."""
        self.end(signal.SIGINT)

    def end(self, how: signal.Signals) -> int | None:
        """Send the server a signal and return its exit code, if it was running."""
        if self.process is None:
            return None
        self.process.send_signal(how)
        code = self.process.wait(20)
        self._printed.close()
        self.process = None
        return code

    def _environment(self) -> dict[str, str]:
        return _environment(self.database, self.folder)


def _environment(database: str, folder: Path) -> dict[str, str]:
    known = {k: v for k, v in os.environ.items() if not k.startswith("TERTIUM_")}
    known.pop("DJANGO_SETTINGS_MODULE", None)
    secret = str(folder / "secret.key")
    return known | {"TERTIUM_DATABASE": database, "TERTIUM_SECRET_FILE": secret}


def _new_database(folder: Path, *, ready: bool) -> str:
    address = os.environ.get("TERTIUM_TEST_DATABASE")
    if address is None:
        path = folder / "campaigns.sqlite3"
        if ready:
            shutil.copy(_template(), path)
        return str(path)
    return _new_postgresql(address, template=_template() if ready else None)


@cache
def _template() -> str:
    """Return a database with all tables and nothing in them, to be copied.

    All migrations take longer than many a test.
    """
    folder = Path(_templates.name)
    address = os.environ.get("TERTIUM_TEST_DATABASE")
    database = _new_postgresql(address) if address else str(folder / "template.sqlite3")
    made = "from tertium.campaigns.site.setup import prepare, start; start(); prepare()"
    environment = _environment(database, folder)
    subprocess.run([sys.executable, "-c", made], env=environment, check=True)
    return database


_templates = tempfile.TemporaryDirectory(prefix="tertium-template-")


def _new_postgresql(address: str, template: str | None = None) -> str:
    import psycopg

    before, _, query = address.partition("?")
    name = f"tertium_{uuid.uuid4().hex[:12]}"
    copied = re.search(r"/(\w+)(\?|$)", template)[1] if template else "template1"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {copied}")
    return f"{before.rsplit('/', 1)[0]}/{name}" + (f"?{query}" if query else "")
