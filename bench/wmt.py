# SPDX-License-Identifier: Apache-2.0
"""The WMT test sets of the data folder, and tau of a metric with the judgements."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from bench.measure import ROOT
from tertium.reproductions.data import (
    YEARS,
    Data,
    Judged,
    agreement_counts,
    read_table,
)

__all__ = ["YEARS", "Judged", "data", "folder", "pairs_of", "read", "read_table", "tau"]


def folder() -> Path:
    """Return the folder with the WMT data."""
    path = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
    if not path.is_dir():
        message = f"no folder {path}; set TERTIUM_DATA to the WMT files"
        raise SystemExit(message)
    return path


def data() -> Data:
    """Return the same folder as recipes of reproductions read it."""
    return Data(folder())


def pairs_of(year: str) -> list[str]:
    """Return the language pairs of a year that have texts and judgements."""
    return data().pairs(year)


def read(year: str, pair: str) -> Judged:
    """Return a language pair of a year."""
    return data().read(year, pair)


def tau(judged: Judged, scores: dict[str, Sequence[float]]) -> tuple[float, float]:
    """Return Kendall's tau without ties of people or metric, and the share of ties.

    (concordant - discordant) / (concordant + discordant), pooled over all
    judgements (Stanojević and Sima'an 2014, equation 1).
    """
    concordant, discordant = agreement_counts(judged, scores).sum(axis=1).tolist()
    compared = concordant + discordant
    value = (concordant - discordant) / compared if compared else 0.0
    return value, 1 - compared / len(judged.preferred)
