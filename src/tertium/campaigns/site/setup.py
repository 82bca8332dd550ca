# SPDX-License-Identifier: Apache-2.0
"""Start Django on a database, and bring the database up to date."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from tertium.errors import InputError, MissingExtraError

__all__ = ["need_django", "prepare", "start"]

_TRIES = 40  # a quarter of a second apart


def need_django() -> None:
    """Say how to install Django where it is missing."""
    try:
        import django  # noqa: F401
    except ImportError:
        raise MissingExtraError("the annotation server", extra="web") from None


def start(
    database: str | None = None,
    *,
    hosts: str | None = None,
    https: bool = False,
    secret_file: str | None = None,
) -> None:
    """Set Django up, once a process.

    Parameters
    ----------
    database : str, optional
        A path or ``postgresql://...``; by default ``TERTIUM_DATABASE`` or
        ``campaigns.sqlite3``.

    Raises
    ------
    MissingExtraError
        When Django is not installed, or for PostgreSQL the package that speaks to it.
    """
    given = {
        "TERTIUM_DATABASE": database,
        "TERTIUM_HOSTS": hosts,
        "TERTIUM_HTTPS": "1" if https else None,
        "TERTIUM_SECRET_FILE": secret_file,
    }
    os.environ.update({name: value for name, value in given.items() if value})
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tertium.campaigns.site.settings")
    need_django()
    import django
    from django.core.exceptions import ImproperlyConfigured

    try:
        django.setup()
    except ImproperlyConfigured as error:
        if "psycopg" in str(error):
            raise MissingExtraError("PostgreSQL", extra="postgresql") from None
        raise


def prepare(*, change: bool = True) -> list[str]:
    """Bring the database up to date, and return the names of the steps taken.

    Parameters
    ----------
    change : bool
        False: only look, and refuse a database that is not up to date.

    Raises
    ------
    InputError
        When the database cannot be reached, was written by a newer Tertium, or is
        not up to date and must not be changed.
    """
    from django.db import DatabaseError, connection

    try:
        _new_file() if change else _there()
        plan = _steps()
        for tries in range(_TRIES):
            if not plan or not change:
                break
            try:
                _migrate()
            except DatabaseError:
                # Another process may be at it: look again, and go on from there.
                connection.close()
                if tries == _TRIES - 1:
                    raise
                time.sleep(0.25)
            if not _steps():
                return plan
    except DatabaseError as error:
        message = f"cannot open the database {_name()}: {_first_line(error)}"
        raise InputError(f"{message}; check the address and that it runs") from None
    if plan:
        message = (
            f"the database {_name()} is not up to date; "
            "run `tertium campaign load` or `serve` on it first"
        )
        raise InputError(message)
    return []


def _new_file() -> None:
    """Make the file of SQLite, readable by its owner alone: it holds passwords.

    SQLite gives its log and its index (``-wal``, ``-shm``) the same rights. A file
    that is there stays as its owner wants it, and where none can be made, SQLite
    says why.
    """
    from django.db import connection

    if connection.vendor == "sqlite":
        with suppress(OSError):
            os.close(os.open(_name(), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _there() -> None:
    """Refuse a file that is not there: looking at it would make it."""
    from django.db import connection

    if connection.vendor == "sqlite" and not Path(_name()).exists():
        message = (
            f"there is no database {_name()}; name another with --database, or "
            "make one with `tertium campaign load`"
        )
        raise InputError(message)


def _steps() -> list[str]:
    """Return the steps that the database lacks."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    loader = (executor := MigrationExecutor(connection)).loader
    known = {key for key in loader.disk_migrations if key[0] == "campaigns"}
    applied = {key for key in loader.applied_migrations if key[0] == "campaigns"}
    if newer := sorted(applied - known):
        message = (
            f"the database {_name()} was made by a newer Tertium (it has "
            f"{newer[-1][1]}); update Tertium: pip install -U 'tertium[web]'"
        )
        raise InputError(message)
    plan = executor.migration_plan(loader.graph.leaf_nodes())
    return [f"{step.app_label}.{step.name}" for step, _backwards in plan]


def _migrate() -> None:
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)


def _name() -> str:
    from django.db import connection

    return str(connection.settings_dict["NAME"])


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or ["no reason given"])[0]
