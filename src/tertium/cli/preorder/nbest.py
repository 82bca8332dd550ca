# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder nbest``: the least risky orders of every sentence."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.cli.preorder.applying import CONSTRAINTS_HELP, ModelText, add_model_text
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.values import frozen, parse

if TYPE_CHECKING:
    from tertium.preorder.parsing.risk import RankedOrder

__all__ = ["nbest"]

_ABOUT = """\
Write the orders of every sentence with the highest expected Kendall tau, best first.
"""

_EXAMPLES = f"""\
  tertium preorder nbest model test.en -n 10
  tertium preorder nbest model test.en -n 100 -o test.nbest.gz
  tertium preorder nbest model test.en -n 5 -f json

formats:
  nbest  lines as Moses writes them: number of the sentence, counted from 0 ||| words
         in their new order ||| expected= TAU ||| TAU (default)
  json   one object per line and sentence:
         {{"words", "orders": [{{"order", "expected"}}, ..]}}

{CONSTRAINTS_HELP}"""


@frozen
class Options(ModelText):
    """The options of the action."""

    format: str
    number: int


def nbest(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    options.check()
    from tertium.data.lines import write_lines
    from tertium.preorder.application import nbest_orders

    model, sentences, constraints = options.read()
    with Progress("sentences", quiet=options.quiet) as progress:
        lists = nbest_orders(
            model,
            sentences,
            count=options.number,
            constraints=constraints,
            threads=options.threads,
            progress=progress,
        )
        write_lines(options.output or "-", _lines(lists, sentences, options.format))
    return 0


def _lines(
    lists: Iterator[list[RankedOrder]], sentences: Sequence[Sequence[str]], format: str
) -> Iterator[str]:
    for number, (orders, words) in enumerate(zip(lists, sentences, strict=True)):
        if format == "json":
            content = {"words": words, "orders": [each.to_dict() for each in orders]}
            yield json.dumps(content, ensure_ascii=False)
            continue
        for each in orders:
            text = " ".join(words[position] for position in each.order)
            score = f"{each.expected:.6f}"
            yield f"{number} ||| {text} ||| expected= {score} ||| {score}"


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("preorder nbest", _ABOUT, _EXAMPLES)
    add_model_text(parser)
    parser.add_argument(
        "-n",
        "--number",
        type=flags.number(1, 10**5),
        default=100,
        metavar="N",
        help="orders per sentence at most (default: 100)",
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("nbest", "json"),
        default="nbest",
        help="(default: nbest)",
    )
    return parser
