# SPDX-License-Identifier: Apache-2.0
"""Clusters that are started for a run: on this machine, over SSH, by a batch system.

Dask tells what went wrong in logs, in tasks that nobody waits for, or not at all; here
it becomes an error with its reason.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from tertium.errors import InputError, MissingExtraError, UnknownNameError

__all__ = ["JOBS", "start", "submit_again"]

# Dask's port for its pages is taken wherever two people have a cluster.
_PAGES = {"dashboard_address": ":0"}

#: Batch systems, and the class of ``dask_jobqueue`` for each.
JOBS = {
    "slurm": "SLURMCluster",
    "pbs": "PBSCluster",
    "sge": "SGECluster",
    "lsf": "LSFCluster",
    "oar": "OARCluster",
    "htcondor": "HTCondorCluster",
}


def start(kind: str, workers: int, options: Mapping[str, Any]) -> Any:
    """Return a new cluster of Dask.

    Parameters
    ----------
    kind : str
        ``local``, ``ssh`` or one of `JOBS`.
    workers : int
        Not for ``ssh``, whose options name the hosts.
    options : mapping
        Of the class of Dask.

    Raises
    ------
    InputError
        With the reason why it does not start.
    """
    try:
        if kind == "local":
            return _local(workers, options)
        return _over_ssh(options) if kind == "ssh" else _jobs(kind, workers, options)
    except (InputError, MissingExtraError):
        raise
    except Exception as error:  # Dask raises Exception itself, among others.
        message = f"the {kind} cluster does not start: {_reason(error)}"
        raise InputError(f"{message}; check the options of its file") from None


def _local(workers: int, options: Mapping[str, Any]) -> Any:
    from distributed import LocalCluster, Nanny, Worker
    from distributed.core import Server

    # Dask would say "Nanny failed to start", and not why.
    kinds = (LocalCluster, Nanny, Worker, Server)
    known = {"n_workers"}.union(*map(_parameters, kinds))
    for name in options:
        if name not in known and "worker_class" not in options:
            raise UnknownNameError("option of a local cluster", name, sorted(known))
    defaults = {"threads_per_worker": 1, **_PAGES}
    quiet = {"silence_logs": logging.CRITICAL}
    return LocalCluster(n_workers=workers, **{**defaults, **quiet, **options})


def _parameters(kind: type) -> set[str]:
    from inspect import Parameter, signature

    collecting = (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)
    parameters = signature(kind).parameters.values()
    return {each.name for each in parameters if each.kind not in collecting}


def _over_ssh(options: Mapping[str, Any]) -> Any:
    from distributed import SSHCluster

    hosts = options.get("hosts")
    if not isinstance(hosts, list) or len(hosts) < 2:
        raise InputError(
            "an ssh cluster needs two hosts or more: the first is for the scheduler, "
            'the others are for workers; give hosts = ["a", "a", "b"] in its options'
        )
    with _overheard("distributed.deploy.ssh") as lines:
        try:
            scheduler = {**_PAGES, **options.get("scheduler_options", {})}
            return SSHCluster(**{**options, "scheduler_options": scheduler})
        except Exception as error:
            # The host says why in its last line; Dask says that something failed.
            if not lines or not str(error).endswith("failed to start"):
                raise
            raise InputError(
                f"a host of the ssh cluster answers {lines[-1]!r}; set remote_python "
                "to a Python with tertium[cluster] there, and check worker_options"
            ) from None


def _jobs(kind: str, workers: int, options: Mapping[str, Any]) -> Any:
    try:
        module = import_module("dask_jobqueue")
    except ImportError as error:
        raise MissingExtraError("a batch system", extra="cluster") from error
    import dask

    known = dask.config.get(f"jobqueue.{kind}.scheduler-options", {})
    scheduler = {**_PAGES, **known, **options.get("scheduler_options", {})}
    cluster = getattr(module, JOBS[kind])(**{**options, "scheduler_options": scheduler})

    try:
        _submit(cluster, workers)
    except BaseException:
        cluster._created.clear()  # It does not close with jobs that never began.
        with suppress(Exception):
            cluster.close(timeout=10)
        raise
    return cluster


def submit_again(kind: str, cluster: Any, workers: int) -> None:
    """Replace the jobs of a cluster, all of which ended.

    Raises
    ------
    InputError
        When the batch system rejects them.
    """
    try:
        _submit(cluster, 0)
        _submit(cluster, workers)
    except Exception as error:
        cluster._created.clear()
        raise InputError(
            f"the {kind} cluster lost its jobs, and new ones do not start: "
            f"{_reason(error)}; run the same command again (with a checkpoint, "
            "finished chunks are not done again)",
            options=("checkpoint",),
        ) from None


def _submit(cluster: Any, workers: int) -> None:
    async def submit() -> None:
        # Within the loop, so that this task submits the jobs and hears of errors;
        # one that `scale` begins by itself would keep them.
        cluster.scale(workers)
        await cluster._correct_state()

    cluster.sync(submit)


def _reason(error: Exception) -> str:
    r"""Return why, without what Dask says around it.

    Examples
    --------
    >>> _reason(RuntimeError("Cluster failed to start: Host key is not trusted"))
    'Host key is not trusted'
    >>> _reason(RuntimeError("Exit code: 1\nstderr:\nsbatch: error: Invalid\n\n"))
    'sbatch: error: Invalid'
    """
    # A command failed, which says why last; all else is said first.
    _, _, answer = str(error).partition("\nstderr:\n")
    if lines := answer.split("\n\n")[0].strip().splitlines():
        return lines[-1]
    first = str(error).strip().partition("\n")[0]
    return first.removeprefix("Cluster failed to start: ") or repr(error)


@contextmanager
def _overheard(name: str) -> Iterator[list[str]]:
    """Yield the messages that are logged in the block, and keep them from others."""
    lines: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage().strip())

    logger, listener = logging.getLogger(name), Listener()
    before = logger.level, logger.propagate
    logger.addHandler(listener)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield lines
    finally:
        logger.removeHandler(listener)
        logger.setLevel(before[0])
        logger.propagate = before[1]
