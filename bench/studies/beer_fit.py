# SPDX-License-Identifier: Apache-2.0
"""Matrices for the studies of BEER: features once, many rankers from their columns."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import cache

from bench.studies.beer_report import write_section
from tertium.reproductions.recipes.beer.fitting import (
    STRENGTH,
    Rows,
    Training,
    pair_tau,
    svm,
    training,
)

__all__ = [
    "STRENGTH",
    "Rows",
    "Training",
    "pair_tau",
    "run_study",
    "svm",
    "training",
]


@cache
def run_study(title: str, about: str | None, study: Callable[[bool], str]) -> None:
    """Run a study from the command line, print it, and write it down if asked to."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a small sample")
    parser.add_argument(
        "--write", action="store_true", help="replace the section of bench/BEER.md"
    )
    args = parser.parse_args()
    if args.quick and args.write:
        parser.error("a sample is not to be written down; leave out --quick")
    text = study(args.quick)
    sys.stdout.write(text)
    if args.write:
        write_section(title, text)
