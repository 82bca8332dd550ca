# SPDX-License-Identifier: Apache-2.0
"""What all actions that apply a model share: its file, the text, constraints.

Also what those share that write several orders per sentence.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from tertium._files import check_places
from tertium.cli.preorder.texts import UnalignedOptions, add_unaligned
from tertium.cli.shared import flags
from tertium.cli.shared.executors import threads_of, working
from tertium.cli.shared.parsers import note_facts
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.values import Place, frozen

if TYPE_CHECKING:
    from tertium.preorder.model import Preorderer
    from tertium.preorder.parsing.constraints import Constraints

__all__ = [
    "CONSTRAINTS_HELP",
    "ManyOrders",
    "ModelText",
    "add_many_orders",
    "add_model_text",
    "write_many_orders",
]

_Result = TypeVar("_Result")

CONSTRAINTS_HELP = """\
A file of constraints has one JSON object per sentence, {} for none:
  {"walls": [3], "frozen": [[4, 6]], "before": [[0, 2]], "max_displacement": 5}
Words are counted from 0. No word crosses the wall before word 3; words 4 and 5 stay
together in their order; word 0 comes before word 2; no word moves more than 5 places.
Probabilities are conditional on all but the last, which limits the choice of the order.
"""


@frozen
class ModelText(Place, UnalignedOptions):
    """A model, and the text it is applied to."""

    model: str
    text: str
    constraints: str | None
    max_displacement: int | None
    threads: int | None
    output: str | None
    unaligned_above: float

    def check(self) -> None:
        """Reject files that cannot be written, before any work."""
        check_places([self.text, self.constraints], [self.output])

    def read(
        self,
    ) -> tuple[
        Preorderer, Sequence[list[str]], Sequence[Constraints] | Constraints | None
    ]:
        """Return the model, the sentences and their constraints.

        Files are read and checked as a whole, but what they have stays on disk.
        """
        from tertium.data.kept import Kept
        from tertium.preorder.corpus import TextSentences, stream_constraints
        from tertium.preorder.model import load
        from tertium.preorder.parsing.constraints import Constraints

        model = load(self.model)
        note_facts(methods=[model.kind])
        self.check_unaligned(known=model.unaligned is not None, path=self.model)
        sentences = TextSentences(self.text)
        if self.constraints is not None:
            limit = self.max_displacement
            path = self.constraints
            limits = stream_constraints(path, sentences, max_displacement=limit)
            return model, sentences, Kept(limits)
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
    add_unaligned(parser)
    parser.add_argument(
        "--unaligned-above",
        type=float,
        default=0.5,
        metavar="P",
        help="words count as unaligned whose probability of it is above P (default: "
        "0.5)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    flags.add_threads(parser)
    flags.add_place(parser)


@frozen
class ManyOrders(ModelText):
    """The options of an action that writes several orders per sentence."""

    format: str
    number: int


def add_many_orders(parser: argparse.ArgumentParser, formats: Sequence[str]) -> None:
    """Add all options of such an action; the first format is the default."""
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
        choices=formats,
        default=formats[0],
        help=f"(default: {formats[0]})",
    )


def write_many_orders(
    options: ManyOrders,
    produce: Callable[..., Iterator[_Result]],
    lines: Callable[
        [Iterator[_Result], Preorderer, Sequence[list[str]]], Iterator[str]
    ],
    **settings: object,
) -> int:
    """Write what a function yields for every sentence of a text; return the exit code.

    Parameters
    ----------
    options : ManyOrders
    produce : callable
        Such as `nbest_orders`.
    lines : callable
        Returns the lines of its results, from these, the model and the sentences.
    **settings
        Of `produce`, beyond those that all have.
    """
    options.check()
    from tertium.data.lines import write_lines

    model, sentences, constraints = options.read()
    with working(options), Progress("sentences", quiet=options.quiet) as progress:
        results = produce(
            model,
            sentences,
            count=options.number,
            constraints=constraints,
            unaligned=options.unaligned,
            unaligned_above=options.unaligned_above,
            threads=threads_of(options, options.threads),
            progress=progress,
            **settings,
        )
        write_lines(options.output or "-", lines(results, model, sentences))
    return 0
