# SPDX-License-Identifier: Apache-2.0
"""PostgreSQL, and the tests of campaigns once more on it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import missing
from support.postgresql_cluster import cluster, programs

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def postgresql():
    """Return the address of a PostgreSQL whose role may make databases.

    ``TERTIUM_TEST_POSTGRESQL`` names one that runs; else one is started.
    """
    if address := os.environ.get("TERTIUM_TEST_POSTGRESQL"):
        yield address
        return
    if programs() is None:
        missing(
            "PostgreSQL is not installed; apt install postgresql, or set "
            "TERTIUM_TEST_POSTGRESQL to the address of one"
        )
    with cluster() as address:
        yield address


@pytest.fixture(scope="session")
def tests_pass(postgresql):
    """Return a function that runs files of tests on PostgreSQL, and shows failures."""

    def run(*files: Path) -> None:
        known = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        known["TERTIUM_TEST_DATABASE"] = postgresql
        words = ["-q", "-p", "no:xdist", *map(str, files)]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *words],
            cwd=ROOT,
            env=known,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=1200,
        )
        if done.returncode:
            pytest.fail(f"on PostgreSQL:\n{done.stdout}", pytrace=False)
        if " passed" not in done.stdout:  # no browser, say
            missing(f"nothing ran on PostgreSQL:\n{done.stdout}")

    return run
