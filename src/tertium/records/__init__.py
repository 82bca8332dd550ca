# SPDX-License-Identifier: Apache-2.0
"""Records of runs: written by every verb, repeated and cited later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium._lazy import lazy

if TYPE_CHECKING:
    from tertium.records.citing import Citation, cite
    from tertium.records.comparing import Difference, differences
    from tertium.records.missing import Missing, find_missing
    from tertium.records.repeating import Repetition, Verdict, repeat
    from tertium.records.run import File, Results, Run, Text, read_run

__all__ = [
    "Citation",
    "Difference",
    "File",
    "Missing",
    "Repetition",
    "Results",
    "Run",
    "Text",
    "Verdict",
    "cite",
    "differences",
    "find_missing",
    "read_run",
    "repeat",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".citing": ("Citation", "cite"),
        ".comparing": ("Difference", "differences"),
        ".missing": ("Missing", "find_missing"),
        ".repeating": ("Repetition", "Verdict", "repeat"),
        ".run": ("File", "Results", "Run", "Text", "read_run"),
    },
)
