# SPDX-License-Identifier: Apache-2.0
"""Readings of words, from lexicons and analysers behind one small protocol.

Each adapter is a file; what it needs is imported when one is loaded.
"""

from __future__ import annotations

from tertium.grammars.morphology.base import (
    CASES,
    Analyser,
    Analysis,
    BatchAnalyser,
    Generator,
    NoAnalyser,
)
from tertium.grammars.morphology.loading import ANALYSERS, load_analyser

__all__ = [
    "ANALYSERS",
    "CASES",
    "Analyser",
    "Analysis",
    "BatchAnalyser",
    "Generator",
    "NoAnalyser",
    "load_analyser",
]
