# SPDX-License-Identifier: Apache-2.0
"""Metrics whose scores come from files: ``--scores``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from tertium.cli.shared import flags
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.metrics import Metric

__all__ = ["add_scores", "with_scores"]


class _Options(Protocol):
    """The options of a verb that takes metrics and files of scores."""

    @property
    def metrics(self) -> Sequence[str | Metric]: ...
    @property
    def scores(self) -> list[str]: ...
    @property
    def lower_is_better(self) -> list[str]: ...
    @property
    def systems(self) -> list[str] | None: ...
    @property
    def langpair(self) -> str | None: ...
    @property
    def output(self) -> str | None: ...


_Verb = TypeVar("_Verb", bound=_Options)


def add_scores(parser: argparse.ArgumentParser) -> None:
    """Add the options about files of scores."""
    parser.add_argument(
        "--scores",
        nargs="+",
        action="extend",
        default=[],
        metavar="[NAME=]FILE",
        help="also segment scores that other programs computed, as further metrics: "
        "output of COMET (JSON or text) or MetricX (JSONL), .seg.score of the WMT "
        "metrics task or mt-metrics-eval, tables with the columns system, segment and "
        "score, JSON of `tertium score`, or one number per line (NAME: its system); "
        "as a metric: scores:file=FILE,name=COMET,higher=no",
    )
    parser.add_argument(
        "--lower-is-better",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME",
        help="metrics of --scores that fall with quality (known: MetricX, TER, WER)",
    )


def with_scores(options: _Verb) -> _Verb:
    """Return options whose metrics include those of ``--scores``.

    Raises
    ------
    InputError
        If a file is not understood, or there is nothing that falls with quality.
    """
    if not options.scores and options.lower_is_better:
        message = "--lower-is-better is about --scores; give them, or omit it"
        raise InputError(message)
    if not options.scores and not any(map(_is_file, options.metrics)):
        return options
    from tertium.meta.files.scores import score_file
    from tertium.scores import score_metrics

    if options.output is not None:
        from tertium._files import check_not_read

        paths = [score_file(item).path for item in options.scores]
        check_not_read(options.output, paths)
    outputs = dict(flags.named_files(options.systems or ()))
    listed = [_for_outputs(spec, outputs) for spec in options.metrics]
    more = score_metrics(
        options.scores,
        outputs=outputs,
        langpair=options.langpair,
        lower_is_better=options.lower_is_better,
    )
    return replace(options, metrics=[*listed, *more])  # type: ignore[type-var]


def _is_file(spec: str | Metric) -> bool:
    return isinstance(spec, str) and spec.strip().lower().startswith("scores:")


def _for_outputs(spec: str | Metric, outputs: dict[str, str]) -> str | Metric:
    """Return a metric that knows the files of systems, if it looks scores up."""
    if not _is_file(spec):
        return spec
    from tertium.metrics import metric
    from tertium.scores import FileScores

    made = metric(spec)
    return made.for_outputs(outputs) if isinstance(made, FileScores) else spec
