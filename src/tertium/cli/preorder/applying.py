# SPDX-License-Identifier: Apache-2.0
"""What all actions that apply a model share: its file, the text, constraints."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tertium._files import check_places
from tertium.cli.shared import flags
from tertium.cli.shared.values import Remarks, frozen

if TYPE_CHECKING:
    from tertium.preorder.model import Preorderer
    from tertium.preorder.parsing.constraints import Constraints

__all__ = ["CONSTRAINTS_HELP", "ModelText", "add_model_text"]

CONSTRAINTS_HELP = """\
A file of constraints has one JSON object per sentence, {} for none:
  {"walls": [3], "frozen": [[4, 6]], "before": [[0, 2]], "max_displacement": 5}
Words are counted from 0. No word crosses the wall before word 3; words 4 and 5 stay
together in their order; word 0 comes before word 2; no word moves more than 5 places.
Probabilities are conditional on all but the last, which limits the choice of the order.
"""


@frozen
class ModelText(Remarks):
    """A model, and the text it is applied to."""

    model: str
    text: str
    constraints: str | None
    max_displacement: int | None
    threads: int | None
    output: str | None

    def check(self) -> None:
        """Reject files that cannot be written, before any work."""
        check_places([self.text, self.constraints], [self.output])

    def read(
        self,
    ) -> tuple[Preorderer, list[list[str]], list[Constraints] | Constraints | None]:
        """Return the model, the sentences and their constraints."""
        from tertium.preorder.corpus import read_constraints, read_sentences
        from tertium.preorder.model import load
        from tertium.preorder.parsing.constraints import Constraints

        model = load(self.model)
        sentences = read_sentences(self.text)
        if self.constraints is not None:
            limit = self.max_displacement
            path = self.constraints
            limits = read_constraints(path, sentences, max_displacement=limit)
            return model, sentences, limits
        if self.max_displacement is not None:
            limits_of_all = Constraints(max_displacement=self.max_displacement)
            return model, sentences, limits_of_all
        return model, sentences, None


def add_model_text(parser: argparse.ArgumentParser) -> None:
    """Add a model, a text and what reordering must respect."""
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
        "--constraints", metavar="FILE", help="what the new order must respect (below)"
    )
    parser.add_argument(
        "--max-displacement",
        type=flags.number(0, 10**6),
        metavar="N",
        help="no word moves by more than N places",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    flags.add_threads(parser)
