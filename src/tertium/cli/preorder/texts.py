# SPDX-License-Identifier: Apache-2.0
"""The texts and links that actions of ``tertium preorder`` read."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.align.links import Links

from tertium.cli.shared.values import OptionGroup, frozen

__all__ = [
    "GoldOptions",
    "LinkedText",
    "UnalignedOptions",
    "add_gold",
    "add_linked_text",
    "add_unaligned",
]


@frozen
class LinkedText(OptionGroup):
    """A source text and its links with a translation."""

    source: str
    links: str
    one_based: bool
    sure_only: bool

    def read(self) -> tuple[list[list[str]], list[Links]]:
        """Return the sentences and their links."""
        from tertium.preorder.corpus import read_sentences

        sentences = read_sentences(self.source)
        return sentences, self.read_links(self.links, sentences)

    def read_links(
        self,
        path: str,
        sentences: list[list[str]],
        targets: list[list[str]] | None = None,
    ) -> list[Links]:
        """Return the links of the sentences from a file."""
        return list(self.stream_links(path, sentences, targets))

    def stream_links(
        self,
        path: str,
        sentences: Sequence[list[str]],
        targets: list[list[str]] | None = None,
    ) -> Iterator[Links]:
        """Yield the links of the sentences from a file."""
        from tertium.preorder.corpus import stream_links

        return stream_links(
            path,
            sentences,
            targets=targets,
            base=int(self.one_based),
            sure_only=self.sure_only,
        )


@frozen
class UnalignedOptions(OptionGroup):
    """What becomes of words without a counterpart in the translation."""

    unaligned: str
    marker: str

    def check_unaligned(self, *, known: bool, path: str) -> None:
        """Reject a marker or a model that cannot serve, before any work."""
        from tertium.errors import FormatError
        from tertium.preorder.unaligned import written_words

        if self.unaligned != "keep" and not known:
            raise FormatError(
                "this model has not learnt which words are unaligned, so it cannot "
                f"{self.unaligned} them; train it again with this version",
                path=path,
                options=("unaligned",),
            )
        written_words((), (), self.unaligned, marker=self.marker)


@frozen
class GoldOptions(LinkedText):
    """How links become gold orders."""

    reduction: str
    attach: str
    backward: str | None


def add_linked_text(
    parser: argparse.ArgumentParser,
    *,
    links_required: bool = True,
    several: bool = False,
) -> None:
    """Add the options of a source text and its links, perhaps with alternatives."""
    parser.add_argument(
        "-s",
        "--source",
        required=True,
        metavar="FILE",
        help="source sentences, one per line, words separated by white space",
    )
    parser.add_argument(
        "--links",
        required=links_required,
        action="append" if several else "store",
        metavar="FILE",
        help="word links, one line per sentence: `0-0 1-2` (Pharaoh, source word "
        "first, counted from 0), or Lader's `3-4 ||| 0-0 1-2`"
        + ("; give it again for alternative links (grammar only)" if several else ""),
    )
    parser.add_argument(
        "--one-based", action="store_true", help="links count words from 1"
    )
    parser.add_argument(
        "--sure-only",
        action="store_true",
        help="ignore links that are only possible, such as 1p2",
    )


def add_gold(parser: argparse.ArgumentParser) -> None:
    """Add the options of gold orders."""
    from tertium.preorder.gold import REDUCTIONS
    from tertium.preorder.units import ATTACH

    parser.add_argument(
        "--reduction",
        choices=REDUCTIONS,
        default="mean",
        help="the target position of a word: the mean of its links (default), the "
        "leftmost, rightmost or best link, or the mean of links that --backward has "
        "too; or minimal phrases, as in training",
    )
    parser.add_argument(
        "--attach",
        choices=ATTACH,
        default="right",
        help="words without links move with the next word on this side (default: "
        "right)",
    )
    parser.add_argument(
        "--backward",
        metavar="FILE",
        help="links of the other direction, source word first; for --reduction "
        "intersection",
    )


def add_unaligned(parser: argparse.ArgumentParser) -> None:
    """Add what becomes of words without a counterpart in the translation."""
    from tertium.preorder.unaligned import MARKER, UNALIGNED

    parser.add_argument(
        "--unaligned",
        choices=UNALIGNED,
        default="keep",
        help="words without a counterpart in the translation, such as articles before "
        "Japanese: keep them (default), mark them, or drop them from all formats",
    )
    parser.add_argument(
        "--marker",
        default=MARKER,
        metavar="TEXT",
        help=f"what follows marked words (default: {MARKER}); one that begins with | "
        "is a factor, and the other words get the factor |-",
    )
