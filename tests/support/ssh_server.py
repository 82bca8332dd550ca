# SPDX-License-Identifier: Apache-2.0
"""An SSH server of our own on the loopback, with its own keys and settings."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Server", "free_port", "program", "running"]


@dataclass(frozen=True)
class Server:
    """Where a server listens, the key that it lets in, and the key that it shows."""

    port: int
    key: Path
    known_hosts: Path


def program() -> str | None:
    """Return sshd; None where it is not installed."""
    # Debian keeps it out of the path of users.
    return shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")


def free_port() -> int:
    """Return a port of the loopback at which nobody listens."""
    with closing(socket.socket()) as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    """Run a server for the user who runs the tests."""
    import asyncssh

    for name in ("host", "user"):
        key = asyncssh.generate_private_key("ssh-ed25519")
        key.write_private_key(str(folder / name))
        (folder / name).chmod(0o600)
        key.write_public_key(str(folder / f"{name}.pub"))
    server = Server(free_port(), folder / "user", folder / "known_hosts")
    public = (folder / "host.pub").read_text()
    server.known_hosts.write_text(f"[127.0.0.1]:{server.port} {public}")
    settings = folder / "sshd_config"
    settings.write_text(
        f"ListenAddress 127.0.0.1:{server.port}\n"
        f"HostKey {folder / 'host'}\n"
        f"AuthorizedKeysFile {folder / 'user.pub'}\n"
        "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"
        "UsePAM no\nStrictModes no\nPidFile none\n"
    )
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # where it locks itself in
    log = (folder / "sshd.log").open("wb")
    process = subprocess.Popen(
        [str(program()), "-D", "-e", "-f", str(settings)], stderr=log
    )
    try:
        while not _listens(server.port):
            assert process.poll() is None, (folder / "sshd.log").read_text()
            time.sleep(0.05)
        yield server
    finally:
        process.terminate()
        process.wait()
        log.close()


def _listens(port: int) -> bool:
    with closing(socket.socket()) as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0
