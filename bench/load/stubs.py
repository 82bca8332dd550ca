# SPDX-License-Identifier: Apache-2.0
"""A scheduler of Dask with very many stub workers, and what a task costs it.

A stub is a connection that speaks the protocol of workers: it registers, sends
heartbeats, takes tasks, waits, says that they are done, and hands out results. A
process has many of them and one port; each has an address of its own in 127.0.0.0/8,
so this needs Linux. Scheduler, client and stubs are processes of their own, whose
processor time is measured apart.
"""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any, NamedTuple

from tertium.cluster import Cluster
from tertium.cluster.worker import Done

_SCHEDULER = "import sys; from dask.__main__ import main; sys.exit(main())"
_STUBS = "import sys; from bench.load.stubs import be_stubs; be_stubs(*sys.argv[1:])"
_PROCESS = 512  # stubs in a process

# A task took longer than any should, so that the next ones get no more chunks.
_RESULT = Done([None], 1e9)
_METRICS = {
    "bandwidth": {"total": 1e8, "workers": {}, "types": {}},
    "digests_total_since_heartbeat": {},
    "spilled_bytes": {"memory": 0, "disk": 0},
    "task_counts": {},
    "managed_bytes": 0,
    "memory": 1 << 27,
    "cpu": 0.0,
}


class Share(NamedTuple):
    """What a run with stub workers cost."""

    workers: int
    tasks: int
    pause: float
    wall: float
    scheduler: float  # seconds of processor time
    client: float
    stubs: float

    @property
    def per_task(self) -> float:
        """Processor time of the scheduler per task."""
        return self.scheduler / self.tasks

    @property
    def client_per_task(self) -> float:
        """Processor time of the client per task."""
        return self.client / self.tasks

    @property
    def efficiency(self) -> float:
        """Which share of the time workers had a task."""
        return self.tasks * self.pause / (self.workers * self.wall)


def measure_scheduler(workers: int, tasks_per_worker: int, pause: float) -> Share:
    """Return the cost of tasks that only wait, sent as Tertium sends them."""
    tasks = workers * tasks_per_worker
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "scheduler.json")
        options = ["--scheduler-file", str(place), "--port", "0", "--no-dashboard"]
        scheduler = _started([_SCHEDULER, "scheduler", *options], folder)
        stubs: list[subprocess.Popen[bytes]] = []
        try:
            while not place.exists():
                time.sleep(0.1)
            address = json.loads(place.read_text())["address"]
            for first in range(0, workers, _PROCESS):
                count = min(_PROCESS, workers - first)
                words = [_STUBS, address, str(first), str(count), str(pause)]
                stubs.append(_started(words, folder))
            with Cluster(address) as there:
                there._session.client.wait_for_workers(workers, timeout=300)
                before = _times(scheduler, stubs)
                begin = time.perf_counter()
                for _ in there.map(_nothing, range(tasks)):
                    pass
                wall = time.perf_counter() - begin
                after = _times(scheduler, stubs)
                spent = [b - a for a, b in zip(before, after, strict=True)]
        finally:
            for process in (*stubs, scheduler):
                process.kill()
                process.wait()
    return Share(workers, tasks, pause, wall, *spent)


def _started(words: list[str], folder: str) -> subprocess.Popen[bytes]:
    env = os.environ | {
        "PYTHONPATH": os.getcwd(),
        "DASK_LOGGING__DISTRIBUTED": "critical",
    }
    command = [sys.executable, "-c", *words]
    return subprocess.Popen(command, cwd=folder, env=env, stderr=subprocess.DEVNULL)


def _nothing(_: int) -> None:
    """Stand for a function that stubs do not call."""


def _times(
    scheduler: subprocess.Popen[bytes], stubs: list[subprocess.Popen[bytes]]
) -> list[float]:
    """Return the processor time of the scheduler, of this process and of all stubs."""
    parts = [_processor(scheduler.pid), time.process_time()]
    return [*parts, sum(_processor(process.pid) for process in stubs)]


