# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder nbest``: the least risky orders of every sentence."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.cli.preorder.applying import (
    CONSTRAINTS_HELP,
    ManyOrders,
    add_many_orders,
    write_many_orders,
)
from tertium.cli.shared import flags
from tertium.cli.shared.values import parse

if TYPE_CHECKING:
    from tertium.preorder.model import Preorderer
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
         {{"words", "orders": [{{"order", "expected"}}, ..], "unaligned"}}, the last
         with the positions of such words, null if the model does not know

Orders that are equal without dropped words are written once.

{CONSTRAINTS_HELP}"""


def nbest(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, ManyOrders)
    from tertium.preorder.application import nbest_orders

    def lines(
        lists: Iterator[list[RankedOrder]], model: Preorderer, text: Sequence[list[str]]
    ) -> Iterator[str]:
        return _lines(lists, model, text, options)

    return write_many_orders(options, nbest_orders, lines)


def _lines(
    lists: Iterator[list[RankedOrder]],
    model: Preorderer,
    sentences: Sequence[Sequence[str]],
    options: ManyOrders,
) -> Iterator[str]:
    from tertium.preorder.application import unaligned_positions
    from tertium.preorder.unaligned import written_words

    way, marker, above = options.unaligned, options.marker, options.unaligned_above
    known = unaligned_positions(model, sentences, way=way, above=above)
    texts = zip(lists, sentences, known, strict=True)
    for number, (orders, words, unaligned) in enumerate(texts):
        if options.format == "json":
            content = {
                "words": words,
                "orders": [each.to_dict() for each in orders],
                "unaligned": unaligned,
            }
            yield json.dumps(content, ensure_ascii=False)
            continue
        shown = written_words(words, unaligned, way, marker=marker)
        for each in orders:
            text = " ".join(shown[position] for position in each.order)
            score = f"{each.expected:.6f}"
            yield f"{number} ||| {text} ||| expected= {score} ||| {score}"


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("preorder nbest", _ABOUT, _EXAMPLES)
    add_many_orders(parser, ("nbest", "json"))
    return parser
