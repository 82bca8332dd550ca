# SPDX-License-Identifier: Apache-2.0
"""The corpus of ``tertium preorder demo``: English beside a head-final gloss."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

from tertium.align.links import Links
from tertium.align.pharaoh import parse_pharaoh

__all__ = ["DemoText", "demo_text"]


class DemoText(NamedTuple):
    """Sentences, their translations and their links."""

    sentences: list[list[str]]
    targets: list[list[str]]
    links: list[Links]


def demo_text(part: str) -> DemoText:
    """Return a part of the bundled corpus.

    Parameters
    ----------
    part : {"train", "test"}

    Examples
    --------
    >>> text = demo_text("test")
    >>> len(text.sentences)
    100
    """
    path = files("tertium") / "demo" / "preorder" / f"{part}.tsv"
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    return DemoText(
        [source.split() for source, _, _ in rows],
        [target.split() for _, target, _ in rows],
        [parse_pharaoh(links) for *_, links in rows],
    )
