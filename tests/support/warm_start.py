# SPDX-License-Identifier: Apache-2.0
"""The command line in a process of its own, without a second import of Django.

Half a second of every ``tertium campaign`` goes into imports. Here one process, the
parent, imports what all commands import and forks a child per command. The child has
an environment, a folder and streams of its own, sets Django up itself, and ends as
any process ends. Tests of how Python itself starts (missing packages, settings of
other projects) use ``subprocess``.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

#: What commands import and what needs no settings of Django.
_IMPORTED = (
    "django.contrib.auth.hashers",
    "django.core.handlers.wsgi",
    "django.core.management",
    "django.db.backends.sqlite3.base",
    "django.db.migrations.executor",
    "django.db.models",
    "django.forms",
    "django.middleware.csrf",
    "django.template.loader",
    "django.urls",
    "django.views.generic",
    "numpy",
    "tertium.campaigns.config",
    "tertium.cli.campaign.verb",
    "tertium.data",
    "tertium.stats",
    "waitress",
    "whitenoise.middleware",
)
_LONGEST = 1 << 20


class WarmProcess:
    """A running command; of ``subprocess.Popen`` it has what tests use.

    Parameters
    ----------
    words : sequence of str
        The command line after ``tertium``, or ``-c`` and some Python.
    stdout, stderr : int
        Open files.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        stdout: int,
        stderr: int,
        env: Mapping[str, str],
        cwd: Path,
    ) -> None:
        order = {"words": list(words), "env": dict(env), "cwd": str(cwd)}
        self._answer = socket.socket(socket.AF_UNIX)
        self._answer.connect(_parent())
        socket.send_fds(self._answer, [b"*"], [stdout, stderr])
        self._answer.sendall(json.dumps(order).encode() + b"\n")
        self._lines = self._answer.makefile("r")
        self.pid = int(self._lines.readline())
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        """Send the process a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        if self.returncode is None and select.select([self._answer], [], [], 0)[0]:
            return self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit code, negative after a signal."""
        if self.returncode is None:
            if not select.select([self._answer], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("tertium", timeout or 0)
            self.returncode = int(self._lines.readline())
            self._lines.close()
            self._answer.close()
        return self.returncode


def run(
    words: Sequence[str], *, env: Mapping[str, str], cwd: Path, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end and return its output, as ``subprocess.run`` does."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        streams = {"stdout": out.fileno(), "stderr": err.fileno()}
        process = WarmProcess(words, **streams, env=env, cwd=cwd)
        try:
            code = process.wait(timeout)
        except BaseException:
            process.send_signal(signal.SIGKILL)
            raise
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(words, code, out.read(), err.read())


@cache
def _parent() -> str:
    """Start the process that forks, and return the address it listens at."""
    folder = tempfile.TemporaryDirectory(prefix="tertium-warm-")
    address = f"{folder.name}/socket"
    known = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    process = subprocess.Popen(
        [sys.executable, __file__, address],
        # Threads of BLAS would not be there after a fork.
        env=known | {"OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )

    def end() -> None:
        process.stdin.close()
        process.wait(20)
        process.stdout.close()
        folder.cleanup()

    atexit.register(end)
    assert process.stdout.readline() == b"ready\n"
    return address


# ------------------------------------------------------------------- the parent


def _next_command(address: str) -> list[str]:
    """Serve until the tests end; return the words of a command, in its process."""
    del sys.path[0]  # the folder of this file
    for name in _IMPORTED:
        import_module(name)
    # Ctrl-C in a terminal reaches all; this one ends with the tests.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        os.write(1, b"ready\n")
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                return _command(connection)
            connection.close()
            _reap(os.WNOHANG)
    _reap(0)
    raise SystemExit


def _reap(options: int) -> None:
    try:
        while os.waitpid(-1, options)[0]:
            pass
    except ChildProcessError:
        pass


def _command(connection: socket.socket) -> list[str]:
    """Fork once more, return in the child, and report how it ended."""
    _, streams, _, _ = socket.recv_fds(connection, 1, 2)
    with connection.makefile("r") as lines:
        order = json.loads(lines.readline(_LONGEST))
    pid = os.fork()
    if pid:
        connection.sendall(b"%d\n" % pid)
        for stream in streams:
            os.close(stream)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        connection.sendall(b"%d\n" % code)
        os._exit(0)
    connection.close()
    for number, stream in enumerate([os.open(os.devnull, os.O_RDONLY), *streams]):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    sys.path.insert(0, order["cwd"])
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return order["words"]


if __name__ == "__main__":
    sys.argv[1:] = _next_command(sys.argv[1])
    if sys.argv[1] == "-c":
        exec(sys.argv[2])
    else:
        from tertium.cli import main

        raise SystemExit(main())
