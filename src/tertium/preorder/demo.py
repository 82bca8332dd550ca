# SPDX-License-Identifier: Apache-2.0
"""The corpus of ``tertium preorder demo``: English beside a head-final gloss."""

from __future__ import annotations

import os
from importlib.resources import files
from typing import NamedTuple

from tertium._files import replace_folder
from tertium.align.links import Links
from tertium.align.pharaoh import parse_pharaoh, write_pharaoh
from tertium.preorder.corpus import write_sentences

__all__ = ["DemoText", "demo_text", "write_demo"]


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


def write_demo(folder: str | os.PathLike[str]) -> None:
    """Write the bundled corpus as files: train.en, train.gloss, train.links, test.en.

    Parameters
    ----------
    folder : str or path
        A new or empty folder.
    """
    with replace_folder(folder) as place:
        for part in ("train", "test"):
            text = demo_text(part)
            write_sentences(os.path.join(place, f"{part}.en"), text.sentences)
            write_sentences(os.path.join(place, f"{part}.gloss"), text.targets)
            write_pharaoh(os.path.join(place, f"{part}.links"), text.links)
