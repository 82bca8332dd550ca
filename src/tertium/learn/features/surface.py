# SPDX-License-Identifier: Apache-2.0
"""Blocks of units and lengths as the core reads them: sources and columns.

A source is a unit or a length, a column is a feature: a formula over the two shares
of a source. Models over such columns alone are scored in the core (``surface.hpp``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tertium import _core
from tertium.data.batch import lone_surrogate
from tertium.errors import InputError
from tertium.learn.features.blocks import Block, Reduced
from tertium.learn.features.length import Length
from tertium.learn.features.units import Units

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["Surface", "surface", "surface_rows"]

_Source: TypeAlias = tuple[str, int, bool, bool, bool, float]
_Column: TypeAlias = tuple[int, str, float]


class Surface(NamedTuple):
    """Features of words and characters, as the core reads them."""

    sources: list[_Source]
    columns: list[_Column]
    released: bool


def surface(blocks: Sequence[Block]) -> Surface | None:
    """Return blocks as the core reads them, or None if it cannot.

    It can where all are units or lengths that count in the same way.
    """
    sources: list[_Source] = []
    columns: list[_Column] = []
    windows = set()
    for block in blocks:
        whole = block.whole if isinstance(block, Reduced) else block
        kept = block.kept if isinstance(block, Reduced) else range(len(block.names))
        if not isinstance(whole, (Units, Length)):
            return None
        windows.add(whole.windows)
        parts, made = _unit_parts(whole) if isinstance(whole, Units) else _sizes(whole)
        start = len(sources)
        sources += parts
        for i in kept:
            source, formula, beta = made[i]
            columns.append((start + source, formula, beta))
    if len(windows) != 1:
        return None
    return Surface(sources, columns, windows == {"released"})


def surface_rows(
    block: Units | Length,
    hyps: Sequence[str],
    refs: Sequence[str],
    *,
    threads: int | None = None,
) -> Rows:
    """Return the features of a block; one reference per text."""
    parts = surface([block])
    if parts is None:  # a block of units or lengths has one kind of windows
        message = f"{block.kind} cannot be computed by the core"
        raise InputError(message)
    kernel = _core.surface_features(*parts)
    texts, own_refs = list(hyps), list(refs)
    try:
        return kernel.rows([texts], own_refs, threads or 0)[0]
    except UnicodeEncodeError as error:
        raise lone_surrogate([texts], list(own_refs)) from error
    except ValueError as error:
        raise InputError(str(error)) from None


def _unit_parts(block: Units) -> tuple[list[_Source], list[_Column]]:
    backoff = block.empty == "backoff"
    sources: list[_Source] = [
        (family, n, block.symmetric, backoff, False, 1.0) for family, n in block.parsed
    ]
    columns: list[_Column] = [
        (i, formula, beta) for i in range(len(sources)) for formula, beta in block.means
    ]
    return sources, columns


def _sizes(block: Length) -> tuple[list[_Source], list[_Column]]:
    exponential = block.form == "exp"
    sources: list[_Source] = [
        (f"{unit}-length", 1, True, True, exponential, block.empty) for unit in block.of
    ]
    return sources, [(i, "p", 1.0) for i in range(len(sources))]
