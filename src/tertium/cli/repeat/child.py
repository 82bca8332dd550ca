# SPDX-License-Identifier: Apache-2.0
"""The process of a repetition: ``ROOT FOLDER guard|trust VERB ...``."""

from __future__ import annotations

import os
import sys

from tertium.cli import main as run_tertium
from tertium.records.guard import guard

__all__ = ["main"]


def main() -> None:
    """Run a verb in a folder and write nothing outside the root."""
    root, folder, trust, *words = sys.argv[1:]
    # Python looks for modules in the current folder first, and that will hold files of
    # a record that may come from a stranger.
    sys.path[:] = [path for path in sys.path if path not in ("", ".", root)]
    os.chdir(folder)
    guard(root, programs=trust == "trust")
    sys.argv = ["tertium", *words]
    sys.exit(run_tertium())
