# SPDX-License-Identifier: Apache-2.0
"""Versions and machine: complete, and nothing that names a person."""

from __future__ import annotations

import platform
import subprocess
import sys
from importlib.metadata import version

from tertium._version import __version__
from tertium.records.machine import machine


def versions_after(statement: str) -> dict[str, str]:
    code = (
        f"{statement}\nfrom tertium.records.machine import imported_versions as v\n"
        "print(v())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return eval(done.stdout)


def test_versions_are_those_of_what_was_imported():
    base = {"tertium": __version__, "python": platform.python_version()}
    assert versions_after("import tertium") == base
    # Modules that are not called as their distribution: PyStemmer has Stemmer.
    versions = versions_after("import Stemmer, numpy")
    stemmer = {"numpy": version("numpy"), "pystemmer": version("PyStemmer")}
    assert versions == {**base, **stemmer}


def test_the_machine_has_no_name():
    facts = machine()
    assert set(facts) == {"system", "architecture", "processor", "cores"}
    assert platform.node() not in {str(value) for value in facts.values()}
