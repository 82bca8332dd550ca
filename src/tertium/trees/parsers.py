# SPDX-License-Identifier: Apache-2.0
"""Parsers behind one small protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tertium.errors import UnknownNameError
from tertium.trees.tree import DependencyTree

__all__ = ["Parser", "load_parser"]


class Parser(Protocol):
    """What turns texts into trees."""

    @property
    def signature(self) -> str:
        """Name, version and model, for signatures."""

    def parse(self, texts: Sequence[str]) -> list[DependencyTree]:
        """Return the tree of every text."""


def load_parser(name: str, model: str) -> Parser:  # noqa: ARG001
    """Return the parser of this name with a model."""
    raise UnknownNameError("parser", name, ())
