# SPDX-License-Identifier: Apache-2.0
"""What ``tertium correlate`` asks for, checked before anything that takes long."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium.cli.shared.remarks import remark
from tertium.errors import InputError, UnknownNameError
from tertium.meta.correlations import check_resampling, chosen_coefficients
from tertium.meta.evaluation import Evaluation
from tertium.meta.figures import possible
from tertium.meta.gaps import gaps

__all__ = ["check", "check_options"]


def check_options(args: argparse.Namespace) -> None:
    """Raise an error for options that cannot be met, whatever the data.

    Raises
    ------
    InputError
    MissingExtraError
        If charts cannot be drawn here.
    """
    if not 0 < args.confidence < 1:
        raise InputError(f"--confidence is {args.confidence:g}; choose from 0 to 1")
    if args.task_files:
        from tertium.cli.correlate.task_files import make_folder

        make_folder(args.task_files)
    if args.format == "html":
        from tertium.report.draw.vega import altair

        altair()
    if args.plot:
        from tertium.cli.correlate.plots import plots

        for name, _ in plots(args.plot):
            for needed in ("test", "gap"):
                if name == f"{needed}s" and not getattr(args, needed):
                    message = f"nothing to draw for the chart {name}; use --{needed}"
                    raise InputError(message)


def check(args: argparse.Namespace, evaluations: Sequence[Evaluation]) -> None:
    """Raise an error for what the judgements, or the names in them, do not allow.

    Scores of metrics need not be there yet; names of metrics must.

    Raises
    ------
    InputError
    """
    asked = chosen_coefficients(evaluations, args.coef)
    if args.over is not None:
        check_resampling(evaluations, asked, args.over, resamples=args.resamples)
    names = [str(both.human.langpair or "all") for both in evaluations]
    empty = [
        name
        for name, both in zip(names, evaluations, strict=True)
        if not possible(both.human)
    ]
    if empty:
        remark(
            args, f"{', '.join(empty)}: no two systems were judged; nothing to compare"
        )
    for name in args.average_without:
        if name not in names:
            raise UnknownNameError("language pair to leave out", name, names)
    metrics = dict.fromkeys(m.name for both in evaluations for m in both.metrics)
    for name in args.gap:
        if name not in metrics:
            raise UnknownNameError("metric", name, metrics)
        gaps(evaluations, name)  # for its checks
