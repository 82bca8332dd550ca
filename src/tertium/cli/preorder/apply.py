# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder apply``: a text in its new order."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.cli.preorder.applying import CONSTRAINTS_HELP, ModelText, add_model_text
from tertium.cli.shared import flags
from tertium.cli.shared.executors import threads_of, working
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark_notes
from tertium.cli.shared.values import frozen, parse

if TYPE_CHECKING:
    from tertium.preorder.application import Application

__all__ = ["apply"]

_ABOUT = """\
Put the words of a text into the order of the target language, by a trained model.
"""

_EXAMPLES = f"""\
  tertium preorder apply model test.en -o test.reordered
  tertium preorder apply model test.en -f orders -o test.orders
  tertium preorder apply model test.en --unless-sure 0.7 --max-displacement 8
  tertium preorder apply model test.en --constraints test.constraints.jsonl -f json
  tertium preorder apply model test.en --unaligned mark --marker '|null'
  tertium preorder apply model train.en.gz -o train.reordered --cluster slurm.toml

formats:
  text          the words in their new order (default)
  orders        source positions, counted from 0, in their new order
  permutations  the new place of every source word, counted from 1; 0 if it is dropped
  trees         permutation trees in brackets, words in source order
  json          one object per line: {{"words", "reordered", "order", "tree",
                "expected", "confidence", "fallback", "unaligned"}}; "expected" is
                the expected Kendall tau, "fallback" what was done without a parse, or
                null; "unaligned" always lists the positions of such words, null if the
                model does not know

Orders without dropped words cannot be scored: `tertium preorder score` needs all.

{CONSTRAINTS_HELP}"""


@frozen
class Options(ModelText):
    """The options of the action."""

    format: str
    unless_sure: float | None


def apply(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    options.check()
    from tertium.data.kept import Kept
    from tertium.data.lines import write_lines
    from tertium.preorder.application import apply_model

    model, sentences, constraints = options.read()
    with working(options), Progress("sentences", quiet=options.quiet) as progress:
        result = apply_model(
            model,
            sentences,
            constraints=constraints,
            unless_sure=options.unless_sure,
            unaligned_above=options.unaligned_above,
            threads=threads_of(options, options.threads),
            progress=progress,
            hold=Kept,
        )
    write_lines(options.output or "-", _lines(result, sentences, options))
    remark_notes(options, result)
    return 0


def _lines(
    result: Application, sentences: Sequence[Sequence[str]], options: Options
) -> Iterator[str]:
    from tertium.preorder.brackets import bracketed
    from tertium.preorder.unaligned import written_words

    way, marker = options.unaligned, options.marker
    for each, words in zip(result.reorderings, sentences, strict=True):
        shown = written_words(words, each.unaligned, way, marker=marker)
        order = each.written(way)
        reordered = [shown[position] for position in order]
        if options.format == "text":
            yield " ".join(reordered)
            continue
        if options.format == "orders":
            yield " ".join(map(str, order))
            continue
        if options.format == "permutations":
            yield " ".join(map(str, each.ranks(way)))
            continue
        tree = bracketed([shown[i] for i in sorted(order)], each.without(way))
        if options.format == "trees":
            yield tree
            continue
        content = {
            "words": list(words),
            "reordered": reordered,
            "tree": tree,
            **each.to_dict(),
            "order": list(order),
        }
        yield json.dumps(content, ensure_ascii=False)


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("preorder apply", _ABOUT, _EXAMPLES)
    add_model_text(parser)
    parser.add_argument(
        "-f",
        "--format",
        choices=("text", "orders", "permutations", "trees", "json"),
        default="text",
        help="(default: text)",
    )
    parser.add_argument(
        "--unless-sure",
        type=float,
        metavar="P",
        help="leave a sentence as it is unless the confidence of the model, from 0 to "
        "1, is at least P",
    )
    return parser
