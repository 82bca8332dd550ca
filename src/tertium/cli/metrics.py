# SPDX-License-Identifier: Apache-2.0
"""``tertium metrics``: what there is, and what it means."""

from __future__ import annotations

import math
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tertium.cli.shared import flags
from tertium.cli.shared.render import Table, emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.metrics import Metric

__all__ = ["command"]

_ABOUT = "List the metrics, or show the formula, settings and facts of one."

_EXAMPLES = """\
  tertium metrics
  tertium metrics bleu
  tertium metrics -f json

The JSON has one object a metric: {NAME: {"summary", "formula", "settings":
{KEY: {"default", "about", "choices"}}, "bounds": [low, high or null],
"higher_is_better", "cost", "longest" (words of a segment, or null), "paper",
"equal_to", "empty", "punctuation"}}.
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    parser = flags.parser("metrics", _ABOUT, _EXAMPLES)
    parser.add_argument("name", nargs="?", metavar="METRIC", help="explain this metric")
    flags.add_output(parser)
    args = parser.parse_args(argv)
    from tertium.metrics import metric_class, metric_names

    names = [args.name] if args.name else metric_names()
    classes = []
    for name in names:
        try:
            classes.append(metric_class(name.partition(":")[0]))
        except InputError as error:
            if args.name:
                raise
            sys.stderr.write(f"tertium: {error}\n")
    if args.format == "json":
        import json

        facts = {cls.name: _facts(cls) for cls in classes}
        emit(json.dumps(facts, ensure_ascii=False, indent=2), args.output)
    elif args.name:
        emit(_page(classes[0]), args.output)
    else:
        rows = [[cls.name, _range(cls), cls.summary] for cls in classes]
        note = "`tertium metrics METRIC` shows formula and settings; ↓ lower is better."
        table = Table(["metric", "range", "what it measures"], rows, note=note, left=3)
        render([table], args.format, output=args.output)
    return 0


def _range(cls: type[Metric]) -> str:
    low, high = ("∞" if math.isinf(x) else f"{x:g}" for x in cls.bounds)
    low = "-∞" if cls.bounds[0] == -math.inf else low
    return f"{low} - {high}" + ("" if cls.higher_is_better else " ↓")


def _facts(cls: type[Metric]) -> dict[str, Any]:
    return {
        "summary": cls.summary,
        "formula": cls.formula,
        "settings": {
            key: {
                "default": declared.default,
                "about": declared.about,
                "choices": list(declared.choices),
            }
            for key, declared in cls.settings.items()
        },
        "bounds": [None if math.isinf(x) else x for x in cls.bounds],
        "higher_is_better": cls.higher_is_better,
        "cost": cls.cost,
        "longest": cls.longest,
        "paper": cls.paper,
        "equal_to": cls.equal_to,
        "empty": cls.empty,
        "punctuation": cls.punctuation,
    }


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
    for key, declared in cls.settings.items():
        default = "" if declared.default is None else declared.show(declared.default)
        about = f"{declared.about}; {declared.kind}"
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
