# SPDX-License-Identifier: Apache-2.0
"""The options of a verb as a frozen dataclass, put together from shared parts.

A verb declares ``class Options(Output, Run)`` with fields of its own, named as its
flags, and gets it from :func:`parse`. No other function sees an `argparse.Namespace`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

__all__ = ["Output", "Remarks", "Run", "Sort", "parse"]

_Options = TypeVar("_Options")


@dataclass(frozen=True, kw_only=True)
class Remarks:
    """Whether a verb may write remarks and progress to stderr."""

    quiet: bool


@dataclass(frozen=True, kw_only=True)
class Run(Remarks):
    """The options of a verb that computes."""

    seed: int
    threads: int | None


@dataclass(frozen=True, kw_only=True)
class Output:
    """How results look, and where they go."""

    format: str
    output: str | None
    digits: int | None


@dataclass(frozen=True, kw_only=True)
class Sort:
    """The order of systems in tables."""

    sort: str


def parse(
    parser: argparse.ArgumentParser, argv: Sequence[str], kind: type[_Options]
) -> _Options:
    """Return the options on a command line as a dataclass of `kind`."""
    values = vars(parser.parse_args(argv))
    return kind(**{field.name: values[field.name] for field in fields(kind)})  # type: ignore[arg-type]
