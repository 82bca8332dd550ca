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

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tertium._messages import count
from tertium.cluster.starting import JOBS
from tertium.errors import FormatError, InputError, UnknownNameError

__all__ = ["Place", "place", "scheduler_address"]

_KINDS = (*JOBS, "ssh", "local", "address")

#: The protocols of Dask, without the one within a process.
_PROTOCOLS = ("tcp", "tls", "ucx", "ucxx", "ws", "wss")
_ADDRESS = re.compile(r"(?:(\w+)://)?(?:\[[^\s\[\]]+\]|[^\s:/\[\]]+):(\d+)/?")
_PORTS = range(1, 65536)

#: More workers per core than this are a typing error: one per core is fastest.
_PER_CORE = 8


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
        if too_many := _too_many(workers):
            raise InputError(f"{where}: {too_many}")
        return Place("local", workers)
    if re.fullmatch(r"local(:.*)?", where, re.IGNORECASE):
        raise InputError(f"{where!r} is not a cluster; {_meant(where)}")
    if where.endswith(".toml"):
        return _from_file(where)
    if where.endswith(".json"):
        scheduler_address(where)
        return Place("address", address=where)
    if "://" in where or _ADDRESS.fullmatch(where):
        if wrong := _wrong_address(where):
            raise InputError(wrong)
        return Place("address", address=where)
    raise InputError(
        f"{where!r} is not a cluster; give local:N for N workers on this machine, the "
        "address of a scheduler such as tcp://host:8786, the file that a scheduler "
        "wrote, or a .toml file that describes a cluster"
    )


def _meant(where: str) -> str:
    """Return what to give in place of something like ``local:2``.

    Examples
    --------
    >>> _meant("LOCAL:2"), _meant("local:two")
    ('did you mean local:2?', 'give local:N for N workers on this machine')
    """
    if re.fullmatch(r"local(:\d+)?", where.lower()):
        return f"did you mean {where.lower()}?"
    return "give local:N for N workers on this machine"


def scheduler_address(path: str) -> str:
    """Return the address in a file that a scheduler wrote.

    Raises
    ------
    FormatError
        If there is no such file, or no scheduler wrote it.
    """
    if not os.path.isfile(path):
        message = "no such file; start a scheduler that writes it"
        raise FormatError(message, path=path)
    cure = "name the file that `dask scheduler --scheduler-file FILE` wrote"
    try:
        with open(path, encoding="utf-8") as stream:
            content = json.load(stream)
    except OSError as error:
        message = f"cannot be read ({error.strerror}); {cure}"
        raise FormatError(message, path=path) from None
    except (ValueError, RecursionError):
        raise FormatError(f"not JSON; {cure}", path=path) from None
    address = content.get("address") if isinstance(content, dict) else None
    if not isinstance(address, str):
        message = f"has no address of a scheduler; {cure}"
        raise FormatError(message, path=path)
    if wrong := _wrong_address(address):
        raise FormatError(wrong, path=path)
    return address


def _wrong_address(address: str) -> str:
    """Return what is wrong with the address of a scheduler, or an empty text.

    Examples
    --------
    >>> _wrong_address("tcp://[::1]:8786"), _wrong_address("node7:8786")
    ('', '')
    """
    protocol, mark, _ = address.partition("://")
    cure = "give the address that the scheduler prints, such as tcp://host:8786"
    if mark and protocol not in _PROTOCOLS:
        known = ", ".join(_PROTOCOLS)
        return (
            f"{address!r} is not the address of a scheduler, which begins with one of "
            f"{known}; {cure}"
        )
    match = _ADDRESS.fullmatch(address)
    if match is None:
        return f"{address!r} is not a host with a port; {cure}"
    if int(match[2]) not in _PORTS:
        last = _PORTS[-1]
        return f"the port in {address!r} is not a number from 1 to {last}; {cure}"
    return ""


def _too_many(workers: int) -> str:
    """Return why this machine cannot have so many workers, or an empty text."""
    cores = os.cpu_count() or 1
    most = _PER_CORE * cores
    if workers <= most:
        return ""
    return (
        f"{workers:,} workers are too many for this machine, which has "
        f"{count(cores, 'core')}: every worker is a process of about 100 MB, and more "
        f"than one per core gains nothing; give at most {most} ({_PER_CORE} per core)"
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
    if kind == "address":
        _check_address(data["address"], path)
    workers = data.get("workers")
    if workers is None and kind not in ("address", "ssh"):
        message = "the number of workers is missing; give workers = 8"
        raise FormatError(message, path=path)
    if workers is not None and workers < 1:
        message = f"workers must be at least 1, not {workers}"
        raise FormatError(message, path=path)
    if kind == "local" and (too_many := _too_many(workers or 0)):
        raise FormatError(too_many, path=path)
    return Place(
        kind, data.get("workers", 0), data.get("address", ""), data.get("options", {})
    )


def _check_address(address: str, path: str) -> None:
    """Reject what is neither an address nor the file of a scheduler."""
    if address.endswith(".json"):
        scheduler_address(address)
    elif wrong := _wrong_address(address):
        raise FormatError(wrong, path=path)
