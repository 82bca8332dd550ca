# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder gold``: a text reordered as its word links say."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium._files import check_places
from tertium.cli.preorder.texts import GoldOptions, add_gold, add_linked_text
from tertium.cli.shared import flags
from tertium.cli.shared.values import frozen, parse

__all__ = ["gold"]

_ABOUT = """\
Put the words of a source text into the order of the words they are linked with: to
train a translation system on reordered text, or to see how much preordering can gain.
"""

_EXAMPLES = """\
  tertium preorder gold -s train.en --links train.gdfa -f text -o train.reordered
  tertium preorder gold -s test.en --links test.gdfa -o test.gold
  tertium preorder gold -s test.en --links test.links --one-based --attach left

formats:
  orders        source positions, counted from 0, in their new order (default)
  text          the words in their new order
  permutations  the new place of every source word, counted from 1
"""


@frozen
class Options(GoldOptions):
    """The options of the action."""

    format: str
    output: str | None


def gold(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    check_places([options.source, options.links, options.backward], [options.output])
    from tertium.preorder.corpus import write_orders, write_sentences
    from tertium.preorder.gold import gold_orders
    from tertium.preorder.model import Reordering

    sentences, links = options.read()
    backward = options.backward
    golds = gold_orders(
        sentences,
        links,
        reduction=options.reduction,
        attach=options.attach,
        backward=None if backward is None else options.read_links(backward, sentences),
    )
    reorderings = [Reordering(each.order) for each in golds]
    place = options.output or "-"
    if options.format == "text":
        write_sentences(
            place,
            (r.reorder(s) for r, s in zip(reorderings, sentences, strict=True)),
        )
    elif options.format == "permutations":
        write_orders(place, (each.permutation for each in reorderings))
    else:
        write_orders(place, (each.order for each in reorderings))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("preorder gold", _ABOUT, _EXAMPLES)
    add_linked_text(parser)
    add_gold(parser)
    parser.add_argument(
        "-f",
        "--format",
        choices=("orders", "text", "permutations"),
        default="orders",
        help="(default: orders)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    return parser
