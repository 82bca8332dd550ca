# SPDX-License-Identifier: Apache-2.0
"""The options of a verb as a frozen dataclass, composed of groups that verbs share.

A verb declares ``@frozen class Options(Output, Run)`` with further fields, named as
its flags, and gets it from :func:`parse`. No other function sees an
`argparse.Namespace`.

Only the class that a verb parses becomes a dataclass: its groups are plain classes,
because Python compiles the methods of a dataclass at every start.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from inspect import get_annotations
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform

    from tertium.metrics import Metric
    from tertium.report.tables.style import Style
else:

    def dataclass_transform(**_: bool) -> Callable[[type], type]:
        """Stand in for what only type checkers need."""
        return lambda kind: kind


__all__ = [
    "Caching",
    "Input",
    "Layers",
    "Mtme",
    "OnCluster",
    "OptionGroup",
    "Output",
    "Place",
    "Remarks",
    "Resegmented",
    "Run",
    "Scored",
    "Sort",
    "frozen",
    "parse",
]

_Options = TypeVar("_Options")


@dataclass_transform(frozen_default=True, kw_only_default=True)
class OptionGroup:
    """Options that several verbs share: its annotations are fields."""


class Remarks(OptionGroup):
    """Whether a verb may write remarks and progress to stderr."""

    quiet: bool


class Run(Remarks):
    """The options of a verb that computes."""

    seed: int
    threads: int | None


class Caching(Remarks):
    """Where results are kept, as `caching.add_cache` names it."""

    cache: str | None
    no_cache: bool


class OnCluster(Remarks):
    """Where chunks are done."""

    cluster: str | None = None


class Place(OnCluster):
    """Where chunks are done, and where finished ones are kept."""

    checkpoint: str | None = None


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


class Scored(Input):
    """A test set, metrics, and files with scores of further metrics."""

    metrics: Sequence[str | Metric]
    scores: list[str]
    lower_is_better: list[str]
    higher_is_better: list[str]
    output: str | None


class Layers(OptionGroup):
    """The files of layers beside a test set, as `inputs.add_layers` names them."""

    alignments: list[str] | None = None
    one_based: bool = False
    sure_only: bool = False
    trees: list[str] | None = None
    ref_trees: list[str] | None = None
    sets: list[str] | None = None


class Mtme(OptionGroup):
    """A test set that was downloaded, and which of its references to use."""

    mtme: str | None = None
    test_set: str | None = None
    reference: str | None = None


class Output(OptionGroup):
    """How results look, and where they go."""

    format: str
    output: str | None
    digits: int | None

    @property
    def excel(self) -> bool:
        """Whether a verb that can write Excel workbooks should."""
        named = str(self.output).lower().endswith(".xlsx")
        return self.format == "xlsx" or (self.format == "table" and named)

    @property
    def style(self) -> Style:
        """The style of tables."""
        from tertium.report.tables.style import Style

        return Style(self.format, self.digits)


class Sort(OptionGroup):
    """The order of systems in tables."""

    sort: str


class Resegmented(Scored, Mtme, Layers, Run):
    """A test set to score whose outputs may have to be cut into segments first."""

    resegment: str | None


def frozen(kind: type[_Options]) -> type[_Options]:
    """Make a class of options a frozen dataclass with the fields of all its groups."""
    annotations: dict[str, object] = {}
    for group in reversed(kind.__mro__):
        if "__dataclass_fields__" not in vars(group):
            annotations |= get_annotations(group)
    kind.__annotations__ = annotations
    return dataclass(frozen=True, kw_only=True, eq=False, repr=False)(kind)


def parse(
    parser: argparse.ArgumentParser, argv: Sequence[str], kind: type[_Options]
) -> _Options:
    """Return the options on a command line as a dataclass of `kind`."""
    values = vars(parser.parse_args(argv))
    return kind(**{field.name: values[field.name] for field in fields(kind)})  # type: ignore[arg-type]
