# SPDX-License-Identifier: Apache-2.0
"""Folders of mt-metrics-eval on the command line: which texts, which reference."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tertium.cli.shared.remarks import remark
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.formats.mtme import MtmeTexts
    from tertium.data.testset import Testset

__all__ = ["add_mtme", "mtme_chunks", "remark_reference", "settle_mtme"]

_CHUNK = 10_000


def add_mtme(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a folder of mt-metrics-eval and its reference."""
    parser.add_argument(
        "--mtme",
        metavar="FOLDER",
        help="a folder of mt-metrics-eval instead of a test set (or give it as "
        "TESTSET), with -l; references among its systems are left out",
    )
    parser.add_argument(
        "--reference",
        metavar="NAME",
        help="the reference of a folder of mt-metrics-eval (default: the first)",
    )


def settle_mtme(args: argparse.Namespace) -> None:
    """Let the folder of --mtme be the test set.

    Raises
    ------
    InputError
        If it is named beside other texts, or is no such folder, or a reference is
        chosen from something else.
    """
    if args.mtme is not None:
        others = {
            "the test set": args.testset,
            "-r": args.references,
            "-i": args.systems,
            "-s": args.source,
            "--docs": args.docs,
            "--input-format": args.input_format,
        }
        for name, value in others.items():
            if value is not None:
                raise InputError(f"--mtme brings everything; omit {name}")
        args.testset = args.mtme
    if (args.mtme or args.reference) and not _wants_mtme(args):
        where = args.testset or "nothing"
        message = f"{where} is not a folder of mt-metrics-eval, with sources/LP.txt"
        if args.mtme is None:
            message += "; omit --reference"
        raise InputError(message)


def _wants_mtme(args: argparse.Namespace) -> bool:
    """Tell whether the test set is a folder of mt-metrics-eval."""
    if args.testset is None or args.input_format is not None:
        return False
    from tertium.data.formats.mtme import is_mtme

    return is_mtme(args.testset)


def mtme_chunks(args: argparse.Namespace) -> Callable[[], Iterator[Testset]] | None:
    """Return a function that streams the texts of such a folder, if it is one.

    What is left out of them is said on stderr.
    """
    if not _wants_mtme(args):
        return None
    from tertium.data.formats.mtme import read_mtme_texts

    texts = read_mtme_texts(args.testset, args.langpair)
    testset = texts.against(getattr(args, "reference", None))
    remark_reference(args, texts)
    if texts.reference_systems:
        names = ", ".join(texts.reference_systems)
        remark(args, f"left out of the systems, as references: {names}")
    return lambda: testset.chunks(_CHUNK)


def remark_reference(args: argparse.Namespace, texts: MtmeTexts) -> None:
    """Say which of several references is in use."""
    if len(texts.references) < 2:
        return
    wanted = getattr(args, "reference", None) or texts.references[0]
    others = ", ".join(name for name in texts.references if name != wanted)
    flag = " (--reference)" if hasattr(args, "reference") else ""
    remark(args, f"metrics use the reference {wanted}; others are {others}{flag}")
