# SPDX-License-Identifier: Apache-2.0
"""``tertium metrics``: the metrics, their formulas and settings."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared import flags, values
from tertium.cli.shared.render import emit, emit_json, render
from tertium.cli.shared.values import frozen
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.metrics import Metric

__all__ = ["command"]

_ABOUT = "List the metrics, or show the formula, settings and facts of one."

_EXAMPLES = """\
  tertium metrics
  tertium metrics bleu
  tertium metrics -f json

The JSON has one object per metric: {NAME: {"summary", "formula", "settings":
{KEY: {"default", "about", "choices"}}, "bounds": [low, high or null],
"higher_is_better", "cost", "longest" (words of a segment, or null), "paper",
"equal_to", "training", "licences", "empty", "punctuation"}}.
"""


@frozen
class Options(values.Output):
    """The options of the verb."""

    name: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    parser = flags.parser("metrics", _ABOUT, _EXAMPLES)
    parser.add_argument("name", nargs="?", metavar="METRIC", help="explain this metric")
    flags.add_output(parser)
    options = values.parse(parser, argv, Options)
    classes = _classes(options.name)
    if options.format == "json":
        from tertium.metrics.facts import metric_facts

        facts = {cls.name: metric_facts(cls) for cls in classes}
        emit_json(facts, options.output)
    elif options.name:
        from tertium.report.tables.metrics import metric_text

        emit(metric_text(classes[0]), options.output)
    else:
        from tertium.report.tables.metrics import metrics_table

        render([metrics_table(classes)], options.format, output=options.output)
    return 0


def _classes(name: str | None) -> list[type[Metric]]:
    """Return one metric, or all; a plug-in that cannot be loaded is reported."""
    from tertium.metrics import metric_class, metric_names

    if name:
        return [metric_class(name.partition(":")[0])]
    classes = []
    for each in metric_names():
        try:
            classes.append(metric_class(each))
        except InputError as error:
            sys.stderr.write(f"tertium: {error}\n")
    return classes
