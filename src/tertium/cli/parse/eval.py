# SPDX-License-Identifier: Apache-2.0
"""``tertium parse eval``: a parser's attachment scores on a treebank."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium.cli.parse.scores import add_treebanks, show
from tertium.cli.parse.verb import add_parser
from tertium.cli.shared import flags, values
from tertium.cli.shared.values import frozen

__all__ = ["command"]

_ABOUT = """\
Evaluate a parser against the trees of a treebank, on the treebank's words: UAS is the
percentage of words with the correct head, LAS with the correct relation as well, LAS*
the same without subtypes (nsubj for nsubj:pass), as in the CoNLL shared tasks.
"""

_EXAMPLES = """\
  tertium parse eval en_ewt-ud-test.conllu -p udpipe --model en.udpipe
  tertium parse eval gold.conllu --trees mine.conllu

The JSON has one object: {"tertium": VERSION, "parser": SIGNATURE, "words",
"sentences", "uas", "las", "las_base"}.
"""


@frozen
class Options(values.Output):
    """The options of the action."""

    treebanks: list[str]
    parser: str | None
    model: str
    trees: str | None


def command(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = values.parse(_parser(), argv, Options)
    from tertium.trees.treebanks import evaluate_parser

    scores = evaluate_parser(
        options.treebanks,
        parser=options.parser,
        model=options.model,
        trees=options.trees,
    )
    show(scores, options.format, output=options.output, digits=options.digits)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("parse eval", _ABOUT, _EXAMPLES)
    add_treebanks(parser, "whose trees are correct")
    add_parser(parser, required=False)
    parser.add_argument(
        "--trees",
        metavar="FILE",
        help="evaluate these trees of the same sentences instead of a parser",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    flags.add_output(parser)
    return parser
