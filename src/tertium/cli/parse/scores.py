# SPDX-License-Identifier: Apache-2.0
"""What the actions of ``tertium parse`` share: treebanks, and tables of scores."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tertium._version import __version__
from tertium.cli.shared.render import emit_json, render
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.trees.treebanks import ParserScores

__all__ = ["add_treebanks", "show"]


def add_treebanks(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the argument that names treebanks."""
    parser.add_argument(
        "treebanks",
        nargs="+",
        metavar="TREEBANK",
        help=f"files in CoNLL-U, perhaps compressed, {what}",
    )


def show(
    scores: ParserScores,
    format: str,
    *,
    output: str | None = None,
    digits: int | None = None,
) -> None:
    """Write attachment scores."""
    if format == "json":
        facts = {"tertium": __version__, **scores.to_dict()}
        emit_json(facts, output)
        return
    counts = scores.attachment
    figures = [
        f"{figure:.{2 if digits is None else digits}f}"
        for figure in (counts.uas, counts.las, counts.las_base)
    ]
    row = [scores.parser, f"{counts.sentences}", f"{counts.words}", *figures]
    head = ["parser", "sentences", "words", "UAS", "LAS", "LAS*"]
    render([Table(head, [row])], format, output=output)
