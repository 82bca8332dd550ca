# SPDX-License-Identifier: Apache-2.0
"""Schedulers and workers of Dask as processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_SETTINGS = {
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "PYTHONPATH": str(_ROOT),
}
_START = "import sys; from dask.__main__ import main; sys.exit(main())"


class Cluster:
    """A scheduler and its workers; `file` says where it listens."""

    def __init__(self, folder: Path, host: str = "127.0.0.1") -> None:
        self.folder = folder
        self.host = host
        self.file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.port = "0"
        self.start_scheduler()

    @property
    def address(self) -> str:
        import json

        return json.loads(self.file.read_text())["address"]

    def start_scheduler(self) -> None:
        self.file.unlink(missing_ok=True)
        options = ["--port", self.port, "--host", self.host, "--no-dashboard"]
        self.scheduler = self._start(
            "scheduler", *options, "--scheduler-file", str(self.file)
        )
        # The file is there before its content is.
        while not (self.file.exists() and self.file.read_text().endswith("\n}")):
            assert self.scheduler.poll() is None
            time.sleep(0.05)
        self.port = self.address.rpartition(":")[2]

    def add_worker(
        self, *options: str, host: str | None = None, before: tuple[str, ...] = ()
    ) -> subprocess.Popen[bytes]:
        """Start a worker; the command goes after that of `before`."""
        worker = self._start(
            "worker",
            self.address,
            *("--nthreads", "1", "--no-dashboard", "--host", host or self.host),
            *options,
            before=before,
        )
        self.workers.append(worker)
        return worker

    def _start(
        self, *arguments: str, before: tuple[str, ...] = ()
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*before, sys.executable, "-c", _START, *arguments],
            cwd=self.folder,
            env=os.environ | _SETTINGS,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and its children, whatever they do."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def slowed(process: subprocess.Popen[bytes]):
    """Let a process and its children run a tenth of the time only."""
    end = threading.Event()

    def brake() -> None:
        while not end.wait(0.02):
            os.killpg(process.pid, signal.SIGSTOP)
            end.wait(0.2)
            os.killpg(process.pid, signal.SIGCONT)

    thread = threading.Thread(target=brake, daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


@contextmanager
def running(folder: Path, host: str = "127.0.0.1"):
    cluster = Cluster(folder, host)
    try:
        yield cluster
    finally:
        cluster.end()