def _processor(pid: int) -> float:
    """Return the processor time of a process in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# The stubs.


def be_stubs(address: str, first: str, count: str, pause: str) -> None:
    """Be so many workers of one thread, until the scheduler ends."""
    numbers = range(int(first), int(first) + int(count))
    asyncio.run(_be_stubs(address, numbers, float(pause)))


async def _be_stubs(address: str, numbers: range, pause: float) -> None:
    from distributed.core import Server

    server = Server(
        {
            "get_data": _get_data,
            "run": _run,
            "plugin-add": _accept,
            "plugin-remove": _accept,
        }
    )
    await server.listen("tcp://0.0.0.0:0")
    stubs = [_Stub(address, number, server.port, pause) for number in numbers]
    await asyncio.gather(*(stub.live() for stub in stubs))


async def _get_data(comm: Any, keys: Any, **_: object) -> Any:
    from distributed.core import Status
    from distributed.protocol import to_serialize

    data = {key: to_serialize(_RESULT) for key in keys}
    await comm.write({"status": "OK", "data": data})
    await comm.read()
    return Status.dont_reply


async def _run(function: bytes, args: Any = (), **_: object) -> dict[str, object]:
    from distributed.protocol import to_serialize

    values = pickle.loads(args) if args else ()
    return {"status": "OK", "result": to_serialize(pickle.loads(function)(*values))}


async def _accept(**_: object) -> dict[str, str]:
    return {"status": "OK"}


class _Stub:
    """A worker that waits instead of working."""

    def __init__(self, scheduler: str, number: int, port: int, pause: float) -> None:
        self._scheduler = scheduler
        self._pause = pause
        high, low = divmod(number, 250)
        self._address = f"tcp://127.1.{high}.{low + 1}:{port}"
        self._tasks: deque[dict[str, Any]] = deque()
        self._wake = asyncio.Event()

    async def live(self) -> None:
        from distributed.batched import BatchedSend
        from distributed.comm import connect

        comm = await connect(self._scheduler)
        await comm.write(self._introduction())
        answer = await comm.read()
        self._send = BatchedSend(interval="2ms")
        self._send.start(comm)
        others = [
            asyncio.create_task(self._work()),
            asyncio.create_task(self._beat(answer["heartbeat-interval"])),
        ]
        try:
            while True:
                for message in await comm.read():
                    self._hear(message)
        except OSError:
            for each in others:
                each.cancel()

    def _introduction(self) -> dict[str, object]:
        return {
            "op": "register-worker",
            "reply": False,
            "address": self._address,
            "status": "running",
            "server_id": self._address,
            "nthreads": 1,
            "name": self._address,
            "now": time.time(),
            "resources": {},
            "memory_limit": 1 << 31,
            "metrics": _METRICS | {"time": time.time()},
            "pid": os.getpid(),
            "services": {},
            "local_directory": "",
            "versions": {},
            "nanny": None,
            "extra": {},
            "stimulus_id": f"connect-{self._address}",
        }

    def _hear(self, message: dict[str, Any]) -> None:
        if message["op"] == "compute-task":
            self._tasks.append(message)
            self._wake.set()
        elif message["op"] == "steal-request":
            key = message["key"]
            waiting = [task for task in self._tasks if task["key"] == key]
            for task in waiting:
                self._tasks.remove(task)
            state = "ready" if waiting else "executing"
            answer = {"op": "steal-response", "key": key, "state": state}
            self._send.send(answer | {"stimulus_id": message["stimulus_id"]})

    async def _work(self) -> None:
        kind = pickle.dumps(Done)
        while True:
            while not self._tasks:
                self._wake.clear()
                await self._wake.wait()
            task = self._tasks.popleft()
            begin = time.time()
            # Tasks that measure how fast tasks are do not wait.
            if task["key"].startswith("tertium-"):
                await asyncio.sleep(self._pause)
            times = {"action": "compute", "start": begin, "stop": time.time()}
            done = {
                "op": "task-finished",
                "status": "OK",
                "key": task["key"],
                "run_id": task["run_id"],
                "nbytes": 200,
                "type": kind,
                "typename": "Done",
                "metadata": {},
                "thread": 1,
                "startstops": [times],
                "stimulus_id": f"task-finished-{begin}",
            }
            self._send.send(done)

    async def _beat(self, interval: float) -> None:
        from distributed.core import rpc

        async with rpc(self._scheduler) as scheduler:
            while True:
                await asyncio.sleep(interval)
                answer = await scheduler.heartbeat_worker(
                    address=self._address,
                    now=time.time(),
                    metrics=_METRICS | {"time": time.time()},
                    executing={},
                    extensions={},
                )
                interval = answer.get("heartbeat-interval", interval)
