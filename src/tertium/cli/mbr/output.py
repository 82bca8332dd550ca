# SPDX-License-Identifier: Apache-2.0
"""What verbs that choose from n-best lists share: their files, and where picks go."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark, remark_note
from tertium.cli.shared.render import emit, emit_lines, render
from tertium.cli.shared.values import Output, Remarks
from tertium.report.tables.style import Style

if TYPE_CHECKING:
    from tertium.report.tables.table import Table
    from tertium.tuning.lists import NBestList

__all__ = [
    "Choice",
    "Picks",
    "add_choice",
    "read_lists",
    "stream_lists",
    "write_picks",
]


class Pick(Protocol):
    """A hypothesis that was chosen."""

    @property
    def text(self) -> str:
        """The hypothesis."""


class PickedList(Protocol):
    """What was chosen from a list."""

    @property
    def best(self) -> Sequence[Pick]:
        """The hypotheses, the best first."""


class Picks(Protocol):
    """What was chosen from lists."""

    @property
    def lists(self) -> Sequence[PickedList]:
        """What was chosen from every list."""

    def to_json(self) -> str:
        """Return everything as JSON."""


class Choice(Output, Remarks):
    """The options of such a verb."""

    nbest: Sequence[str]
    top: int

    @property
    def chosen_format(self) -> str:
        """The format: text, but with several picks per list a table."""
        return self.format or ("text" if self.top == 1 else "tsv")

    @property
    def style(self) -> Style:
        """The style of tables."""
        return Style(self.chosen_format, self.digits)


def add_choice(
    parser: argparse.ArgumentParser, *, digits: Sequence[str] = ("-w", "--digits")
) -> None:
    """Add the options on lists, how many to choose, and where they go.

    Parameters
    ----------
    parser : argparse.ArgumentParser
    digits : sequence of str
        The flags that set decimal places.
    """
    parser.add_argument(
        "-n",
        "--nbest",
        nargs="+",
        required=True,
        metavar="LIST",
        help="n-best lists of Moses or JSONL, by content; may be compressed, or a "
        "folder of JSONL shards; several files are merged by segment",
    )
    parser.add_argument(
        "--top",
        type=flags.number(1, 10**6),
        default=1,
        metavar="K",
        help="choose the K best of each list (default: 1)",
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("text", *flags.FORMATS),
        default="",
        help="(default: text, one line per list; tsv with --top)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    parser.add_argument(
        *digits, type=flags.number(0, 30), metavar="N", help="decimal places"
    )


def read_lists(options: Remarks, paths: Sequence[str]) -> list[NBestList]:
    """Return the lists of files, and remark on what was ignored in them."""
    return list(stream_lists(options, paths))


def stream_lists(options: Remarks, paths: Sequence[str]) -> Iterator[NBestList]:
    """Yield the lists of files, and remark on what was ignored in them."""
    from tertium.tuning.reading import stream_nbest

    return stream_nbest(paths, on_note=lambda note: remark_note(options, note))


def write_picks(
    options: Choice, picks: Picks, tables: Callable[[], Sequence[Table]]
) -> None:
    """Write what was chosen: one line of text per list, JSON, or tables."""
    chosen = options.chosen_format
    if chosen == "json":
        emit(picks.to_json(), options.output)
    elif chosen == "text":
        broken = sum(_line(each) != each.best[0].text for each in picks.lists)
        if broken:
            remark(options, f"line ends in {broken:,} texts were replaced by spaces")
        emit_lines(map(_line, picks.lists), options.output)
    else:
        render(tables(), chosen, output=options.output)


def _line(picked: PickedList) -> str:
    return " ".join(picked.best[0].text.splitlines())
