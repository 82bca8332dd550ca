# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder explain``: why a model orders words as it does."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._files import check_places
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.render import emit
from tertium.cli.shared.values import Remarks, frozen, parse
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.preorder.explanation import OrderExplanation

__all__ = ["explain"]

_ABOUT = """\
Show how a model reorders sentences: blocks that move, the permutation tree with its
operators, the probabilities of all pairs of words; and for the whole text which
operators it uses and which words trigger inversions.
"""

_EXAMPLES = """\
  tertium preorder explain model test.en
  tertium preorder explain model test.en -f html -o test.html
  tertium preorder explain model test.en --sentences 3 17 -f html -o two.html
  echo "she reads books" | tertium preorder explain model -f svg -o tree.svg
  tertium preorder explain model test.en --sentences 3 -f svg --diagram heat -o heat.svg

formats:
  text  the sentence, its new order and its tree in brackets (default)
  html  a page with diagrams and tables
  svg   one diagram of one sentence
  json  {"tertium", "kind", "sentences": [{"number", "words", "reordered", "tree",
        "order", "expected", "confidence", "fallback", "unaligned", "expectations"}],
        "typology": {"sentences", "moved", "operators", "arities", "triggers":
        [{"word", "count", "inverted"}]}}; "expectations" has P(word i before word j)
        as a matrix, "unaligned" the positions of words without a counterpart
"""


@frozen
class Options(Remarks):
    """The options of the action."""

    model: str
    text: str
    sentences: list[int] | None
    format: str
    diagram: str
    output: str | None
    threads: int | None


def explain(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    check_places([options.text], [options.output])
    from tertium.preorder.corpus import read_sentences
    from tertium.preorder.explanation import explain_orders
    from tertium.preorder.model import load

    model = load(options.model)
    text = read_sentences(options.text)
    numbers = options.sentences
    if numbers and max(numbers) > len(text):
        raise InputError(
            f"there is no sentence {max(numbers)} in a text of {len(text)}; give "
            "numbers from 1 (--sentences)"
        )
    with Progress("sentences", quiet=options.quiet) as progress:
        result = explain_orders(
            model, text, numbers=numbers, threads=options.threads, progress=progress
        )
    emit(_written(result, options), options.output)
    return 0


def _written(result: OrderExplanation, options: Options) -> str:
    if options.format == "json":
        return result.to_json()
    if options.format == "html":
        from tertium.report.preorder.page import explanation_page

        return explanation_page(result)
    if options.format == "svg":
        return _diagram(result, options.diagram)
    from tertium.report.preorder.plain import explanation_text

    return explanation_text(result)


def _diagram(result: OrderExplanation, name: str) -> str:
    from tertium.report.preorder import diagrams

    if not result.sentences:
        raise InputError("the text is empty; give at least one sentence")
    first = result.sentences[0]
    if name == "heat":
        return diagrams.draw_expectations(
            first.words, first.expectations, first.reordering.order
        ).to_svg()
    draw = diagrams.draw_tree if name == "tree" else diagrams.draw_blocks
    return draw(first.words, first.reordering).to_svg()


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("preorder explain", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "model", metavar="MODEL", help="what `tertium preorder train` wrote"
    )
    parser.add_argument(
        "text",
        nargs="?",
        default="-",
        metavar="TEXT",
        help="sentences, one per line, tokenised as in training (default: stdin)",
    )
    parser.add_argument(
        "--sentences",
        nargs="+",
        type=flags.number(1, 10**9),
        metavar="N",
        help="show these, counted from 1 (default: the first ten that are reordered)",
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("text", "html", "svg", "json"),
        default="text",
        help="(default: text)",
    )
    parser.add_argument(
        "--diagram",
        choices=("tree", "blocks", "heat"),
        default="tree",
        help="which diagram -f svg writes (default: tree)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    flags.add_threads(parser)
    return parser
