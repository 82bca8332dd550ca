# SPDX-License-Identifier: Apache-2.0
"""Databases by address: a file of SQLite, or ``postgresql://...``."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from tertium.errors import InputError

__all__ = ["DEFAULT", "database_settings", "secret_key"]

#: Where campaigns are kept unless somebody says otherwise.
DEFAULT = "campaigns.sqlite3"


def database_settings(address: str) -> dict[str, object]:
    """Return Django's settings of a database.

    Parameters
    ----------
    address : str
        A path, ``sqlite:///PATH`` or ``postgresql://USER:PASSWORD@HOST:PORT/NAME``.

    Raises
    ------
    InputError
        When it is neither.
    """
    if address.startswith(("postgresql://", "postgres://")):
        return _postgresql(address)
    path = address.removeprefix("sqlite:///")
    if "://" in path:
        message = (
            f"no such kind of database: {address.split('://')[0]!r}; give a path, or "
            "postgresql://USER:PASSWORD@HOST/NAME"
        )
        raise InputError(message)
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(Path(path).resolve()),
        # One connection a thread for good: when the last one closes, SQLite copies
        # its log into the file and deletes it, which would be at every request.
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # A writer waits for its turn at the start of its transaction, not in
            # the middle of it, where SQLite can only fail.
            "transaction_mode": "IMMEDIATE",
            # SQLite's queue is not fair: on a busy machine somebody waits long, and
            # a late reply is better than an error.
            "timeout": 60,
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
                "PRAGMA foreign_keys=ON;"
            ),
        },
    }


def _postgresql(address: str) -> dict[str, object]:
    parts = urlsplit(address)
    if not parts.path.strip("/"):
        message = (
            "the address of the database names none: add it behind the host, as in "
            "postgresql://USER:PASSWORD@HOST/campaigns"
        )
        raise InputError(message)
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        # A folder of Unix sockets does not fit the host of an address.
        "HOST": options.pop("host", None) or parts.hostname or "",
        "PORT": str(parts.port or options.pop("port", "")),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def secret_key(path: str | os.PathLike[str]) -> str:
    """Return the key that signs cookies and links; make it at first use.

    The file is readable by its owner alone. Whoever has it can sign links: keep it
    with the database, and out of version control.
    """
    place = Path(path)
    try:
        try:
            key = place.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            key = _new_key(place)
    except OSError as error:
        message = f"cannot read or write the key {place}: {error.strerror}"
        cure = "check the path and its rights, or name another with --secret-file"
        raise InputError(f"{message}; {cure}") from None
    except UnicodeDecodeError:
        key = ""
    if len(key) < 40:
        message = (
            f"{place} holds no key of 40 characters or more; delete it to get a "
            "new one (links that were sent stop working)"
        )
        raise InputError(message)
    return key


def _new_key(place: Path) -> str:
    """Make the key, unless another process was quicker, and return it."""
    import secrets

    # Complete before it has its name: nobody reads half a key.
    draft = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
    number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(number, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(50) + "\n")
        with suppress(FileExistsError):  # theirs is everybody's
            os.link(draft, place)
    finally:
        draft.unlink()
    return place.read_text(encoding="ascii").strip()
