# SPDX-License-Identifier: Apache-2.0
"""Dependency trees: CoNLL-U, parsers and a cache of their work."""

from tertium.trees.conllu import Sentence, parse_conllu, read_conllu, write_conllu
from tertium.trees.tree import DependencyTree

__all__ = [
    "DependencyTree",
    "Sentence",
    "parse_conllu",
    "read_conllu",
    "write_conllu",
]
