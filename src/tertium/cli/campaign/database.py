# SPDX-License-Identifier: Apache-2.0
"""The database of ``tertium campaign``: options that name it, and how it is opened."""

from __future__ import annotations

import argparse

from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Remarks, frozen

__all__ = ["Database", "add_database", "start"]


@frozen
class Database(Remarks):
    """Where campaigns are kept."""

    database: str | None
    secret_file: str | None


def add_database(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the database."""
    parser.add_argument(
        "--database",
        metavar="WHERE",
        help="a path (SQLite), or postgresql://USER:PASSWORD@HOST/NAME (default: "
        "$TERTIUM_DATABASE, or campaigns.sqlite3 here)",
    )
    parser.add_argument(
        "--secret-file",
        metavar="FILE",
        help="the key that signs links, created at first use (default: the path of "
        "the SQLite file with .key appended, or campaigns.key here)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")


def start(
    options: Database,
    *,
    change: bool = True,
    hosts: str | None = None,
    https: bool = False,
) -> None:
    """Start Django on the database, and bring it up to date if it may be changed."""
    from tertium.campaigns.site import setup

    setup.start(
        options.database, hosts=hosts, https=https, secret_file=options.secret_file
    )
    steps = setup.prepare(change=change)
    if "campaigns.0001_initial" in steps:
        path = setup.database_path(options.database)
        remark(options, f"created the database {path}".rstrip())
    elif steps:
        remark(options, f"the database was brought up to date ({steps[-1]})")
