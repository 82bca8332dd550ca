# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar demo``: bundled templates, imitated systems, a report."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tertium.cli.grammar import inputs
from tertium.cli.grammar.evaluate import Report, add_report, write
from tertium.cli.shared import flags, values
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.values import frozen

__all__ = ["demo"]

_ABOUT = """\
Evaluate four imitated systems on the bundled templates, English to Finnish, and open
the report. Their errors are typical ones: compounds written as two words, wrong cases,
missing words, wrong word order. Nothing is translated here.
"""

_EXAMPLES = """\
  tertium grammar demo
  tertium grammar demo -o report.html --no-browser
  tertium grammar demo -f text
"""

_PAGE = "grammar-demo.html"


@frozen
class Options(inputs.EditModel, Report):
    """The options of the action."""

    no_browser: bool


def demo(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.comparison import evaluate

    parser = flags.parser("grammar demo", _ABOUT, _EXAMPLES)
    inputs.add_edit_model(parser)
    add_report(parser)
    flags.add_switch(parser, "--no-browser", help="write the report, do not open it")
    parser.set_defaults(format="html", title="English to Finnish, imitated systems")
    options = values.parse(parser, argv, Options)
    if options.format == "html" and options.output is None:
        options = replace(options, output=_PAGE)
    with Progress("outputs", quiet=options.quiet) as progress:
        evaluation = evaluate(
            "demo",
            analyser=options.analyser,
            costs=options.costs,
            resamples=options.resamples,
            seed=options.seed,
            top=options.top,
            threads=options.threads,
            progress=progress,
        )
    write(evaluation, options)
    # A browser without a screen would wait for keys.
    opens = options.format == "html" and not options.no_browser
    if opens and options.output is not None and sys.stdout.isatty():
        import webbrowser

        webbrowser.open(Path(options.output).resolve().as_uri())
    return 0
