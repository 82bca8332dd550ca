# SPDX-License-Identifier: Apache-2.0
"""SLURM on this machine alone: its own settings, keys and folders."""

from __future__ import annotations

import getpass
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.support.ssh_server import free_port

__all__ = ["missing_program", "running", "state"]

_PROGRAMS = (
    "munged",
    "slurmctld",
    "slurmd",
    "sbatch",
    "srun",
    "sinfo",
    "scancel",
    "scontrol",
)
_SETTINGS = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
KillWait=2
ReturnToService=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdParameters=config_overrides
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=8000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing_program() -> str | None:
    """Return the first program of SLURM that is not installed, if any."""
    path = _path()
    return next((name for name in _PROGRAMS if not shutil.which(name, path=path)), None)


def state(job: str) -> str:
    """Return the state of a job, such as COMPLETED."""
    # sbatch --wait looks after it less and less often, up to every 32 s.
    shown = subprocess.run(
        ["scontrol", "--oneliner", "show", "job", job],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return dict(re.findall(r"(\w+)=(\S+)", shown.stdout))["JobState"]


@contextmanager
def running(folder: Path) -> Iterator[dict[str, str]]:
    """Run SLURM, and yield the environment in which its commands find it."""
    for name in ("state", "spool"):
        (folder / name).mkdir()
    settings = folder / "slurm.conf"
    settings.write_text(
        _SETTINGS.format(
            host=socket.gethostname().partition(".")[0],
            controller=free_port(),
            daemon=free_port(),
            user=getpass.getuser(),
            folder=folder,
        )
    )
    (folder / "munge.key").write_bytes(os.urandom(1024))
    (folder / "munge.key").chmod(0o600)
    environment = {"PATH": _path(), "SLURM_CONF": str(settings)}
    munged = ["munged", "--foreground", "--force", "--num-threads=2"]
    for name in ("key-file", "socket", "pid-file", "log-file", "seed-file"):
        munged.append(f"--{name}={folder}/munge.{name.removesuffix('-file')}")
    with ExitStack() as stack:
        for command in (munged, ["slurmctld", "-D", "-c"], ["slurmd", "-D", "-c"]):
            stack.enter_context(_daemon(command, environment, folder))
            if command is munged:
                _wait((folder / "munge.socket").exists, folder)
        _wait(lambda: _idle(environment), folder)
        yield environment
        subprocess.run(
            ["scancel", "--user", getpass.getuser()], env=os.environ | environment
        )
        _wait(lambda: _idle(environment), folder)


@contextmanager
def _daemon(
    command: list[str], environment: dict[str, str], folder: Path
) -> Iterator[None]:
    with (folder / f"{command[0]}.err").open("wb") as log:
        process = subprocess.Popen(
            command, env=os.environ | environment, stdout=log, stderr=log
        )
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def _idle(environment: dict[str, str]) -> bool:
    asked = subprocess.run(
        ["sinfo", "--noheader", "--format=%T"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    return asked.stdout.strip() == "idle"


def _wait(condition, folder: Path, seconds: int = 60) -> None:
    for _ in range(seconds * 10):
        if condition():
            return
        time.sleep(0.1)
    logs = (path.read_text(errors="replace") for path in folder.glob("*.log"))
    raise AssertionError("SLURM does not start:\n" + "\n".join(logs))


def _path() -> str:
    # Debian keeps daemons out of the path of users.
    return f"{os.environ['PATH']}:/usr/sbin"
