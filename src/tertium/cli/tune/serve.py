# SPDX-License-Identifier: Apache-2.0
"""``tertium tune serve``: answers a tuner line by line, as BEER and METEOR do."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tertium.cli.shared import flags, values
from tertium.cli.shared.values import OptionGroup, frozen
from tertium.errors import InputError

__all__ = ["serve"]

_ABOUT = """\
Answer a tuner, or any other program, line by line: each request on standard input is
answered at once by one line on standard output. The metric is loaded once.
"""

_EXAMPLES = """\
  tertium tune serve -m beer
  tertium tune serve -m beer:model=my.json
  printf 'EVAL ||| a cat ||| the cat ||| a cat\\n' | tertium tune serve -m chrf

requests, with ||| between their parts:
  EVAL ||| HYP ||| REF ||| REF ...         one score per reference
  EVAL BEST ||| HYP ||| REF ||| REF ...    the best of them
  MARGIN ||| HYP ||| REF ...               the raw value before scaling (beer only)
  MARGIN BEST ||| HYP ||| REF ...          the highest of them
  STATS ||| HYP ||| REF ||| REF ...        the statistics of a segment, which add up
  SCORE ||| NUMBERS                        the score of statistics, or of their sum
  EXIT                                     end, as does the end of the input

Numbers are separated by spaces. A request that cannot be answered gives a line that
starts with ERROR, and the next request is read.
"""


@frozen
class Options(OptionGroup):
    """The options of the action."""

    metric: str


def serve(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("tune serve", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "-m",
        "--metric",
        default="beer",
        metavar="SPEC",
        help="name or name:key=value,key=value (default: beer; all: `tertium metrics`)",
    )
    options = values.parse(parser, argv, Options)
    from tertium.metrics import metric
    from tertium.tuning.protocol import answers

    loaded = metric(options.metric)
    if sys.stdin is None:
        raise InputError("standard input is closed; send requests, one per line")
    for answer in answers(loaded, sys.stdin.buffer):
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()  # The other side waits for it.
    return 0
