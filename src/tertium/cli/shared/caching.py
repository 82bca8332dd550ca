# SPDX-License-Identifier: Apache-2.0
"""The options of caches: where results are kept for the next time."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from tertium.cli.shared.flags import add_switch
from tertium.cli.shared.remarks import remark_notes
from tertium.cli.shared.values import Caching

__all__ = ["add_cache", "caching"]


def add_cache(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options that name a cache, or switch all of them off.

    Parameters
    ----------
    parser : argparse.ArgumentParser
    what : str
        What is kept there.
    """
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--cache",
        metavar="DIR",
        help=f"keep {what} in this folder, and look there first; a second run is much "
        "faster, and results are the same (default: the variable TERTIUM_CACHE, if "
        "set; see `tertium cache --help`)",
    )
    add_switch(
        group,
        "--no-cache",
        help="keep nothing, not even trees of parsers, and read none",
    )


@contextmanager
def caching(options: Caching) -> Iterator[None]:
    """Cache as the options say while a verb runs, then write remarks about it."""
    with _place(options):
        yield
        if os.environ.get("TERTIUM_CACHE"):
            from tertium.cache.store import forget_caches, named_cache

            if cache := named_cache():
                remark_notes(options, cache)
            forget_caches()
        # Trees are cached by default, but only metrics over trees load their cache.
        if trees := sys.modules.get("tertium.trees.cache"):
            if cache := trees.default_cache():
                remark_notes(options, cache)
            trees.forget_caches()


def _place(options: Caching) -> AbstractContextManager[None]:
    if not options.no_cache and options.cache is None:
        return nullcontext()  # without an import, as most runs are
    from tertium.cache.places import using

    return using(options.cache)
