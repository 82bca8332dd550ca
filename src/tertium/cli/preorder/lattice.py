# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder lattice``: many orders of a sentence in one lattice."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.cli.preorder.applying import CONSTRAINTS_HELP, ModelText, add_model_text
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.values import frozen, parse

if TYPE_CHECKING:
    from tertium.preorder.lattices import OrderLattice

__all__ = ["lattice"]

_ABOUT = """\
Write the least risky orders of every sentence as a lattice, for a decoder that does not
reorder to choose from. The weights of a path sum to its expected Kendall tau.
"""

_EXAMPLES = f"""\
  tertium preorder lattice model test.en -n 100 -o test.plf
  tertium preorder lattice model test.en -n 20 -f json
  echo "she reads books" | tertium preorder lattice model -f openfst

formats:
  plf      Moses's word lattices, one line per sentence (default)
  openfst  OpenFst text from source positions to words, a blank line after each lattice
  json     one object per line: {{"words", "final": STATE, "arcs": [[{{"position", "to",
           "weight"}}, ..], ..]}}, arcs by state, from state 0

{CONSTRAINTS_HELP}"""


@frozen
class Options(ModelText):
    """The options of the action."""

    format: str
    number: int


def lattice(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    options.check()
    from tertium.data.lines import write_lines
    from tertium.preorder.application import order_lattices

    model, sentences, constraints = options.read()
    with Progress("sentences", quiet=options.quiet) as progress:
        lattices = order_lattices(
            model,
            sentences,
            count=options.number,
            constraints=constraints,
            threads=options.threads,
            progress=progress,
        )
        write_lines(options.output or "-", _lines(lattices, options.format))
    return 0


def _lines(lattices: Iterator[OrderLattice], format: str) -> Iterator[str]:
    for each in lattices:
        if format == "openfst":
            yield from each.to_openfst()
            yield ""
        else:
            yield each.to_plf() if format == "plf" else each.to_json()


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("preorder lattice", _ABOUT, _EXAMPLES)
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
        choices=("plf", "openfst", "json"),
        default="plf",
        help="(default: plf)",
    )
    return parser
