# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar demo``: bundled templates, imitated systems, a report.

The folder ``demo/grammar`` of the package has ``testset.jsonl``, as ``tertium grammar
testset`` writes it from bundled templates, and one file a system, called after it:
``NAME.txt`` with a line a segment, or ``NAME.jsonl`` by id.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tertium.cli.grammar import inputs
from tertium.cli.grammar.evaluate import add_report, run, write
from tertium.cli.grammar.material import Material, from_templates
from tertium.cli.shared import flags
from tertium.errors import InputError

__all__ = ["demo"]

_ABOUT = """\
Evaluate four imitated systems on the bundled templates, English to Finnish, and open
the report. Their faults are typical ones: compounds written apart, wrong cases,
missing words, wrong word order. Nothing is translated here.
"""

_EXAMPLES = """\
  tertium grammar demo
  tertium grammar demo -o report.html --no-browser
  tertium grammar demo -f text
"""

_PAGE = "grammar-demo.html"


def demo(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("grammar demo", _ABOUT, _EXAMPLES)
    inputs.add_analyser(parser)
    add_report(parser)
    parser.add_argument(
        "--no-browser", action="store_true", help="write the report, do not open it"
    )
    parser.set_defaults(format="html", title="English to Finnish, imitated systems")
    args = parser.parse_args(argv)
    if args.format == "html" and args.output is None:
        args.output = _PAGE
    args.human, args.target = [], "Fin"
    material, systems = _bundled(args)
    write(run(args, material, systems), args)
    # A browser without a screen would wait for keys.
    if args.format == "html" and not args.no_browser and sys.stdout.isatty():
        import webbrowser

        webbrowser.open(Path(args.output).resolve().as_uri())
    return 0


def _bundled(
    args: argparse.Namespace,
) -> tuple[Material, dict[str, list[str]]]:
    from tertium.data.io import demo_path
    from tertium.grammars.exchange import read_outputs, read_sources
    from tertium.grammars.template import load_template

    folder = Path(demo_path()).parent / "grammar"
    try:
        segments = read_sources(folder / "testset.jsonl")
    except InputError as error:
        message = f"the files of the demo are missing ({error}); install Tertium again"
        raise InputError(message) from None
    known = inputs.bundled()
    names = dict.fromkeys(own.template for own in segments)
    templates = [load_template(known.get(name, name)) for name in names]
    ids = [own.id for own in segments]
    # Anything else there, such as README.md, is for people.
    systems = {
        path.stem: read_outputs(path, ids)
        for path in sorted(folder.iterdir())
        if path.suffix in (".txt", ".jsonl") and path.name != "testset.jsonl"
    }
    return from_templates(segments, templates, args.target), systems
