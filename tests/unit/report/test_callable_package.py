# SPDX-License-Identifier: Apache-2.0
"""``tertium.report`` is a function and a package at once."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import tertium
from tertium.analysis.report import SystemReport, report

_CALL = "tertium.report({'A': ['a b'], 'B': ['b']}, ['a b'], metrics='chrf').focus"


@pytest.mark.parametrize(
    "first",
    [
        "import tertium",
        "import tertium, tertium.report.explain",
        "import tertium; tertium.report; import tertium.report.tables",
        "import tertium; from tertium.report.tables import tabulate",
    ],
)
def test_it_can_be_called_whatever_was_imported(first):
    code = f"{first}; print({_CALL})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "('A', 'B')\n"


def test_its_modules_are_found():
    import tertium.report.explain

    assert tertium.report.explain.explain is tertium.explain


def test_it_has_the_signature_of_the_function():
    assert inspect.signature(tertium.report) == inspect.signature(report)
    assert isinstance(
        tertium.report({"A": ["a b"], "B": ["b"]}, ["a b"], metrics="chrf"),
        SystemReport,
    )
