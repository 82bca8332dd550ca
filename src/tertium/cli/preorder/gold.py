# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder gold``: a text reordered as its word links say."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tertium._files import check_places
from tertium.cli.preorder.texts import (
    GoldOptions,
    UnalignedOptions,
    add_gold,
    add_linked_text,
    add_unaligned,
)
from tertium.cli.shared import flags
from tertium.cli.shared.values import frozen, parse

if TYPE_CHECKING:
    from tertium.preorder.model import Reordering

__all__ = ["gold"]

_ABOUT = """\
Put the words of a source text into the order of the words they are linked with: to
train a translation system on reordered text, or to see how much preordering can gain.
"""

_EXAMPLES = """\
  tertium preorder gold -s train.en --links train.gdfa -f text -o train.reordered
  tertium preorder gold -s test.en --links test.gdfa -o test.gold
  tertium preorder gold -s test.en --links test.links --one-based --attach left
  tertium preorder gold -s train.en --links train.gdfa -f text --unaligned drop

formats:
  orders        source positions, counted from 0, in their new order (default)
  text          the words in their new order
  permutations  the new place of every source word, counted from 1; 0 if it is dropped
  json          one object per line: {"words", "reordered", "order", "unaligned"}, the
                last with the positions of words without links

With minimal phrases, a word without links within a phrase belongs to it.
"""


@frozen
class Options(GoldOptions, UnalignedOptions):
    """The options of the action."""

    format: str
    output: str | None


def gold(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    check_places([options.source, options.links, options.backward], [options.output])
    options.check_unaligned(known=True, path=options.links)
    from tertium.data.kept import Kept
    from tertium.data.lines import write_lines
    from tertium.preorder.corpus import stream_sentences
    from tertium.preorder.gold import stream_gold_orders
    from tertium.preorder.model import Reordering

    # All is read and checked before anything is written, but it stays on disk.
    sentences = Kept(stream_sentences(options.source))
    links = Kept(options.stream_links(options.links, sentences))
    backward = None
    if options.backward is not None:
        backward = Kept(options.stream_links(options.backward, sentences))
    golds = stream_gold_orders(
        sentences,
        links,
        reduction=options.reduction,
        attach=options.attach,
        backward=backward,
    )
    reorderings = (Reordering(g.order, unaligned=g.unaligned) for g in golds)
    write_lines(options.output or "-", _lines(reorderings, sentences, options))
    return 0


def _lines(
    reorderings: Iterable[Reordering], sentences: Iterable[list[str]], options: Options
) -> Iterator[str]:
    way, marker = options.unaligned, options.marker
    for each, words in zip(reorderings, sentences, strict=True):
        if options.format == "orders":
            yield " ".join(map(str, each.written(way)))
        elif options.format == "permutations":
            yield " ".join(map(str, each.ranks(way)))
        elif options.format == "text":
            yield " ".join(each.write(words, unaligned=way, marker=marker))
        else:
            content = {
                "words": words,
                "reordered": each.write(words, unaligned=way, marker=marker),
                "order": each.written(way),
                "unaligned": each.unaligned,
            }
            yield json.dumps(content, ensure_ascii=False)


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("preorder gold", _ABOUT, _EXAMPLES)
    add_linked_text(parser)
    add_gold(parser)
    add_unaligned(parser)
    parser.add_argument(
        "-f",
        "--format",
        choices=("orders", "text", "permutations", "json"),
        default="orders",
        help="(default: orders)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    return parser
