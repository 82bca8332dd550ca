# SPDX-License-Identifier: Apache-2.0
"""The options of caches: where results are kept for the next time."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from tertium.cli.shared.flags import add_switch
from tertium.cli.shared.remarks import remark_notes
from tertium.cli.shared.values import Caching

__all__ = ["add_cache", "caching"]


def add_cache(
    parser: argparse.ArgumentParser, what: str, *, always: bool = False
) -> None:
    """Add the options that name a cache, or switch all of them off.

    Parameters
    ----------
    parser : argparse.ArgumentParser
    what : str
        What is kept there.
    always : bool
        Whether it is kept by default, too, in the user's own cache.
    """
    default = "the user's own" if always else "the variable TERTIUM_CACHE, if set"
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--cache",
        metavar="DIR",
        help=f"keep {what} in this folder, and look there first: a second run is "
        f"faster, with the same results (default: {default}; see `tertium cache "
        "--help`)",
    )
    kept = "" if always else ", not even trees of parsers"
    add_switch(group, "--no-cache", help=f"read and keep nothing{kept}")


@contextmanager
def caching(options: Caching) -> Iterator[None]:
    """Cache as the options say while a verb runs, then write remarks about it.

    Modules of caches are looked up, not imported: most runs have no cache.
    """
    with _place(options):
        yield
        if store := sys.modules.get("tertium.cache.store"):
            for cache in store.forget_caches():
                remark_notes(options, cache)
        if trees := sys.modules.get("tertium.trees.cache"):
            for cache in trees.forget_caches():
                remark_notes(options, cache)


def _place(options: Caching) -> AbstractContextManager[None]:
    if not options.no_cache and options.cache is None:
        return nullcontext()
    from tertium.cache.places import using

    return using(options.cache)
