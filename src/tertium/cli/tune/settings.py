# SPDX-License-Identifier: Apache-2.0
"""The settings of tuning methods, as `tertium tune batch` and `run` have them."""

from __future__ import annotations

import argparse

from tertium.cli.shared import flags
from tertium.cli.shared.parsers import note_facts
from tertium.cli.shared.values import OptionGroup

__all__ = ["Settings", "add_settings", "note_tuning"]


class Settings(OptionGroup):
    """The settings of methods; None where the method decides."""

    restarts: int | None
    directions: int | None
    smooth: str | None
    window: int | None
    samples: int | None
    pairs: int | None
    difference: float | None
    strength: float | None
    interpolation: float | None
    passes: int | None
    aggressiveness: float | None
    patience: int | None

    @property
    def chosen(self) -> dict[str, float | str]:
        """Those that the user has set."""
        values = {name: getattr(self, name) for name in Settings.__annotations__}
        return {name: value for name, value in values.items() if value is not None}


def note_tuning(metric: str, method: str, *, nrefs: str, **sizes: int) -> None:
    """Take note of the metric with its signature, the method and sizes."""
    from tertium.metrics import metric as metric_of

    made = metric_of(metric)
    used = {made.spec: {"signature": made.signature_for(nrefs=nrefs)}}
    note_facts(methods=[method], metrics=used, **sizes)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the settings of methods; the library has the defaults."""
    natural, count = flags.number(0, 10**6), flags.number(1, 10**6)
    mert = parser.add_argument_group("settings of mert")
    mert.add_argument(
        "--restarts",
        type=natural,
        metavar="N",
        help="other starts (default: up to 100, fewer where lists are large)",
    )
    mert.add_argument(
        "--directions",
        type=natural,
        metavar="N",
        help="random directions per sweep, beside the axes (default: 14)",
    )
    mert.add_argument(
        "--smooth",
        choices=("none", "mean", "minimum"),
        help="score an interval alone (none, the default), or as the mean or minimum "
        "of a window, against sharp peaks that do not generalise",
    )
    mert.add_argument(
        "--window", type=count, metavar="N", help="neighbours on each side (default: 1)"
    )
    pro = parser.add_argument_group("settings of pro")
    pro.add_argument(
        "--samples", type=count, metavar="N", help="pairs per list (default: 5000)"
    )
    pro.add_argument(
        "--pairs", type=count, metavar="N", help="those kept per list (default: 50)"
    )
    pro.add_argument(
        "--difference",
        type=float,
        metavar="X",
        help="least difference of two scores, as a share of 100 %% (default: 0.05)",
    )
    pro.add_argument(
        "--strength", type=float, metavar="X", help="of the L2 penalty (default: 1)"
    )
    pro.add_argument(
        "--interpolation",
        type=float,
        metavar="X",
        help="share of the new weights; the rest is the start (default: 1)",
    )
    mira = parser.add_argument_group("settings of mira, and of mert")
    mira.add_argument(
        "--passes", type=count, metavar="N", help="through all lists (default: 60)"
    )
    mira.add_argument(
        "--aggressiveness",
        type=float,
        metavar="X",
        help="the largest step, for features of deviation 1 (default: 0.01)",
    )
    mira.add_argument(
        "--patience",
        type=count,
        metavar="N",
        help="stop after N passes or restarts without a gain (default: 20 or 60)",
    )
