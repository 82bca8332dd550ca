# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder lattice``: many orders of a sentence in one lattice."""

from __future__ import annotations

import argparse
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
    from tertium.preorder.lattices import OrderLattice
    from tertium.preorder.model import Preorderer

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
           "weight"}}, ..], ..], "unaligned"}}, arcs by state, from state 0; the last
           with the positions of such words, null if the model does not know

{CONSTRAINTS_HELP}"""


def lattice(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, ManyOrders)
    from tertium.preorder.application import order_lattices

    def lines(
        lattices: Iterator[OrderLattice], _model: Preorderer, _text: Sequence[list[str]]
    ) -> Iterator[str]:
        return _lines(lattices, options.format)

    return write_many_orders(options, order_lattices, lines, marker=options.marker)


def _lines(lattices: Iterator[OrderLattice], format: str) -> Iterator[str]:
    for each in lattices:
        if format == "openfst":
            yield from each.to_openfst()
            yield ""
        else:
            yield each.to_plf() if format == "plf" else each.to_json()


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("preorder lattice", _ABOUT, _EXAMPLES)
    add_many_orders(parser, ("plf", "openfst", "json"))
    return parser
