# SPDX-License-Identifier: Apache-2.0
"""Where a cluster is: what users write, and what it describes.

``local:4`` starts four workers on this machine; ``tcp://host:8786`` is a scheduler
that runs already, and ``scheduler.json`` the file it wrote; a TOML file describes a
cluster to start: SLURM and other batch systems, SSH, or this machine::

    cluster = "slurm"          # or pbs, sge, lsf, oar, htcondor, ssh, local, address
    workers = 64
    [options]                  # of dask_jobqueue.SLURMCluster
    cores = 1
    memory = "4GB"
    walltime = "01:00:00"
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tertium.cluster.starting import JOBS
from tertium.errors import FormatError, InputError, UnknownNameError

__all__ = ["Place", "place"]

_KINDS = (*JOBS, "ssh", "local", "address")


@dataclass(frozen=True)
class Place:
    """A cluster, as a user describes it.

    Parameters
    ----------
    kind : str
        One of ``slurm``, ``pbs``, ``sge``, ``lsf``, ``oar``, ``htcondor``, ``ssh``,
        ``local`` and ``address``.
    workers : int
        How many to start.
    address : str
        Of a scheduler that runs.
    options : mapping
        Of the class of Dask that starts the cluster.
    """

    kind: str
    workers: int = 0
    address: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


def place(where: str) -> Place:
    """Return the cluster that a text describes.

    Raises
    ------
    InputError
        When it is none of the forms, or its file cannot be read.

    Examples
    --------
    >>> place("local:2")
    Place(kind='local', workers=2, address='', options={})
    >>> place("tcp://10.0.0.1:8786").address
    'tcp://10.0.0.1:8786'
    """
    if match := re.fullmatch(r"local(?::(\d+))?", where):
        workers = int(match[1]) if match[1] else os.cpu_count() or 1
        if workers < 1:
            raise InputError("a cluster needs workers; give local:1 or more")
        return Place("local", workers)
    if where.endswith(".toml"):
        return _from_file(where)
    if where.endswith(".json"):
        if not os.path.isfile(where):
            message = "no such file; start a scheduler that writes it"
            raise FormatError(message, path=where)
        return Place("address", address=where)
    if re.fullmatch(r"(\w+://)?[^\s:/]+:\d+|(tcp|tls|ucx|ws|wss)://\S+", where):
        return Place("address", address=where)
    raise InputError(
        f"{where!r} is not a cluster; give local:N for N workers on this machine, the "
        "address of a scheduler such as tcp://host:8786, the file that a scheduler "
        "wrote, or a .toml file that describes a cluster"
    )


def _from_file(path: str) -> Place:
    from tertium._toml import read_toml

    data = read_toml(path)
    known = {"cluster": str, "workers": int, "address": str, "options": dict}
    for name, value in data.items():
        if name not in known:
            raise FormatError(str(UnknownNameError("key", name, known)), path=path)
        if not isinstance(value, known[name]) or isinstance(value, bool):
            kind = {"str": "a text", "int": "a number", "dict": "a table"}
            message = f"{name} must be {kind[known[name].__name__]}, not {value!r}"
            raise FormatError(message, path=path)
    kind = data.get("cluster", "address" if "address" in data else "")
    if kind not in _KINDS:
        message = f"cluster is {kind!r}; give one of {', '.join(_KINDS)}"
        raise FormatError(message, path=path)
    if kind == "address" and not data.get("address"):
        message = 'the address is missing; give address = "tcp://host:8786"'
        raise FormatError(message, path=path)
    if kind not in ("address", "ssh") and data.get("workers", 0) < 1:
        message = "the number of workers is missing; give workers = 8"
        raise FormatError(message, path=path)
    return Place(
        kind, data.get("workers", 0), data.get("address", ""), data.get("options", {})
    )
