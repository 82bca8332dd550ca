# SPDX-License-Identifier: Apache-2.0
"""Parsing in several processes, each with the model loaded once.

Processes rather than threads: the bindings hold Python's lock while they parse.
Trees are returned in the order of the texts, for any number of processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from tertium._executor import Processes

if TYPE_CHECKING:
    from tertium.trees.cache import Batches, TreesOfBatches
    from tertium.trees.parsers.base import ModelParser
    from tertium.trees.tree import DependencyTree

__all__ = ["batches_in", "parse_batches"]


def batches_in(parser: ModelParser, processes: int) -> Batches:
    """Return a function that parses batches, in processes if that is faster.

    Starting a process and loading a model takes a second or two, so a few batches are
    parsed in this process.
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

    The processes end with the generator. A script that calls this must be guarded
    by ``if __name__ == "__main__":``.
    """
    work = partial(_parse, parser.name, parser.model, parser.tokenize)
    # A text that crashes one process would crash the next one, too.
    yield from Processes(processes, retries=0).map(work, map(list, many))


def _parse(
    name: str, model: str, tokenize: str, texts: list[str]
) -> list[DependencyTree]:
    """Parse a batch, in a process."""
    return _parser(name, model, tokenize).parse(texts)


@lru_cache(maxsize=1)
def _parser(name: str, model: str, tokenize: str) -> ModelParser:
    from tertium.trees.parsers import load_parser

    return load_parser(name, model, tokenize=tokenize)
