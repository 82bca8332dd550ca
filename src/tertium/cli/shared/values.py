# SPDX-License-Identifier: Apache-2.0
"""The options of a verb as a frozen dataclass, composed of shared parts.

A verb declares ``class Options(Output, Run)`` with further fields, named as its
flags, and gets it from :func:`parse`. No other function sees an `argparse.Namespace`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

from tertium.report.tables.style import Style

__all__ = ["Input", "Layers", "Mtme", "Output", "Remarks", "Run", "Sort", "parse"]

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
class Input(Remarks):
    """The files of a test set, as `inputs.add_input` names them."""

    testset: str | None = None
    references: list[str] | None = None
    systems: list[str] | None = None
    source: str | None = None
    docs: str | None = None
    systems_columns: list[str] | None = None
    input_format: str | None = None
    langpair: str | None = None


@dataclass(frozen=True, kw_only=True)
class Layers:
    """The files of layers beside a test set, as `inputs.add_layers` names them."""

    alignments: list[str] | None = None
    one_based: bool = False
    sure_only: bool = False
    trees: list[str] | None = None
    ref_trees: list[str] | None = None
    sets: list[str] | None = None


@dataclass(frozen=True, kw_only=True)
class Mtme:
    """A folder of mt-metrics-eval, and which of its references to use."""

    mtme: str | None = None
    reference: str | None = None


@dataclass(frozen=True, kw_only=True)
class Output:
    """How results look, and where they go."""

    format: str
    output: str | None
    digits: int | None

    @property
    def style(self) -> Style:
        """The style of tables."""
        return Style(self.format, self.digits)


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
