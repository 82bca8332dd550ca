# SPDX-License-Identifier: Apache-2.0
"""Metrics whose scores come from files: ``--scores``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from tertium.cli.shared import flags
from tertium.cli.shared.values import Scored
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.metrics import Metric

__all__ = ["with_file_scores"]


_Verb = TypeVar("_Verb", bound=Scored)


def with_file_scores(options: _Verb) -> _Verb:
    """Return options whose metrics include those of ``--scores``.

    Raises
    ------
    InputError
        If a file is not understood, or there is nothing that falls or rises.
    """
    if not options.scores:
        for flag, names in (
            ("--lower-is-better", options.lower_is_better),
            ("--higher-is-better", options.higher_is_better),
        ):
            if names:
                raise InputError(f"{flag} is about --scores; give them, or omit it")
    from tertium.meta.files.scores import score_file
    from tertium.scores import score_metrics

    if options.output is not None:
        from tertium._files import check_not_read

        paths = [score_file(item).path for item in options.scores]
        check_not_read(options.output, paths)
    outputs = dict(flags.run_files(options.systems or ())[0])
    listed = [_for_outputs(spec, outputs) for spec in options.metrics]
    more = score_metrics(
        options.scores,
        outputs=outputs,
        langpair=options.langpair,
        lower_is_better=options.lower_is_better,
        higher_is_better=options.higher_is_better,
    )
    return replace(options, metrics=[*listed, *more])


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
