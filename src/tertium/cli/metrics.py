# SPDX-License-Identifier: Apache-2.0
"""``tertium metrics``: the metrics, their formulas and settings."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._seed import SEED
from tertium.cli.shared import flags, values
from tertium.cli.shared.render import emit, emit_json, render, write_result
from tertium.cli.shared.values import frozen
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.metrics import Metric

__all__ = ["command"]

_ABOUT = """\
List the metrics, or show the formula, settings and facts of one. With --check, try the
laws that every metric obeys, and the conformance vectors of other tools, on a metric or
a plug-in; exit code 1 if one fails.
"""

_EXAMPLES = """\
  tertium metrics
  tertium metrics bleu
  tertium metrics -f json
  tertium metrics --check bleu
  tertium metrics --check my-metric:setting=2 --examples 500
  tertium metrics --check my_metric.py           a file, which is run

The JSON has one object per metric: {NAME: {"summary", "formula", "settings":
{KEY: {"default", "about", "choices"}}, "bounds": [low, high or null],
"higher_is_better", "cost", "longest" (words of a segment, or null), "paper",
"equal_to", "training", "licences", "empty", "punctuation"}}; that of --check is
{"tertium": VERSION, "metrics": {SPEC: [{"name", "about", "tried", "problem": TEXT or
null}]}}.
"""


@frozen
class Options(values.Output):
    """The options of the verb."""

    name: str | None
    check: str | None
    examples: int
    seed: int
    vectors: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    parser = flags.parser("metrics", _ABOUT, _EXAMPLES)
    parser.add_argument("name", nargs="?", metavar="METRIC", help="explain this metric")
    parser.add_argument(
        "--check",
        metavar="SPEC",
        help="try the laws and the vectors on this metric, or on all metrics that a "
        "Python file defines",
    )
    parser.add_argument(
        "--examples",
        type=flags.number(1, 10**6),
        default=50,
        metavar="N",
        help="test sets to make up for --check (default: 50)",
    )
    parser.add_argument(
        "--seed",
        type=flags.number(0),
        default=SEED,
        metavar="N",
        help=f"for --check (default: {SEED})",
    )
    parser.add_argument(
        "--vectors",
        metavar="FILE",
        help="vectors for --check in JSON lines, instead of those of Tertium",
    )
    flags.add_output(parser)
    options = values.parse(parser, argv, Options)
    if options.check is not None:
        return _check(options, options.check)
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


def _check(options: Options, spec: str) -> int:
    """Try all laws on a metric; return 1 if one fails."""
    from tertium._version import __version__
    from tertium.metrics.laws import check_metric, load_file
    from tertium.metrics.vectors import read_vectors
    from tertium.report.tables.metrics import laws_table

    if options.name is not None:
        raise InputError(
            f"{options.name} is shown, {spec} is checked; name one of them"
        )
    vectors = None if options.vectors is None else read_vectors(options.vectors)
    specs = load_file(spec) if spec.endswith(".py") else [spec]
    findings = {
        each: check_metric(
            each, examples=options.examples, seed=options.seed, vectors=vectors
        )
        for each in specs
    }
    write_result(
        options,
        lambda: {
            "tertium": __version__,
            "metrics": {
                name: [finding.to_dict() for finding in tried]
                for name, tried in findings.items()
            },
        },
        lambda: [laws_table(name, tried) for name, tried in findings.items()],
    )
    holds = all(finding.holds for tried in findings.values() for finding in tried)
    return 0 if holds else 1


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
