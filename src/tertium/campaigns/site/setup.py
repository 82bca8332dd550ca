# SPDX-License-Identifier: Apache-2.0
"""Start Django on a database, and bring the database up to date."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from tertium.errors import InputError, MissingExtraError

__all__ = [
    "database_path",
    "database_problem",
    "need_django",
    "prepare",
    "start",
    "use_settings",
]

_TRIES = 40  # a quarter of a second apart


def need_django() -> None:
    """Raise an error with the pip command if Django is missing."""
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
    variables = {
        "TERTIUM_DATABASE": database,
        "TERTIUM_HOSTS": hosts,
        "TERTIUM_HTTPS": "1" if https else None,
        "TERTIUM_SECRET_FILE": secret_file,
    }
    os.environ.update({name: value for name, value in variables.items() if value})
    need_django()
    use_settings()
    import django
    from django.core.exceptions import ImproperlyConfigured

    try:
        django.setup()
    except ImproperlyConfigured as error:
        if "psycopg" in str(error):
            raise MissingExtraError("PostgreSQL", extra="postgresql") from None
        raise


def database_path(database: str | None = None) -> str:
    """Return the path of the database; empty for an address, which holds a password."""
    from tertium.campaigns.site.database import DEFAULT

    where = database or os.environ.get("TERTIUM_DATABASE", DEFAULT)
    return "" if "://" in where else where


def use_settings() -> None:
    """Take the settings of the campaign server, unless a program has set its own up.

    A DJANGO_SETTINGS_MODULE in the environment is that of another project.
    """
    from django.conf import settings

    if not settings.configured:
        os.environ["DJANGO_SETTINGS_MODULE"] = "tertium.campaigns.site.settings"


def prepare(*, change: bool = True) -> list[str]:
    """Bring the database up to date, and return the names of the steps taken.

    Parameters
    ----------
    change : bool
        False: change nothing, and reject a database that is not up to date.

    Raises
    ------
    InputError
        When the database cannot be reached, was written by a newer Tertium, or is
        not up to date and must not be changed.
    """
    from django.db import DatabaseError, connection

    _not_of_others()
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
        raise InputError(_problem(error)) from None
    if plan:
        message = (
            f"the database {_name()} is not up to date; "
            "run `tertium campaign load` or `serve` on it first"
        )
        raise InputError(message)
    return []


def database_problem(error: BaseException) -> InputError | None:
    """Return what is wrong with the database, and the cure; None: something else is.

    For errors that come later than `prepare`: of a damaged file the first pages may be
    sound.
    """
    from django.conf import settings

    if not settings.configured:
        return None
    from django.db import Error

    return InputError(_problem(error)) if isinstance(error, Error) else None


def _problem(error: Exception) -> str:
    from django.db import connection

    reason = _first_line(error)
    if connection.vendor != "sqlite":
        what = f"cannot use the database {_name()}: {reason}"
        return f"{what}; check the address, and that the database server runs"
    place = Path(_name())
    if place.is_dir():
        return f"{place} is a folder, not a database; name a file in it"
    if any(word in reason for word in ("malformed", "not a database", "encrypted")):
        return (
            f"{place} is damaged, or not a database of Tertium ({reason}); restore a "
            "backup, or name another file with --database"
        )
    if any(word in reason for word in ("full", "I/O")):
        return f"cannot write {place}: {reason}; check the disk and its free space"
    return (
        f"cannot use the database {place}: {reason}; check that its folder exists and "
        "that you may write there"
    )


def _not_of_others() -> None:
    """Reject a file that holds tables of another program: ours would go among them.

    It is opened for reading alone: Django's connection would change its journal.
    """
    from django.db import connection

    place = Path(_name())
    if connection.vendor != "sqlite" or not os.path.isfile(place):
        return
    query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    try:
        with closing(sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True)) as file:
            names = [name for (name,) in file.execute(query)]
    except sqlite3.Error:
        return  # Django's connection fails too, and that is reported
    ours = ("campaigns_", "django_", "auth_", "sqlite_")
    if others := [name for name in names if not name.startswith(ours)]:
        message = (
            f"{place} is a database of another program (it has the table "
            f"{others[0]}); name another file with --database"
        )
        raise InputError(message)


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
    """Reject a file that is not there: looking at it would make it."""
    from django.db import connection

    if connection.vendor == "sqlite" and not os.path.exists(_name()):
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
