# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder demo``: a model trained on the bundled corpus."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium._files import check_places
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.values import Run, frozen, parse
from tertium.report.tables.style import Style

__all__ = ["demo"]

_ABOUT = """\
Train a model on the bundled corpus, 600 English sentences with a gloss in the order of
a head-final language, and apply it to 100 others: scores, some sentences in detail.
"""

_EXAMPLES = """\
  tertium preorder demo
  tertium preorder demo --model grammar -o demo.html
  tertium preorder demo --save model
  tertium preorder demo --corpus corpus

The sentences come from a few templates, so a model learns their order completely, or
almost; texts of real languages are harder. -o writes a page with diagrams. --corpus
trains nothing: it writes train.en, train.gloss, train.links and the same for test into
a new folder, for the other actions.
"""


@frozen
class Options(Run):
    """The options of the action."""

    model: str
    output: str | None
    save: str | None
    corpus: str | None


def demo(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    check_places([], [options.output, options.save])
    if options.corpus is not None:
        from tertium.preorder.demo import write_demo

        write_demo(options.corpus)
        return 0
    from tertium.preorder.demonstration import demonstrate
    from tertium.report.preorder.plain import explanation_text
    from tertium.report.tables.preorder import order_tables

    with Progress(quiet=options.quiet) as progress:
        result = demonstrate(
            model=options.model,
            seed=options.seed,
            threads=options.threads,
            progress=progress.phase,
        )
    if options.save is not None:
        result.model.save(options.save)
        remark(options, f"the model is in {options.save}")
    render(order_tables(result.scores, Style()), "table")
    if options.output is None:
        emit(f"\n{explanation_text(result.explanation)}", None)
        return 0
    from tertium.report.preorder.page import explanation_page

    emit(explanation_page(result.explanation), options.output)
    remark(options, f"the page is {options.output}")
    return 0


def _parser() -> argparse.ArgumentParser:
    from tertium.preorder.training import DEFAULT_MODEL, MODELS

    parser = flags.parser("preorder demo", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "--model",
        choices=MODELS,
        default=DEFAULT_MODEL,
        help=f"(default: {DEFAULT_MODEL})",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write the sentences there, as a page"
    )
    parser.add_argument("--save", metavar="MODEL", help="keep the model")
    parser.add_argument(
        "--corpus", metavar="FOLDER", help="only write the corpus there, as files"
    )
    flags.add_run(parser)
    return parser
