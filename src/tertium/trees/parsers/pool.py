# SPDX-License-Identifier: Apache-2.0
"""Parsing in several processes, each with the model loaded once.

Processes rather than threads: the bindings hold Python's lock while they parse.
Trees come back in the order of the texts, whatever the number of processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from tertium.trees.processes import in_order, workers

if TYPE_CHECKING:
    from tertium.trees.cache import Batches, TreesOfBatches
    from tertium.trees.parsers.base import ModelParser
    from tertium.trees.tree import DependencyTree

__all__ = ["batches_in", "parse_batches"]


def batches_in(parser: ModelParser, processes: int) -> Batches:
    """Return a function that parses batches, in processes where that pays.

    Starting a process and loading a model takes a second or two: a few batches are
    parsed right here.
    """

    def parse(many: Sequence[Sequence[str]]) -> TreesOfBatches:
        count = min(processes, len(many) // 2)
        if count < 2:
            yield from map(parser.parse, many)
        else:
            yield from parse_batches(parser, many, processes=count)

    return parse


def parse_batches(
    parser: ModelParser, many: Iterable[Sequence[str]], *, processes: int
) -> TreesOfBatches:
    """Yield the trees of batches of texts, in order, parsed in processes.

    The processes end with the generator. A script that calls this must guard its own
    start with ``if __name__ == "__main__":``.
    """
    loaded = parser.name, parser.model, parser.tokenize
    calls = ((_parse, (*loaded, list(texts))) for texts in many)
    with workers(processes) as team:
        for trees in in_order(team, calls):
            yield cast("list[DependencyTree]", trees)


def _parse(
    name: str, model: str, tokenize: str, texts: list[str]
) -> list[DependencyTree]:
    """Parse a batch, in a process."""
    return _parser(name, model, tokenize).parse(texts)


@lru_cache(maxsize=1)
def _parser(name: str, model: str, tokenize: str) -> ModelParser:
    from tertium.trees.parsers import load_parser

    return load_parser(name, model, tokenize=tokenize)
