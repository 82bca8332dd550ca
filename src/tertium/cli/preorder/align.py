# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder align``: word links of a text and its translation."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium._files import check_places
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Remarks, frozen, parse

__all__ = ["align"]

_ABOUT = """\
Link the words of a text with those of its translation, for the other actions. The
aligner learns from the texts, so give it as many sentences as there are: align training
and test texts together, or in one go. `tertium align --bilingual` has more options.
"""

_EXAMPLES = """\
  tertium preorder align -s train.en -t train.ja -o train.gdfa
  tertium preorder align -s train.en -t train.ja --symmetrise intersection

Links are in Pharaoh's format, one line per sentence: `0-0 1-2` (source word first,
counted from 0).
"""


@frozen
class Options(Remarks):
    """The options of the action."""

    source: str
    target: str
    symmetrise: str
    output: str | None


def align(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    check_places([options.source, options.target], [options.output])
    from tertium.align.bilingual import align_bilingual
    from tertium.align.pharaoh import write_pharaoh
    from tertium.data.lines import open_lines

    sources, targets = (
        list(open_lines(path)) for path in (options.source, options.target)
    )
    remark(options, "aligning in both directions, which may take a while")
    links = align_bilingual(sources, targets, symmetrise=options.symmetrise)
    write_pharaoh(options.output or "-", links, weights=False)
    return 0


def _parser() -> argparse.ArgumentParser:
    from tertium.align.symmetrisation import METHODS

    parser = flags.parser("preorder align", _ABOUT, _EXAMPLES)
    for short, long, what in (
        ("-s", "--source", "source sentences, one per line, tokenised"),
        ("-t", "--target", "their translations"),
    ):
        parser.add_argument(short, long, required=True, metavar="FILE", help=what)
    parser.add_argument(
        "--symmetrise",
        choices=METHODS,
        default="grow-diag-final-and",
        metavar="METHOD",
        help=f"how to join both directions: {', '.join(METHODS)} (default: "
        "grow-diag-final-and)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no progress and no remarks"
    )
    return parser
