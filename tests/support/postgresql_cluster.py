# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL of our own: made in a temporary folder, thrown away at the end."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["cluster", "programs"]

_ROLE = "tertium"


def programs() -> Path | None:
    """Return the folder of initdb and pg_ctl; None where they are not installed."""
    folders = (
        [Path(initdb).resolve().parent] if (initdb := shutil.which("initdb")) else []
    )
    if asked := shutil.which("pg_config"):
        answer = subprocess.run([asked, "--bindir"], capture_output=True, text=True)
        folders.append(Path(answer.stdout.strip()))
    # Debian keeps them out of PATH; the newest version first.
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    folders += sorted(versions, key=lambda path: -float(path.parent.name))
    return next(
        (
            folder
            for folder in folders
            if all((folder / name).is_file() for name in ("initdb", "pg_ctl"))
        ),
        None,
    )


def _as_whom() -> tuple[list[str], str | None]:
    """Return how to start PostgreSQL, which does not run as root, and as whom."""
    if os.geteuid() != 0:
        return [], None
    for name in ("postgres", "nobody"):
        try:
            person = pwd.getpwnam(name)
        except KeyError:
            continue
        group = ["--regid", str(person.pw_gid), "--clear-groups"]
        return ["setpriv", "--reuid", str(person.pw_uid), *group], name
    raise OSError("root cannot run PostgreSQL, and there is no user postgres")


@contextmanager
def cluster(*, durable: bool = False) -> Iterator[str]:
    """Run PostgreSQL and yield the address of an empty database.

    It listens on a Unix socket in a folder that nobody else may enter.

    Parameters
    ----------
    durable : bool
        Whether it writes to the disk for good, as outside tests; slower.
    """
    folder = programs()
    if folder is None:
        raise FileNotFoundError("initdb")
    prefix, owner = _as_whom()
    # Short: the path of a socket has 107 characters at most.
    place = Path(tempfile.mkdtemp(prefix="tpg-", dir="/tmp"))
    if owner is not None:
        shutil.chown(place, owner)
    data = place / "data"
    settings = f"-c listen_addresses='' -c unix_socket_directories={place}"
    settings += " -c max_connections=200"
    if not durable:
        settings += " -c fsync=off -c full_page_writes=off -c synchronous_commit=off"

    def run(name: str, *words: str) -> None:
        # Into a file: the server would keep a pipe open, and us waiting.
        with (place / f"{name}.out").open("w+") as output:
            done = subprocess.run(
                [*prefix, str(folder / name), *words],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=place,
                env={**os.environ, "LC_ALL": "C.UTF-8"},
                timeout=120,
            )
            output.seek(0)
            if done.returncode:
                raise OSError(f"{name} failed:\n{output.read()}")

    try:
        run("initdb", "-D", str(data), "-U", _ROLE, "--auth=trust", "--encoding=UTF8",
            "--locale=C.UTF-8", "--no-sync")  # fmt: skip
        log = str(place / "server.log")
        run("pg_ctl", "-D", str(data), "-w", "-l", log, "-o", settings, "start")
        try:
            yield f"postgresql://{_ROLE}@/postgres?host={place}"
        finally:
            run("pg_ctl", "-D", str(data), "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(place, ignore_errors=True)
