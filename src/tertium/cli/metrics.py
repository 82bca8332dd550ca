# SPDX-License-Identifier: Apache-2.0
"""``tertium metrics``: the metrics, their formulas and settings."""

from __future__ import annotations

import json
import math
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared import flags, values
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.values import frozen
from tertium.errors import InputError
from tertium.report.tables.table import Table

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
"equal_to", "empty", "punctuation"}}.
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
        emit(json.dumps(facts, ensure_ascii=False, indent=2), options.output)
    elif options.name:
        emit(_page(classes[0]), options.output)
    else:
        rows = [[cls.name, _range(cls), cls.summary] for cls in classes]
        note = "`tertium metrics METRIC` shows formula and settings; ↓ lower is better."
        table = Table(["metric", "range", "what it measures"], rows, note=note, left=3)
        render([table], options.format, output=options.output)
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


def _range(cls: type[Metric]) -> str:
    low, high = ("∞" if math.isinf(x) else f"{x:g}" for x in cls.bounds)
    low = "-∞" if cls.bounds[0] == -math.inf else low
    return f"{low} - {high}" + ("" if cls.higher_is_better else " ↓")


def _page(cls: type[Metric]) -> str:
    facts = {
        "formula": cls.formula,
        "range": _range(cls),
        "direction": "higher is better" if cls.higher_is_better else "lower is better",
        "punctuation": cls.punctuation,
        "empty text": cls.empty,
        "exact copy": cls.copy_exception or "gets the best value",
        "cost": cls.cost,
        "segments": f"{cls.longest:,} words at most" if cls.longest else "",
        "paper": cls.paper,
        "equal to": cls.equal_to,
    }
    lines = [f"{cls.name}: {cls.summary}", ""]
    for key, value in facts.items():
        lines += _paragraph(f"  {key:<13}", value)
    if not cls.settings:
        return "\n".join(lines)
    lines += ["", "settings (NAME:key=value,key=value):"]
    width = max(map(len, cls.settings))
    for key, setting in cls.settings.items():
        default = "" if setting.default is None else setting.show(setting.default)
        about = f"{setting.about}; {setting.kind}"
        about += f" (default: {default})" if default else ""
        lines += _paragraph(f"  {key:<{width}}  ", about)
    return "\n".join(lines)


def _paragraph(head: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        width=88,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )
