# SPDX-License-Identifier: Apache-2.0
"""Remarks on stderr: what a user should know about a result that is not an error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared.progress import clear_line
from tertium.cli.shared.values import Remarks

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.engine.results import MetricInfo, ScoreTable

__all__ = ["remark", "remark_few", "remark_mixed", "remark_notes", "remark_unproven"]


def remark(options: Remarks | argparse.Namespace, text: str) -> None:
    """Say something on stderr, unless told to be quiet."""
    if not options.quiet:
        sys.stdout.flush()  # In a log, what was written first comes first.
        clear_line()
        sys.stderr.write(f"tertium: {text}\n")


def remark_notes(options: Remarks | argparse.Namespace, testset: Testset) -> None:
    """Say what the reader of a test set has to say."""
    from tertium.cli.shared.testset_notes import note_texts

    for text in note_texts(testset.notes):
        remark(options, text)


def remark_mixed(
    options: Remarks | argparse.Namespace, infos: Mapping[str, MetricInfo]
) -> None:
    """Warn if scores of systems rest on links of different origin."""
    for spec, info in infos.items():
        if "some-links" in info.signature:
            remark(
                options,
                f"{spec}: some outputs have links of --alignments and others are "
                "aligned here, so scores of systems may not be comparable; give links "
                "for every system",
            )


def remark_unproven(options: Remarks | argparse.Namespace, table: ScoreTable) -> None:
    """Say for how many segments the best score may not have been found."""
    for spec in table.metrics:
        counts = {name: own[spec].unproven for name, own in table.systems.items()}
        if any(counts.values()):
            found = ", ".join(f"{name} {n:,}" for name, n in counts.items() if n)
            remark(
                options,
                f"{spec}: of {count(table.segments, 'segment')} some were too hard to "
                f"search to the end ({found}), so that better scores may exist; cut "
                "them into sentences",
            )


def remark_few(
    options: Remarks | argparse.Namespace, resamples: int, confidence: float, flag: str
) -> None:
    """Say that resamples are too few for an interval to leave any of them out.

    Parameters
    ----------
    options : Remarks
    resamples : int
        How many there are; with 0 there is no interval.
    confidence : float
    flag : str
        What sets their number.
    """
    if not resamples or resamples * (1 - confidence) / 2 > 1 - 1e-9:
        return
    from tertium.stats.resample import interval_resamples

    remark(
        options,
        f"{count(resamples, 'resample')} {'is' if resamples == 1 else 'are'} "
        f"too few for intervals of {100 * confidence:g} %, which reach from the lowest "
        f"to the highest score drawn; give {flag} {interval_resamples(confidence)}",
    )
