# SPDX-License-Identifier: Apache-2.0
"""Grammars written in a subset of GF, the Grammatical Framework."""

from __future__ import annotations

from tertium.grammars.gf.grammar import Grammar, load_grammar, parse_grammar
from tertium.grammars.gf.problems import GrammarError
from tertium.grammars.gf.variables import VariableSet, parse_set, show_set

__all__ = [
    "Grammar",
    "GrammarError",
    "VariableSet",
    "load_grammar",
    "parse_grammar",
    "parse_set",
    "show_set",
]
